// Lowering that reductions share.
#pragma once

#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {

inline void LowerReduce(Lowering& l, const char* type) {
  const Ints32 axes = l.Has("axes") ? l.I32s("axes") : Ints32{};
  lite::AttributeMap attributes{
      {"dim", axes}, {"keep_dim", l.Bool("keepdim", true)}, {"reduce_all", axes.empty()}};
  // The CPU operator would make int64 of int32.
  if (std::string_view(type) == "reduce_sum")
    attributes["out_dtype"] = static_cast<int32_t>(l.DataTypeOf("input"));
  l.Emit(type, {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}}, attributes);
}

}  // namespace nnadapter::builtin_device
