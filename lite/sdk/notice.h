// What the SDK says on stderr.
#pragma once

#include <string>

namespace paddle::lite::sdk {

// Something that deserves the user's attention.
void Warn(const std::string& text);
// The same, once in a process.
void WarnOnce(const std::string& text);

// Where GLOG_v is 1 or more: says once in a process that a setting has no effect, and why.
void SayIgnored(const char* setting, const char* why);

}  // namespace paddle::lite::sdk
