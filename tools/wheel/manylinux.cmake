# Links for glibc 2.28 with the machine's own compiler: LITE_OLD_LIBRARIES is the folder that
# tools/cross/old_libraries.py wrote.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LITE_OLD_LIBRARIES)
# An old libstdc++ starts threads only where libpthread is loaded: it is always named.
set(flags "-L${LITE_OLD_LIBRARIES} -Wl,--no-as-needed")
# Forced: a folder that was configured otherwise is linked anew.
set(CMAKE_SHARED_LINKER_FLAGS "${flags} -Wl,-z,defs" CACHE STRING "" FORCE)
set(CMAKE_MODULE_LINKER_FLAGS "${flags}" CACHE STRING "" FORCE)
