// Attribute: one typed value of an operator, as in ProgramDesc.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace paddle::lite {

// int covers INT, BLOCK (a block's position); monostate is "no value".
using Attribute = std::variant<std::monostate, bool, int32_t, int64_t, float, double, std::string,
                               std::vector<bool>, std::vector<int32_t>, std::vector<int64_t>,
                               std::vector<float>, std::vector<double>, std::vector<std::string>>;
using AttributeMap = std::map<std::string, Attribute, std::less<>>;

// "int", "floats", ...: the words of the Program's text.
const char* AttributeTypeName(const Attribute& attribute);

// `from` as the alternative that `like` holds, where no value is lost (int and long, float and
// double, bool and int, empty lists of any type); nullopt otherwise.
std::optional<Attribute> ConvertAttribute(const Attribute& from, const Attribute& like);

}  // namespace paddle::lite
