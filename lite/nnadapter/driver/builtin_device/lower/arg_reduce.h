// Lowering that ARG_MAX and ARG_MIN share.
#pragma once

#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {

inline void LowerArgReduce(Lowering& l, const char* type) {
  LowerUnary(l, type,
             {{"axis", l.Int("axis")},
              {"keepdims", l.Bool("keepdim")},
              {"dtype", static_cast<int32_t>(TypeForCode(l.Int("dtype", NNADAPTER_INT64)))}});
}

}  // namespace nnadapter::builtin_device
