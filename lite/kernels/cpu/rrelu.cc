// x where it is not negative, else a slope times x: the mean of lower and upper in test mode, drawn
// between them for each element otherwise. Noise holds the slopes.
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/random.h"

namespace paddle::lite {
namespace {

void InferRrelu(InferContext& c) {
  RequireFloating(c, "X");
  const float lower = FiniteAttr(c, "lower"), upper = FiniteAttr(c, "upper");
  c.Require(lower <= upper, "attributes lower and upper are ", lower, " and ", upper,
            ", expected lower not above upper");
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("Noise", x.dims, x.dtype);
}

template <typename T>
void RunRreluAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const T* x = input.data<T>();
  T *out = c.Output("Out").mutable_data<T>(), *noise = OutputOrNull<T>(c, "Noise");
  const auto lower = static_cast<T>(c.Attr<float>("lower"));
  const auto upper = static_cast<T>(c.Attr<float>("upper"));
  const bool test = c.Attr<bool>("is_test");
  RandomEngine engine = MakeEngine(test ? 1 : 0);
  for (int64_t i = 0; i < input.numel(); ++i) {
    T slope = 1;
    if (x[i] < 0)
      slope = test ? (lower + upper) / 2 : lower + (upper - lower) * DrawUniform<T>(engine);
    out[i] = x[i] * slope;
    if (noise != nullptr) noise[i] = slope;
  }
}

void RunRrelu(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunRreluAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(rrelu)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Noise")
    .Attr<bool>("is_test", false)
    .Attr<float>("lower", 0.125f)
    .Attr<float>("upper", 1.0f / 3)
    .InferShape(InferRrelu)
    .Random();
REGISTER_LITE_FUNCTION(rrelu, kHost, kAny, kNCHW, RunRrelu, def);

}  // namespace
}  // namespace paddle::lite
