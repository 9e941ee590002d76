#include "lite/kernels/cpu/math/pool.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include "lite/kernels/cpu/pooling/pool.h"
#include "lite/kernels/cpu/pooling/window.h"
#include "lite/kernels/cpu/shape/nhwc.h"

namespace paddle::lite {
namespace {

int64_t CeilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

template <typename T>
void RunPoolOp(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const PoolShape s = ResolvePool(c.op(), input.dims());
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  const int64_t plane = s.in[0] * s.in[1] * s.in[2];
  for (int64_t i = 0; i < input.dims()[0] * input.dims()[1]; ++i, x += plane)
    for (int64_t oz = 0; oz < s.out[0]; ++oz)
      for (int64_t oy = 0; oy < s.out[1]; ++oy)
        for (int64_t ox = 0; ox < s.out[2]; ++ox)
          *out++ = PoolWindow(s, x, RangeOf(s, 0, oz), RangeOf(s, 1, oy), RangeOf(s, 2, ox));
}

}  // namespace

PoolRange RangeOf(const PoolShape& s, size_t axis, int64_t out) {
  const int64_t size = s.in[axis];
  if (s.adaptive) {
    const int64_t first = out * size / s.out[axis];
    const int64_t last = CeilDivide((out + 1) * size, s.out[axis]);
    return {first, last, last - first};
  }
  const Window& w = s.window[axis];
  const int64_t start = out * w.stride - w.pad_before;
  const int64_t last = std::min(start + w.kernel, size);
  return {std::max<int64_t>(start, 0), last,
          std::min(start + w.kernel, size + w.pad_before) - start};
}

OpInfo& DeclarePool(OpInfo& info, int spatial_rank) {
  const auto rank = static_cast<size_t>(spatial_rank);
  return info.Input("X")
      .Output("Out")
      .Attr<std::string>("pooling_type", "")
      .Attr<std::vector<int32_t>>("ksize", {})
      .Attr<std::vector<int32_t>>("strides", std::vector<int32_t>(rank, 1))
      .Attr<std::vector<int32_t>>("paddings", std::vector<int32_t>(rank, 0))
      .Attr<std::string>("padding_algorithm", "EXPLICIT")
      .Attr<bool>("global_pooling", false)
      .Attr<bool>("exclusive", true)
      .Attr<bool>("adaptive", false)
      .Attr<bool>("ceil_mode", false)
      .Attr<std::string>("data_format", spatial_rank == 3 ? "NCDHW" : "NCHW")
      .InferShape(InferPool);
}

PoolShape ResolvePool(const OpLite& op, const DDim& in, const char* kernel) {
  const int rank = in.size() - 2;
  const bool global = op.Attr<bool>("global_pooling"), adaptive = op.Attr<bool>("adaptive");
  const auto ksize = global ? std::vector<int64_t>(in.begin() + 2, in.end())
                            : IntsAttr(op, kernel, static_cast<size_t>(rank));
  PoolShape s;
  s.max = op.Attr<std::string>("pooling_type") == "max";
  s.exclusive = op.Attr<bool>("exclusive");
  s.adaptive = adaptive && !s.max;  // Paddle's max pooling takes its size, but not its windows
  Windows windows = ResolveWindows(op, rank, in.begin() + 2, ksize.data(), false);
  for (int i = 0; i < rank; ++i) {
    const auto at = static_cast<size_t>(3 - rank + i);
    Window& w = windows[static_cast<size_t>(i)];
    if (global || adaptive) w.pad_before = w.pad_after = 0;
    s.in[at] = in[i + 2];
    s.out[at] = adaptive ? w.kernel : ConvOutputSize(in[i + 2], w, op.Attr<bool>("ceil_mode"));
    s.window[at] = w;
  }
  return s;
}

void InferPool(InferContext& c) {
  RequireChannelsFirst(c.op(), "data_format");
  const TensorMeta& x = c.Input("X");
  const auto rank = static_cast<int>(c.Attr<std::vector<int32_t>>("strides").size());
  c.Require(x.dims.size() == rank + 2 && rank >= 1 && rank <= kMaxSpatialRank, "input X has shape ",
            x.dims, ", expected rank ", rank + 2, " for ", rank, " strides");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  const auto& type = c.Attr<std::string>("pooling_type");
  c.Require(type == "max" || type == "avg", "attribute pooling_type is '", type,
            "', expected max or avg");
  const PoolShape s = ResolvePool(c.op(), x.dims);
  DDim out{x.dims[0], x.dims[1]};
  for (int i = 3 - rank; i < 3; ++i) {
    const auto at = static_cast<size_t>(i);
    c.Require(s.in[at] > 0, "input X has shape ", x.dims, ", expected no empty spatial axis");
    out.push_back(s.out[at]);
  }
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void RunPoolReference(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64)
    RunPoolOp<double>(c);
  else
    RunPoolOp<float>(c);
}

namespace {

math::PoolShape MathShape(const PoolShape& s, const DDim& in) {
  math::PoolShape m;
  m.n = in[0], m.c = in[1], m.ih = in[2], m.iw = in[3];
  m.oh = s.out[1], m.ow = s.out[2];
  m.kh = s.window[1].kernel, m.sh = s.window[1].stride, m.pt = s.window[1].pad_before;
  m.kw = s.window[2].kernel, m.sw = s.window[2].stride, m.pl = s.window[2].pad_before;
  m.adaptive = s.adaptive;
  return m;
}

// One window that is the whole image.
bool IsGlobal(const PoolShape& s) {
  for (size_t axis = 1; axis < 3; ++axis) {
    const PoolRange range = RangeOf(s, axis, 0);
    if (s.out[axis] != 1 || range.first != 0 || range.last != s.in[axis] ||
        range.padded != s.in[axis])
      return false;
  }
  return true;
}

class PoolNhwc : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override {
    const DDim& in = c.Input("X").dims();
    const PoolShape s = ResolvePool(c.op(), in);
    shape_ = MathShape(s, in);
    max_ = s.max;
    exclusive_ = s.exclusive;
    global_ = IsGlobal(s);
  }

  void Run(KernelContext& c) override {
    if (c.Output("Out").numel() == 0) return;
    if (c.input_bytes() != nullptr)
      return math::MaxPoolNhwc(c.threads(), shape_, c.Input("X").data<uint8_t>(),
                               c.Output("Out").mutable_data<uint8_t>());
    float* y = c.Output("Out").mutable_data<float>();
    const NhwcInput x(c.Input("X"));
    shape_.x_pixel = c.Input("X").pixel_stride();
    shape_.y_pixel = c.Output("Out").pixel_stride();
    if (global_ && max_)
      math::GlobalMaxPoolNhwc(c.threads(), shape_, x.data(), y);
    else if (global_)
      math::GlobalAvgPoolNhwc(c.threads(), shape_, x.data(), y);
    else if (max_)
      math::MaxPoolNhwc(c.threads(), shape_, x.data(), y);
    else
      math::AvgPoolNhwc(c.threads(), shape_, exclusive_, x.data(), y);
  }

 private:
  math::PoolShape shape_;
  bool max_ = false, exclusive_ = true, global_ = false;
};

// The largest of bytes is the byte of the largest. Every window must have an input.
bool PassesBytes(const OpLite& op, const MetaOfSlot& meta) {
  const PoolShape s = ResolvePool(op, meta("X")->dims);
  const math::PoolShape m = MathShape(s, meta("X")->dims);
  return s.max && !s.adaptive && !IsGlobal(s) && m.pt < m.kh && m.pl < m.kw &&
         (m.oh - 1) * m.sh - m.pt < m.ih && (m.ow - 1) * m.sw - m.pl < m.iw;
}

REGISTER_LITE_OP(pool2d);
[[maybe_unused]] OpInfo& pool2d_declared = DeclarePool(pool2d_op_info, 2);
REGISTER_LITE_FUNCTION(pool2d, kHost, kAny, kNCHW, RunPoolReference, def);
REGISTER_LITE_KERNEL(pool2d, kHost, kFloat, kNHWC, PoolNhwc, def, false, false, true, true, nullptr,
                     PassesBytes);
REGISTER_LITE_KERNEL(pool2d, kHost, kUInt8, kNHWC, PoolNhwc, def);

REGISTER_LITE_OP(pool3d);
[[maybe_unused]] OpInfo& pool3d_declared = DeclarePool(pool3d_op_info, 3);
REGISTER_LITE_FUNCTION(pool3d, kHost, kAny, kNCHW, RunPoolReference, def);

void RequireSize(int64_t value, int64_t low, const char* what) {
  if (value < low || value >= kMaxSpatialSize)
    throw ShapeError(
        StrCat(what, " is ", value, ", expected a value in [", low, ", ", kMaxSpatialSize, ")"));
}

void PadForSame(int64_t input, Window* window) {
  const int64_t outputs = (input + window->stride - 1) / window->stride;
  const int64_t sum = std::max<int64_t>((outputs - 1) * window->stride + window->kernel - input, 0);
  window->pad_before = sum / 2;
  window->pad_after = sum - sum / 2;
  window->dilation = 1;
}

}  // namespace

std::vector<int64_t> IntsAttr(const OpLite& op, const char* name, size_t count) {
  const auto& values = op.Attr<std::vector<int32_t>>(name);
  if (values.size() != count)
    throw ShapeError(
        StrCat("attribute ", name, " has ", values.size(), " values, expected ", count));
  return {values.begin(), values.end()};
}

Windows ResolveWindows(const OpLite& op, int rank, const int64_t* input, const int64_t* kernel,
                       bool dilated) {
  const auto count = static_cast<size_t>(rank);
  const auto strides = IntsAttr(op, "strides", count);
  const auto dilations =
      dilated ? IntsAttr(op, "dilations", count) : std::vector<int64_t>(count, 1);
  const auto& paddings = op.Attr<std::vector<int32_t>>("paddings");
  if (paddings.size() != count && paddings.size() != 2 * count)
    throw ShapeError(StrCat("attribute paddings has ", paddings.size(), " values, expected ", count,
                            " or ", 2 * count));
  const auto& algorithm = op.Attr<std::string>("padding_algorithm");
  if (algorithm != "EXPLICIT" && algorithm != "SAME" && algorithm != "VALID")
    throw ShapeError(StrCat("attribute padding_algorithm is '", algorithm,
                            "', expected EXPLICIT, SAME or VALID"));

  Windows windows;
  for (size_t i = 0; i < count; ++i) {
    Window& w = windows[i];
    w.kernel = kernel[i];
    w.stride = strides[i];
    w.dilation = dilations[i];
    RequireSize(input[i], 0, "the input's size along a spatial axis");
    RequireSize(w.kernel, 1, "the kernel's size");
    RequireSize(w.stride, 1, "a value of attribute strides");
    RequireSize(w.dilation, 1, "a value of attribute dilations");
    if (algorithm == "SAME") {
      PadForSame(input[i], &w);
    } else if (algorithm == "EXPLICIT") {
      const bool both = paddings.size() == 2 * count;
      w.pad_before = paddings[both ? 2 * i : i];
      w.pad_after = paddings[both ? 2 * i + 1 : i];
    }
  }
  return windows;
}

int64_t ConvOutputSize(int64_t input, const Window& w, bool ceil_mode) {
  const int64_t room = input + w.pad_before + w.pad_after - w.span();
  // The quotient is rounded towards zero, so that Paddle takes a window that sticks out by less
  // than a stride.
  const int64_t size = (room + (ceil_mode ? w.stride - 1 : 0)) / w.stride + 1;
  if (size <= 0)
    throw ShapeError(StrCat("a window of ", w.kernel, " taps with dilation ", w.dilation,
                            " does not fit into ", input, " elements with paddings ", w.pad_before,
                            " and ", w.pad_after, "; give a larger input"));
  return size;
}

void RequireChannelsFirst(const OpLite& op, const char* name) {
  std::string format = op.Attr<std::string>(name);  // Paddle takes any case
  for (char& letter : format)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (format == "NHWC" || format == "NDHWC" || format == "NWC")
    throw LiteError(StrCat("attribute ", name, " is ", format,
                           ", but only channels before the spatial axes (NCHW) are supported; "
                           "export the model with NCHW"));
  if (format != "NCHW" && format != "NCDHW" && format != "NCW" && format != "ANYLAYOUT")
    throw LiteError(StrCat("attribute ", name, " is '", format, "', expected NCHW or NCDHW"));
}

}  // namespace paddle::lite
