// out = silu(x) * y; without y the last dim of x holds both, one after the other.
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferSwiglu(InferContext& c) {
  RequireFloating(c, "x");
  const TensorMeta& x = c.Input("x");
  if (c.HasInput("y")) {
    c.Require(c.Dims("y") == x.dims, "input y has shape ", c.Dims("y"), ", expected ", x.dims,
              " like x");
    if (c.Input("y").dtype != x.dtype)
      throw DataTypeError(
          StrCat("input y is ", Name(c.Input("y").dtype), ", expected ", Name(x.dtype), " like x"));
    return c.SetOutput("out", x.dims, x.dtype, x.lod);
  }
  c.Require(!x.dims.empty() && x.dims.back() % 2 == 0, "input x has shape ", x.dims,
            ", expected an even last dim where y is absent");
  DDim out = x.dims;
  out[out.size() - 1] /= 2;
  c.SetOutput("out", out, x.dtype, x.lod);
}

template <typename T>
void RunSwigluAs(KernelContext& c) {
  Tensor& out = c.Output("out");
  T* to = out.mutable_data<T>();
  const T* x = c.Input("x").data<T>();
  const Tensor* other = c.InputOrNull("y");
  const int64_t cols = other != nullptr ? out.numel() : out.dims().back();
  const int64_t step = other != nullptr ? cols : 2 * cols;
  const T* y = other != nullptr ? other->data<T>() : x + cols;
  math::ParallelRange(c.threads(), out.numel(), math::kElementGrain / 4,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          const int64_t at = i / cols * step + i % cols;
                          to[i] = x[at] / (1 + std::exp(-x[at])) * y[at];
                        }
                      });
}

void RunSwiglu(KernelContext& c) {
  if (c.Input("x").dtype() == DataType::kFP64) return RunSwigluAs<double>(c);
  RunSwigluAs<float>(c);
}

REGISTER_LITE_OP(swiglu).Input("x").OptionalInput("y").Output("out").InferShape(InferSwiglu);
REGISTER_LITE_FUNCTION(swiglu, kHost, kAny, kNCHW, RunSwiglu, def);

}  // namespace
}  // namespace paddle::lite
