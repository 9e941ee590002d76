# What CMake's cache starts with (cmake -C): libraries are linked for glibc 2.28 by the machine's own
# compiler. LITE_OLD_LIBRARIES, of the environment, is what tools/cross/old_libraries.py wrote.
# An old libstdc++ starts threads only where libpthread is loaded: it is always named.
set(flags "-L$ENV{LITE_OLD_LIBRARIES} -Wl,--no-as-needed")
set(CMAKE_SHARED_LINKER_FLAGS "${flags} -Wl,-z,defs" CACHE STRING "" FORCE)
set(CMAKE_MODULE_LINKER_FLAGS "${flags}" CACHE STRING "" FORCE)
