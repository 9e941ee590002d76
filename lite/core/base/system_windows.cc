#if defined(_WIN32)

#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// Behind windows.h, which they need.
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <process.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "lite/core/base/system.h"

namespace paddle::lite::system {
namespace {

// Longer paths than 260 characters need the prefix, and an absolute path.
constexpr size_t kShort = 240;

std::wstring Wide(const std::string& text) {
  const int length = static_cast<int>(text.size());
  const int size = MultiByteToWideChar(CP_UTF8, 0, text.data(), length, nullptr, 0);
  std::wstring wide(static_cast<size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), length, wide.data(), size);
  return wide;
}

std::wstring PathOf(const std::string& path) {
  std::wstring wide = Wide(path);
  if (wide.size() < kShort || wide.rfind(L"\\\\", 0) == 0) return wide;
  const DWORD size = GetFullPathNameW(wide.c_str(), 0, nullptr, nullptr);
  std::wstring full(size, L'\0');
  full.resize(GetFullPathNameW(wide.c_str(), size, full.data(), nullptr));
  return L"\\\\?\\" + full;
}

std::string Narrow(const std::wstring& text) {
  const int length = static_cast<int>(text.size());
  const int size =
      WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr);
  std::string narrow(static_cast<size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), length, narrow.data(), size, nullptr, nullptr);
  return narrow;
}

HANDLE HandleOf(int descriptor) { return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)); }

}  // namespace

size_t AvailableMemory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!GlobalMemoryStatusEx(&status)) return size_t{4} << 30;
  return static_cast<size_t>(std::min(status.ullAvailPhys, status.ullAvailVirtual));
}

void* AllocateAligned(size_t alignment, size_t bytes) { return _aligned_malloc(bytes, alignment); }
void FreeAligned(void* memory) { _aligned_free(memory); }
void AdviseHugePages(void*, size_t, bool) {}
// Its pages stay committed: the system takes them when it needs some.
void ReturnPages(void* memory, size_t bytes) {
  VirtualAlloc(memory, bytes, MEM_RESET, PAGE_READWRITE);
}
void ReturnFreedMemory() { _heapmin(); }

int OpenToRead(const std::string& path) {
  // A folder is opened too, so that the caller can say what it is.
  constexpr DWORD kShare = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE handle = CreateFileW(PathOf(path).c_str(), GENERIC_READ, kShare, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    const DWORD code = GetLastError();
    const bool absent =
        code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND || code == ERROR_INVALID_NAME;
    errno = absent ? ENOENT : EACCES;
    return -1;
  }
  return _open_osfhandle(reinterpret_cast<intptr_t>(handle), _O_RDONLY | _O_BINARY);
}

void Close(int descriptor) { _close(descriptor); }

bool Describe(int descriptor, FileInfo* info) {
  BY_HANDLE_FILE_INFORMATION found{};
  if (!GetFileInformationByHandle(HandleOf(descriptor), &found)) {
    // A device or a pipe: there, and no file.
    *info = {};
    return GetFileType(HandleOf(descriptor)) != FILE_TYPE_UNKNOWN;
  }
  info->bytes = (uint64_t{found.nFileSizeHigh} << 32) | found.nFileSizeLow;
  const uint64_t stamp[] = {found.ftLastWriteTime.dwHighDateTime,
                            found.ftLastWriteTime.dwLowDateTime,
                            found.ftCreationTime.dwHighDateTime,
                            found.ftCreationTime.dwLowDateTime,
                            found.dwVolumeSerialNumber,
                            (uint64_t{found.nFileIndexHigh} << 32) | found.nFileIndexLow};
  std::copy_n(stamp, 6, info->stamp);
  info->is_folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  info->is_ordinary = !info->is_folder && GetFileType(HandleOf(descriptor)) == FILE_TYPE_DISK;
  return true;
}

int64_t ReadAt(int descriptor, void* to, size_t bytes, uint64_t offset) {
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(offset);
  at.OffsetHigh = static_cast<DWORD>(offset >> 32);
  DWORD got = 0;
  if (ReadFile(HandleOf(descriptor), to, static_cast<DWORD>(bytes), &got, &at)) return got;
  if (GetLastError() == ERROR_HANDLE_EOF) return 0;
  errno = EIO;
  return -1;
}

bool Exists(const std::string& path) {
  return GetFileAttributesW(PathOf(path).c_str()) != INVALID_FILE_ATTRIBUTES;
}

bool IsOrdinaryFile(const std::string& path) {
  const DWORD attributes = GetFileAttributesW(PathOf(path).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  WIN32_FIND_DATAW entry;
  const HANDLE found = FindFirstFileW(PathOf(folder + "\\*").c_str(), &entry);
  if (found == INVALID_HANDLE_VALUE) return names;
  do names.push_back(Narrow(entry.cFileName));
  while (FindNextFileW(found, &entry));
  FindClose(found);
  std::sort(names.begin(), names.end());
  return names;
}

void MakeFolder(const std::string& path) {
  for (size_t end = 0; end != std::string::npos;) {
    end = path.find_first_of("/\\", end + 1);
    CreateDirectoryW(PathOf(path.substr(0, end)).c_str(), nullptr);
  }
}

FILE* OpenToWrite(const std::string& path) { return _wfopen(PathOf(path).c_str(), L"wbN"); }
bool Sync(FILE* file) { return _commit(_fileno(file)) == 0; }

bool Replace(const std::string& from, const std::string& to) {
  if (MoveFileExW(PathOf(from).c_str(), PathOf(to).c_str(), MOVEFILE_REPLACE_EXISTING)) return true;
  errno = EACCES;
  return false;
}

bool Remove(const std::string& path) { return _wremove(PathOf(path).c_str()) == 0; }
int ProcessNumber() { return _getpid(); }

int CurrentCore() { return static_cast<int>(GetCurrentProcessorNumber()); }

// Of the first group of processors, which has 64.
CoreSet ThreadCores() {
  CoreSet cores;
  DWORD_PTR process = 0, system = 0;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &process, &system)) return cores;
  const HANDLE thread = GetCurrentThread();
  // A thread's mask is told by setting another.
  const DWORD_PTR mask = SetThreadAffinityMask(thread, process);
  if (mask != 0) SetThreadAffinityMask(thread, mask);
  for (size_t i = 0; i < 8 * sizeof mask && i < cores.size(); ++i) cores[i] = mask >> i & 1;
  return cores;
}

void SetThreadCores(const CoreSet& cores) {
  DWORD_PTR mask = 0;
  for (size_t i = 0; i < 8 * sizeof mask && i < cores.size(); ++i)
    if (cores[i]) mask |= DWORD_PTR{1} << i;
  if (mask != 0) SetThreadAffinityMask(GetCurrentThread(), mask);
}

// There are none.
void WithoutSignals(FunctionRef<void()> start) { start(); }
void AtFork(void (*)(), void (*)(), void (*)()) {}

int64_t CacheBytes(int level) {
  DWORD size = 0;
  GetLogicalProcessorInformation(nullptr, &size);
  std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> all(size / sizeof all[0]);
  if (all.empty() || !GetLogicalProcessorInformation(all.data(), &size)) return 0;
  int64_t least = 0;
  for (const auto& one : all) {
    if (one.Relationship != RelationCache || one.Cache.Level != level ||
        one.Cache.Type == CacheInstruction)
      continue;
    const auto bytes = static_cast<int64_t>(one.Cache.Size);
    least = least == 0 ? bytes : std::min(least, bytes);
  }
  return least;
}

unsigned long ArmCapabilities() { return 0; }
// The system saves the tiles of every thread where the processor says that it does.
bool AllowTiles() { return true; }

void* OpenLibrary(const std::string& path) { return LoadLibraryW(PathOf(path).c_str()); }
void* FindSymbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
void CloseLibrary(void* library) { FreeLibrary(static_cast<HMODULE>(library)); }
std::string LibraryError() { return "Windows's error " + std::to_string(GetLastError()); }

std::string LibraryOf(const void* function) {
  constexpr DWORD kFlags =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  HMODULE library = nullptr;
  if (!GetModuleHandleExW(kFlags, static_cast<const wchar_t*>(function), &library)) return "";
  std::wstring path(32768, L'\0');
  path.resize(GetModuleFileNameW(library, path.data(), static_cast<DWORD>(path.size())));
  return Narrow(path);
}

}  // namespace paddle::lite::system

#endif  // _WIN32
