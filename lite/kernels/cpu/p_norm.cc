// The p-norm of X along `axis`, or of all elements (`asvector`).
#include <cmath>
#include <limits>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

struct Slices {
  int64_t outer = 1, axis = 1, inner = 1;
};

Slices SlicesOf(const OpLite& op, const DDim& dims) {
  Slices s;
  if (op.Attr<bool>("asvector") || dims.empty()) {
    s.axis = dims.production();
    return s;
  }
  const int axis = CanonicalAxis(op.Attr<int>("axis"), dims.size(), "attribute axis");
  s.outer = dims.Count(0, axis);
  s.axis = dims[axis];
  s.inner = dims.Count(axis + 1, dims.size());
  return s;
}

void InferPNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  c.Require(!std::isnan(c.Attr<float>("porder")), "attribute porder is not a number");
  c.Require(SlicesOf(c.op(), x.dims).axis > 0, "X of shape ", x.dims, " has no elements to add up");
  const bool keep = c.Attr<bool>("keepdim"), all = c.Attr<bool>("asvector");
  const int axis =
      all || x.dims.empty() ? 0 : CanonicalAxis(c.Attr<int>("axis"), x.dims.size(), "axis");
  DDim dims;
  for (int i = 0; i < x.dims.size(); ++i) {
    const bool reduced = all || i == axis;
    if (!reduced || keep) dims.push_back(reduced ? 1 : x.dims[i]);
  }
  c.SetOutput("Out", dims, x.dtype);
}

// The norm of `count` values that are `step` apart.
template <typename T>
double Norm(const T* x, int64_t count, int64_t step, double p) {
  double result =
      p == -std::numeric_limits<double>::infinity() ? std::numeric_limits<double>::infinity() : 0.0;
  for (int64_t a = 0; a < count; ++a) {
    const double v = std::fabs(static_cast<double>(x[a * step]));
    if (std::isinf(p))
      result = p > 0 ? std::max(result, v) : std::min(result, v);
    else if (p == 0)
      result += v != 0;
    else if (p == 1)
      result += v;
    else
      result += p == 2 ? v * v : std::pow(v, p);
  }
  if (std::isinf(p) || p == 0 || p == 1) return result;
  return p == 2 ? std::sqrt(result) : std::pow(result, 1.0 / p);
}

template <typename T>
void RunPNormAs(KernelContext& c) {
  const Tensor& tensor = c.Input("X");
  const Slices s = SlicesOf(c.op(), tensor.dims());
  const double p = c.Attr<float>("porder");
  const T* x = tensor.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  math::ParallelRange(c.threads(), s.outer * s.inner, math::kElementGrain / s.axis + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          const T* at = x + i / s.inner * s.axis * s.inner + i % s.inner;
                          out[i] = static_cast<T>(Norm(at, s.axis, s.inner, p));
                        }
                      });
}

void RunPNorm(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunPNormAs<decltype(zero)>(c); });
}

// `epsilon` only matters for the gradient.
REGISTER_LITE_OP(p_norm)
    .Input("X")
    .Output("Out")
    .Attr<float>("porder", 2.0f)
    .Attr<int>("axis", -1)
    .Attr<bool>("keepdim", false)
    .Attr<bool>("asvector", false)
    .InferShape(InferPNorm);
REGISTER_LITE_FUNCTION(p_norm, kHost, kAny, kNCHW, RunPNorm, def);

}  // namespace
}  // namespace paddle::lite
