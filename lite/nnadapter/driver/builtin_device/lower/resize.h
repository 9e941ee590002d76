// Lowering that the two RESIZE operations share.
#pragma once

#include <array>
#include <string>

#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {

// `methods` are the CPU's names for one, two and three spatial axes. The size wins over the scales.
void LowerResize(Lowering& l, const std::array<const char*, 3>& methods, int32_t align_mode);

}  // namespace nnadapter::builtin_device
