// How NNAdapter stores what NNAPI has: the types and the elements at the border.
#pragma once

#include <vector>

#include "lite/nnadapter/nnapi/translate.h"

namespace nnadapter::nnapi {

size_t PrecisionSize(int precision);

// Whether NNAPI's elements are NNAdapter's: all but int8 with a zero point and what is FLOAT32
// there, float16 and quantised numbers of 16 bits.
bool StoredAsIs(int32_t code);
// Bytes of an element in NNAdapter.
size_t StoredSize(int32_t code);
void ToStored(const OperandType& type, const void* from, void* to, size_t count);
void FromStored(const OperandType& type, const void* from, void* to, size_t count);

// An operand's type without its candidates.
Tensor TensorOf(const NNAdapterOperandType& type);
// The real numbers that a quantised constant stands for.
std::vector<float> Dequantised(const Tensor& tensor);
// A constant's elements with permuted axes, as numpy.transpose.
std::vector<uint8_t> TransposedBytes(const Tensor& tensor, const Shape& permutation);

}  // namespace nnadapter::nnapi
