// Operations element by element.
#include <algorithm>
#include <cstring>

#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

// (a, b, activation)
void Arithmetic(Translation& t, NNAdapterOperationType type, const Aligned& in) {
  const int32_t fuse = t.Int(2);
  const bool ints = in.values[0]->precision == NNADAPTER_INT32;
  const Value none = t.Int32(ints ? NNADAPTER_FUSED_NONE : fuse);
  Value out = EmitResult(t, type, {in.values[0], in.values[1], none});
  if (ints) out = ActivatedInts(t, out, fuse);
  SetAligned(t, 0, out, in.image);
}

void Arithmetic(Translation& t, NNAdapterOperationType type) {
  Arithmetic(t, type, AlignedInputs(t, 0, 2));
}

// Integers with 1 in place of 0: a quotient by 0 may be anything in NNAPI, but no error.
Value Divisor(Translation& t, Value x) {
  if (x->constant()) {
    Shape numbers(x->count());
    if (!numbers.empty()) std::memcpy(numbers.data(), x->data, numbers.size() * sizeof(int32_t));
    if (std::count(numbers.begin(), numbers.end(), 0) == 0) return x;
  }
  const Value is_zero = t.Emit(NNADAPTER_EQUAL, {x, t.ScalarLike(x, 0)});
  const Value one = t.Emit(NNADAPTER_CAST, {is_zero, t.Int32(NNADAPTER_INT32)});
  return t.Emit(NNADAPTER_ADD, {x, one, t.Int32(NNADAPTER_FUSED_NONE)});
}

// (a, b)
void Pair(Translation& t, NNAdapterOperationType type) {
  const Aligned in = AlignedInputs(t, 0, 2);
  const Value none = t.Int32(NNADAPTER_FUSED_NONE);
  SetAligned(t, 0, EmitResult(t, type, {in.values[0], in.values[1], none}), in.image);
}

// Quantised numbers are compared as what they stand for; truths as integers.
void Comparison(Translation& t, NNAdapterOperationType type) {
  const Aligned in = AlignedInputs(t, 0, 2);
  std::vector<Value> values;
  for (const Value v : in.values) {
    const bool truth = v->precision == NNADAPTER_BOOL8;
    values.push_back(truth ? t.Emit(NNADAPTER_CAST, {v, t.Int32(NNADAPTER_INT32)}) : t.Real(v));
  }
  SetAligned(t, 0, t.Emit(type, values), in.image);
}

void Logic(Translation& t, NNAdapterOperationType type) {
  const Aligned in = AlignedInputs(t, 0, t.inputs());
  SetAligned(t, 0, t.Emit(type, in.values), in.image);
}

void Unary(Translation& t, NNAdapterOperationType type) {
  const Aligned in = AlignedInputs(t, 0, 1);
  SetAligned(t, 0, EmitResult(t, type, in.values), in.image);
}

// With one more operand, a number of the input's type.
void WithNumber(Translation& t, NNAdapterOperationType type, double number) {
  const Aligned in = AlignedInputs(t, 0, 1);
  const Value x = t.Real(in.values[0]), none = t.Int32(NNADAPTER_FUSED_NONE);
  SetAligned(t, 0, t.Emit(type, {x, t.ScalarLike(x, number), none}), in.image);
}

// x where it is positive, slope * x elsewhere, for slopes of any shape that broadcasts.
Value Leaky(Translation& t, Value x, Value slope) {
  const Value none = t.Int32(NNADAPTER_FUSED_NONE), zero = t.Float32(0);
  const Value below = t.Emit(NNADAPTER_MIN, {x, zero, none});
  const Value scaled = t.Emit(NNADAPTER_MUL, {below, slope, none});
  return t.Emit(NNADAPTER_ADD, {t.Emit(NNADAPTER_RELU, {x}), scaled, none});
}

Value WithFloat(Translation& t, NNAdapterOperationType type, Value x, float number) {
  return t.Emit(type, {x, t.Float32(number), t.Int32(NNADAPTER_FUSED_NONE)});
}

Value To(Translation& t, Value x, NNAdapterOperandPrecisionCode precision) {
  return x->precision == precision ? x : t.Emit(NNADAPTER_CAST, {x, t.Int32(precision)});
}

// The numbers that a quantised tensor stores, as FLOAT32 without a fraction.
Value StoredNumbers(Translation& t, Value x, const OperandType& type) {
  const Value scaled = WithFloat(t, NNADAPTER_DIV, t.Real(x), type.scale);
  const float shift = static_cast<float>(type.zero_point) + 0.5f;
  return t.Emit(NNADAPTER_FLOOR, {WithFloat(t, NNADAPTER_ADD, scaled, shift)});
}

// What a quantised tensor stands for that stores the numbers of `x` without their fractions.
Value MeantByNumbers(Translation& t, Value x, const OperandType& type) {
  const Value numbers = To(t, To(t, x, NNADAPTER_INT32), NNADAPTER_FLOAT32);
  const Value shifted = WithFloat(t, NNADAPTER_SUB, numbers, static_cast<float>(type.zero_point));
  return WithFloat(t, NNADAPTER_MUL, shifted, type.scale);
}

}  // namespace

CONVERTER(ADD) { Arithmetic(t, NNADAPTER_ADD); }
CONVERTER(SUB) { Arithmetic(t, NNADAPTER_SUB); }
CONVERTER(MUL) { Arithmetic(t, NNADAPTER_MUL); }
// NNAPI rounds quotients of integers down, NNAdapter's DIV cuts them off.
CONVERTER(DIV) {
  if (t.Type(0).code != ANEURALNETWORKS_TENSOR_INT32) return Arithmetic(t, NNADAPTER_DIV);
  Aligned in = AlignedInputs(t, 0, 2);
  in.values[1] = Divisor(t, in.values[1]);
  Arithmetic(t, NNADAPTER_FLOOR_DIV, in);
}
CONVERTER(MAXIMUM) { Pair(t, NNADAPTER_MAX); }
CONVERTER(MINIMUM) { Pair(t, NNADAPTER_MIN); }
CONVERTER(POW) { Pair(t, NNADAPTER_POW); }

CONVERTER(EQUAL) { Comparison(t, NNADAPTER_EQUAL); }
CONVERTER(NOT_EQUAL) { Comparison(t, NNADAPTER_NOT_EQUAL); }
CONVERTER(GREATER) { Comparison(t, NNADAPTER_GREATER); }
CONVERTER(GREATER_EQUAL) { Comparison(t, NNADAPTER_GREATER_EQUAL); }
CONVERTER(LESS) { Comparison(t, NNADAPTER_LESS); }
CONVERTER(LESS_EQUAL) { Comparison(t, NNADAPTER_LESS_EQUAL); }

CONVERTER(LOGICAL_AND) { Logic(t, NNADAPTER_AND); }
CONVERTER(LOGICAL_OR) { Logic(t, NNADAPTER_OR); }
CONVERTER(LOGICAL_NOT) { Logic(t, NNADAPTER_NOT); }

CONVERTER(ABS) { Unary(t, NNADAPTER_ABS); }
CONVERTER(EXP) { Unary(t, NNADAPTER_EXP); }
CONVERTER(FLOOR) { Unary(t, NNADAPTER_FLOOR); }
CONVERTER(LOG) { Unary(t, NNADAPTER_LOG); }
CONVERTER(LOGISTIC) { Unary(t, NNADAPTER_SIGMOID); }
CONVERTER(RELU) { Unary(t, NNADAPTER_RELU); }
CONVERTER(RELU6) { Unary(t, NNADAPTER_RELU6); }
CONVERTER(RSQRT) { Unary(t, NNADAPTER_RSQRT); }
CONVERTER(SIN) { Unary(t, NNADAPTER_SIN); }
CONVERTER(TANH) { Unary(t, NNADAPTER_TANH); }

CONVERTER(SQRT) { WithNumber(t, NNADAPTER_POW, 0.5); }
CONVERTER(NEG) { WithNumber(t, NNADAPTER_MUL, -1); }

CONVERTER(RELU1) {
  const Aligned in = AlignedInputs(t, 0, 1);
  const Value x = t.Real(in.values[0]);
  SetAligned(t, 0, t.Emit(NNADAPTER_CLIP, {x, t.Float32(-1), t.Float32(1)}), in.image);
}

CONVERTER(HARD_SWISH) {
  const Aligned in = AlignedInputs(t, 0, 1);
  const Value slope = t.Float32(1.0f / 6), offset = t.Float32(0.5f);
  SetAligned(t, 0, EmitResult(t, NNADAPTER_HARD_SWISH, {in.values[0], slope, offset}), in.image);
}

CONVERTER(ELU) {
  const Aligned in = AlignedInputs(t, 0, 1);
  const Value x = in.values[0], none = t.Int32(NNADAPTER_FUSED_NONE);
  const Value below = t.Emit(NNADAPTER_MIN, {x, t.Float32(0), none});
  const Value power = t.Emit(NNADAPTER_EXP, {below});
  const Value shifted = t.Emit(NNADAPTER_SUB, {power, t.Float32(1), none});
  const Value scaled = t.Emit(NNADAPTER_MUL, {shifted, t.Float32(t.Float(1)), none});
  SetAligned(t, 0, t.Emit(NNADAPTER_ADD, {t.Emit(NNADAPTER_RELU, {x}), scaled, none}), in.image);
}

CONVERTER(PRELU) {
  const Value slope = t.Real(t.Input(1));
  const Value image = t.ImageOrNull(0);
  const bool per_channel = t.Input(1)->constant() && image != nullptr &&
                           slope->count() == static_cast<size_t>(image->dims[1]) &&
                           slope->dims.back() == image->dims[1];
  if (!per_channel) return t.SetOutput(0, Leaky(t, t.Real(t.Input(0)), slope));
  const Value slopes = t.Reshaped(slope, {image->dims[1]});
  t.SetImage(0, t.Emit(NNADAPTER_PRELU, {t.Real(image), slopes}), false);
}

CONVERTER(SELECT) {
  const Value a = StoredAsOutput(t, t.Input(1), 0), b = StoredAsOutput(t, t.Input(2), 0);
  t.SetOutput(0, t.Emit(NNADAPTER_WHERE, {t.Input(0), a, b}));
}

// Quantised tensors are taken as the numbers that they store.
CONVERTER(CAST) {
  Value x = t.Input(0);
  const OperandType &from = t.Type(0), &to = t.OutputType(0);
  if (from.code == to.code) return t.SetOutput(0, x);
  if (x->quantised()) x = StoredNumbers(t, x, from);
  const Tensor like = Translation::Stored(to);
  t.SetOutput(0, like.quantised() ? MeantByNumbers(t, x, to) : To(t, x, like.precision));
}

CONVERTER(QUANTIZE) { t.SetOutput(0, t.Input(0)); }
CONVERTER(DEQUANTIZE) { t.SetOutput(0, t.Real(t.Input(0))); }

}  // namespace nnadapter::nnapi
