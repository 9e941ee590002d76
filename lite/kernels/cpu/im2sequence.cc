#include <algorithm>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
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

}  // namespace paddle::lite
