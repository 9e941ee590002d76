#include "lite/core/attribute.h"

#include <limits>
#include <type_traits>

namespace paddle::lite {
namespace {

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

template <typename To, typename From>
std::optional<To> ConvertScalar(const From& from) {
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (std::is_arithmetic_v<To> && std::is_arithmetic_v<From>) {
    if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
      return std::nullopt;  // 0.5 as an int would lose its fraction
    } else if constexpr (std::is_same_v<To, bool>) {
      if (from != From{0} && from != From{1}) return std::nullopt;
      return from != From{0};
    } else if constexpr (std::is_integral_v<To>) {
      const auto wide = static_cast<int64_t>(from);
      if (wide < std::numeric_limits<To>::min() || wide > std::numeric_limits<To>::max())
        return std::nullopt;
      return static_cast<To>(wide);
    } else {
      return static_cast<To>(from);
    }
  } else {
    return std::nullopt;
  }
}

template <typename To, typename From>
std::optional<Attribute> Convert(const From& from) {
  if constexpr (IsVector<To>::value && IsVector<From>::value) {
    To list;
    list.reserve(from.size());
    for (auto&& item : from) {
      auto converted = ConvertScalar<typename To::value_type>(
          static_cast<const typename From::value_type&>(item));
      if (!converted) return std::nullopt;
      list.push_back(*converted);
    }
    return Attribute(std::move(list));
  } else if constexpr (!IsVector<To>::value && !IsVector<From>::value) {
    if (auto converted = ConvertScalar<To>(from)) return Attribute(*converted);
    return std::nullopt;
  } else {
    return std::nullopt;
  }
}

}  // namespace

const char* AttributeTypeName(const Attribute& attribute) {
  static constexpr const char* kNames[] = {"none",    "bool",     "int",    "long", "float",
                                           "float64", "string",   "bools",  "ints", "longs",
                                           "floats",  "float64s", "strings"};
  return kNames[attribute.index()];
}

std::optional<Attribute> ConvertAttribute(const Attribute& from, const Attribute& like) {
  if (from.index() == like.index()) return from;
  return std::visit(
      [](const auto& value, const auto& wanted) -> std::optional<Attribute> {
        using From = std::decay_t<decltype(value)>;
        using To = std::decay_t<decltype(wanted)>;
        if constexpr (std::is_same_v<From, std::monostate> || std::is_same_v<To, std::monostate>)
          return std::nullopt;
        else
          return Convert<To, From>(value);
      },
      from, like);
}

}  // namespace paddle::lite
