#include "lite/sdk/notice.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

namespace paddle::lite::sdk {

void Warn(const std::string& text) { std::fprintf(stderr, "paddle_lite: %s\n", text.c_str()); }

bool IsVerbose() {
  const char* level = std::getenv("GLOG_v");
  return level != nullptr && std::atoi(level) >= 1;
}

void SayOnce(const std::string& text) {
  if (!IsVerbose()) return;
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard<std::mutex> lock(mutex);
  if (said.insert(text).second) Warn(text);
}

void SayIgnored(const char* setting, const char* why) {
  SayOnce(std::string(setting) + " has no effect here: " + why);
}

}  // namespace paddle::lite::sdk
