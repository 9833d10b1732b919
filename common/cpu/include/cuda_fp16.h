#error "the CPU backend has no half precision: cuda_fp16.h"
