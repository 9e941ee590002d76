#include <cmath>
#include <limits>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/reduce/lines.h"
#include "lite/kernels/cpu/reduce/reduce.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// Out = X / Norm with Norm = sqrt(sum of X^2 along `axis` + epsilon).
void InferNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  RequireEpsilon(c);
  c.Require(!x.dims.empty(), "X has rank 0, expected 1 dim or more");
  const int axis = CanonicalAxis(c.Attr<int>("axis"), x.dims.size(), "attribute axis");
  DDim norm = x.dims;
  norm[axis] = 1;
  c.SetOutput("Out", x.dims, x.dtype);
  c.SetOutput("Norm", norm, x.dtype);
}

template <typename T>
void RunNormAs(KernelContext& c) {
  const Tensor& tensor = c.Input("X");
  const DDim& dims = tensor.dims();
  const int axis = CanonicalAxis(c.Attr<int>("axis"), dims.size(), "attribute axis");
  const int64_t size = dims[axis], inner = dims.Count(axis + 1, dims.size());
  const double epsilon = c.Attr<float>("epsilon");
  const T* x = tensor.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  T* norms = OutputOrNull<T>(c, "Norm");
  math::ParallelRange(c.threads(), dims.Count(0, axis) * inner,
                      math::kElementGrain / (size + 1) + 1, [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          const int64_t at = i / inner * size * inner + i % inner;
                          double sum = epsilon;
                          for (int64_t a = 0; a < size; ++a) {
                            const double v = x[at + a * inner];
                            sum += v * v;
                          }
                          const T norm = static_cast<T>(std::sqrt(sum));
                          for (int64_t a = 0; a < size; ++a)
                            out[at + a * inner] = x[at + a * inner] / norm;
                          if (norms != nullptr) norms[i] = norm;
                        }
                      });
}

void RunNorm(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunNormAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(norm)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Norm")
    .RequiredAttr<int>("axis")
    .Attr<float>("epsilon", 1e-10f)
    .InferShape(InferNorm);
REGISTER_LITE_FUNCTION(norm, kHost, kAny, kNCHW, RunNorm, def);

// The p-norm of X along `axis`, or of all elements (`asvector`).
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

// The sum of the absolute values.
void InferL1Norm(InferContext& c) {
  RequireFloating(c, "X");
  c.SetOutput("Out", DDim{}, c.Input("X").dtype);
}

void RunL1Norm(KernelContext& c) {
  const Tensor& x = c.Input("X");
  ForTypes<float, double>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    double sum = 0;
    for (int64_t i = 0; i < x.numel(); ++i) sum += std::abs(static_cast<double>(from[i]));
    *c.Output("Out").mutable_data<T>() = static_cast<T>(sum);
  });
}

REGISTER_LITE_OP(l1_norm).Input("X").Output("Out").InferShape(InferL1Norm);
REGISTER_LITE_FUNCTION(l1_norm, kHost, kAny, kNCHW, RunL1Norm, def);

// The square root of the sum of squares over the dims `dim`.
void InferFrobeniusNorm(InferContext& c) {
  InferReduce(c, {DataType::kFP32, DataType::kFP64}, c.Input("X").dtype);
}

void RunFrobeniusNorm(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ReduceLines<T, T>(c, [](const T* x, int64_t count, int64_t step) {
      double sum = 0;
      for (int64_t a = 0; a < count; ++a) {
        const double v = static_cast<double>(x[a * step]);
        sum += v * v;
      }
      return static_cast<T>(std::sqrt(sum));
    });
  });
}

REGISTER_LITE_OP(frobenius_norm)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferFrobeniusNorm);
REGISTER_LITE_FUNCTION(frobenius_norm, kHost, kAny, kNCHW, RunFrobeniusNorm, def);

// The p-norm of X - Y, a tensor of rank 0; `p` 0 counts what differs.
void InferDist(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64});
  RequireType(c, "Y", {x.dtype});
  c.Require(!std::isnan(c.Attr<float>("p")), "attribute p is not a number");
  c.Require(BroadcastDims(x.dims, c.Dims("Y"), -1).production() > 0, "X of shape ", x.dims,
            " and Y of shape ", c.Dims("Y"), " have no elements to compare");
  c.SetOutput("Out", {}, x.dtype);
}

template <typename T>
void RunDistAs(KernelContext& c) {
  const DDim dims = BroadcastDims(c.Input("X").dims(), c.Input("Y").dims(), -1);
  const Tensor x = Repeated(c.Input("X"), dims, c.threads());
  const Tensor y = Repeated(c.Input("Y"), dims, c.threads());
  const T *xs = x.data<T>(), *ys = y.data<T>();
  const double p = c.Attr<float>("p");
  double result = p < 0 && std::isinf(p) ? std::numeric_limits<double>::infinity() : 0;
  for (int64_t i = 0; i < dims.production(); ++i) {
    const double v = std::fabs(static_cast<double>(xs[i]) - static_cast<double>(ys[i]));
    if (std::isnan(v)) {
      result = v;
      break;
    }
    if (std::isinf(p))
      result = p > 0 ? std::max(result, v) : std::min(result, v);
    else
      result += p == 2 ? v * v : p == 1 ? v : p == 0 ? v != 0 : std::pow(v, p);
  }
  if (!std::isinf(p) && p != 0) result = std::pow(result, 1 / p);
  *c.Output("Out").mutable_data<T>() = static_cast<T>(result);
}

void RunDist(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunDistAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(dist).Input("X").Input("Y").Output("Out").Attr<float>("p", 2.0f).InferShape(
    InferDist);
REGISTER_LITE_FUNCTION(dist, kHost, kAny, kNCHW, RunDist, def);

// squared_l2_norm: the sum of X's squares, of shape [1]. clip_by_norm: X, scaled down where the
// root of that sum is above `max_norm`.
template <typename T>
double SumOfSquares(const Tensor& x) {
  const T* data = x.data<T>();
  double sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i)
    sum += static_cast<double>(data[i]) * static_cast<double>(data[i]);
  return sum;
}

void InferSquared(InferContext& c) {
  RequireFloating(c, "X");
  c.SetOutput("Out", {1}, c.Input("X").dtype);
}

void RunSquared(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    *c.Output("Out").mutable_data<T>() = static_cast<T>(SumOfSquares<T>(c.Input("X")));
  });
}

void InferClip(InferContext& c) {
  RequireFloating(c, "X");
  c.Require(c.Attr<float>("max_norm") > 0, "attribute max_norm is ", c.Attr<float>("max_norm"),
            ", expected a positive number");
  c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype, c.Input("X").lod);
}

void RunClip(KernelContext& c) {
  const double limit = c.Attr<float>("max_norm");
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const double norm = std::sqrt(SumOfSquares<T>(c.Input("X")));
    const T scale = static_cast<T>(norm <= limit ? 1 : limit / norm);
    ApplyUnary<T, T>(c, [=](T v) { return v * scale; });
  });
}

REGISTER_LITE_OP(squared_l2_norm).Input("X").Output("Out").InferShape(InferSquared);
REGISTER_LITE_FUNCTION(squared_l2_norm, kHost, kAny, kNCHW, RunSquared, def);
REGISTER_LITE_OP(clip_by_norm)
    .Input("X")
    .Output("Out")
    .RequiredAttr<float>("max_norm")
    .InferShape(InferClip);
REGISTER_LITE_FUNCTION(clip_by_norm, kHost, kAny, kNCHW, RunClip, def);

// X with each of its parts along `axis` scaled down where its p-norm is above `max_norm`.
void InferRenorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  CanonicalAxis(c.Attr<int>("axis"), x.dims.size(), "attribute axis");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RunRenormAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Lines parts =
      LinesAlong(x.dims(), CanonicalAxis(c.Attr<int>("axis"), x.dims().size(), "axis"));
  const double p = c.Attr<float>("p"), limit = c.Attr<float>("max_norm");
  const T* from = x.data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  const auto for_runs = [&](int64_t part, const auto& body) {
    for (int64_t o = 0; o < parts.outer; ++o) {
      const int64_t begin = (o * parts.size + part) * parts.inner;
      for (int64_t i = begin; i < begin + parts.inner; ++i) body(i);
    }
  };
  for (int64_t part = 0; part < parts.size; ++part) {
    double sum = 0;
    for_runs(part, [&](int64_t i) { sum += std::pow(std::abs(static_cast<double>(from[i])), p); });
    const double norm = std::pow(sum, 1 / p);
    const T scale = static_cast<T>(norm > limit ? limit / norm : 1);
    for_runs(part, [&](int64_t i) { to[i] = from[i] * scale; });
  }
}

void RunRenorm(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunRenormAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(renorm)
    .Input("X")
    .Output("Out")
    .RequiredAttr<float>("p")
    .RequiredAttr<int>("axis")
    .RequiredAttr<float>("max_norm")
    .InferShape(InferRenorm);
REGISTER_LITE_FUNCTION(renorm, kHost, kAny, kNCHW, RunRenorm, def);

}  // namespace
}  // namespace paddle::lite
