#include "lite/kernels/nnadapter/converter.h"

#include <map>
#include <string>

namespace paddle::lite::nnadapter_bridge {
namespace {

std::map<std::string, Converter, std::less<>>& Converters() {
  static auto* converters = new std::map<std::string, Converter, std::less<>>;
  return *converters;
}

}  // namespace

bool RegisterConverter(const char* name, Converter converter) {
  return Converters().emplace(name, converter).second;
}

Converter FindConverter(std::string_view name) {
  const auto found = Converters().find(name);
  return found == Converters().end() ? nullptr : found->second;
}

}  // namespace paddle::lite::nnadapter_bridge
