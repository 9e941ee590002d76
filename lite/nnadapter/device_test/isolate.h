// Cases in processes of their own: a device that crashes or hangs fails one case.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lite/nnadapter/device_test/bench.h"

namespace device_test {

struct Settings {
  std::string device;
  std::string properties;
  int timeout_seconds = 60;  // for one case
  size_t chunk = 100;        // cases a process
};

// Runs all cases and reports each. Returns nothing, or why the device cannot be opened (then the
// rest is not reported). `warn` gets what belongs to no case.
std::string RunIsolated(const std::vector<Case>& cases, const Settings& settings,
                        const std::function<void(const Case&, const Verdict&)>& report,
                        const std::function<void(const std::string&)>& warn);

}  // namespace device_test
