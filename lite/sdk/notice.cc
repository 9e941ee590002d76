#include "lite/sdk/notice.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

namespace paddle::lite::sdk {

void Warn(const std::string& text) { std::fprintf(stderr, "paddle_lite: %s\n", text.c_str()); }

void SayIgnored(const char* setting, const char* why) {
  const char* level = std::getenv("GLOG_v");
  if (level == nullptr || std::atoi(level) < 1) return;
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard<std::mutex> lock(mutex);
  if (said.insert(setting).second) Warn(std::string(setting) + " has no effect here: " + why);
}

}  // namespace paddle::lite::sdk
