// What a cached program depends on, as one text.
#pragma once

#include <string>

#include "lite/nnadapter/runtime/context.h"
#include "nnadapter/core/types.h"

namespace nnadapter::runtime {

// 32 hexadecimal digits of the model's structure, constants and shapes, and of the devices' names,
// versions and properties. Not for protection from an attacker.
std::string Fingerprint(const core::Model& model, const Context& context);

}  // namespace nnadapter::runtime
