// deformable_conv, and deformable_conv_v1, which has no mask.
#include <cmath>

#include "lite/kernels/cpu/conv.h"

namespace paddle::lite {
namespace {

struct Shape {
  int64_t groups, deformable_groups;
  DDim x, w, y;
  Window vertical, horizontal;
  int64_t taps() const { return w[2] * w[3]; }
};

Windows WindowsOf(const OpLite& op, const DDim& x, const DDim& w) {
  return ResolveWindows(op, 2, x.begin() + 2, w.begin() + 2, true);
}

template <typename Context>
bool HasMask(const Context& c) {
  return c.op().info().FindInput("Mask") >= 0 && c.HasInput("Mask");
}

void Infer(InferContext& c) {
  const TensorMeta& input = c.Input("Input");
  const DDim &x = input.dims, &w = c.Dims("Filter");
  c.Require(x.size() == 4, "input Input has shape ", x, ", expected rank 4");
  c.Require(w.size() == 4, "input Filter has shape ", w, ", expected rank 4");
  if (input.dtype != DataType::kFP32 && input.dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("input Input is ", Name(input.dtype), ", expected float32 or float64"));
  const int64_t groups = c.Attr<int32_t>("groups");
  const int64_t parts = c.Attr<int32_t>("deformable_groups");
  c.Require(groups >= 1 && parts >= 1, "attributes groups and deformable_groups are ", groups,
            " and ", parts, ", expected positive numbers");
  c.Require(w[0] >= 1 && w[0] % groups == 0 && w[1] >= 1 && w[1] < kMaxSpatialSize &&
                x[1] == w[1] * groups,
            "input Input has ", x[1], " channels, but Filter ", w, " with groups ", groups,
            " takes ", w[1] * groups);
  c.Require(x[1] % parts == 0, "input Input has ", x[1],
            " channels, expected a multiple of deformable_groups ", parts);
  c.Require(x[2] > 0 && x[3] > 0, "input Input has shape ", x, ", expected no empty spatial axis");
  const Windows windows = WindowsOf(c.op(), x, w);
  const DDim out{x[0], w[0], ConvOutputSize(x[2], windows[0]), ConvOutputSize(x[3], windows[1])};
  const auto require = [&](const char* slot, int64_t channels) {
    const DDim wanted{x[0], channels, out[2], out[3]};
    c.Require(c.Dims(slot) == wanted, "input ", slot, " has shape ", c.Dims(slot), ", expected ",
              wanted);
  };
  const int64_t taps = DDim{parts, w[2], w[3]}.production();
  require("Offset", 2 * taps);
  if (HasMask(c)) require("Mask", taps);
  for (const char* slot : {"Filter", "Offset", "Mask"})
    if ((slot != std::string_view("Mask") || HasMask(c)) && c.Input(slot).dtype != input.dtype)
      throw DataTypeError(StrCat("input ", slot, " is ", Name(c.Input(slot).dtype),
                                 ", but Input is ", Name(input.dtype)));
  c.SetOutput("Output", out, input.dtype);
}

// The plane at a position between its elements; 0 outside.
template <typename T>
T Between(const T* plane, int64_t height, int64_t width, T y, T x) {
  if (!(y > -1 && x > -1 && y < static_cast<T>(height) && x < static_cast<T>(width))) return 0;
  const auto top = static_cast<int64_t>(std::floor(y)), left = static_cast<int64_t>(std::floor(x));
  const T down = y - static_cast<T>(top), right = x - static_cast<T>(left);
  const auto at = [&](int64_t i, int64_t j) {
    return i >= 0 && i < height && j >= 0 && j < width ? plane[i * width + j] : T{0};
  };
  return (1 - down) * ((1 - right) * at(top, left) + right * at(top, left + 1)) +
         down * ((1 - right) * at(top + 1, left) + right * at(top + 1, left + 1));
}

// Every tap of one output position, for all input channels: columns[channel][tap].
template <typename T>
void Gather(const Shape& s, const T* image, const T* offset, const T* mask, int64_t oy, int64_t ox,
            T* columns) {
  const int64_t pixels = s.y[2] * s.y[3], here = oy * s.y[3] + ox;
  const int64_t per_part = s.x[1] / s.deformable_groups;
  for (int64_t channel = 0; channel < s.x[1]; ++channel) {
    const int64_t part = channel / per_part;
    for (int64_t tap = 0; tap < s.taps(); ++tap) {
      const int64_t k = part * s.taps() + tap;
      const int64_t base_y =
          oy * s.vertical.stride - s.vertical.pad_before + tap / s.w[3] * s.vertical.dilation;
      const int64_t base_x =
          ox * s.horizontal.stride - s.horizontal.pad_before + tap % s.w[3] * s.horizontal.dilation;
      const T value = Between(image + channel * s.x[2] * s.x[3], s.x[2], s.x[3],
                              static_cast<T>(base_y) + offset[2 * k * pixels + here],
                              static_cast<T>(base_x) + offset[(2 * k + 1) * pixels + here]);
      *columns++ = mask == nullptr ? value : value * mask[k * pixels + here];
    }
  }
}

template <typename T>
void Convolve(KernelContext& c) {
  const DDim &x = c.Input("Input").dims(), &w = c.Input("Filter").dims();
  const Windows windows = WindowsOf(c.op(), x, w);
  const Shape s{c.Attr<int32_t>("groups"),
                c.Attr<int32_t>("deformable_groups"),
                x,
                w,
                c.Output("Output").dims(),
                windows[0],
                windows[1]};
  const T *image = c.Input("Input").data<T>(), *offset = c.Input("Offset").data<T>();
  const T* mask = HasMask(c) ? c.Input("Mask").data<T>() : nullptr;
  const T* filter = c.Input("Filter").data<T>();
  T* y = c.Output("Output").mutable_data<T>();
  const int64_t pixels = s.y[2] * s.y[3], length = w[1] * s.taps();
  const int64_t offsets = s.deformable_groups * s.taps() * pixels;
  std::vector<T> columns(static_cast<size_t>(x[1] * s.taps()));
  for (int64_t n = 0; n < x[0]; ++n, image += x.Count(1, 4), offset += 2 * offsets) {
    for (int64_t p = 0; p < pixels; ++p) {
      Gather(s, image, offset, mask, p / s.y[3], p % s.y[3], columns.data());
      for (int64_t m = 0; m < w[0]; ++m) {
        const T* column = columns.data() + m / (w[0] / s.groups) * length;
        T sum = 0;
        for (int64_t k = 0; k < length; ++k) sum += filter[m * length + k] * column[k];
        y[(n * w[0] + m) * pixels + p] = sum;
      }
    }
    if (mask != nullptr) mask += offsets;
  }
}

void Run(KernelContext& c) {
  if (c.Input("Input").dtype() == DataType::kFP64)
    Convolve<double>(c);
  else
    Convolve<float>(c);
}

REGISTER_LITE_OP(deformable_conv)
    .Input("Input")
    .Input("Offset")
    .Input("Filter")
    .OptionalInput("Mask")
    .Output("Output")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<std::string>("padding_algorithm", "EXPLICIT")
    .Attr<std::vector<int32_t>>("dilations", {1, 1})
    .Attr<int32_t>("groups", 1)
    .Attr<int32_t>("deformable_groups", 1)
    .InferShape(Infer);
REGISTER_LITE_FUNCTION(deformable_conv, kHost, kAny, kNCHW, Run, def);

REGISTER_LITE_OP(deformable_conv_v1)
    .Input("Input")
    .Input("Offset")
    .Input("Filter")
    .Output("Output")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<std::string>("padding_algorithm", "EXPLICIT")
    .Attr<std::vector<int32_t>>("dilations", {1, 1})
    .Attr<int32_t>("groups", 1)
    .Attr<int32_t>("deformable_groups", 1)
    .InferShape(Infer);
REGISTER_LITE_FUNCTION(deformable_conv_v1, kHost, kAny, kNCHW, Run, def);

}  // namespace
}  // namespace paddle::lite
