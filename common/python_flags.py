# The options of nvcc for a program with Python inside: with the Python that runs this.
import sysconfig

value = sysconfig.get_config_var
print(f"-I{sysconfig.get_path('include')} -L{value('LIBDIR')} -lpython{value('LDVERSION')}")
