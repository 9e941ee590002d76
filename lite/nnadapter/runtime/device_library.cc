#include "lite/nnadapter/runtime/device_library.h"

#include <cxxabi.h>
#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lite/nnadapter/runtime/lent_model.h"

namespace nnadapter::runtime {
namespace {

constexpr const char kSymbolPrefix[] = "__nnadapter_device__";

// What dlopen said, with a missing C++ symbol in readable form.
std::string LoaderText() {
  const char* said = dlerror();
  std::string text = said ? said : "the loader gave no reason";
  constexpr const char kUndefined[] = "undefined symbol: ";
  const size_t at = text.find(kUndefined);
  if (at == std::string::npos) return text;
  const size_t begin = at + sizeof(kUndefined) - 1;
  const std::string symbol = text.substr(begin, text.find_first_of(" ,\n\t", begin) - begin);
  int status = 0;
  char* readable = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string name = readable ? readable : symbol;
  std::free(readable);
  return Text(text, " (", name,
              "): the library expects this symbol from another, and this runtime's "
              "libnnadapter_compat.so does not have it. Link the driver with all that it needs");
}

// Beside this library: the C++ helpers that HALs import which Paddle Lite's was linked to.
bool OpenCompat() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&OpenCompat), &info) || !info.dli_fname) return false;
  const std::string self = info.dli_fname;
  const std::string path = self.substr(0, self.rfind('/') + 1) + "libnnadapter_compat.so";
  return dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr;
}

// Null where it does not load: dlerror says why.
void* OpenLibrary(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library) return library;
  const char* said = dlerror();
  // A mangled name of namespace nnadapter.
  const bool helper =
      said && std::strstr(said, "undefined symbol: _ZN") && std::strstr(said, "9nnadapter");
  if (helper) OpenCompat();
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// The size that the library states for the symbol; 0 where it states none.
size_t SymbolSize(void* symbol) {
  Dl_info info;
  void* extra = nullptr;
  if (!dladdr1(symbol, &info, &extra, RTLD_DL_SYMENT) || !extra || info.dli_saddr != symbol)
    return 0;
  return static_cast<const ElfW(Sym)*>(extra)->st_size;
}

std::string FileOf(void* symbol, const std::string& fallback) {
  Dl_info info;
  return dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : fallback;
}

bool FileContains(const std::string& path, const std::string& needle) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return false;
  constexpr size_t kChunk = 1 << 20;
  std::vector<char> buffer(kChunk + needle.size());
  size_t kept = 0;
  bool found = false;
  while (!found) {
    const size_t got = std::fread(buffer.data() + kept, 1, kChunk, file);
    if (got == 0) break;
    const size_t size = kept + got;
    found = memmem(buffer.data(), size, needle.data(), needle.size()) != nullptr;
    kept = std::min(size, needle.size() - 1);
    std::memmove(buffer.data(), buffer.data() + size - kept, kept);
  }
  std::fclose(file);
  return found;
}

}  // namespace

std::shared_ptr<Device> OpenDeviceLibrary(const std::string& path, const std::string& name) {
  void* library = OpenLibrary(path);
  if (!library) Fail(NNADAPTER_DEVICE_NOT_FOUND, LoaderText());
  const std::string symbol_name = kSymbolPrefix + name;
  void* symbol = dlsym(library, symbol_name.c_str());
  if (!symbol) Fail(NNADAPTER_DEVICE_NOT_FOUND, "the library has no symbol ", symbol_name);
  const size_t size = SymbolSize(symbol);
  const size_t through_version = offsetof(driver::Device, version) + sizeof(int32_t);
  if (size != 0 && size < through_version) {
    Fail(NNADAPTER_DEVICE_NOT_FOUND, "symbol ", symbol_name, " has ", size, " bytes, a device has ",
         sizeof(driver::Device));
  }
  CheckedVersion(symbol, Text("symbol ", symbol_name));
  if (size != 0 && size < sizeof(driver::Device)) {
    Fail(NNADAPTER_DEVICE_NOT_FOUND, "symbol ", symbol_name, " has ", size, " bytes, a device has ",
         sizeof(driver::Device));
  }
  const std::string file = FileOf(symbol, path);
  const LibraryAbi abi = LibraryAbiOf(file);
  if (abi != LibraryAbi::kSame && !(abi == LibraryAbi::kOldLists && kCanLendModels)) {
    Fail(NNADAPTER_DEVICE_NOT_FOUND, "the library is compiled for ", LibraryAbiName(abi),
         ", whose std::list is not that of this runtime: its first call would end the process. "
         "Compile it for libstdc++");
  }
  const auto explain = reinterpret_cast<driver::ExplainFunction>(
      dlsym(library, ("__nnadapter_explain__" + name).c_str()));
  const auto last_error =
      reinterpret_cast<driver::LastErrorFunction>(dlsym(library, "__nnadapter_last_error__"));
  return std::make_shared<Device>(name, static_cast<const driver::Device*>(symbol), file, explain,
                                  last_error, abi);
}

bool HoldsDevice(const std::string& path, const std::string& name) {
  std::string symbol = kSymbolPrefix + name;
  symbol.push_back('\0');
  return FileContains(path, symbol);
}

std::vector<std::string> DevicesInFolder(const std::string& directory, bool among_others) {
  std::vector<std::string> names;
  DIR* folder = opendir(directory.c_str());
  if (!folder) return names;
  while (const dirent* entry = readdir(folder)) {
    const std::string file = entry->d_name;
    if (file.size() <= 6 || file.compare(0, 3, "lib") != 0 ||
        file.compare(file.size() - 3, 3, ".so") != 0) {
      continue;
    }
    const std::string name = file.substr(3, file.size() - 6);
    const std::string path = directory + "/" + file;
    if (among_others ? HasSymbol(path, kSymbolPrefix + name) : HoldsDevice(path, name))
      names.push_back(name);
  }
  closedir(folder);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace nnadapter::runtime
