#include "lite/sdk/full/fields.h"

#include <charconv>

namespace paddle::lite::sdk {

void FieldWriter::Add(const std::string& name, std::string_view value) {
  parts_.push_back({name + " " + std::to_string(value.size()) + "\n", value});
}

void FieldWriter::AddText(const std::string& name, const std::string& value) {
  parts_.push_back({name + " " + std::to_string(value.size()) + "\n" + value, {}});
}

std::vector<std::string_view> FieldWriter::Finish() {
  parts_.push_back({"end 0\n", {}});
  std::vector<std::string_view> all;
  for (const Part& part : parts_) {
    all.push_back(part.text);
    all.push_back(part.value);
  }
  return all;
}

bool ParseFields(std::string_view message, Fields* fields) {
  while (true) {
    const size_t line = message.find('\n');
    const size_t space = message.substr(0, line).rfind(' ');
    if (line == std::string_view::npos || space == std::string_view::npos) return false;
    size_t length = 0;
    const char* const end = message.data() + line;
    const auto [last, error] = std::from_chars(message.data() + space + 1, end, length);
    if (error != std::errc() || last != end || length > message.size() - line - 1) return false;
    const std::string_view name = message.substr(0, space);
    if (name == "end") return true;
    fields->emplace_back(name, message.substr(line + 1, length));
    message.remove_prefix(line + 1 + length);
  }
}

std::string_view FieldValue(const Fields& fields, std::string_view name) {
  for (const auto& [key, value] : fields)
    if (key == name) return value;
  return {};
}

}  // namespace paddle::lite::sdk
