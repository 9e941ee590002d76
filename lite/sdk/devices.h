// Devices that a configuration names and this machine does not have.
#pragma once

#include <string>
#include <vector>

namespace paddle::lite::sdk {

// The devices that a configuration names. Programs that take theirs from the command line say "cpu"
// for none: it is no device.
std::vector<std::string> DevicesNamed(const std::vector<std::string>& names);

// The devices to run on: `names` without those of public HALs whose driver is not here, and
// builtin_device where none is left; stderr says so. Applications for boards name theirs in the
// source, and are developed elsewhere. Other missing names stay, for the runtime to refuse.
std::vector<std::string> DevicesHere(const std::vector<std::string>& names);

}  // namespace paddle::lite::sdk
