#include "lite/kernels/cpu/convolution/conv_volumes.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/activation/fused_activation.h"
#include "lite/kernels/cpu/convolution/conv.h"
#include "lite/kernels/cpu/convolution/conv_transpose.h"
#include "lite/kernels/cpu/convolution/conv_weights.h"
#include "lite/kernels/cpu/shape/slices.h"

namespace paddle::lite {

// By taps along the depth.
struct VolumeWeights {
  std::vector<ConvWeights> taps;
};
struct VolumeTransposeWeights {
  std::vector<math::PackedConvTranspose> taps;
};

namespace {

// Beyond these the attributes are damaged, or of no use.
constexpr int64_t kMostTaps = 1 << 10, kMostPhases = 1 << 16;
constexpr double kMostWindowFloats = 64e6;

// Slices of a padded depth in memory: those at positions 0, stride, 2 stride and so on first, so
// that a tap meets slices that follow each other.
class DepthPhases {
 public:
  DepthPhases(int64_t depth, const Window& w)
      : window_(w), first_(static_cast<size_t>(w.stride)), starts_(first_.size() + 1) {
    for (int64_t phase = 0; phase < w.stride; ++phase) {
      const auto at = static_cast<size_t>(phase);
      first_[at] = std::max<int64_t>(w.pad_before - phase + w.stride - 1, 0) / w.stride;
      const int64_t end = w.pad_before + depth;  // positions
      const int64_t last = end > phase ? (end - phase + w.stride - 1) / w.stride : 0;
      starts_[at + 1] = starts_[at] + std::max<int64_t>(last - first_[at], 0);
    }
  }

  int64_t PlaceOf(int64_t slice) const {
    const int64_t position = slice + window_.pad_before;
    const auto phase = static_cast<size_t>(position % window_.stride);
    return starts_[phase] + position / window_.stride - first_[phase];
  }

  // The steps [first, first + count) of all whose tap is on a slice, the first one's at `place`.
  struct Met {
    int64_t first, count, place;
  };
  Met Of(int64_t tap, int64_t steps) const {
    const int64_t position = tap * window_.dilation, moved = position / window_.stride;
    const auto phase = static_cast<size_t>(position % window_.stride);
    const int64_t slices = starts_[phase + 1] - starts_[phase];
    const int64_t first = std::max<int64_t>(first_[phase] - moved, 0);
    const int64_t last = std::min(first_[phase] + slices - moved, steps);
    return {first, last - first, starts_[phase] + first + moved - first_[phase]};
  }

 private:
  Window window_;
  std::vector<int64_t> first_;   // step of a phase's first slice
  std::vector<int64_t> starts_;  // place of it
};

// A tap's slices: `count` of x and as many of y, from these on.
struct TapSlices {
  int64_t x, y, count;
};

// y = the sum of what `apply` computes for each tap. The first tap that meets all of y stores it.
void SumTaps(const std::vector<TapSlices>& taps, const Slices& out, float* y,
             const std::function<void(size_t tap, const math::Epilogue&)>& apply) {
  const auto whole = std::find_if(taps.begin(), taps.end(),
                                  [&](const TapSlices& t) { return t.count == out.depth; });
  if (whole == taps.end())
    std::fill_n(y, out.all(), 0.0f);
  else
    apply(static_cast<size_t>(whole - taps.begin()), math::Epilogue());
  for (size_t tap = 0; tap < taps.size(); ++tap) {
    if (taps[tap].count <= 0 || (whole != taps.end() && &*whole == &taps[tap])) continue;
    math::EpilogueStep sum;
    sum.op = math::EpilogueStep::kAdd;
    sum.data = y + taps[tap].y * out.floats();
    sum.row_stride = out.channels;
    sum.col_stride = 1;
    math::Epilogue epilogue;
    epilogue.steps = &sum;
    epilogue.step_count = 1;
    apply(tap, epilogue);
  }
}

// Bias, residual and activation of a whole volume in slices.
void Finish(KernelContext& c, const Slices& s, const float* residual, float* y) {
  math::EpilogueStep steps[2];
  math::Epilogue epilogue;
  if (c.HasInput("Bias")) epilogue.bias = c.Input("Bias").data<float>();
  epilogue.act = FusedActivation(c.op());
  if (residual != nullptr) {
    steps[0].op = math::EpilogueStep::kAdd;
    steps[0].data = residual;
    steps[0].row_stride = s.channels;
    steps[0].col_stride = 1;
    steps[1].act = epilogue.act;
    epilogue.act = {};
    epilogue.steps = steps;
    epilogue.step_count = 2;
  }
  if (epilogue.bias == nullptr && residual == nullptr && epilogue.act.kind == math::Act::kNone)
    return;
  ParallelFor(c.threads(), s.depth, [&](int64_t d) {
    float* const slice = y + d * s.floats();
    math::RunEpilogue(s.plane, s.channels, slice, s.channels, slice, s.channels, epilogue,
                      d * s.plane, 0);
  });
}

Window DepthWindow(const KernelContext& c) {
  return ConvWindows(c.op(), c.Input("Input").dims(), c.Input("Filter").dims())[0];
}

bool IsPlain(const KernelContext& c, const math::ConvShape& s) {
  const Window depth = DepthWindow(c);
  const double window = static_cast<double>((s.kh - 1) * s.dh + 1) *
                        static_cast<double>((s.ow - 1) * s.sw + (s.kw - 1) * s.dw + 1) *
                        static_cast<double>(s.ic);
  return c.Input("Filter").dtype() == DataType::kFP32 && depth.pad_before >= 0 && s.pt >= 0 &&
         s.pl >= 0 && depth.kernel <= kMostTaps && depth.stride <= kMostPhases &&
         s.sh * s.sw <= kMostPhases && window <= kMostWindowFloats;
}

// A tap's filter: [first, second, kh, kw] of [first, second, depth, kh, kw].
Tensor FilterOfTap(const Tensor& filter, int64_t tap) {
  const DDim& w = filter.dims();
  const int64_t plane = w[3] * w[4];
  Tensor part;
  part.Resize(DDim{w[0], w[1], w[3], w[4]});
  float* to = part.mutable_data<float>();
  for (int64_t i = 0; i < w[0] * w[1]; ++i)
    std::copy_n(filter.data<float>() + (i * w[2] + tap) * plane, plane, to + i * plane);
  return part;
}

VolumeWeights PackVolume(const Tensor& filter, const math::ConvShape& shape, bool constant,
                         int threads) {
  VolumeWeights packed;
  for (int64_t tap = 0; tap < filter.dims()[2]; ++tap)
    packed.taps.push_back(PackConvFloats(FilterOfTap(filter, tap), shape, constant, threads));
  return packed;
}

VolumeTransposeWeights PackVolumeTranspose(const Tensor& filter, const math::ConvShape& shape) {
  VolumeTransposeWeights packed;
  for (int64_t tap = 0; tap < filter.dims()[2]; ++tap)
    packed.taps.push_back(math::PackConvTranspose(FilterOfTap(filter, tap).data<float>(), shape));
  return packed;
}

// What one tap adds: a convolution of `shape`, whose n are slices.
using TapConvolution = std::function<void(size_t tap, const math::ConvShape& shape, const float* x,
                                          const math::Epilogue& epilogue, float* y)>;

// All volumes of a batch. The slices of the side that strides step through stand by phases.
void RunVolumes(KernelContext& c, const math::ConvShape& slice, bool transposed,
                const TapConvolution& convolve) {
  const Tensor& input = c.Input("Input");
  Tensor& output = c.Output("Output");
  const Slices in = SlicesOf(input.dims()), out = SlicesOf(output.dims());
  const Window window = DepthWindow(c);
  const DepthPhases phases(transposed ? out.depth : in.depth, window);
  std::vector<TapSlices> taps;
  for (int64_t tap = 0; tap < window.kernel; ++tap) {
    const DepthPhases::Met met = phases.Of(tap, transposed ? in.depth : out.depth);
    taps.push_back(transposed ? TapSlices{met.first, met.place, met.count}
                              : TapSlices{met.place, met.first, met.count});
  }
  const SlicePlace in_order = [](int64_t at) { return at; };
  const SlicePlace by_phase = [&](int64_t at) { return phases.PlaceOf(at); };
  const Tensor* residual = transposed ? nullptr : c.InputOrNull("ResidualData");
  math::AlignedFloats x_slices(in.all()), y_slices(out.all());
  math::AlignedFloats added(residual == nullptr ? 0 : out.all());
  const float* x = input.data<float>();
  float* y = output.mutable_data<float>();
  for (int64_t n = 0; n < input.dims()[0]; ++n, x += in.all(), y += out.all()) {
    ToSlices(c.threads(), in, transposed ? in_order : by_phase, x, x_slices.data());
    SumTaps(taps, out, y_slices.data(), [&](size_t tap, const math::Epilogue& epilogue) {
      math::ConvShape shape = slice;
      shape.n = taps[tap].count;
      convolve(tap, shape, x_slices.data() + taps[tap].x * in.floats(), epilogue,
               y_slices.data() + taps[tap].y * out.floats());
    });
    if (residual != nullptr)
      ToSlices(c.threads(), out, in_order, residual->data<float>() + n * out.all(), added.data());
    Finish(c, out, residual == nullptr ? nullptr : added.data(), y_slices.data());
    FromSlices(c.threads(), out, transposed ? by_phase : in_order, y_slices.data(), y);
  }
}

KernelChoice ChoiceOf(const KernelContext& c, bool plain, const char* kind) {
  if (!plain) return {"reference", "plain loops: an unusual filter, stride or padding"};
  return {"slices", StrCat(kind, " of slices for each of ", c.Input("Filter").dims()[2],
                           " taps of the depth")};
}

std::string FormOf(const char* name, const math::ConvShape& s) {
  return StrCat(name, " groups ", s.groups, " strides ", s.sh, " ", s.sw, " paddings ", s.pt, " ",
                s.pl, " dilations ", s.dh, " ", s.dw, " ", math::IsaName());
}

}  // namespace

void ConvVolumes::PrepareForRun(KernelContext& c) {
  shape_ = ShapeOfImages(c);
  plain_ = IsPlain(c, shape_);
  if (!plain_) return;
  // How well a form suits depends on all slices.
  shape_.n = c.Output("Output").dims()[2];
  weights_ = c.PackedInput<VolumeWeights>(
      "Filter", FormOf("conv3d", shape_),
      [&](const Tensor& filter) { return PackVolume(filter, shape_, true, c.threads()); });
}

void ConvVolumes::Run(KernelContext& c) {
  if (!plain_) return RunConvReference(c);
  if (c.Output("Output").numel() == 0) return;
  std::shared_ptr<const VolumeWeights> weights = weights_;
  if (weights == nullptr)
    weights = std::make_shared<const VolumeWeights>(
        PackVolume(c.Input("Filter"), shape_, false, c.threads()));
  RunVolumes(
      c, shape_, false,
      [&](size_t tap, const math::ConvShape& shape, const float* x, const math::Epilogue& epilogue,
          float* y) { RunConv(c.threads(), shape, x, weights->taps[tap], epilogue, y); });
}

KernelChoice ConvVolumes::Choice(const KernelContext& c) const {
  return ChoiceOf(c, plain_, "a convolution");
}

void ConvTransposeVolumes::PrepareForRun(KernelContext& c) {
  shape_ = ShapeOfImages(c);
  plain_ = IsPlain(c, shape_);
  // With SAME the packing depends on the input's size: another size needs the filter itself again.
  if (!plain_ || c.Attr<std::string>("padding_algorithm") == "SAME") return;
  weights_ = c.PackedInput<VolumeTransposeWeights>(
      "Filter", FormOf("conv3d_transpose", shape_),
      [&](const Tensor& filter) { return PackVolumeTranspose(filter, shape_); });
}

void ConvTransposeVolumes::Run(KernelContext& c) {
  if (!plain_) return RunConvTransposeReference(c);
  if (c.Output("Output").numel() == 0) return;
  std::shared_ptr<const VolumeTransposeWeights> weights = weights_;
  if (weights == nullptr)
    weights = std::make_shared<const VolumeTransposeWeights>(
        PackVolumeTranspose(c.Input("Filter"), shape_));
  RunVolumes(c, shape_, true,
             [&](size_t tap, const math::ConvShape& shape, const float* x,
                 const math::Epilogue& epilogue, float* y) {
               math::ConvTransposeNhwc(c.threads(), shape, x, weights->taps[tap], epilogue, y);
             });
}

KernelChoice ConvTransposeVolumes::Choice(const KernelContext& c) const {
  return ChoiceOf(c, plain_, "a transposed convolution");
}

namespace {

REGISTER_LITE_KERNEL(conv3d, kHost, kFloat, kNCHW, ConvVolumes, def);
REGISTER_LITE_KERNEL(conv3d_transpose, kHost, kFloat, kNCHW, ConvTransposeVolumes, def);

}  // namespace
}  // namespace paddle::lite
