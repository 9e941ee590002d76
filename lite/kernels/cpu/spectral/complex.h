// What operators on complex numbers share.
#pragma once

#include "lite/kernels/cpu/elementwise/elementwise.h"

namespace paddle::lite {

// The type of a complex type's parts, and the complex type of such parts.
constexpr DataType PartType(DataType complex) {
  return complex == DataType::kComplex64 ? DataType::kFP32 : DataType::kFP64;
}
constexpr DataType ComplexOf(DataType part) {
  return part == DataType::kFP32 ? DataType::kComplex64 : DataType::kComplex128;
}

// Throw DataTypeError unless the input is complex64 or complex128, float32 or float64.
void RequireComplex(const InferContext& c, std::string_view slot);
void RequireParts(const InferContext& c, std::string_view slot);

// Calls fn(T{}) for the C++ type of the parts of a complex type, or of the parts themselves.
template <typename Fn>
void ForParts(DataType dtype, Fn fn) {
  if (dtype == DataType::kComplex64 || dtype == DataType::kFP32) return fn(float{});
  return fn(double{});
}

// The definition, where std::complex's own product looks for NaN first.
template <typename T>
std::complex<T> ComplexProduct(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// X, Y -> Out as InferBinary has it; an operand of real numbers beside a complex one is taken as
// complex.
void InferArithmetic(InferContext& c);
// Out = X op Y where Out is complex.
void RunComplexArithmetic(KernelContext& c, math::EpilogueStep::Op op);

}  // namespace paddle::lite
