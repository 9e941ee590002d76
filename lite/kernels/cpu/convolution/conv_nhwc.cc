#include "lite/kernels/cpu/convolution/conv_nhwc.h"

#include <algorithm>
#include <vector>

#include "lite/kernels/cpu/activation/fused_activation.h"
#include "lite/kernels/cpu/convolution/conv.h"
#include "lite/kernels/cpu/convolution/conv_weights.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/matrix/rounded_choice.h"
#include "lite/kernels/cpu/quantised/int8.h"
#include "lite/kernels/cpu/shape/nhwc.h"

namespace paddle::lite {

struct ConvTransposeWeights {
  math::PackedConvTranspose packed;
};

namespace {

// An image of few channels is read as the planes that it comes in.
constexpr int64_t kPlaneChannels = 4;
constexpr int64_t kMaxStride = 1 << 20, kMaxPhases = 1 << 16;

// One window's rows with the padding around them, and a stride's pointers, are held in memory.
math::ConvShape ConvShapeOf(const KernelContext& c) {
  math::ConvShape s = ShapeOfImages(c);
  if (s.oh == 1) s.sh = 1;
  if (s.ow == 1) s.sw = 1;
  const int64_t width = (s.ow - 1) * s.sw + (s.kw - 1) * s.dw + 1;
  const int64_t height = (s.kh - 1) * s.dh + 1;
  const double floats =
      static_cast<double>(width) * static_cast<double>(height) * static_cast<double>(s.ic);
  const double sane = std::max(64e6, 4.0 * static_cast<double>(c.Input("Input").numel()));
  if (floats > sane || s.sh > kMaxStride || s.sw > kMaxStride)
    throw ShapeError(StrCat("a window of ", height, " rows of ", width, " pixels of ", s.ic,
                            " channels is too large for an input of shape ",
                            c.Input("Input").dims(), "; give smaller paddings and dilations"));
  return s;
}

// Every position modulo the stride has weights of its own.
math::ConvShape TransposeShapeOf(const KernelContext& c) {
  const math::ConvShape s = ShapeOfImages(c);
  if (s.sh * s.sw > kMaxPhases)
    throw ShapeError(StrCat("strides ", s.sh, " and ", s.sw,
                            " are too large, expected a product of at most ", kMaxPhases));
  // A dilation makes the output grow with it: far beyond any use, it is a damaged attribute.
  const double floats = static_cast<double>((s.kh - 1) * s.dh + 1) *
                        static_cast<double>((s.kw - 1) * s.dw + 1) * static_cast<double>(s.ic);
  if (floats > std::max(4e6, 4.0 * static_cast<double>(c.Input("Input").numel())))
    throw ShapeError(StrCat("dilations ", s.dh, " and ", s.dw, " spread a kernel of ", s.kh, " x ",
                            s.kw, " too far for an input of shape ", c.Input("Input").dims(),
                            "; give smaller dilations"));
  return s;
}

// Whether the input is rounded, too.
bool MultipliesIntegers(const KernelContext& c) {
  return c.Input("Filter").dtype() == DataType::kInt8 && !OnlyWeightIsInt8(c.op());
}

math::PackedInt8 PackInt8Weights(const Tensor& filter, const math::ConvShape& s) {
  return math::PackInt8Conv(RowMajorWeight<int8_t>(filter).data(), s);
}

ConvTransposeWeights PackTransposeWeights(const Tensor& filter, const math::ConvShape& shape) {
  return {math::PackConvTranspose(RowMajorWeight<>(filter).data(), shape)};
}

const float* BiasOf(const KernelContext& c) {
  return c.HasInput("Bias") ? c.Input("Bias").data<float>() : nullptr;
}

bool ReadsPlanes(const Tensor& input, const math::ConvShape& s) {
  return IsRowMajorImage(input) && s.ic <= kPlaneChannels && s.groups == 1 && s.pt >= 0 &&
         s.pl >= 0;
}

// Some rows of a convolution over weights that are packed.
class ConvRowRun final : public RowRun {
 public:
  ConvRowRun(const KernelContext& c, const math::ConvShape& shape, const math::Activation& act,
             std::shared_ptr<const ConvWeights> weights)
      : shape_(shape),
        planes_(ReadsPlanes(c.Input("Input"), shape)),
        weights_(std::move(weights)),
        epilogue_(c, BiasOf(c), act),
        input_(c.Input("Input")),
        output_(c.Output("Output")) {
    shape_.x_pixel = planes_ ? 0 : input_.pixel_stride();
    shape_.y_pixel = output_.pixel_stride();
  }

  void Compute(const RowPart& part) const override {
    const math::ConvShape& s = shape_;
    math::ConvRows rows;
    rows.image = part.image, rows.begin = part.begin, rows.end = part.end;
    rows.x = part.input, rows.x_rows = part.input_rows;
    rows.y = part.output;
    if (rows.x == nullptr) {
      rows.x = input_.data<float>() + part.image * s.ih * s.iw * (planes_ ? s.ic : s.XPixel());
      rows.x_rows = s.ih;
    }
    if (rows.y == nullptr)
      rows.y = output_.mutable_data<float>() + (part.image * s.oh + part.begin) * s.ow * s.YPixel();
    if (weights_->depthwise.data.size() != 0)
      math::DepthwiseNhwcRows(s, rows, weights_->depthwise, epilogue_.get());
    else
      math::ConvNhwcRows(s, rows, planes_, weights_->dense, epilogue_.get());
  }

 private:
  math::ConvShape shape_;
  bool planes_;
  std::shared_ptr<const ConvWeights> weights_;
  KernelEpilogue epilogue_;
  const Tensor& input_;
  Tensor& output_;
};

// The input without the rows and columns that a negative padding cuts off; makes that padding 0.
math::AlignedFloats Crop(const float* x, math::ConvShape* s) {
  const int64_t top = std::max<int64_t>(-s->pt, 0), left = std::max<int64_t>(-s->pl, 0);
  const int64_t height = s->ih - top, width = s->iw - left;
  math::AlignedFloats cropped(s->n * height * width * s->ic);
  float* to = cropped.data();
  for (int64_t n = 0; n < s->n; ++n)
    for (int64_t y = top; y < s->ih; ++y)
      for (int64_t i = left; i < s->iw; ++i, to += s->ic)
        std::copy_n(x + ((n * s->ih + y) * s->iw + i) * s->XPixel(), s->ic, to);
  s->x_pixel = 0;
  s->pt += top, s->pl += left;
  s->ih = height, s->iw = width;
  return cropped;
}

// The input's reals as the bytes to which the operator rounds them.
math::AlignedFloats RoundInput(const KernelContext& c, math::ConvShape* s,
                               math::DepthwiseInput* x) {
  const Int8Input how = Int8InputOf(c, "Input");
  const int64_t pixels = s->n * s->ih * s->iw, channels = s->ic, stride = s->XPixel();
  math::AlignedFloats made((pixels * channels + 3) / 4);
  auto* const bytes = reinterpret_cast<uint8_t*>(made.data());
  const int64_t grain = std::max<int64_t>(math::kElementGrain / std::max<int64_t>(channels, 1), 1);
  math::ParallelRange(c.threads(), pixels, grain, [&](int64_t begin, int64_t end) {
    if (stride == channels)
      return math::RoundToBytes(x->reals + begin * channels, (end - begin) * channels, how.rounding,
                                bytes + begin * channels);
    for (int64_t i = begin; i < end; ++i)
      math::RoundToBytes(x->reals + i * stride, channels, how.rounding, bytes + i * channels);
  });
  *x = {nullptr, bytes, how.step, how.rounding.zero};
  s->x_pixel = 0;
  return made;
}

}  // namespace

bool ConvKeepsBytes(const OpLite& op, const MetaOfSlot& meta) {
  const TensorMeta &filter = *meta("Filter"), &input = *meta("Input");
  if (!IsDepthwise(filter.dims, op.Attr<int32_t>("groups")))
    return filter.dtype == DataType::kInt8 && !OnlyWeightIsInt8(op);
  if (meta("ResidualData") != nullptr) return false;
  const Windows windows = ConvWindows(op, input.dims, filter.dims);
  return windows[0].pad_before >= 0 && windows[1].pad_before >= 0;
}

void ConvNhwc::PrepareForRun(KernelContext& c) {
  shape_ = ConvShapeOf(c);
  activation_ = FusedActivation(c.op());
  // The strides as declared: how weights are packed does not depend on the input's size.
  const math::ConvShape declared = ShapeOfImages(c);
  depthwise_ = IsDepthwise(c.Input("Filter").dims(), shape_.groups);
  if (MultipliesIntegers(c) && !depthwise_) {
    int8_weights_ = c.PackedInput<math::PackedInt8>(
        "Filter",
        StrCat("conv int8 groups ", declared.groups, declared.dw > 1 ? " dilated" : "",
               " winograd ", math::TakesInt8Winograd(declared), " ", math::IsaName()),
        [&](const Tensor& filter) { return PackInt8Weights(filter, declared); });
    if (int8_weights_ != nullptr && !RoundsByContents(c.op()))
      int8_scaling_ = Int8ScalingOf(c.op(), Int8InputOf(c.op()), *int8_weights_);
    return;
  }
  // The first size chooses Winograd's tile, since the weights themselves are gone then.
  weights_ = c.PackedInput<ConvWeights>(
      "Filter",
      StrCat("conv groups ", declared.groups, declared.dw > 1 ? " dilated" : "", " winograd ",
             math::TakesWinograd(declared), declared.early ? " early " : " ", math::IsaName(),
             c.Input("Filter").dtype() == DataType::kInt8 ? WeightScalesText(c.op()) : ""),
      [&](const Tensor& filter) {
        return PackConvWeights(c.op(), filter, declared, true, c.threads());
      });
}

void ConvNhwc::Run(KernelContext& c) {
  math::ConvShape shape = shape_;
  const Tensor& input = c.Input("Input");
  if (c.Output("Output").numel() == 0) return;
  if (MultipliesIntegers(c) && !depthwise_) return RunInt8(c);
  std::shared_ptr<const ConvWeights> weights = weights_;
  if (weights == nullptr)
    weights = std::make_shared<const ConvWeights>(
        PackConvWeights(c.op(), c.Input("Filter"), shape, false, c.threads()));
  if (c.input_bytes() != nullptr || c.output_bytes() != nullptr || MultipliesIntegers(c))
    return RunDepthwiseOfBytes(c, weights->depthwise);
  float* y = c.Output("Output").mutable_data<float>();

  std::unique_ptr<NhwcInput> residual;
  if (c.HasInput("ResidualData")) residual = std::make_unique<NhwcInput>(c.Input("ResidualData"));
  const KernelEpilogue epilogue(c, BiasOf(c), activation_,
                                residual == nullptr ? nullptr : residual->data());
  shape.y_pixel = c.Output("Output").pixel_stride();
  if (ReadsPlanes(input, shape)) {
    if (weights->in_halves)
      return math::ConvHalves(c.threads(), shape, input.data<float>(), true, weights->halves,
                              epilogue.get(), y);
    math::ConvNchwInput(c.threads(), shape, input.data<float>(), weights->dense, epilogue.get(), y);
    return;
  }
  const NhwcInput whole(input);
  shape.x_pixel = input.pixel_stride();
  const bool crops = shape.pt < 0 || shape.pl < 0;
  const math::AlignedFloats cropped = crops ? Crop(whole.data(), &shape) : math::AlignedFloats();
  const float* x = crops ? cropped.data() : whole.data();
  RunConv(c.threads(), shape, x, *weights, epilogue.get(), y);
}

KernelChoice ConvNhwc::Choice(const KernelContext& c) const {
  const math::ConvShape& s = shape_;
  if (MultipliesIntegers(c) && !depthwise_) {
    if (int8_weights_ == nullptr || !int8_weights_->winograd)
      return Int8Choice(int8_weights_.get());
    return {"int8_winograd",
            "the weights are integers: 2.25 times fewer products of int16, exactly"};
  }
  if (weights_ != nullptr && weights_->in_halves) return HalvesChoice(weights_->halves.precision);
  if (ReadsPlanes(c.Input("Input"), s))
    return {"planes", StrCat("a row-major image of ", s.ic, " channels is read as it is")};
  if (depthwise_ && weights_ != nullptr && weights_->depthwise.words.size() != 0 &&
      (c.input_bytes() != nullptr || MultipliesIntegers(c)))
    return {"int8_depthwise", "a filter of integers for each channel"};
  if (depthwise_) return {"depthwise", "a filter for each channel"};
  if (weights_ == nullptr) return {"direct", "the weights are computed and packed in every run"};
  if (UsesWinograd(s, *weights_)) {
    const int tile = weights_->winograd.tile;
    const char* more = s.early ? "; tiles of 4 round more, which many layers would enlarge" : "";
    return {tile == 4 ? "winograd_4" : "winograd_2",
            StrCat(s.kh, "x", s.kw, ", stride 1, ", s.ic, " -> ", s.oc, " channels: ",
                   math::WinogradSaves(s, tile), " times fewer multiplications", more)};
  }
  if (weights_->dense.integers() != nullptr)
    return {"int8_weights", "the weights are integers, which become floats as they are read"};
  if (weights_->dense.pixel_lanes)
    return {"pixel_lanes", StrCat("lanes are pixels: ", s.oc, " channels do not fill a vector")};
  if (HasOneRow(s) && s.kh > 1)
    return {"direct", StrCat("one row of the kernel meets an image of 1x", s.iw)};
  if (weights_->winograd.tile != 0)
    return {"direct", StrCat("too few pixels (", s.oh, "x", s.ow, ") for Winograd")};
  if (s.kh == 3 && s.kw == 3 && s.sh == 1 && s.sw == 1)
    return {"direct", StrCat("Winograd does not pay for ", s.ic, " -> ", s.oc, " channels in ",
                             s.groups, " groups, dilations ", s.dh, " and ", s.dw)};
  return {weights_->dense.tiles ? "tiles" : "direct",
          StrCat(s.kh, "x", s.kw, ", stride ", s.sh, ": a product of packed weights",
                 weights_->dense.tiles ? ", in AMX's tiles of bf16" : "")};
}

bool ConvNhwc::ComputesRows(const KernelContext& c, bool parts) const {
  const math::ConvShape& s = shape_;
  const Tensor& input = c.Input("Input");
  if (weights_ == nullptr || weights_->in_halves || c.HasInput("ResidualData")) return false;
  if (c.input_bytes() != nullptr || c.output_bytes() != nullptr || MultipliesIntegers(c))
    return false;
  if (weights_->dense.integers() != nullptr) return false;  // they are widened in every call
  if (s.pt < 0 || s.pl < 0 || s.n <= 0 || c.Output("Output").numel() == 0) return false;
  const bool planes = ReadsPlanes(input, s);
  if (!planes && IsRowMajorImage(input)) return false;  // a copy of the whole comes first
  if (depthwise_) return true;
  if (weights_->dense.pixel_lanes) return false;
  return !UsesWinograd(s, *weights_) && (!parts || (s.kh == 1 && !planes));
}

RowWindow ConvNhwc::Window() const {
  return {shape_.sh, shape_.pt, (shape_.kh - 1) * shape_.dh + 1};
}

std::unique_ptr<RowRun> ConvNhwc::StartRows(KernelContext& c) const {
  return std::make_unique<ConvRowRun>(c, shape_, activation_, weights_);
}

void ConvNhwc::RunInt8(KernelContext& c) {
  const Tensor& input = c.Input("Input");
  Tensor& output = c.Output("Output");
  std::unique_ptr<NhwcInput> residual, whole;
  if (c.HasInput("ResidualData")) residual = std::make_unique<NhwcInput>(c.Input("ResidualData"));
  const KernelEpilogue epilogue(c, BiasOf(c), activation_,
                                residual == nullptr ? nullptr : residual->data());
  math::RoundedInput x;
  if (input.dtype() == DataType::kUInt8) {
    x.bytes = input.data<uint8_t>();
  } else {
    x.nchw = IsRowMajorImage(input) && shape_.ic <= kPlaneChannels;
    if (!x.nchw) whole = std::make_unique<NhwcInput>(input);
    x.reals = x.nchw ? input.data<float>() : whole->data();
  }
  void* y = output.MutableRaw(output.dtype());
  if (int8_weights_ != nullptr && !RoundsByContents(c.op()))
    return math::ConvInt8(c.threads(), shape_, x, *int8_weights_, int8_scaling_, epilogue.get(), y);
  math::PackedInt8 fresh;
  if (int8_weights_ == nullptr) fresh = PackInt8Weights(c.Input("Filter"), shape_);
  const math::PackedInt8& weights = int8_weights_ != nullptr ? *int8_weights_ : fresh;
  math::ConvInt8(c.threads(), shape_, x, weights,
                 Int8ScalingOf(c.op(), Int8InputOf(c, "Input"), weights), epilogue.get(), y);
}

void ConvNhwc::RunDepthwiseOfBytes(KernelContext& c, const math::PackedDepthwise& weights) {
  const Tensor& input = c.Input("Input");
  Tensor& output = c.Output("Output");
  std::unique_ptr<NhwcInput> residual, whole;
  if (c.HasInput("ResidualData")) residual = std::make_unique<NhwcInput>(c.Input("ResidualData"));
  const KernelEpilogue epilogue(c, BiasOf(c), activation_,
                                residual == nullptr ? nullptr : residual->data());
  math::ConvShape shape = shape_;
  shape.x_pixel = input.pixel_stride();  // bytes are no slices
  shape.y_pixel = output.pixel_stride();
  math::DepthwiseInput x;
  math::AlignedFloats cropped, rounded;
  if (c.input_bytes() != nullptr) {
    x.bytes = input.data<uint8_t>();
    x.scale = c.input_bytes()->scale;
    x.zero = c.input_bytes()->ByteOfZero();
  } else {
    whole = std::make_unique<NhwcInput>(input);
    x.reals = whole->data();
    if (shape.pt < 0 || shape.pl < 0) {
      cropped = Crop(x.reals, &shape);
      x.reals = cropped.data();
    }
    if (MultipliesIntegers(c)) rounded = RoundInput(c, &shape, &x);
  }
  math::DepthwiseNhwc(c.threads(), shape, x, weights, epilogue.get(),
                      output.MutableRaw(output.dtype()));
}

void ConvTransposeNhwc::PrepareForRun(KernelContext& c) {
  const math::ConvShape s = shape_ = TransposeShapeOf(c);
  activation_ = FusedActivation(c.op());
  const auto pack = [&](const Tensor& filter) { return PackTransposeWeights(filter, s); };
  if (c.Attr<std::string>("padding_algorithm") == "SAME") {
    // The packing depends on the input's size: another size needs the weight's own data again.
    if (c.Input("Filter").persistable())
      weights_ = std::make_shared<const ConvTransposeWeights>(pack(c.Input("Filter")));
    return;
  }
  weights_ = c.PackedInput<ConvTransposeWeights>(
      "Filter",
      StrCat("conv_transpose groups ", s.groups, " strides ", s.sh, " ", s.sw, " paddings ", s.pt,
             " ", s.pl, " dilations ", s.dh, " ", s.dw, " ", math::IsaName()),
      pack);
}

void ConvTransposeNhwc::Run(KernelContext& c) {
  float* y = c.Output("Output").mutable_data<float>();
  if (c.Output("Output").numel() == 0) return;
  std::shared_ptr<const ConvTransposeWeights> weights = weights_;
  if (weights == nullptr)
    weights = std::make_shared<const ConvTransposeWeights>(
        PackTransposeWeights(c.Input("Filter"), shape_));
  const NhwcInput x(c.Input("Input"));
  const KernelEpilogue epilogue(c, BiasOf(c), activation_);
  math::ConvTransposeNhwc(c.threads(), shape_, x.data(), weights->packed, epilogue.get(), y);
}

}  // namespace paddle::lite
