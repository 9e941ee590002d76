#include <algorithm>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

struct SequenceWindow {
  int64_t start, length, before, after;  // rows of padding before and after a sequence
};

SequenceWindow ReadWindow(int64_t start, int64_t length) {
  return {start, length, std::max<int64_t>(0, -start), std::max<int64_t>(0, start + length - 1)};
}

void InferSequenceConv(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& filter = c.Dims("Filter");
  OnlyOffsets(x, "X");
  const int64_t length = c.Attr<int32_t>("contextLength");
  c.Require(c.Attr<int32_t>("contextStride") == 1, "attribute contextStride is ",
            c.Attr<int32_t>("contextStride"), ", expected 1");
  c.Require(length > 0, "attribute contextLength is ", length, ", expected a positive number");
  c.Require(x.dims.size() == 2 && filter.size() == 2 && filter[0] == length * x.dims[1],
            "input X has shape ", x.dims, " and Filter ", filter, ", expected [rows, width] and [",
            length, " * width, outputs]");
  if (x.dtype != DataType::kFP32 || c.Input("Filter").dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), " and Filter ",
                               Name(c.Input("Filter").dtype), ", expected float32"));
  if (c.Attr<bool>("paddingTrainable")) {
    const SequenceWindow window = ReadWindow(c.Attr<int32_t>("contextStart"), length);
    c.Require(c.HasInput("PaddingData"), "input PaddingData is absent, paddingTrainable needs it");
    c.Require(c.Dims("PaddingData") == DDim({window.before + window.after, x.dims[1]}),
              "input PaddingData has shape ", c.Dims("PaddingData"), ", expected [",
              window.before + window.after, ", ", x.dims[1], "]");
  }
  c.SetOutput("Out", {x.dims[0], filter[1]}, x.dtype, x.lod);
}

// Row p of the matrix holds rows p + start ... p + start + length - 1 of the sequence.
void FillContext(const float* x, int64_t count, int64_t width, const SequenceWindow& window,
                 const float* padding, float* to) {
  for (int64_t p = 0; p < count; ++p) {
    for (int64_t k = 0; k < window.length; ++k, to += width) {
      const int64_t row = p + window.start + k;
      const float* from = nullptr;
      if (row >= 0 && row < count)
        from = x + row * width;
      else if (padding != nullptr)
        from = padding + (window.before + (row < 0 ? row : row - count)) * width;
      if (from != nullptr)
        std::copy(from, from + width, to);
      else
        std::fill(to, to + width, 0.0f);
    }
  }
}

void RunSequenceConv(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Offsets& offsets = OnlyOffsets(x.meta(), "X");
  const int64_t width = x.dims()[1];
  const SequenceWindow window =
      ReadWindow(c.Attr<int32_t>("contextStart"), c.Attr<int32_t>("contextLength"));
  const float* padding =
      c.Attr<bool>("paddingTrainable") ? c.Input("PaddingData").data<float>() : nullptr;
  const Tensor& filter = c.Input("Filter");
  Tensor context;
  context.Allocate({x.dims()[0], filter.dims()[0]}, DataType::kFP32);
  float* matrix = context.mutable_data<float>();
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const auto begin = static_cast<int64_t>(offsets[i]), end = static_cast<int64_t>(offsets[i + 1]);
    FillContext(x.data<float>() + begin * width, end - begin, width, window, padding,
                matrix + begin * filter.dims()[0]);
  }
  Tensor& out = c.Output("Out");
  math::MatMul product;
  product.m = x.dims()[0];
  product.n = filter.dims()[1];
  product.k = filter.dims()[0];
  product.a = matrix;
  product.lda = product.k;
  product.b = filter.data<float>();
  product.ldb = product.n;
  product.c = out.mutable_data<float>();
  product.ldc = product.n;
  math::GemmUnpacked(c.threads(), product, {});
}

}  // namespace

REGISTER_LITE_OP(sequence_conv)
    .Input("X")
    .OptionalInput("PaddingData")
    .Input("Filter")
    .Output("Out")
    .Attr<bool>("paddingTrainable", false)
    .RequiredAttr<int32_t>("contextLength")
    .Attr<int32_t>("contextStart", 0)
    .Attr<int32_t>("contextStride", 1)
    .InferShape(InferSequenceConv);
REGISTER_LITE_FUNCTION(sequence_conv, kHost, kFloat, kNCHW, RunSequenceConv, def);

namespace {

struct Patches {
  int64_t kernel_h, kernel_w, stride_h, stride_w, up, left, down, right;
};

Patches ReadPatches(const OpLite& op) {
  const auto& kernels = op.Attr<std::vector<int32_t>>("kernels");
  const auto& strides = op.Attr<std::vector<int32_t>>("strides");
  const auto& paddings = op.Attr<std::vector<int32_t>>("paddings");
  if (kernels.size() != 2 || strides.size() != 2 || paddings.size() != 4)
    throw ShapeError(StrCat("attributes kernels, strides and paddings have ", kernels.size(), ", ",
                            strides.size(), " and ", paddings.size(),
                            " values, expected 2, 2 and 4"));
  if (std::min(kernels[0], kernels[1]) <= 0 || std::min(strides[0], strides[1]) <= 0 ||
      *std::min_element(paddings.begin(), paddings.end()) < 0)
    throw ShapeError("attributes kernels and strides must be positive, paddings not negative");
  return {kernels[0],  kernels[1],  strides[0],  strides[1],
          paddings[0], paddings[1], paddings[2], paddings[3]};
}

struct Grid {
  int64_t rows, cols;
};

int64_t Positions(int64_t size, int64_t before, int64_t after, int64_t kernel, int64_t stride) {
  const int64_t room = size + before + after - kernel;
  if (room < 0)
    throw ShapeError(StrCat("a kernel of ", kernel, " does not fit a size of ", size,
                            " with paddings ", before, " and ", after));
  return room / stride + 1;
}

Grid FindGrid(const Patches& p, int64_t height, int64_t width) {
  return {Positions(height, p.up, p.down, p.kernel_h, p.stride_h),
          Positions(width, p.left, p.right, p.kernel_w, p.stride_w)};
}

// The part of an axis that holds an image of `real` pixels, shrunk by out_stride.
int64_t RealSize(float real, int32_t out_stride, int64_t limit) {
  if (!(real >= 1) || real > 1e9f)
    throw ShapeError(StrCat("input Y holds an image size of ", real));
  const int64_t size = (static_cast<int64_t>(real) + out_stride - 1) / out_stride;
  if (size > limit)
    throw ShapeError(StrCat("input Y gives an image ", size, " pixels, X has only ", limit));
  return size;
}

// One grid an image; `real` holds heights and widths where input Y is present.
std::vector<Grid> FindGrids(const OpLite& op, const DDim& x, const float* real) {
  const Patches p = ReadPatches(op);
  std::vector<Grid> grids;
  const auto& out_stride = op.Attr<std::vector<int32_t>>("out_stride");
  for (int64_t n = 0; n < x[0]; ++n)
    grids.push_back(real == nullptr ? FindGrid(p, x[2], x[3])
                                    : FindGrid(p, RealSize(real[2 * n], out_stride[0], x[2]),
                                               RealSize(real[2 * n + 1], out_stride[1], x[3])));
  return grids;
}

void InferIm2sequence(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 4, "input X has shape ", x.dims, ", expected [N, C, H, W]");
  const Patches p = ReadPatches(c.op());
  std::vector<float> real;
  if (c.HasInput("Y")) {
    const DDim& y = c.Dims("Y");
    c.Require(y.production() == DDim{x.dims[0], 2}.production(), "input Y has shape ", y,
              ", expected the height and width of each image [", x.dims[0], ", 2]");
    const auto& out_stride = c.Attr<std::vector<int32_t>>("out_stride");
    c.Require(out_stride.size() == 2 && out_stride[0] > 0 && out_stride[1] > 0,
              "attribute out_stride must be two positive numbers");
    real = c.FloatValues("Y");
  }
  Offsets offsets{0};
  for (const Grid& grid : FindGrids(c.op(), x.dims, c.HasInput("Y") ? real.data() : nullptr))
    offsets.push_back(offsets.back() +
                      static_cast<uint64_t>(DDim{grid.rows, grid.cols}.production()));
  const DDim out{static_cast<int64_t>(offsets.back()),
                 DDim{x.dims[1], p.kernel_h, p.kernel_w}.production()};
  out.production();
  c.SetOutput("Out", out, x.dtype, {offsets});
}

void CopyPatch(const float* image, const DDim& x, const Patches& p, int64_t top, int64_t left,
               float* to) {
  for (int64_t channel = 0; channel < x[1]; ++channel, image += x[2] * x[3])
    for (int64_t i = 0; i < p.kernel_h; ++i)
      for (int64_t j = 0; j < p.kernel_w; ++j) {
        const int64_t h = top + i, w = left + j;
        const bool inside = h >= 0 && h < x[2] && w >= 0 && w < x[3];
        *to++ = inside ? image[h * x[3] + w] : 0.0f;
      }
}

void RunIm2sequence(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor* y = c.InputOrNull("Y");
  const Patches p = ReadPatches(c.op());
  const DDim& dims = x.dims();
  const float* image = x.data<float>();
  Tensor& out = c.Output("Out");
  float* to = out.mutable_data<float>();
  const int64_t width = out.dims()[1];
  for (const Grid& grid : FindGrids(c.op(), dims, y != nullptr ? y->data<float>() : nullptr)) {
    for (int64_t i = 0; i < grid.rows; ++i)
      for (int64_t j = 0; j < grid.cols; ++j, to += width)
        CopyPatch(image, dims, p, i * p.stride_h - p.up, j * p.stride_w - p.left, to);
    image += dims.Count(1, 4);
  }
}

}  // namespace

REGISTER_LITE_OP(im2sequence)
    .Input("X")
    .OptionalInput("Y")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("kernels")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0, 0, 0})
    .Attr<std::vector<int32_t>>("out_stride", {1, 1})
    .InferShape(InferIm2sequence);
REGISTER_LITE_FUNCTION(im2sequence, kHost, kFloat, kNCHW, RunIm2sequence, def);

namespace {

// A convolution of images that have sizes of their own: those of sequence i of X are the lengths of
// sequence i of ROW and COLUMN. W is [OutputChannel, InputChannel * KernelH * KernelW]; the padding
// keeps the size that strides divide. Col holds what W is multiplied with.
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
