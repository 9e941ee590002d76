#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation ClipAsActivation(const OpLite& op) {
  if (!op.Input("Min").empty() || !op.Input("Max").empty()) return {};
  return {math::Act::kClip, op.Attr<float>("min"), op.Attr<float>("max")};
}

// A tensor wins over the attribute.
double Bound(const KernelContext& c, const char* slot, const char* attribute) {
  const Tensor* tensor = c.InputOrNull(slot);
  if (tensor == nullptr) return c.Attr<float>(attribute);
  double value = 0;
  ForTypes<float, double, int32_t, int64_t>(c, tensor->dtype(), [&](auto zero) {
    value = static_cast<double>(tensor->data<decltype(zero)>()[0]);
  });
  return value;
}

void InferClipOp(InferContext& c) {
  for (const char* slot : {"Min", "Max"})
    if (c.HasInput(slot))
      c.Require(c.Dims(slot).production() == 1, "input ", slot, " has shape ", c.Dims(slot),
                ", expected one element");
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunClipOp(KernelContext& c) {
  const double min = Bound(c, "Min", "min"), max = Bound(c, "Max", "max");
  if (!(min <= max)) throw LiteError(StrCat("clip to [", min, ", ", max, "]: expected min <= max"));
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32)
    return RunActivation(c, {math::Act::kClip, static_cast<float>(min), static_cast<float>(max)});
  ForTypes<double, int32_t, int64_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    const T low = NumberCast<T>(min), high = NumberCast<T>(max);
    ApplyUnary<T, T>(c, [=](T v) { return v < low ? low : v > high ? high : v; });
  });
}

REGISTER_LITE_OP(clip)
    .Input("X")
    .OptionalInput("Min")
    .OptionalInput("Max")
    .Output("Out")
    .Attr<float>("min", std::numeric_limits<float>::lowest())
    .Attr<float>("max", std::numeric_limits<float>::max())
    .InferShape(InferClipOp)
    .AsActivation(ClipAsActivation);
REGISTER_LITE_FUNCTION(clip, kHost, kAny, kAny, RunClipOp, def);

}  // namespace
}  // namespace paddle::lite
