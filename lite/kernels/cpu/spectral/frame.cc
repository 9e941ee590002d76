#include <algorithm>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/spectral/fft.h"

namespace paddle::lite {
namespace {

// frame cuts a signal into frames that may overlap, along the last axis ([..., length] becomes
// [..., frame_length, frames]) or the first one ([length, ...]: [frames, frame_length, ...]);
// overlap_add adds them up again.

// The signal is [outer, length, inner], the frames [outer, frame, frames, inner] along the last
// axis and [frames, frame, inner] along the first.
struct Frames {
  int64_t outer = 1, inner = 1, length = 0, frame = 0, count = 0, hop = 1;
  bool last = true;

  int64_t FrameAt(int64_t i, int64_t k, int64_t at) const {
    return last ? (at * frame + k) * count + i : (i * frame + k) * inner + at;
  }
  int64_t SignalAt(int64_t i, int64_t k, int64_t at) const {
    const int64_t place = i * hop + k;
    return last ? at * length + place : place * inner + at;
  }
};

bool AlongLast(const OpLite& op) {
  const int32_t axis = op.Attr<int32_t>("axis");
  if (axis != 0 && axis != -1)
    throw ShapeError(StrCat("attribute axis is ", axis, ", expected 0 or -1"));
  return axis == -1;
}

int64_t PositiveAttr(const OpLite& op, const char* name) {
  const int32_t value = op.Attr<int32_t>(name);
  if (value < 1)
    throw ShapeError(StrCat("attribute ", name, " is ", value, ", expected a positive number"));
  return value;
}

Frames FramesOfSignal(const OpLite& op, const DDim& x) {
  Frames f;
  f.last = AlongLast(op);
  if (x.empty()) throw ShapeError("input X is 0-D, expected at least one dimension");
  f.hop = PositiveAttr(op, "hop_length"), f.frame = PositiveAttr(op, "frame_length");
  f.length = f.last ? x.back() : x[0];
  (f.last ? f.outer : f.inner) = f.last ? x.Count(0, x.size() - 1) : x.Count(1, x.size());
  if (f.frame > f.length)
    throw ShapeError(StrCat("attribute frame_length is ", f.frame, ", expected at most the ",
                            f.length, " elements of the signal"));
  f.count = 1 + (f.length - f.frame) / f.hop;
  return f;
}

Frames FramesOf(const OpLite& op, const DDim& x) {
  Frames f;
  f.last = AlongLast(op);
  const int rank = x.size();
  if (rank < 2) throw ShapeError(StrCat("input X has shape ", x, ", expected at least rank 2"));
  f.hop = PositiveAttr(op, "hop_length");
  f.count = f.last ? x[rank - 1] : x[0], f.frame = f.last ? x[rank - 2] : x[1];
  (f.last ? f.outer : f.inner) = f.last ? x.Count(0, rank - 2) : x.Count(2, rank);
  if (f.count < 1 || f.frame < 1)
    throw ShapeError(StrCat("input X has shape ", x, ", expected frames that have elements"));
  if (f.hop > f.frame)
    throw ShapeError(StrCat("attribute hop_length is ", f.hop, ", expected at most the ", f.frame,
                            " elements of a frame"));
  f.length = (f.count - 1) * f.hop + f.frame;
  return f;
}

void RequireNumber(const InferContext& c) {
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
}

void InferFrame(InferContext& c) {
  RequireNumber(c);
  const DDim& x = c.Dims("X");
  const Frames f = FramesOfSignal(c.op(), x);
  DDim out;
  for (int i = 0; f.last && i < x.size() - 1; ++i) out.push_back(x[i]);
  out.push_back(f.last ? f.frame : f.count);
  out.push_back(f.last ? f.count : f.frame);
  for (int i = 1; !f.last && i < x.size(); ++i) out.push_back(x[i]);
  c.SetOutput("Out", out, c.Input("X").dtype);
}

void InferOverlap(InferContext& c) {
  RequireNumber(c);
  const DDim& x = c.Dims("X");
  const Frames f = FramesOf(c.op(), x);
  DDim out;
  for (int i = 0; f.last && i < x.size() - 2; ++i) out.push_back(x[i]);
  out.push_back(f.length);
  for (int i = 2; !f.last && i < x.size(); ++i) out.push_back(x[i]);
  c.SetOutput("Out", out, c.Input("X").dtype);
}

// Calls fn(element of the frames, element of the signal) for all.
template <typename Fn>
void ForElements(const Frames& f, Fn fn) {
  for (int64_t at = 0; at < f.outer * f.inner; ++at)
    for (int64_t i = 0; i < f.count; ++i)
      for (int64_t k = 0; k < f.frame; ++k) fn(f.FrameAt(i, k, at), f.SignalAt(i, k, at));
}

void RunFrame(KernelContext& c) {
  const Frames f = FramesOfSignal(c.op(), c.Input("X").dims());
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* x = c.Input("X").data<T>();
    T* out = c.Output("Out").mutable_data<T>();
    ForElements(f, [&](int64_t frame, int64_t signal) { out[frame] = x[signal]; });
  });
}

void RunOverlap(KernelContext& c) {
  const Frames f = FramesOf(c.op(), c.Input("X").dims());
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* x = c.Input("X").data<T>();
    T* out = c.Output("Out").mutable_data<T>();
    std::fill(out, out + c.Output("Out").numel(), T{0});
    ForElements(
        f, [&](int64_t frame, int64_t signal) { out[signal] = WrapAdd(out[signal], x[frame]); });
  });
}

REGISTER_LITE_OP(frame)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("frame_length")
    .RequiredAttr<int32_t>("hop_length")
    .Attr<int32_t>("axis", -1)
    .InferShape(InferFrame);
REGISTER_LITE_FUNCTION(frame, kHost, kAny, kNCHW, RunFrame, def);

REGISTER_LITE_OP(overlap_add)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("hop_length")
    .Attr<int32_t>("axis", -1)
    .InferShape(InferOverlap);
REGISTER_LITE_FUNCTION(overlap_add, kHost, kAny, kNCHW, RunOverlap, def);

int64_t Bins(const OpLite& op) {
  const int64_t n = op.Attr<int>("n_fft");
  return op.Attr<bool>("onesided") ? n / 2 + 1 : n;
}

void InferStft(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& window = c.Dims("Window");
  RequireParts(c, "X");
  RequireType(c, "Window", {x.dtype});
  const int64_t n = c.Attr<int>("n_fft"), hop = c.Attr<int>("hop_length");
  c.Require(x.dims.size() == 2, "X has shape ", x.dims, ", expected [batch, samples]");
  c.Require(n > 0 && n <= x.dims[1], "attribute n_fft is ", n, ", expected 1 to the ", x.dims[1],
            " samples of X");
  c.Require(hop > 0, "attribute hop_length is ", hop, ", expected a positive number");
  c.Require(window.size() == 1 && window[0] == n, "input Window has shape ", window,
            ", expected [n_fft], which is ", n);
  c.SetOutput("Out", {x.dims[0], Bins(c.op()), 1 + (x.dims[1] - n) / hop}, ComplexOf(x.dtype));
}

// Frames of X times the window, transformed: [batch, bins, frames].
class StftKernel : public FourierKernel<StftKernel> {
 public:
  template <typename T>
  void RunAs(KernelContext& c) {
    using C = std::complex<T>;
    const Tensor& x = c.Input("X");
    Tensor& out = c.Output("Out");
    const int64_t n = c.Attr<int>("n_fft"), hop = c.Attr<int>("hop_length");
    const int64_t samples = x.dims()[1], bins = out.dims()[1], frames = out.dims()[2];
    const T scale = c.Attr<bool>("normalized") ? 1 / std::sqrt(static_cast<T>(n)) : T(1);
    const auto& plan = plans_.OfReal<T>(n);
    const T *from = x.data<T>(), *window = c.Input("Window").data<T>();
    C* const to = out.mutable_data<C>();
    const Lines lines{x.dims()[0], n, frames};
    ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
      std::vector<T> frame(static_cast<size_t>(n));
      std::vector<C> result(static_cast<size_t>(plan.bins() + plan.scratch()));
      for (int64_t i = begin; i < end; ++i) {
        const T* read = from + i / frames * samples + i % frames * hop;
        for (int64_t k = 0; k < n; ++k) frame[static_cast<size_t>(k)] = read[k] * window[k] * scale;
        plan.Forward(frame.data(), result.data(), result.data() + plan.bins());
        C* write = to + lines.Begin(i, bins);
        for (int64_t k = 0; k < plan.bins(); ++k)
          write[k * frames] = result[static_cast<size_t>(k)];
        for (int64_t k = plan.bins(); k < bins; ++k)
          write[k * frames] = std::conj(result[static_cast<size_t>(n - k)]);
      }
    });
  }
};

REGISTER_LITE_OP(stft)
    .Input("X")
    .Input("Window")
    .Output("Out")
    .RequiredAttr<int>("n_fft")
    .RequiredAttr<int>("hop_length")
    .RequiredAttr<bool>("normalized")
    .RequiredAttr<bool>("onesided")
    .InferShape(InferStft);
REGISTER_LITE_KERNEL(stft, kHost, kAny, kNCHW, StftKernel, def);

}  // namespace
}  // namespace paddle::lite
