#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "lite/nnadapter/compat/compat.h"
#include "nnadapter/hal/error.h"

namespace nnadapter {
namespace {

// The variable's text as a number by `parse`; InvalidParameter where it is none.
template <typename T, typename Parse>
T FromEnv(const std::string& name, T absent, Parse parse) {
  const std::string text = GetStringFromEnv(name);
  if (text.empty()) return absent;
  char* end = nullptr;
  const T value = static_cast<T>(parse(text.c_str(), &end));
  if (*end) throw hal::InvalidParameter(hal::Text(name, "=", text, ": expected a number"));
  return value;
}

std::vector<std::string> Split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = separator.empty() ? std::string::npos : text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string::npos) break;
    start = end + separator.size();
  }
  return parts;
}

}  // namespace

std::map<std::string, std::string> GetKeyValues(const char* properties,
                                                const std::string& delimiter,
                                                const std::string& assignment) {
  std::map<std::string, std::string> values;
  for (const std::string& section : Split(properties ? properties : "", delimiter)) {
    const std::vector<std::string> words = Split(section, assignment);
    if (words.size() != 2 || words[0].empty() || words[1].empty())
      throw hal::InvalidParameter(hal::Text("\"", section, "\" of \"", properties,
                                            "\": expected key", assignment, "value"));
    values[words[0]] = words[1];
  }
  return values;
}

std::string GetStringFromEnv(const std::string& name, const std::string& absent) {
  const char* text = std::getenv(name.c_str());
  return text ? text : absent;
}

bool GetBoolFromEnv(const std::string& name, bool absent) {
  std::string text = GetStringFromEnv(name);
  if (text.empty()) return absent;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return text == "TRUE" || text == "1";
}

int GetIntFromEnv(const std::string& name, int absent) {
  return FromEnv(name, absent, [](const char* t, char** end) { return std::strtol(t, end, 10); });
}

double GetDoubleFromEnv(const std::string& name, double absent) {
  return FromEnv(name, absent, [](const char* t, char** end) { return std::strtod(t, end); });
}

uint64_t GetUInt64FromEnv(const std::string& name, uint64_t absent) {
  return FromEnv(name, absent, [](const char* t, char** end) { return std::strtoull(t, end, 10); });
}

bool ReadFile(const std::string& path, std::vector<uint8_t>* buffer) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  buffer->assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return !file.bad();
}

bool WriteFile(const std::string& path, const std::vector<uint8_t>& buffer) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(buffer.data()), buffer.size());
  file.close();
  return !file.fail();
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw hal::InvalidParameter(path + ": cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

void WriteLines(const std::vector<std::string>& lines, const std::string& path) {
  std::ofstream file(path);
  for (const std::string& line : lines) file << line << '\n';
  file.close();
  if (file.fail()) throw hal::InvalidParameter(path + ": cannot be written");
}

std::string GetRealPath(const char* path) {
  char* found = path ? realpath(path, nullptr) : nullptr;
  const std::string text = found ? found : "";
  std::free(found);
  return text;
}

bool IsAllZeros(void* buffer, size_t length) {
  const auto* bytes = static_cast<const uint8_t*>(buffer);
  return std::all_of(bytes, bytes + length, [](uint8_t byte) { return byte == 0; });
}

}  // namespace nnadapter
