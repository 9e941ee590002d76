// Lowering that batch, group and instance normalisation share.
#pragma once

#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {

inline void LowerNormalization(Lowering& l, const char* type, Slots inputs,
                               lite::AttributeMap attributes) {
  l.Support(l.Rank("input") <= 5,
            "input has rank " + std::to_string(l.Rank("input")) + ", the CPU normalises up to 5");
  inputs["X"] = {l.In("input")};
  inputs["Scale"] = l.OptionalIn("scale");
  inputs["Bias"] = l.OptionalIn("bias");
  attributes["epsilon"] = l.Float("epsilon");
  l.Emit(type, inputs, {{"Y", {l.Out("output")}}}, attributes);
}

}  // namespace nnadapter::builtin_device
