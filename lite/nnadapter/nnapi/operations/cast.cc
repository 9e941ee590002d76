// CAST, which takes quantised tensors as the numbers that they store.
#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

Value Arithmetic(Translation& t, NNAdapterOperationType type, Value x, float number) {
  return t.Emit(type, {x, t.Float32(number), t.Int32(NNADAPTER_FUSED_NONE)});
}

Value To(Translation& t, Value x, NNAdapterOperandPrecisionCode precision) {
  return x->precision == precision ? x : t.Emit(NNADAPTER_CAST, {x, t.Int32(precision)});
}

// The numbers that a quantised tensor stores, as FLOAT32 without a fraction.
Value StoredNumbers(Translation& t, Value x, const OperandType& type) {
  const Value scaled = Arithmetic(t, NNADAPTER_DIV, t.Real(x), type.scale);
  const float shift = static_cast<float>(type.zero_point) + 0.5f;
  return t.Emit(NNADAPTER_FLOOR, {Arithmetic(t, NNADAPTER_ADD, scaled, shift)});
}

// What a quantised tensor stands for that stores the numbers of `x` without their fractions.
Value MeantByNumbers(Translation& t, Value x, const OperandType& type) {
  const Value numbers = To(t, To(t, x, NNADAPTER_INT32), NNADAPTER_FLOAT32);
  const Value shifted = Arithmetic(t, NNADAPTER_SUB, numbers, static_cast<float>(type.zero_point));
  return Arithmetic(t, NNADAPTER_MUL, shifted, type.scale);
}

}  // namespace

CONVERTER(CAST) {
  Value x = t.Input(0);
  const OperandType &from = t.Type(0), &to = t.OutputType(0);
  if (from.code == to.code) return t.SetOutput(0, x);
  if (x->quantised()) x = StoredNumbers(t, x, from);
  const Tensor like = Translation::Stored(to);
  t.SetOutput(0, like.quantised() ? MeantByNumbers(t, x, to) : To(t, x, like.precision));
}

}  // namespace nnadapter::nnapi
