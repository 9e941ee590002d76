#include "lite/kernels/nnadapter/nnadapter_api.h"

#include <memory>
#include <mutex>
#include <vector>

#include "lite/core/base/errors.h"
#include "lite/core/base/system.h"
#include "lite/core/fork_safe_mutex.h"
#include "nnadapter/hal/names.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

constexpr char kLibrary[] = "libnnadapter.so";

ForkSafeMutex g_load_mutex;
const NNAdapterApi* g_loaded = nullptr;

std::string FolderOfThisLibrary() {
  const std::string path = system::LibraryOf(reinterpret_cast<const void*>(&LoadNNAdapter));
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::vector<std::string> Candidates() {
  std::vector<std::string> paths;
  const std::string folder = FolderOfThisLibrary();
  if (!folder.empty()) {
    paths.push_back(folder + kLibrary);
    paths.push_back(folder + "../../" + kLibrary);  // the SDK's libraries in a Python package
  }
  paths.push_back(kLibrary);
  return paths;
}

std::string LoadedPath(const void* function, const std::string& fallback) {
  const std::string path = system::LibraryOf(function);
  return path.empty() ? fallback : path;
}

// Empty, or the functions that the library lacks.
std::string FindFunctions(void* library, NNAdapterApi* api) {
  std::string missing;
#define LITE_FIND(name)                                                    \
  api->NNAdapter##name = reinterpret_cast<decltype(api->NNAdapter##name)>( \
      system::FindSymbol(library, "NNAdapter" #name));
#define LITE_REQUIRE(name)             \
  LITE_FIND(name)                      \
  if (api->NNAdapter##name == nullptr) \
    missing += missing.empty() ? "NNAdapter" #name : ", NNAdapter" #name;
  LITE_NNADAPTER_FUNCTIONS(LITE_REQUIRE)
  LITE_NNADAPTER_EXTENSIONS(LITE_FIND)
#undef LITE_REQUIRE
#undef LITE_FIND
  return missing;
}

std::unique_ptr<NNAdapterApi> Load() {
  std::string tried;
  for (const std::string& path : Candidates()) {
    void* library = system::OpenLibrary(path);
    if (library == nullptr) {
      tried += StrCat("\n  ", path, ": ", system::LibraryError());
      continue;
    }
    auto api = std::make_unique<NNAdapterApi>();
    const std::string missing = FindFunctions(library, api.get());
    if (missing.empty()) {
      api->path = LoadedPath(reinterpret_cast<void*>(api->NNAdapter_getVersion), path);
      return api;
    }
    tried += StrCat("\n  ", path, ": lacks ", missing);
    system::CloseLibrary(library);
  }
  throw DeviceError(StrCat("NNAdapter's runtime was not found; looked at:", tried,
                           "\nInstall a package that contains ", kLibrary,
                           ", or name its folder in LD_LIBRARY_PATH"));
}

}  // namespace

const NNAdapterApi& LoadNNAdapter() {
  const std::lock_guard<ForkSafeMutex> lock(g_load_mutex);
  if (g_loaded == nullptr) g_loaded = Load().release();
  return *g_loaded;
}

std::string NNAdapterCodeName(int code) {
  const char* name = ::nnadapter::hal::ResultCodeName(code);
  return StrCat(name != nullptr ? name : "unknown code", " (", code, ")");
}

void CheckNNAdapter(int code, const std::string& what) {
  if (code == NNADAPTER_NO_ERROR) return;
  const std::string text = LoadNNAdapter().NNAdapter_getLastErrorMessage();
  throw DeviceError(StrCat("cannot ", what, ": ", text.empty() ? "no text was given" : text, " [",
                           NNAdapterCodeName(code), "]"));
}

}  // namespace paddle::lite::nnadapter_bridge
