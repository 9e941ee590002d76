#include "lite/kernels/cpu/convolution/conv_weights.h"

#include "lite/kernels/cpu/convolution/conv.h"
#include "lite/kernels/cpu/math/integer_weights.h"
#include "lite/kernels/cpu/math/pixel_lanes.h"
#include "lite/kernels/cpu/matrix/rounded_choice.h"
#include "lite/kernels/cpu/quantised/int8.h"

namespace paddle::lite {
namespace {

// Winograd in fp32 stays where it is faster.
bool PrefersHalves(int tile) {
  const math::WeightPrecision precision = math::CurrentPrecision();
  if (!math::RoundsOperands(precision)) return false;
  return tile == 0 ||
         (math::FasterInHalves(precision) && (tile == 2 || math::TilesMultiplyWords()));
}

int WinogradTileOf(const math::ConvShape& shape, bool constant) {
  if (!constant || !math::TakesWinograd(shape)) return 0;
  const int tile = math::WinogradTile(shape);
  // With a dilation it depends on the image how full the tiles are.
  const bool dilated = shape.dh > 1 || shape.dw > 1;
  if (dilated && !math::WinogradPays(shape, tile)) return 0;
  return math::DirectInTiles(shape, tile) ? 0 : tile;
}

// The floats that integers stand for.
Tensor Widened(const OpLite& op, const Tensor& filter) {
  const DDim& w = filter.dims();
  const RowMajorWeight<int8_t> data(filter);
  const std::vector<float> scales = Int8WeightScales(op, w[0]);
  const int64_t summands = w.Count(1, w.size());
  Tensor floats;
  floats.Resize(w);
  float* to = floats.mutable_data<float>();
  for (int64_t i = 0; i < filter.numel(); ++i)
    to[i] = static_cast<float>(data.data()[i]) * scales[static_cast<size_t>(i / summands)];
  return floats;
}

}  // namespace

math::ConvShape ShapeOfImages(const KernelContext& c) {
  const DDim &x = c.Input("Input").dims(), &y = c.Output("Output").dims();
  const Windows windows = ConvWindows(c.op(), x, c.Input("Filter").dims());
  const int height = x.size() - 2, width = x.size() - 1;
  const Window& v = windows[static_cast<size_t>(height - 2)];
  const Window& h = windows[static_cast<size_t>(width - 2)];
  math::ConvShape s;
  s.n = x[0], s.ic = x[1], s.ih = x[height], s.iw = x[width];
  s.oc = y[1], s.oh = y[height], s.ow = y[width];
  s.kh = v.kernel, s.sh = v.stride, s.pt = v.pad_before, s.dh = v.dilation;
  s.kw = h.kernel, s.sw = h.stride, s.pl = h.pad_before, s.dw = h.dilation;
  s.groups = c.Attr<int32_t>("groups");
  s.early = c.early();
  return s;
}

bool IsDepthwise(const DDim& filter, int64_t groups) {
  return groups > 1 && filter[0] == groups && filter[1] == 1;
}

bool HasOneRow(const math::ConvShape& shape) { return shape.ih == 1 && shape.oh == 1; }

bool UsesWinograd(const math::ConvShape& shape, const ConvWeights& weights) {
  const int tile = weights.winograd.tile;
  if (weights.dense.data.size() == 0) return tile != 0;
  return tile != 0 && !HasOneRow(shape) && math::WinogradPays(shape, tile);
}

ConvWeights PackConvFloats(const Tensor& filter, const math::ConvShape& shape, bool constant,
                           int threads) {
  const int64_t groups = shape.groups;
  const DDim& w = filter.dims();
  const RowMajorWeight<> data(filter);
  ConvWeights packed;
  if (IsDepthwise(w, groups)) {
    packed.depthwise = math::PackDepthwise(data.data(), w[0], w[2], w[3]);
    return packed;
  }
  int tile = WinogradTileOf(shape, constant);
  // Of large weights only what this size is for is kept.
  if (HasOneRow(shape) && !math::WinogradKeepsDirect(shape)) tile = 0;
  if (constant && PrefersHalves(tile)) {
    packed.halves = math::PackHalvesConv(math::CurrentPrecision(), data.data(), w[0], shape.ic,
                                         w[2], w[3], groups, shape.dw > 1, threads);
    packed.in_halves = true;
    return packed;
  }
  if (constant && math::ConvLanesPay(shape)) {
    packed.dense = math::PackConvLanes(data.data(), shape);
    return packed;
  }
  if (tile != 0)
    packed.winograd = math::PackWinograd(data.data(), w[0], w[1], tile, threads, &shape);
  if (tile == 0 || math::WinogradKeepsDirect(shape))
    packed.dense = math::PackConv(data.data(), w[0], w[1] * groups, w[2], w[3], groups, threads,
                                  constant ? shape.n * shape.oh * shape.ow : 0);
  return packed;
}

ConvWeights PackConvWeights(const OpLite& op, const Tensor& filter, const math::ConvShape& shape,
                            bool constant, int threads) {
  if (filter.dtype() != DataType::kInt8) return PackConvFloats(filter, shape, constant, threads);
  const int tile = WinogradTileOf(shape, constant);
  const DDim& w = filter.dims();
  ConvWeights packed;
  if (shape.groups > 1 || (constant && PrefersHalves(tile))) {
    packed = PackConvFloats(Widened(op, filter), shape, constant, threads);
    if (packed.depthwise.data.size() != 0 && !OnlyWeightIsInt8(op))
      math::PackDepthwiseBytes(RowMajorWeight<int8_t>(filter).data(),
                               Int8WeightScales(op, w[0]).data(), &packed.depthwise);
    return packed;
  }
  packed.dense = math::PackConvIntegers(RowMajorWeight<int8_t>(filter).data(), w[0], w[1], w[2],
                                        w[3], Int8WeightScales(op, w[0]).data(), threads);
  packed.winograd.tile = w[2] == 3 && w[3] == 3 ? tile : 0;
  return packed;
}

void RunConv(int threads, const math::ConvShape& shape, const float* x, const ConvWeights& weights,
             const math::Epilogue& epilogue, float* y) {
  if (weights.in_halves)
    math::ConvHalves(threads, shape, x, false, weights.halves, epilogue, y);
  else if (weights.depthwise.data.size() != 0)
    math::DepthwiseNhwc(threads, shape, {x}, weights.depthwise, epilogue, y);
  else if (UsesWinograd(shape, weights) && weights.dense.integers() != nullptr)
    math::WinogradIntegers(threads, shape, x, weights.dense, weights.winograd.tile, epilogue, y);
  else if (UsesWinograd(shape, weights))
    math::WinogradNhwc(threads, shape, x, weights.winograd, epilogue, y);
  else if (weights.dense.pixel_lanes)
    math::ConvLanes(threads, shape, x, weights.dense, epilogue, y);
  else
    math::ConvNhwc(threads, shape, x, weights.dense, epilogue, y);
}

}  // namespace paddle::lite
