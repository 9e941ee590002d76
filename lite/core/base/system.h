// What the core asks of the system: one file a system (system_linux.cc, system_darwin.cc,
// system_windows.cc, system_other.cc for the rest that has POSIX's files). Nothing else of the core
// names a system's own functions. What a system lacks is a slower way or an error, never another
// number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "lite/core/base/core_binding.h"
#include "lite/core/base/function_ref.h"

namespace paddle::lite::system {

// -- Memory.

// That a program can still have; 4 GiB where nobody says.
size_t AvailableMemory();
// Null where there is none; `bytes` is a multiple of `alignment`.
void* AllocateAligned(size_t alignment, size_t bytes);
void FreeAligned(void* memory);
// Whether whole huge pages of it shall be such.
void AdviseHugePages(void* memory, size_t bytes, bool huge);
// Whole pages whose content nobody needs any more.
void ReturnPages(void* memory, size_t bytes);
// What the allocator keeps of freed memory.
void ReturnFreedMemory();

// -- Files, by UTF-8 paths. What fails leaves its code in errno.

struct FileInfo {
  uint64_t bytes = 0;
  // Two numbers for when it was written last, two for when anything of it changed, two that name
  // it.
  uint64_t stamp[6] = {};
  bool is_folder = false, is_ordinary = false;
};

// Waits for nobody, so that a pipe opens at once; -1: it failed.
int OpenToRead(const std::string& path);
void Close(int descriptor);
bool Describe(int descriptor, FileInfo* info);
// How many bytes; 0 at the end, -1: it failed.
int64_t ReadAt(int descriptor, void* to, size_t bytes, uint64_t offset);
bool Exists(const std::string& path);
bool IsOrdinaryFile(const std::string& path);
// What a folder holds, in order; nothing where it cannot be read.
std::vector<std::string> NamesIn(const std::string& folder);
// Makes a folder, and those that it is in.
void MakeFolder(const std::string& path);
// Null: it failed.
FILE* OpenToWrite(const std::string& path);
// What was written is on the disk.
bool Sync(FILE* file);
// Gives a file another's place at once.
bool Replace(const std::string& from, const std::string& to);
bool Remove(const std::string& path);
int ProcessNumber();

// -- Threads and processors.

// -1 where nobody knows.
int CurrentCore();
// Where the calling thread may run; none where the system does not say.
CoreSet ThreadCores();
void SetThreadCores(const CoreSet& cores);
// Threads that `start` starts get no signals.
void WithoutSignals(FunctionRef<void()> start);
// Called around a fork, where there is one; null: nothing.
void AtFork(void (*before)(), void (*in_parent)(), void (*in_child)());
// Of one core's data; 0 where the system does not know.
int64_t CacheBytes(int level);
// Linux's AT_HWCAP of Arm's processors; 0 where nobody says.
unsigned long ArmCapabilities();
// Whether this process may use AMX's tiles.
bool AllowTiles();

// -- Libraries.

// Null: it failed, and LibraryError says why.
void* OpenLibrary(const std::string& path);
void* FindSymbol(void* library, const char* name);
void CloseLibrary(void* library);
std::string LibraryError();
// The path of the library that holds a function; empty where nobody knows.
std::string LibraryOf(const void* function);

}  // namespace paddle::lite::system
