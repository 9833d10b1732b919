// says: cudaIpcGetMemHandle
void share(void* pointer) { cudaIpcGetMemHandle(nullptr, pointer); }
