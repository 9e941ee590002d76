// A context's properties: "key=value;key=value".
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

#include "nnadapter/hal/error.h"

namespace nnadapter {
namespace hal {

class Properties {
 public:
  Properties() = default;
  // InvalidParameter for an empty section, key or value, a missing or a second '='.
  explicit Properties(const std::string& text) {
    for (size_t start = 0; start < text.size();) {
      const size_t end = std::min(text.find(';', start), text.size());
      const std::string section = text.substr(start, end - start);
      const size_t equals = section.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == section.size() ||
          section.find('=', equals + 1) != std::string::npos)
        throw InvalidParameter(Text("property \"", section, "\" of \"", text,
                                    "\": expected key=value, sections separated by ;"));
      values_[section.substr(0, equals)] = section.substr(equals + 1);
      start = end + 1;
    }
  }

  // The value of a key, or of the environment variable of that name, or `absent`.
  std::string Get(const std::string& key, const std::string& absent = "") const {
    const auto found = values_.find(key);
    if (found != values_.end()) return found->second;
    const char* variable = std::getenv(key.c_str());
    return variable ? variable : absent;
  }

  int GetInt(const std::string& key, int absent) const {
    const std::string text = Get(key);
    if (text.empty()) return absent;
    char* end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (*end || value < INT32_MIN || value > INT32_MAX)
      throw InvalidParameter(Text("property ", key, "=", text, ": expected an integer"));
    return static_cast<int>(value);
  }

  bool GetBool(const std::string& key, bool absent) const {
    const std::string text = Get(key);
    if (text.empty()) return absent;
    if (text == "1" || text == "true" || text == "True") return true;
    if (text == "0" || text == "false" || text == "False") return false;
    throw InvalidParameter(Text("property ", key, "=", text, ": expected true or false"));
  }

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace hal
}  // namespace nnadapter
