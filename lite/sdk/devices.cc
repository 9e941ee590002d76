#include "lite/sdk/devices.h"

#include "lite/core/base/errors.h"
#include "lite/kernels/nnadapter/nnadapter_api.h"
#include "lite/sdk/notice.h"
#include "nnadapter/hal/devices.h"

namespace paddle::lite::sdk {
namespace {

// What NNAdapter says of a public HAL's device that has no library here; empty where it has one,
// even one that cannot be used.
std::string WhyAbsent(const std::string& name) {
  if (!::nnadapter::hal::IsPublicDevice(name)) return {};
  const nnadapter_bridge::NNAdapterApi& api = nnadapter_bridge::LoadNNAdapter();
  NNAdapterDevice* device = nullptr;
  const int code = api.NNAdapterDevice_acquire(name.c_str(), &device);
  if (code == NNADAPTER_NO_ERROR) api.NNAdapterDevice_release(device);
  if (code != NNADAPTER_DEVICE_NOT_FOUND) return {};
  std::string text = api.NNAdapter_getLastErrorMessage();
  return text.rfind("there is no device", 0) == 0 ? text : std::string();
}

}  // namespace

std::vector<std::string> DevicesNamed(const std::vector<std::string>& names) {
  std::vector<std::string> devices;
  for (const std::string& name : names)
    if (name != "cpu") devices.push_back(name);
  return devices;
}

std::vector<std::string> DevicesHere(const std::vector<std::string>& names) {
  std::vector<std::string> here;
  std::string absent;
  for (const std::string& name : names) {
    const std::string why = WhyAbsent(name);
    if (why.empty())
      here.push_back(name);
    else
      absent += (absent.empty() ? "" : "\n") + why;
  }
  if (absent.empty()) return here;
  if (here.empty()) here.push_back("builtin_device");
  std::string left;
  for (const std::string& name : here) left += (left.empty() ? "" : ", ") + name;
  Warn(StrCat("subgraphs for devices run on ", left, " instead: ", absent));
  return here;
}

}  // namespace paddle::lite::sdk
