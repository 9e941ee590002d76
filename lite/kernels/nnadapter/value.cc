#include "lite/kernels/nnadapter/value.h"

#include <cmath>
#include <type_traits>

#include "lite/core/base/errors.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

const char* KindName(const Value& value) {
  static constexpr const char* kNames[] = {"nothing", "an unknown number", "a bool",
                                           "an int",  "a float",           "a text",
                                           "a list",  "a tensor",          "a failure"};
  return kNames[value.data.index()];
}

[[noreturn]] void Mismatch(const Value& value, const char* expected) {
  if (value.IsUnknown()) throw NeedsKnown{};
  throw NotOffloadable{StrCat("an attribute has an unexpected value: found ", KindName(value),
                              " where ", expected, " is needed")};
}

template <typename T>
const T& As(const Value& value, const char* expected) {
  const T* found = std::get_if<T>(&value.data);
  if (found == nullptr) Mismatch(value, expected);
  return *found;
}

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

template <typename T>
Value FromScalar(const T& value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>)
    return Value(value);
  else if constexpr (std::is_integral_v<T>)
    return Value(static_cast<int64_t>(value));
  else
    return Value(static_cast<double>(value));
}

}  // namespace

int64_t AsInt(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value.data)) return *flag ? 1 : 0;
  return As<int64_t>(value, "an int");
}

double AsFloat(const Value& value) {
  if (const double* number = std::get_if<double>(&value.data)) return *number;
  return static_cast<double>(AsInt(value));
}

bool AsBool(const Value& value) {
  if (const int64_t* number = std::get_if<int64_t>(&value.data)) return *number != 0;
  return As<bool>(value, "a bool");
}

const std::string& AsText(const Value& value) { return As<std::string>(value, "a text"); }

const Values& AsList(const Value& value) { return As<Values>(value, "a list"); }

Operand* AsOperand(const Value& value) { return As<Operand*>(value, "a tensor"); }

Operand* AsOperandOrNull(const Value& value) { return value.IsNone() ? nullptr : AsOperand(value); }

std::vector<int64_t> AsInts(const Value& value) {
  std::vector<int64_t> numbers;
  for (const Value& item : AsList(value)) numbers.push_back(AsInt(item));
  return numbers;
}

std::vector<float> AsFloats(const Value& value) {
  std::vector<float> numbers;
  for (const Value& item : AsList(value)) numbers.push_back(static_cast<float>(AsFloat(item)));
  return numbers;
}

Value ListOf(const std::vector<int64_t>& numbers) {
  return Value(Values(numbers.begin(), numbers.end()));
}

Value ListOf(const std::vector<Operand*>& operands) {
  return Value(Values(operands.begin(), operands.end()));
}

Value FromAttribute(const Attribute& attribute) {
  return std::visit(
      [](const auto& value) -> Value {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return Value();
        } else if constexpr (IsVector<T>::value) {
          Values list;
          for (auto&& item : value)
            list.push_back(FromScalar(static_cast<const typename T::value_type&>(item)));
          return Value(std::move(list));
        } else {
          return FromScalar(value);
        }
      },
      attribute);
}

std::string ToText(const Value& value) {
  if (value.IsNone()) return "nothing";
  if (value.IsUnknown()) return "?";
  if (const bool* flag = std::get_if<bool>(&value.data)) return *flag ? "true" : "false";
  if (const int64_t* number = std::get_if<int64_t>(&value.data)) return std::to_string(*number);
  if (const double* number = std::get_if<double>(&value.data))
    return StrCat(static_cast<float>(*number));
  if (const std::string* text = std::get_if<std::string>(&value.data)) return *text;
  if (Operand* const* operand = std::get_if<Operand*>(&value.data)) return (*operand)->name;
  std::string text = "[";
  for (const Value& item : std::get<Values>(value.data))
    text += StrCat(text.size() > 1 ? ", " : "", ToText(item));
  return text + "]";
}

}  // namespace paddle::lite::nnadapter_bridge
