#error "the CPU backend has no bfloat16: cuda_bf16.h"
