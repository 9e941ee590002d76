// Tensors of one value.
#pragma once

#include <string>

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

// A number that keeps all digits of either kind.
struct FillValue {
  double real = 0;
  int64_t integer = 0;
  bool is_integer = false;
  double imag = 0;

  static FillValue Of(double value) { return {value, 0, false}; }
  // "3", "1e3", "inf", "-inf", "nan", "True", "(1-2j)" as exporters write them; throws LiteError
  // for others, naming the attribute.
  static FillValue Parse(const std::string& text, const char* attribute = "str_value");
  // The only element of a tensor of any type.
  static FillValue From(const Tensor& tensor, const char* slot);
};

// Bytes that one element of any type needs at most.
constexpr size_t kMaxElementSize = 16;

// Sets every element, converted to the tensor's type; throws DataTypeError where a type of real
// numbers would lose an imaginary part.
void Fill(Tensor& out, const FillValue& value, int threads);
// One element, converted, at `to`; returns its size in bytes.
size_t StoreElement(const FillValue& value, DataType dtype, void* to);

// The shape that an operator takes from ShapeTensor, ShapeTensorList or the attribute `shape`.
DDim GivenShape(const InferContext& c);

}  // namespace paddle::lite
