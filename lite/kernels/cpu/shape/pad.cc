#include "lite/kernels/cpu/shape/pad.h"

#include <algorithm>

#include "lite/kernels/cpu/indexing/segments.h"

namespace paddle::lite {
namespace {

// The sources of places [first, last) of a padded axis; place 0 is x's element -before.
void AddOutside(Segments* segments, int64_t first, int64_t last, int64_t before, int64_t size,
                PadMode mode) {
  const bool left = first < before;
  for (int64_t at = first; at < last;) {
    const int64_t place = at - before;
    Segment segment{at, last - at, -1, 0};
    if (mode == PadMode::kReflect) {
      segment.from = left ? -place : 2 * (size - 1) - place;
      segment.step = -1;
    } else if (mode == PadMode::kReplicate) {
      segment.from = left ? 0 : size - 1;
    } else if (mode == PadMode::kCircular) {
      segment.from = (place % size + size) % size;
      segment.step = 1;
      segment.size = std::min(segment.size, size - segment.from);
    }
    segments->push_back(segment);
    at += segment.size;
  }
}

Segments PaddedAxis(int64_t size, const AxisPad& pad, PadMode mode) {
  const int64_t total = size + pad.before + pad.after;
  const int64_t begin = std::clamp<int64_t>(pad.before, 0, total);
  const int64_t end = std::clamp<int64_t>(pad.before + size, begin, total);
  Segments segments;
  AddOutside(&segments, 0, begin, pad.before, size, mode);
  if (end > begin) segments.push_back({begin, end - begin, begin - pad.before, 1});
  AddOutside(&segments, end, total, pad.before, size, mode);
  return segments;
}

template <typename Context>
std::vector<AxisPad> PadsOf(const Context& c, const DDim& x) {
  const auto paddings = IntsOf<int32_t>(c, "", "Paddings", "paddings");
  if (paddings.size() != 2 * static_cast<size_t>(x.size()))
    throw ShapeError(StrCat("paddings has ", paddings.size(),
                            " elements, expected two for each "
                            "dimension of X of shape ",
                            x));
  std::vector<AxisPad> pads;
  const int64_t least = c.template Attr<bool>("may_cut") ? -INT32_MAX : 0;
  for (const int64_t padding : paddings)
    if (padding < least || padding > INT32_MAX) throw ShapeError(StrCat("a padding is ", padding));
  for (size_t i = 0; i < paddings.size(); i += 2) pads.push_back({paddings[i], paddings[i + 1]});
  return pads;
}

void InferPad(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const PadMode mode = PadModeFrom(c.Attr<std::string>("mode"));
  c.SetOutput("Out", PaddedDims(x.dims, PadsOf(c, x.dims), mode), x.dtype, x.lod);
}

void RunPad(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor* value = c.InputOrNull("Value");
  PadTensor(x, PadsOf(c, x.dims()), PadModeFrom(c.Attr<std::string>("mode")),
            value != nullptr ? FillValue::From(*value, "Value")
                             : FillValue::Of(c.Attr<float>("pad_value")),
            c.Output("Out"), c.threads());
}

// Paddings, Value and mode are NNAdapter's; programs have the attributes and pad with a constant.
// ONNX's paddings that are computed may_cut elements off.
REGISTER_LITE_OP(pad)
    .Input("X")
    .OptionalInput("Paddings")
    .OptionalInput("Value")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("paddings")
    .Attr<float>("pad_value", 0.0f)
    .Attr<std::string>("mode", "constant")
    .Attr<bool>("may_cut", false)
    .InferShape(InferPad);
REGISTER_LITE_FUNCTION(pad, kHost, kAny, kNCHW, RunPad, def);
REGISTER_LITE_FUNCTION(pad, kHost, kFloat, kNHWC, RunPad, nhwc);

}  // namespace

PadMode PadModeFrom(const std::string& text) {
  if (text == "constant") return PadMode::kConstant;
  if (text == "reflect") return PadMode::kReflect;
  if (text == "replicate" || text == "edge") return PadMode::kReplicate;
  if (text == "circular") return PadMode::kCircular;
  throw LiteError(StrCat("attribute mode is ", text,
                         ", expected constant, reflect, replicate (or edge) or circular"));
}

DDim PaddedDims(const DDim& x, const std::vector<AxisPad>& pads, PadMode mode) {
  DDim out = x;
  for (int i = 0; i < x.size(); ++i) {
    const AxisPad& pad = pads[static_cast<size_t>(i)];
    out[i] += pad.before + pad.after;
    const bool padded = pad.before != 0 || pad.after != 0;
    const bool kept = pad.before > -x[i] && pad.after > -x[i];  // something of x remains
    const bool fits = mode == PadMode::kConstant || !padded ||
                      (x[i] > 0 && kept &&
                       (mode != PadMode::kReflect || (pad.before < x[i] && pad.after < x[i])));
    if (out[i] < 0 || !fits)
      throw ShapeError(StrCat("dimension ", i, " of X of shape ", x, " cannot be padded by ",
                              pad.before, " and ", pad.after, " in this mode"));
  }
  return out;
}

void PadTensor(const Tensor& x, const std::vector<AxisPad>& pads, PadMode mode,
               const FillValue& value, Tensor& out, int threads) {
  alignas(16) char element[kMaxElementSize];
  StoreElement(value, out.dtype(), element);
  std::vector<Segments> axes;
  for (int i = 0; i < x.dims().size(); ++i)
    axes.push_back(PaddedAxis(x.dims()[i], pads[static_cast<size_t>(i)], mode));
  CopySegments(axes, x, out, element, threads);
}

namespace {

template <typename Context>
std::vector<AxisPad> Pad2dPads(const Context& c) {
  const auto& format = c.template Attr<std::string>("data_format");
  if (format != "NCHW" && format != "NHWC")
    throw LiteError(StrCat("attribute data_format is ", format, ", expected NCHW or NHWC"));
  const auto paddings = IntsOf<int32_t>(c, "", "Paddings", "paddings");
  if (paddings.size() != 4)
    throw ShapeError(StrCat("there are ", paddings.size(), " paddings, expected 4"));
  for (const int64_t padding : paddings)
    if (padding > INT32_MAX || padding < -INT32_MAX)
      throw ShapeError(StrCat("a padding is ", padding));
  std::vector<AxisPad> pads(4);
  const size_t first = format == "NCHW" ? 2 : 1;
  // top, bottom, left, right
  pads[first] = {paddings[0], paddings[1]};
  pads[first + 1] = {paddings[2], paddings[3]};
  return pads;
}

void InferPad2d(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected 4 dimensions");
  const PadMode mode = PadModeFrom(c.Attr<std::string>("mode"));
  c.SetOutput("Out", PaddedDims(x.dims, Pad2dPads(c), mode), x.dtype, x.lod);
}

void RunPad2d(KernelContext& c) {
  PadTensor(c.Input("X"), Pad2dPads(c), PadModeFrom(c.Attr<std::string>("mode")),
            c.Attr<float>("pad_value"), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(pad2d)
    .Input("X")
    .OptionalInput("Paddings")
    .Output("Out")
    .Attr<std::vector<int32_t>>("paddings", {})
    .Attr<std::string>("mode", "constant")
    .Attr<float>("pad_value", 0.0f)
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferPad2d);
REGISTER_LITE_FUNCTION(pad2d, kHost, kAny, kNCHW, RunPad2d, def);
REGISTER_LITE_FUNCTION(pad2d, kHost, kFloat, kNHWC, RunPad2d, nhwc);

template <typename Context>
std::vector<AxisPad> Pad3dPads(const Context& c) {
  const auto& format = c.template Attr<std::string>("data_format");
  if (format != "NCDHW" && format != "NDHWC")
    throw LiteError(StrCat("attribute data_format is ", format, ", expected NCDHW or NDHWC"));
  const auto paddings = IntsOf<int32_t>(c, "", "Paddings", "paddings");
  if (paddings.size() != 6)
    throw ShapeError(StrCat("there are ", paddings.size(), " paddings, expected 6"));
  for (const int64_t padding : paddings)
    if (padding > INT32_MAX || padding < -INT32_MAX)
      throw ShapeError(StrCat("a padding is ", padding));
  std::vector<AxisPad> pads(5);
  const size_t first = format == "NCDHW" ? 2 : 1;
  // left, right, top, bottom, front, back
  pads[first + 2] = {paddings[0], paddings[1]};
  pads[first + 1] = {paddings[2], paddings[3]};
  pads[first] = {paddings[4], paddings[5]};
  return pads;
}

void InferPad3d(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 5, "X has shape ", x.dims, ", expected 5 dimensions");
  const PadMode mode = PadModeFrom(c.Attr<std::string>("mode"));
  c.SetOutput("Out", PaddedDims(x.dims, Pad3dPads(c), mode), x.dtype, x.lod);
}

void RunPad3d(KernelContext& c) {
  PadTensor(c.Input("X"), Pad3dPads(c), PadModeFrom(c.Attr<std::string>("mode")),
            c.Attr<float>("value"), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(pad3d)
    .Input("X")
    .OptionalInput("Paddings")
    .Output("Out")
    .Attr<std::vector<int32_t>>("paddings", {})
    .Attr<std::string>("mode", "constant")
    .Attr<float>("value", 0.0f)
    .Attr<std::string>("data_format", "NCDHW")
    .InferShape(InferPad3d);
REGISTER_LITE_FUNCTION(pad3d, kHost, kAny, kNCHW, RunPad3d, def);

}  // namespace
}  // namespace paddle::lite
