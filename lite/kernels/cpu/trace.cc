// Out = the sum of a diagonal of the planes that two axes span. Whichever is axis1: the smaller one
// counts rows, so that a positive offset is above the diagonal.
#include <algorithm>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

struct Axes {
  int first, second;
};

Axes AxesOf(const OpLite& op, const DDim& dims) {
  if (dims.size() < 2)
    throw ShapeError(StrCat("input Input has shape ", dims, ", expected rank 2 or more"));
  const Axes axes{CanonicalAxis(op.Attr<int32_t>("axis1"), dims.size(), "attribute axis1"),
                  CanonicalAxis(op.Attr<int32_t>("axis2"), dims.size(), "attribute axis2")};
  if (axes.first == axes.second)
    throw ShapeError(
        StrCat("attributes axis1 and axis2 are both ", axes.first, ", expected different axes"));
  return {std::min(axes.first, axes.second), std::max(axes.first, axes.second)};
}

void InferTrace(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const Axes axes = AxesOf(c.op(), x.dims);
  DDim out;
  for (int i = 0; i < x.dims.size(); ++i)
    if (i != axes.first && i != axes.second) out.push_back(x.dims[i]);
  c.SetOutput("Out", out, x.dtype);
}

template <typename T>
void RunTraceAs(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  const DDim &dims = x.dims(), strides = RowMajorStrides(dims);
  const Axes axes = AxesOf(c.op(), dims);
  const int64_t offset = c.Attr<int32_t>("offset");
  const int64_t row = std::max<int64_t>(-offset, 0), col = std::max<int64_t>(offset, 0);
  const int64_t length =
      std::max<int64_t>(std::min(dims[axes.first] - row, dims[axes.second] - col), 0);
  T* to = out.mutable_data<T>();
  for (int64_t i = 0; i < out.numel(); ++i) {
    int64_t at = length == 0 ? 0 : row * strides[axes.first] + col * strides[axes.second];
    int64_t rest = i;
    for (int d = dims.size() - 1; d >= 0; --d) {
      if (d == axes.first || d == axes.second) continue;
      at += rest % dims[d] * strides[d];
      rest /= dims[d];
    }
    T sum = 0;
    for (int64_t j = 0; j < length; ++j)
      sum = WrapAdd(sum, x.data<T>()[at + j * (strides[axes.first] + strides[axes.second])]);
    to[i] = sum;
  }
}

void RunTrace(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("Input").dtype(),
                                            [&](auto zero) { RunTraceAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(trace)
    .Input("Input")
    .Output("Out")
    .Attr<int32_t>("offset", 0)
    .Attr<int32_t>("axis1", 0)
    .Attr<int32_t>("axis2", 1)
    .InferShape(InferTrace);
REGISTER_LITE_FUNCTION(trace, kHost, kAny, kNCHW, RunTrace, def);

}  // namespace
}  // namespace paddle::lite
