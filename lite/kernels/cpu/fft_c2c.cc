#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/fft.h"

namespace paddle::lite {
namespace {

void InferFftC2c(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireComplex(c, "X");
  FourierAxes(c.op(), x.dims, false);
  FourierScale(c.op(), 1);
  c.SetOutput("Out", x.dims, x.dtype);
}

class FftC2cKernel : public FourierKernel<FftC2cKernel> {
 public:
  template <typename T>
  void RunAs(KernelContext& c) {
    using C = std::complex<T>;
    const Tensor& x = c.Input("X");
    const auto axes = FourierAxes(c.op(), x.dims(), false);
    Tensor& out = c.Output("Out");
    if (axes.empty() || x.numel() == 0) return CopyElements(x, out);
    T scale = ScaleAlong<T>(c.op(), x.dims(), axes);
    const C* from = x.data<C>();
    C* const to = out.mutable_data<C>();
    for (const int axis : axes) {
      TransformAlong(c.threads(), plans_.Of<T>(x.dims()[axis]), x.dims(), axis,
                     c.Attr<bool>("forward"), scale, from, to);
      from = to;
      scale = 1;
    }
  }
};

REGISTER_LITE_OP(fft_c2c)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int64_t>>("axes")
    .RequiredAttr<std::string>("normalization")
    .RequiredAttr<bool>("forward")
    .InferShape(InferFftC2c);
REGISTER_LITE_KERNEL(fft_c2c, kHost, kAny, kNCHW, FftC2cKernel, def);

}  // namespace
}  // namespace paddle::lite
