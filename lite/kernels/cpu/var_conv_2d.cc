// A convolution of images that have sizes of their own: those of sequence i of X are the lengths of
// sequence i of ROW and COLUMN. W is [OutputChannel, InputChannel * KernelH * KernelW]; the padding
// keeps the size that strides divide. Col holds what W is multiplied with.
#include <algorithm>

#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

struct VarConv {
  int64_t in, out, kernel_h, kernel_w, stride_h, stride_w;

  int64_t taps() const { return in * kernel_h * kernel_w; }
  int64_t OutRows(int64_t height) const { return height == 0 ? 0 : (height - 1) / stride_h + 1; }
  int64_t OutCols(int64_t width) const { return width == 0 ? 0 : (width - 1) / stride_w + 1; }
};

VarConv ConvOf(const OpLite& op) {
  const auto positive = [&](const char* name) {
    constexpr int64_t kMost = 1 << 20;  // products of three do not overflow
    const int64_t value = op.Attr<int32_t>(name);
    if (value < 1 || value > kMost)
      throw ShapeError(StrCat("attribute ", name, " is ", value, ", expected 1 to ", kMost));
    return value;
  };
  return {positive("InputChannel"), positive("OutputChannel"), positive("KernelH"),
          positive("KernelW"),      positive("StrideH"),       positive("StrideW")};
}

int64_t RowLength(const Offsets& offsets, size_t i) {
  return static_cast<int64_t>(offsets[i + 1] - offsets[i]);
}

void InferVarConv2d(InferContext& c) {
  const TensorMeta &x = c.Input("X"), &w = c.Input("W");
  for (const char* slot : {"X", "W"})
    if (c.Input(slot).dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
  const VarConv v = ConvOf(c.op());
  c.Require(w.dims == (DDim{v.out, v.taps()}), "input W has shape ", w.dims, ", expected ",
            DDim{v.out, v.taps()});
  const Offsets &images = OnlyOffsets(x, "X"), &rows = OnlyOffsets(c.Input("ROW"), "ROW"),
                &cols = OnlyOffsets(c.Input("COLUMN"), "COLUMN");
  c.Require(images.size() == rows.size() && rows.size() == cols.size(),
            "inputs X, ROW and COLUMN have ", SequenceCount(images), ", ", SequenceCount(rows),
            " and ", SequenceCount(cols), " sequences, expected as many");
  c.Require(RowSize(x.dims) == 1, "input X has shape ", x.dims, ", expected rows of one element");
  Offsets out{0}, columns{0};
  for (size_t i = 0; i + 1 < images.size(); ++i) {
    const int64_t height = RowLength(rows, i), width = RowLength(cols, i);
    c.Require(RowLength(images, i) == v.in * height * width, "sequence ", i, " of X has ",
              RowLength(images, i), " elements, expected ", v.in, " x ", height, " x ", width);
    const int64_t pixels = v.OutRows(height) * v.OutCols(width);
    out.push_back(out.back() + static_cast<uint64_t>(v.out * pixels));
    columns.push_back(columns.back() + static_cast<uint64_t>(v.taps() * pixels));
  }
  c.SetOutput("Out", DDim{static_cast<int64_t>(out.back()), 1}, x.dtype, {out});
  c.SetOutput("Col", DDim{static_cast<int64_t>(columns.back()), 1}, x.dtype, {columns});
}

// What each tap sees of each pixel, [taps, pixels].
void Unfold(const VarConv& v, const float* x, int64_t height, int64_t width, float* columns) {
  const int64_t top = v.kernel_h / 2, left = v.kernel_w / 2;
  for (int64_t channel = 0; channel < v.in; ++channel, x += height * width)
    for (int64_t ky = 0; ky < v.kernel_h; ++ky)
      for (int64_t kx = 0; kx < v.kernel_w; ++kx)
        for (int64_t y = ky - top; y < height - top + ky; y += v.stride_h)
          for (int64_t z = kx - left; z < width - left + kx; z += v.stride_w)
            *columns++ = y >= 0 && y < height && z >= 0 && z < width ? x[y * width + z] : 0.0f;
}

void RunVarConv2d(KernelContext& c) {
  const VarConv v = ConvOf(c.op());
  const Offsets &images = OnlyOffsets(c.Input("X").meta(), "X"),
                &rows = OnlyOffsets(c.Input("ROW").meta(), "ROW"),
                &cols = OnlyOffsets(c.Input("COLUMN").meta(), "COLUMN");
  const float *x = c.Input("X").data<float>(), *w = c.Input("W").data<float>();
  float *out = c.Output("Out").mutable_data<float>(), *kept = OutputOrNull<float>(c, "Col");
  std::vector<float> room;
  for (size_t i = 0; i + 1 < images.size(); ++i) {
    const int64_t height = RowLength(rows, i), width = RowLength(cols, i);
    const int64_t pixels = v.OutRows(height) * v.OutCols(width);
    room.assign(static_cast<size_t>(v.taps() * pixels), 0);
    Unfold(v, x + images[i], height, width, room.data());
    for (int64_t channel = 0; channel < v.out; ++channel, out += pixels) {
      std::fill(out, out + pixels, 0.0f);
      for (int64_t tap = 0; tap < v.taps(); ++tap) {
        const float weight = w[channel * v.taps() + tap];
        const float* seen = room.data() + tap * pixels;
        for (int64_t p = 0; p < pixels; ++p) out[p] += weight * seen[p];
      }
    }
    if (kept != nullptr) kept = std::copy(room.begin(), room.end(), kept);
  }
}

REGISTER_LITE_OP(var_conv_2d)
    .Input("X")
    .Input("ROW")
    .Input("COLUMN")
    .Input("W")
    .Output("Out")
    .OptionalOutput("Col")
    .Attr<int32_t>("InputChannel", 1)
    .Attr<int32_t>("OutputChannel", 1)
    .Attr<int32_t>("StrideH", 1)
    .Attr<int32_t>("StrideW", 1)
    .Attr<int32_t>("KernelH", 1)
    .Attr<int32_t>("KernelW", 1)
    .InferShape(InferVarConv2d);
REGISTER_LITE_FUNCTION(var_conv_2d, kHost, kFloat, kNCHW, RunVarConv2d, def);

}  // namespace
}  // namespace paddle::lite
