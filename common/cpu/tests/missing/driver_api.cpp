// says: cuModuleLoad
// note: kernel<<<...>>>) does the same
void load() { cuModuleLoad(nullptr, "kernels.ptx"); }
