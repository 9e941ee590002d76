// What the SDK says on stderr.
#pragma once

#include <string>

namespace paddle::lite::sdk {

// Something that deserves the user's attention.
void Warn(const std::string& text);

// Whether GLOG_v is 1 or more.
bool IsVerbose();

// What IsVerbose() is asked for: a text is said once in a process.
void SayOnce(const std::string& text);

// The same: a setting has no effect, and why.
void SayIgnored(const char* setting, const char* why);

}  // namespace paddle::lite::sdk
