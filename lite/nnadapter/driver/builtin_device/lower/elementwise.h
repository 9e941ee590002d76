// Lowerings that elementwise operations share.
#pragma once

#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {

// input0 op input1, then the activation.
inline void LowerArithmetic(Lowering& l, const char* type) {
  l.EmitFused(type, {{"X", {l.In("input0")}}, {"Y", {l.In("input1")}}}, "Out", "output");
}

// The same without an activation.
inline void LowerComparison(Lowering& l, const char* type) {
  l.Emit(type, {{"X", {l.In("input0")}}, {"Y", {l.In("input1")}}}, {{"Out", {l.Out("output")}}});
}

inline void LowerUnary(Lowering& l, const char* type, const lite::AttributeMap& attributes = {}) {
  l.Emit(type, {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}}, attributes);
}

}  // namespace nnadapter::builtin_device
