#include "lite/kernels/cpu/fill.h"

namespace paddle::lite {
namespace {

template <typename Context>
bool ChannelsFirst(const Context& c) {
  const auto& format = c.template Attr<std::string>("data_format");
  if (format != "NCHW" && format != "NHWC")
    throw LiteError(StrCat("attribute data_format is ", format, ", expected NCHW or NHWC"));
  return format == "NCHW";
}

void InferTemporalShift(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int seg_num = c.Attr<int32_t>("seg_num");
  const float ratio = c.Attr<float>("shift_ratio");
  ChannelsFirst(c);
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected four dimensions");
  c.Require(seg_num > 0 && x.dims[0] % seg_num == 0, "seg_num ", seg_num,
            " does not divide the first dimension of X of shape ", x.dims);
  c.Require(ratio > 0 && ratio <= 0.5f, "shift_ratio is ", ratio, ", expected up to 0.5");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// Of the seg_num frames of a clip, the first channels come from the frame before, the next ones
// from the frame after (zeros at the clip's ends), the others stay.
void RunTemporalShift(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const bool first = ChannelsFirst(c);
  const int channel = first ? 1 : 3, height = first ? 2 : 1, width = first ? 3 : 2;
  const DDim &d = x.dims(), from = StridesOf(x), to = StridesOf(out);
  const int64_t frames = c.Attr<int32_t>("seg_num"), clips = d[0] / frames;
  const float ratio = c.Attr<float>("shift_ratio");
  const auto back = static_cast<int64_t>(static_cast<float>(d[channel]) * ratio);
  const auto ahead = static_cast<int64_t>(static_cast<float>(d[channel]) * 2 * ratio);
  auto move = [&](int64_t begin, int64_t end, int64_t to_frame, int64_t from_frame, int64_t count) {
    if (count <= 0) return;
    CopyBox({clips, count, end - begin, d[height], d[width]}, x,
            from_frame * from[0] + begin * from[channel],
            {frames * from[0], from[0], from[channel], from[height], from[width]}, out,
            to_frame * to[0] + begin * to[channel],
            {frames * to[0], to[0], to[channel], to[height], to[width]}, c.threads());
  };
  Fill(out, FillValue::Of(0), c.threads());
  move(0, back, 1, 0, frames - 1);
  move(back, ahead, 0, 1, frames - 1);
  move(ahead, d[channel], 0, 0, frames);
}

REGISTER_LITE_OP(temporal_shift)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("seg_num")
    .Attr<float>("shift_ratio", 0.25f)
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferTemporalShift);
REGISTER_LITE_FUNCTION(temporal_shift, kHost, kAny, kNCHW, RunTemporalShift, def);
REGISTER_LITE_FUNCTION(temporal_shift, kHost, kFloat, kNHWC, RunTemporalShift, nhwc);

}  // namespace
}  // namespace paddle::lite
