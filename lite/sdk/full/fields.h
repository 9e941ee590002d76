// What the full library and its converter say to each other: named texts, one after the other,
// each as "name length\n" and its bytes, at the end "end 0\n". The other side: tools/opt/pipe.py.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace paddle::lite::sdk {

// A message to be sent. Values are not copied: they must outlive it.
class FieldWriter {
 public:
  void Add(const std::string& name, std::string_view value);
  // A value that may go at once.
  void AddText(const std::string& name, const std::string& value);
  // The message in parts, in order.
  std::vector<std::string_view> Finish();

 private:
  struct Part {
    std::string text;        // stands before the value
    std::string_view value;  // somebody else's
  };
  std::vector<Part> parts_;
};

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

// The fields of a whole message; false where it is damaged or was cut off.
bool ParseFields(std::string_view message, Fields* fields);
// The first value of that name, or an empty text.
std::string_view FieldValue(const Fields& fields, std::string_view name);

}  // namespace paddle::lite::sdk
