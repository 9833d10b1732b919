// says: cudaIpcGetMemHandle
// note: MPI or NCCL
void share(void* pointer) { cudaIpcGetMemHandle(nullptr, pointer); }
