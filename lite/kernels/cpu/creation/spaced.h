// What linspace and logspace share.
#pragma once

#include <initializer_list>

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

// Infers Out: Num numbers of the type that the attribute `dtype` names. Every slot of `ends` has
// one element.
inline void InferSpaced(InferContext& c, std::initializer_list<const char*> ends) {
  const auto num = c.IntValues("Num");
  c.Require(num.size() == 1 && num[0] > 0, "Num is ", DDim(num), ", expected one number above 0");
  for (const char* slot : ends)
    c.Require(c.Dims(slot).production() == 1, slot, " has shape ", c.Dims(slot),
              ", expected one element");
  const DataType dtype = DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype");
  if (dtype != DataType::kFP32 && dtype != DataType::kFP64 && dtype != DataType::kInt32 &&
      dtype != DataType::kInt64)
    throw DataTypeError(StrCat("attribute dtype is ", Name(dtype), ", expected a number type"));
  c.SetOutput("Out", {num[0]}, dtype);
}

}  // namespace paddle::lite
