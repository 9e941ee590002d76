// Libraries that hold a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lite/nnadapter/runtime/device.h"

namespace nnadapter::runtime {

// `path` as dlopen takes it. The library stays loaded until the process ends. Throws Error with
// what the loader said; a C++ symbol that is missing is named.
std::shared_ptr<Device> OpenDeviceLibrary(const std::string& path, const std::string& name);

// Whether the file has the text of that device's symbol; nothing is loaded.
bool HoldsDevice(const std::string& path, const std::string& name);

// Names of the devices whose libraries stand in a folder, sorted; nothing is loaded.
// `among_others`: the folder may hold many large libraries, of which no more than the symbols are
// read.
std::vector<std::string> DevicesInFolder(const std::string& directory, bool among_others = false);

}  // namespace nnadapter::runtime
