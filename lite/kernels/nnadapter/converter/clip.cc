// clip: constant bounds are CLIP's, computed ones and those of integers become MIN and MAX.
#include <cmath>

#include "lite/core/tensor.h"
#include "lite/kernels/nnadapter/converter.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

double NumberOf(Conversion& c, const Operand* bound) {
  if (bound->has_values) return static_cast<double>(c.ConstantInts(bound).at(0));
  if (bound->parameter->dtype() == DataType::kFP32) return double{c.ConstantFloats(bound).at(0)};
  return static_cast<double>(c.ConstantInts(bound).at(0));
}

// One end of the range: a number, or an operand that the model computes.
struct ClipBound {
  double number = 0;
  Operand* computed = nullptr;
};

ClipBound BoundOf(Conversion& c, const char* slot, const char* attribute) {
  Operand* operand = c.InputOrNull(slot);
  if (operand == nullptr) return {double{c.Float(attribute)}, nullptr};
  if (c.IsConstant(operand)) return {NumberOf(c, operand), nullptr};
  if (c.TypeOf(operand).precision != c.TypeOf(c.Input("X")).precision)
    c.Refuse(StrCat("its ", slot, " is of another type than X"));
  if (c.Dims(operand) != std::vector<int64_t>{1})
    c.Refuse(StrCat("its ", slot, " is not one number of shape [1]"));
  return {0, operand};
}

// Cuts one end off with MIN or MAX.
Operand* Cut(Conversion& c, Operand* x, const ClipBound& bound, NNAdapterOperationType operation) {
  const auto precision = static_cast<NNAdapterOperandPrecisionCode>(c.TypeOf(x).precision);
  Operand* limit = bound.computed;
  if (limit == nullptr && precision != NNADAPTER_FLOAT32) {
    // Paddle's result is the lowest integer then, by accident.
    const double beyond = std::ldexp(1.0, precision == NNADAPTER_INT32 ? 31 : 63);
    if (!(bound.number >= -beyond && bound.number < beyond))
      c.Refuse(StrCat("it clips integers to ", bound.number, ", which their type cannot hold"));
    if (bound.number != std::trunc(bound.number))
      c.Refuse(StrCat("it clips integers to the fraction ", bound.number));
  }
  if (limit == nullptr) limit = c.Scalar(precision, bound.number);
  return c.EmitOne(operation, {x, limit, c.Int32(NNADAPTER_FUSED_NONE)});
}

void ConvertClip(Conversion& c) {
  Operand* x = c.Input("X");
  const ClipBound low = BoundOf(c, "Min", "min"), high = BoundOf(c, "Max", "max");
  const bool constant = low.computed == nullptr && high.computed == nullptr;
  if (constant && !(low.number <= high.number))
    c.Refuse(StrCat("it clips to [", low.number, ", ", high.number, "]"));
  const int precision = c.TypeOf(x).precision;
  if (constant && precision != NNADAPTER_INT32 && precision != NNADAPTER_INT64)
    return c.EmitTo(
        {"Out"}, NNADAPTER_CLIP,
        {x, c.Float32(static_cast<float>(low.number)), c.Float32(static_cast<float>(high.number))});
  if (c.IsQuantized(x)) c.Refuse("it is quantised, and its bounds are computed by the model");
  c.SetOutput("Out", Cut(c, Cut(c, x, low, NNADAPTER_MAX), high, NNADAPTER_MIN));
}

REGISTER_NNADAPTER_CONVERTER(clip, ConvertClip);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
