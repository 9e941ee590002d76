#include "rknn_runtime.h"

#include <dlfcn.h>

#include "nnadapter/hal/error.h"

namespace hal = nnadapter::hal;

namespace rknn {
namespace {

template <typename Function>
void Find(void* library, const std::string& path, const char* name, Function** function) {
  *function = reinterpret_cast<Function*>(dlsym(library, name));
  if (!*function) throw hal::NotSupported(hal::Text(path, " has no ", name));
}

const char* CodeName(int code) {
  switch (code) {
    case -1:
      return "RKNN_ERR_FAIL";
    case -2:
      return "RKNN_ERR_TIMEOUT";
    case -3:
      return "RKNN_ERR_DEVICE_UNAVAILABLE";
    case -4:
      return "RKNN_ERR_MALLOC_FAIL";
    case -5:
      return "RKNN_ERR_PARAM_INVALID";
    case -6:
      return "RKNN_ERR_MODEL_INVALID: is the board's librknnrt.so older than the toolkit?";
    case -7:
      return "RKNN_ERR_CTX_INVALID";
    case -8:
      return "RKNN_ERR_INPUT_INVALID";
    case -9:
      return "RKNN_ERR_OUTPUT_INVALID";
    case -10:
      return "RKNN_ERR_DEVICE_UNMATCH: the library and the board's driver do not fit";
    case -13:
      return "RKNN_ERR_TARGET_PLATFORM_UNMATCH: it was compiled for another chip";
    default:
      return "an unknown error";
  }
}

}  // namespace

Runtime Open(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    throw hal::NotSupported(hal::Text(
        "Rockchip's runtime cannot be loaded: ", why ? why : path,
        "; ROCKCHIP_RKNPU2_RUNTIME names another one. It is on boards: elsewhere programs run in "
        "the simulator, from Python, which lite device setup rockchip_rknpu2 installs"));
  }
  Runtime found{};
  Find(library, path, "rknn_init", &found.init);
  Find(library, path, "rknn_destroy", &found.destroy);
  Find(library, path, "rknn_query", &found.query);
  Find(library, path, "rknn_inputs_set", &found.inputs_set);
  Find(library, path, "rknn_run", &found.run);
  Find(library, path, "rknn_outputs_get", &found.outputs_get);
  Find(library, path, "rknn_outputs_release", &found.outputs_release);
  found.set_core_mask =
      reinterpret_cast<int (*)(Context, int32_t)>(dlsym(library, "rknn_set_core_mask"));
  return found;
}

void Succeed(int code, const char* call) {
  if (code != 0) throw hal::DeviceFailure(hal::Text(call, " returns ", code, ", ", CodeName(code)));
}

}  // namespace rknn
