// Converter: how an operator is converted that a rule cannot say; they register by name.
#pragma once

#include <string_view>

#include "lite/kernels/nnadapter/conversion.h"

namespace paddle::lite::nnadapter_bridge {

// A hand-written converter; the rule's conditions hold when it runs.
using Converter = void (*)(Conversion&);
bool RegisterConverter(const char* name, Converter converter);
// Null where there is none.
Converter FindConverter(std::string_view name);

}  // namespace paddle::lite::nnadapter_bridge

#define REGISTER_NNADAPTER_CONVERTER(name, function)               \
  [[maybe_unused]] static const bool name##_converter_registered = \
      ::paddle::lite::nnadapter_bridge::RegisterConverter(#name, function)
