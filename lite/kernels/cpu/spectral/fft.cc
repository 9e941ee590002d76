#include "lite/kernels/cpu/spectral/fft.h"

#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
std::vector<int> FourierAxes(const OpLite& op, const DDim& x, bool required) {
  std::vector<int> axes;
  for (const int64_t given : op.Attr<std::vector<int64_t>>("axes")) {
    const int axis = CanonicalAxis(given, x.size(), "attribute axes");
    if (std::find(axes.begin(), axes.end(), axis) != axes.end())
      throw ShapeError(StrCat("attribute axes names dimension ", axis, " twice"));
    if (x[axis] == 0)
      throw ShapeError(StrCat("X of shape ", x, " has nothing to transform in dimension ", axis));
    axes.push_back(axis);
  }
  if (required && axes.empty()) throw ShapeError("attribute axes is empty, expected one or more");
  return axes;
}

double FourierScale(const OpLite& op, int64_t count) {
  const std::string& name = op.Attr<std::string>("normalization");
  const bool forward = op.Attr<bool>("forward");
  const double n = static_cast<double>(count);
  if (name == "ortho") return 1 / std::sqrt(n);
  if (name == "forward") return forward ? 1 / n : 1;
  if (name == "backward" || name.empty()) return forward ? 1 : 1 / n;
  throw LiteError(
      StrCat("attribute normalization is \"", name, "\", expected backward, forward or ortho"));
}

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

void InferFftC2r(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireComplex(c, "X");
  const int last = FourierAxes(c.op(), x.dims, true).back();
  FourierScale(c.op(), 1);
  const int64_t given = c.Attr<int64_t>("last_dim_size");
  DDim dims = x.dims;
  dims[last] = given > 0 ? given : 2 * (x.dims[last] - 1);
  c.Require(dims[last] > 0 && dims[last] / 2 + 1 <= x.dims[last], "X has shape ", x.dims,
            ", whose dimension ", last, " is too small for results of ", dims[last], " numbers");
  c.SetOutput("Out", dims, PartType(x.dtype));
}

// Along all axes but the last as complex numbers, then along the last one.
class FftC2rKernel : public FourierKernel<FftC2rKernel> {
 public:
  template <typename T>
  void RunAs(KernelContext& c) {
    using C = std::complex<T>;
    const Tensor& x = c.Input("X");
    const auto axes = FourierAxes(c.op(), x.dims(), true);
    const bool forward = c.Attr<bool>("forward");
    Tensor& out = c.Output("Out");
    T* const to = out.mutable_data<T>();
    if (x.numel() == 0) return;
    std::vector<C> between(axes.size() > 1 ? static_cast<size_t>(x.numel()) : 0);
    TransformAllButLast<T>(c.threads(), &plans_, x.dims(), axes, forward, x.data<C>(),
                           between.data());
    const C* const from = between.empty() ? x.data<C>() : between.data();
    const T scale = ScaleAlong<T>(c.op(), out.dims(), axes);
    const int last = axes.back();
    const Lines lines = LinesAlong(x.dims(), last);
    const auto& plan = plans_.OfReal<T>(out.dims()[last]);
    ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
      std::vector<C> bins(static_cast<size_t>(plan.bins() + plan.scratch()));
      std::vector<T> line(static_cast<size_t>(plan.size()));
      for (int64_t i = begin; i < end; ++i) {
        const C* read = from + lines.Begin(i, lines.size);
        for (int64_t k = 0; k < plan.bins(); ++k) {
          const C value = read[k * lines.inner];
          bins[static_cast<size_t>(k)] = forward ? std::conj(value) : value;
        }
        plan.Backward(bins.data(), line.data(), bins.data() + plan.bins());
        T* write = to + lines.Begin(i, plan.size());
        for (int64_t k = 0; k < plan.size(); ++k)
          write[k * lines.inner] = line[static_cast<size_t>(k)] * scale;
      }
    });
  }
};

REGISTER_LITE_OP(fft_c2r)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int64_t>>("axes")
    .RequiredAttr<std::string>("normalization")
    .RequiredAttr<bool>("forward")
    .Attr<int64_t>("last_dim_size", 0)
    .InferShape(InferFftC2r);
REGISTER_LITE_KERNEL(fft_c2r, kHost, kAny, kNCHW, FftC2rKernel, def);

void InferFftR2c(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireParts(c, "X");
  const auto axes = FourierAxes(c.op(), x.dims, true);
  FourierScale(c.op(), 1);
  DDim dims = x.dims;
  if (c.Attr<bool>("onesided")) dims[axes.back()] = dims[axes.back()] / 2 + 1;
  c.SetOutput("Out", dims, ComplexOf(x.dtype));
}

// The last axis from real numbers, the others from its results.
class FftR2cKernel : public FourierKernel<FftR2cKernel> {
 public:
  template <typename T>
  void RunAs(KernelContext& c) {
    using C = std::complex<T>;
    const Tensor& x = c.Input("X");
    const auto axes = FourierAxes(c.op(), x.dims(), true);
    const bool forward = c.Attr<bool>("forward"), whole = !c.Attr<bool>("onesided");
    Tensor& out = c.Output("Out");
    C* const to = out.mutable_data<C>();
    if (x.numel() == 0) return;
    const int last = axes.back();
    TransformReal(c.threads(), plans_.OfReal<T>(x.dims()[last]), x.dims(), last, forward, whole,
                  ScaleAlong<T>(c.op(), x.dims(), axes), x.data<T>(), to);
    TransformAllButLast<T>(c.threads(), &plans_, out.dims(), axes, forward, to, to);
  }
};

REGISTER_LITE_OP(fft_r2c)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int64_t>>("axes")
    .RequiredAttr<std::string>("normalization")
    .RequiredAttr<bool>("forward")
    .RequiredAttr<bool>("onesided")
    .InferShape(InferFftR2c);
REGISTER_LITE_KERNEL(fft_r2c, kHost, kAny, kNCHW, FftR2cKernel, def);

}  // namespace
}  // namespace paddle::lite
