# Toolchain for arm64: Android with ANDROID_NDK in the environment or as a variable, else Linux with
# g++-aarch64-linux-gnu, for glibc 2.28 where LITE_OLD_LIBRARIES names what old_libraries.py wrote.
if(NOT ANDROID_NDK AND DEFINED ENV{ANDROID_NDK})
  set(ANDROID_NDK $ENV{ANDROID_NDK})
endif()
if(ANDROID_NDK)
  set(ANDROID_ABI arm64-v8a CACHE STRING "")
  set(ANDROID_PLATFORM 28 CACHE STRING "posix_spawn and getrandom")
  include(${ANDROID_NDK}/build/cmake/android.toolchain.cmake)
  return()
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)

find_program(LITE_QEMU qemu-aarch64)
if(LITE_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${LITE_QEMU} -L /usr/aarch64-linux-gnu)
endif()

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LITE_OLD_LIBRARIES)
if(LITE_OLD_LIBRARIES)
  # An old libstdc++ starts threads only where libpthread is loaded: it is always named.
  set(flags "-L${LITE_OLD_LIBRARIES} -Wl,--no-as-needed")
  set(CMAKE_SHARED_LINKER_FLAGS_INIT "${flags} -Wl,-z,defs")
  set(CMAKE_MODULE_LINKER_FLAGS_INIT "${flags}")
endif()
