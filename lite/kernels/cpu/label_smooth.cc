// Out = (1 - epsilon) * X + epsilon * PriorDist, which is uniform where it is absent.
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferLabelSmooth(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta& x = c.Input("X");
  c.Require(!x.dims.empty(), "input X is 0-D, expected at least one dimension");
  RequireElements(c, "PriorDist", x.dims.back());
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RunLabelSmoothAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const T *x = input.data<T>(), *prior = DataOrNull<T>(c, "PriorDist");
  T* out = c.Output("Out").mutable_data<T>();
  const T epsilon = static_cast<T>(c.Attr<float>("epsilon"));
  const int64_t classes = input.dims().back();
  for (int64_t i = 0; i < input.numel(); ++i) {
    const T share = prior == nullptr ? T{1} / static_cast<T>(classes) : prior[i % classes];
    out[i] = (1 - epsilon) * x[i] + epsilon * share;
  }
}

void RunLabelSmooth(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunLabelSmoothAs<double>(c);
  RunLabelSmoothAs<float>(c);
}

REGISTER_LITE_OP(label_smooth)
    .Input("X")
    .OptionalInput("PriorDist")
    .Output("Out")
    .Attr<float>("epsilon", 0.0f)
    .InferShape(InferLabelSmooth);
REGISTER_LITE_FUNCTION(label_smooth, kHost, kAny, kNCHW, RunLabelSmooth, def);

}  // namespace
}  // namespace paddle::lite
