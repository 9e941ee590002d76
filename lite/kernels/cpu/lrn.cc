// Out = X / MidOut^beta with MidOut = k + alpha * the sum of the squares of `n` channels, (n - 1) /
// 2 of them before.
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferLrn(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected four dimensions");
  RequireFloating(c, "X");
  const int32_t n = c.Attr<int32_t>("n");
  c.Require(n >= 1, "attribute n is ", n, ", expected a number of channels from 1");
  const auto& format = c.Attr<std::string>("data_format");
  c.Require(format == "NCHW" || format == "AnyLayout", "attribute data_format is ", format,
            ", expected NCHW; export the model with it");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("MidOut", x.dims, x.dtype);
}

// Pixels [begin, end) of one image: `channels` planes of `pixels`.
template <typename T>
void RunImage(const KernelContext& c, const T* x, T* out, T* mid, int64_t channels, int64_t begin,
              int64_t end, int64_t pixels) {
  const int64_t n = c.Attr<int32_t>("n"), before = (n - 1) / 2;
  const double k = c.Attr<float>("k"), alpha = c.Attr<float>("alpha");
  const double beta = c.Attr<float>("beta");
  for (int64_t i = 0; i < channels; ++i)
    for (int64_t p = begin; p < end; ++p) {
      double sum = 0;
      const int64_t last = std::min(i - before + n, channels);
      for (int64_t j = std::max<int64_t>(i - before, 0); j < last; ++j) {
        const double v = x[j * pixels + p];
        sum += v * v;
      }
      const double base = k + alpha * sum;
      const int64_t at = i * pixels + p;
      if (mid != nullptr) mid[at] = static_cast<T>(base);
      out[at] = static_cast<T>(static_cast<double>(x[at]) * std::pow(base, -beta));
    }
}

template <typename T>
void RunLrnAs(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const int64_t channels = dims[1], pixels = dims[2] * dims[3], image = channels * pixels;
  const T* x = c.Input("X").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  T* mid = OutputOrNull<T>(c, "MidOut");
  for (int64_t i = 0; i < dims[0]; ++i)
    math::ParallelRange(c.threads(), pixels, math::kElementGrain / (channels + 1) + 1,
                        [&](int64_t begin, int64_t end) {
                          RunImage(c, x + i * image, out + i * image,
                                   mid == nullptr ? nullptr : mid + i * image, channels, begin, end,
                                   pixels);
                        });
}

void RunLrn(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) { RunLrnAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(lrn)
    .Input("X")
    .Output("Out")
    .OptionalOutput("MidOut")
    .Attr<int32_t>("n", 5)
    .Attr<float>("k", 2.0f)
    .Attr<float>("alpha", 1e-4f)
    .Attr<float>("beta", 0.75f)
    .Attr<std::string>("data_format", "AnyLayout")
    .InferShape(InferLrn);
REGISTER_LITE_FUNCTION(lrn, kHost, kAny, kNCHW, RunLrn, def);

}  // namespace
}  // namespace paddle::lite
