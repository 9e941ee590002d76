// What the headers of a newer glibc and libstdc++ name that glibc 2.28 and GCC 8 lack, by what
// those have. Linked into each library that needs it, hidden (old_libraries.py).
#include <sys/stat.h>

#include <new>

extern "C" {

int __xstat(int version, const char* path, struct stat* result);
int __fxstat(int version, int file, struct stat* result);

#ifdef __x86_64__
constexpr int kStatVersion = 1;
#else
constexpr int kStatVersion = 0;
#endif

// Until 2.33 functions of libc_nonshared.a.
int stat(const char* path, struct stat* result) noexcept {
  return __xstat(kStatVersion, path, result);
}
int fstat(int file, struct stat* result) noexcept { return __fxstat(kStatVersion, file, result); }

// glibc 2.32: whether the process has one thread only; 0 is "perhaps not", which is always safe.
char __libc_single_threaded = 0;

void CopyExceptionPointer(void* to, const void* from) noexcept  // GCC 4.4's names
    __asm__("_ZNSt15__exception_ptr13exception_ptrC1ERKS0_");
void DestroyExceptionPointer(void* pointer) noexcept
    __asm__("_ZNSt15__exception_ptr13exception_ptrD1Ev");
void MakeStringStream(void* stream, int mode) __asm__(
    "_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEC1ESt13_Ios_Openmode");

void AddExceptionReference(void* pointer) noexcept
    __asm__("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void AddExceptionReference(void* pointer) noexcept {
  alignas(void*) char copy[sizeof(void*)];  // never destroyed: the reference stays
  CopyExceptionPointer(copy, pointer);
}

void ReleaseException(void* pointer) noexcept
    __asm__("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void ReleaseException(void* pointer) noexcept {
  DestroyExceptionPointer(pointer);
  *static_cast<void**>(pointer) = nullptr;
}

void MakeOutputStream(void* stream) __asm__(
    "_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEC1Ev");
void MakeOutputStream(void* stream) {
  MakeStringStream(stream, 1 << 4);  // std::ios_base::out
}

}  // extern "C"

namespace std {
[[noreturn, gnu::visibility("hidden")]] void __throw_bad_array_new_length() {
  throw bad_array_new_length();
}
}  // namespace std
