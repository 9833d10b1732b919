# The options of nvcc for a program with Python inside: with the Python that runs this.
import sysconfig

value = sysconfig.get_config_var
folder = value("LIBDIR")
print(f"-I{sysconfig.get_path('include')} -L{folder} -Xlinker -rpath={folder} -lpython{value('LDVERSION')}")
