// An operation a function; a table of them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lowering.h"

namespace xnnpack {
namespace {

using core::Operation;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Dims DimsOf(const core::Operand& operand) { return hal::Dims(operand.type); }
const core::Operand& InputOf(const Operation& operation) { return hal::Input(operation, 0); }

uint32_t In(Lowering& l, const Operation& operation) { return l[InputOf(operation)]; }
uint32_t Out(Lowering& l, const Operation& operation) { return l[hal::Output(operation)]; }

// An axis as XNNPACK counts it.
size_t AxisOf(const Operation& operation, int position) {
  const auto rank = static_cast<int>(DimsOf(InputOf(operation)).size());
  const int axis = hal::Scalar<int>(operation, position);
  constexpr size_t kTurned[] = {0, 3, 1, 2};
  const auto at = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  return rank == 4 ? kTurned[at] : at;
}

// Functions of one tensor, of two, and those that a range bounds.

template <xnn_status (*kDefine)(xnn_subgraph_t, uint32_t, uint32_t, uint32_t)>
void Unary(Lowering& l, const Operation& operation) {
  Check(kDefine(l.graph(), In(l, operation), Out(l, operation), 0),
        hal::OperationName(operation.type));
}

void Clamp(Lowering& l, uint32_t from, float low, float high, uint32_t to) {
  Check(xnn_define_clamp(l.graph(), low, high, from, to, 0), "a range");
}

void Relu(Lowering& l, const Operation& operation) {
  const float high = operation.type == NNADAPTER_RELU6 ? 6 : kInfinity;
  Clamp(l, In(l, operation), 0, high, Out(l, operation));
}

void Clip(Lowering& l, const Operation& operation) {
  Clamp(l, In(l, operation), hal::Scalar<float>(operation, hal::Clip::kMin),
        hal::Scalar<float>(operation, hal::Clip::kMax), Out(l, operation));
}

std::string ClipRefusal(const Operation& operation) {
  const auto low = hal::Scalar<float>(operation, hal::Clip::kMin);
  const auto high = hal::Scalar<float>(operation, hal::Clip::kMax);
  return low < high ? "" : "a range of no length";
}

using Bounded = xnn_status (*)(xnn_subgraph_t, float, float, uint32_t, uint32_t, uint32_t,
                               uint32_t);
using Unbounded = xnn_status (*)(xnn_subgraph_t, uint32_t, uint32_t, uint32_t, uint32_t);

xnn_status Define(Bounded define, xnn_subgraph_t graph, uint32_t a, uint32_t b, uint32_t to) {
  return define(graph, -kInfinity, kInfinity, a, b, to, 0);
}
xnn_status Define(Unbounded define, xnn_subgraph_t graph, uint32_t a, uint32_t b, uint32_t to) {
  return define(graph, a, b, to, 0);
}

template <auto kDefine>
void Binary(Lowering& l, const Operation& operation) {
  const size_t rank = DimsOf(hal::Output(operation)).size();
  Check(Define(kDefine, l.graph(), l.WithRank(hal::Input(operation, 0), rank),
               l.WithRank(hal::Input(operation, 1), rank), Out(l, operation)),
        hal::OperationName(operation.type));
}

std::string BinaryRefusal(const Operation& operation) {
  const size_t rank = DimsOf(hal::Output(operation)).size();
  for (const int place : {0, 1}) {
    const core::Operand& operand = hal::Input(operation, place);
    Dims dims = DimsOf(operand);
    if (hal::IsConstant(operand) || dims.size() == rank) continue;
    const bool ordered = KeepsOrder(dims);
    dims.insert(dims.begin(), rank - dims.size(), 1);
    if (!ordered || !KeepsOrder(dims)) return "a picture and a tensor of another rank";
  }
  return "";
}

// from * factor + offset.
uint32_t Linear(Lowering& l, const Dims& turned, uint32_t from, float factor, float offset) {
  const uint32_t product = l.Temporary(turned), sum = l.Temporary(turned);
  Check(Define(xnn_define_multiply2, l.graph(), from, l.Constant({1}, {factor}), product),
        "a product");
  Check(Define(xnn_define_add2, l.graph(), product, l.Constant({1}, {offset}), sum), "a sum");
  return sum;
}

void HardSigmoid(Lowering& l, const Operation& operation) {
  const uint32_t sum = Linear(l, Turned(DimsOf(InputOf(operation))), In(l, operation),
                              hal::Scalar<float>(operation, hal::HardSigmoid::kAlpha),
                              hal::Scalar<float>(operation, hal::HardSigmoid::kBeta));
  Clamp(l, sum, 0, 1, Out(l, operation));
}

void HardSwish(Lowering& l, const Operation& operation) {
  const auto alpha = hal::Scalar<float>(operation, hal::HardSwish::kAlpha);
  const auto beta = hal::Scalar<float>(operation, hal::HardSwish::kBeta);
  if (std::fabs(alpha - 1.0f / 6) < 1e-6f && beta == 0.5f)
    return Unary<xnn_define_hardswish>(l, operation);
  const Dims turned = Turned(DimsOf(InputOf(operation)));
  const uint32_t gate = l.Temporary(turned);
  Clamp(l, Linear(l, turned, In(l, operation), alpha, beta), 0, 1, gate);
  Check(Define(xnn_define_multiply2, l.graph(), In(l, operation), gate, Out(l, operation)),
        "a product");
}

void Swish(Lowering& l, const Operation& operation) {
  const uint32_t gate = l.Temporary(Turned(DimsOf(InputOf(operation))));
  Check(xnn_define_sigmoid(l.graph(), In(l, operation), gate, 0), "SIGMOID");
  Check(Define(xnn_define_multiply2, l.graph(), In(l, operation), gate, Out(l, operation)),
        "a product");
}

void LeakyRelu(Lowering& l, const Operation& operation) {
  const auto slope = hal::Scalar<float>(operation, hal::LeakyRelu::kAlpha);
  Check(xnn_define_leaky_relu(l.graph(), slope, In(l, operation), Out(l, operation), 0),
        "LEAKY_RELU");
}

std::string LeakyReluRefusal(const Operation& operation) {
  const auto slope = hal::Scalar<float>(operation, hal::LeakyRelu::kAlpha);
  return std::isnormal(slope) && slope != 1 ? "" : "a slope of 0 or 1";
}

void PRelu(Lowering& l, const Operation& operation) {
  std::vector<float> slope = hal::Values<float>(operation, hal::Prelu::kSlope);
  const int32_t channels = DimsOf(InputOf(operation))[1];
  if (slope.size() == 1) slope.resize(static_cast<size_t>(channels), slope[0]);
  Check(xnn_define_prelu(l.graph(), In(l, operation), l.Constant({channels}, slope),
                         Out(l, operation), 0),
        "PRELU");
}

std::string PReluRefusal(const Operation& operation) {
  const Dims dims = DimsOf(InputOf(operation));
  const int64_t count = hal::ElementCount(hal::Input(operation, hal::Prelu::kSlope).type);
  if (!hal::IsConstant(hal::Input(operation, hal::Prelu::kSlope))) return "its slopes are computed";
  if (dims.size() != 4) return "it is for pictures alone";
  return count == 1 || count == dims[1] ? "" : "a slope for each element";
}

void Softmax(Lowering& l, const Operation& operation) { Unary<xnn_define_softmax>(l, operation); }

std::string SoftmaxRefusal(const Operation& operation) {
  const size_t last = DimsOf(InputOf(operation)).size() - 1;
  return AxisOf(operation, hal::Softmax::kAxis) == last
             ? ""
             : "an axis that is not the last, or of a picture not the channels";
}

// Convolutions.

// A filter [C_out, C_in, H, W] as [C_out, H, W, C_in]; `exchanged`: it is [C_in, C_out, H, W].
uint32_t FilterOf(Lowering& l, const core::Operand& filter, bool exchanged) {
  Dims dims = DimsOf(filter);
  std::vector<float> values = hal::Values<float>(filter);
  if (exchanged) {
    const size_t in = dims[0], out = dims[1], area = static_cast<size_t>(dims[2]) * dims[3];
    std::vector<float> turned(values.size());
    for (size_t i = 0; i < in; ++i)
      for (size_t o = 0; o < out; ++o)
        std::copy_n(&values[(i * out + o) * area], area, &turned[(o * in + i) * area]);
    values.swap(turned);
    std::swap(dims[0], dims[1]);
  }
  std::vector<float> turned(values.size());
  Turn(values.data(), dims, turned.data());
  return l.Constant(Turned(dims), std::move(turned));
}

uint32_t BiasOf(Lowering& l, const Operation& operation, int position) {
  const core::Operand* bias = hal::InputOrNull(operation, position);
  return bias == nullptr ? XNN_INVALID_VALUE_ID : l[*bias];
}

void Depthwise(Lowering& l, const Operation& operation, const hal::Window2D& w) {
  const core::Operand& filter = hal::Input(operation, hal::Conv2D::kFilter);
  const Dims dims = DimsOf(filter);  // [C * multiplier, 1, H, W] -> [1, H, W, C * multiplier]
  std::vector<float> turned(static_cast<size_t>(hal::ElementCount(dims)));
  Turn(hal::Values<float>(filter).data(), {1, dims[0], dims[2], dims[3]}, turned.data());
  const int32_t channels = DimsOf(InputOf(operation))[1];
  Check(xnn_define_depthwise_convolution_2d(
            l.graph(), w.pad_top, w.pad_right, w.pad_bottom, w.pad_left, w.kernel_h, w.kernel_w,
            w.stride_h, w.stride_w, w.dilation_h, w.dilation_w, dims[0] / channels, channels,
            -kInfinity, kInfinity, In(l, operation),
            l.Constant({1, dims[2], dims[3], dims[0]}, std::move(turned)),
            BiasOf(l, operation, hal::Conv2D::kBias), Out(l, operation), 0),
        "CONV_2D");
}

void Convolution(Lowering& l, const Operation& operation) {
  const hal::Window2D w = hal::ReadWindow(operation);
  const Dims dims = DimsOf(hal::Input(operation, hal::Conv2D::kFilter));
  const int group = hal::Scalar<int>(operation, hal::Conv2D::kGroup);
  if (group > 1 && dims[1] == 1) return Depthwise(l, operation, w);
  Check(xnn_define_convolution_2d(l.graph(), w.pad_top, w.pad_right, w.pad_bottom, w.pad_left,
                                  w.kernel_h, w.kernel_w, w.stride_h, w.stride_w, w.dilation_h,
                                  w.dilation_w, group, dims[1], dims[0] / group, -kInfinity,
                                  kInfinity, In(l, operation),
                                  FilterOf(l, hal::Input(operation, hal::Conv2D::kFilter), false),
                                  BiasOf(l, operation, hal::Conv2D::kBias), Out(l, operation), 0),
        "CONV_2D");
}

std::string ComputedRefusal(const Operation& operation, int weight, int bias) {
  for (const int position : {weight, bias}) {
    const core::Operand* operand = hal::InputOrNull(operation, position);
    if (operand != nullptr && !hal::IsConstant(*operand)) return "its filter or bias is computed";
  }
  return "";
}

std::string ConvolutionRefusal(const Operation& operation) {
  hal::ReadWindow(operation);  // throws for what is none
  return ComputedRefusal(operation, hal::Conv2D::kFilter, hal::Conv2D::kBias);
}

// What an axis of the output has beyond the least: OUTPUT_PADDING, or OUTPUT_SHAPE.
int Beyond(int in, int out, int stride, int pads, int kernel, int dilation) {
  return out - ((in - 1) * stride - pads + dilation * (kernel - 1) + 1);
}

void Deconvolution(Lowering& l, const Operation& operation) {
  const hal::Window2D w = hal::ReadWindow(operation);
  const Dims in = DimsOf(InputOf(operation)), out = DimsOf(hal::Output(operation));
  Check(xnn_define_deconvolution_2d(
            l.graph(), w.pad_top, w.pad_right, w.pad_bottom, w.pad_left,
            Beyond(in[2], out[2], w.stride_h, w.pad_top + w.pad_bottom, w.kernel_h, w.dilation_h),
            Beyond(in[3], out[3], w.stride_w, w.pad_left + w.pad_right, w.kernel_w, w.dilation_w),
            w.kernel_h, w.kernel_w, w.stride_h, w.stride_w, w.dilation_h, w.dilation_w, 1, in[1],
            out[1], -kInfinity, kInfinity, In(l, operation),
            FilterOf(l, hal::Input(operation, hal::Conv2DTranspose::kFilter), true),
            BiasOf(l, operation, hal::Conv2DTranspose::kBias), Out(l, operation), 0),
        "CONV_2D_TRANSPOSE");
}

std::string DeconvolutionRefusal(const Operation& operation) {
  const hal::Window2D w = hal::ReadWindow(operation);
  if (hal::Scalar<int>(operation, hal::Conv2DTranspose::kGroup) != 1) return "groups";
  const Dims in = DimsOf(InputOf(operation)), out = DimsOf(hal::Output(operation));
  const int rows =
      Beyond(in[2], out[2], w.stride_h, w.pad_top + w.pad_bottom, w.kernel_h, w.dilation_h);
  const int columns =
      Beyond(in[3], out[3], w.stride_w, w.pad_left + w.pad_right, w.kernel_w, w.dilation_w);
  if (rows < 0 || rows >= w.stride_h || columns < 0 || columns >= w.stride_w)
    return "output_padding as large as the stride";
  return ComputedRefusal(operation, hal::Conv2DTranspose::kFilter, hal::Conv2DTranspose::kBias);
}

// Pools.

void AveragePool(Lowering& l, const Operation& operation) {
  const hal::Window2D w = hal::ReadWindow(operation);
  Check(xnn_define_average_pooling_2d(l.graph(), w.pad_top, w.pad_right, w.pad_bottom, w.pad_left,
                                      w.kernel_h, w.kernel_w, w.stride_h, w.stride_w, -kInfinity,
                                      kInfinity, In(l, operation), Out(l, operation), 0),
        "AVERAGE_POOL_2D");
}

void MaxPool(Lowering& l, const Operation& operation) {
  const hal::Window2D w = hal::ReadWindow(operation);
  Check(xnn_define_max_pooling_2d(l.graph(), w.pad_top, w.pad_right, w.pad_bottom, w.pad_left,
                                  w.kernel_h, w.kernel_w, w.stride_h, w.stride_w, 1, 1, -kInfinity,
                                  kInfinity, In(l, operation), Out(l, operation), 0),
        "MAX_POOL_2D");
}

// An axis whose windows are as many as XNNPACK's, which rounds down.
bool RoundsDown(int in, int out, int kernel, int stride, int pads) {
  return in + pads >= kernel && (in + pads - kernel) / stride + 1 == out;
}

std::string PoolRefusal(const Operation& operation) {
  const hal::Window2D w = hal::ReadWindow(operation);
  if (w.kernel_h * w.kernel_w == 1) return "a window of one element";
  const Dims in = DimsOf(InputOf(operation)), out = DimsOf(hal::Output(operation));
  if (!RoundsDown(in[2], out[2], w.kernel_h, w.stride_h, w.pad_top + w.pad_bottom) ||
      !RoundsDown(in[3], out[3], w.kernel_w, w.stride_w, w.pad_left + w.pad_right))
    return "ceil_mode with windows beyond the edge";
  const bool pads = w.pad_top + w.pad_bottom + w.pad_left + w.pad_right > 0;
  if (operation.type == NNADAPTER_AVERAGE_POOL_2D)
    return pads && hal::Scalar<bool>(operation, hal::AveragePool2D::kCountIncludePad)
               ? "padding that counts"
               : "";
  if (w.stride_h > w.kernel_h || w.stride_w > w.kernel_w) return "strides above the window";
  if (std::max(w.pad_top, w.pad_bottom) >= w.kernel_h ||
      std::max(w.pad_left, w.pad_right) >= w.kernel_w)
    return "windows in the padding alone";
  const bool places = operation.output_operands.size() > 1 && operation.output_operands[1];
  return places ? "the places of the largest elements" : "";
}

// The mean over height and width, [N, C, 1, 1] or [N, C].
void GlobalAverage(Lowering& l, const Operation& operation) {
  const Dims in = DimsOf(InputOf(operation)), out = DimsOf(hal::Output(operation));
  const uint32_t mean =
      out.size() == in.size() ? Out(l, operation) : l.Temporary({in[0], 1, 1, in[1]});
  Check(xnn_define_global_average_pooling_2d(l.graph(), -kInfinity, kInfinity, In(l, operation),
                                             mean, 0),
        hal::OperationName(operation.type));
  if (out.size() == in.size()) return;
  const std::vector<size_t> shape(out.begin(), out.end());
  Check(
      xnn_define_static_reshape(l.graph(), shape.size(), shape.data(), mean, Out(l, operation), 0),
      "a reshape");
}

std::string AdaptiveRefusal(const Operation& operation) {
  const auto size = hal::Values<int32_t>(operation, hal::AdaptiveAveragePool2D::kOutputShape);
  return size == std::vector<int32_t>{1, 1} ? "" : "windows that do not cover all";
}

std::string MeanRefusal(const Operation& operation) {
  Dims axes = hal::Values<int32_t>(operation, hal::ReduceMean::kAxes);
  for (int32_t& axis : axes) axis = axis < 0 ? axis + 4 : axis;
  std::sort(axes.begin(), axes.end());
  const bool is_picture = DimsOf(InputOf(operation)).size() == 4;
  return is_picture && axes == Dims{2, 3} ? "" : "axes that are not height and width of a picture";
}

// Products.

void FullyConnected(Lowering& l, const Operation& operation) {
  Check(xnn_define_fully_connected(l.graph(), -kInfinity, kInfinity, In(l, operation),
                                   l[hal::Input(operation, hal::FullyConnected::kWeight)],
                                   BiasOf(l, operation, hal::FullyConnected::kBias),
                                   Out(l, operation), XNN_FLAG_TENSORFLOW_RESHAPE_2D),
        "FULLY_CONNECTED");
}

std::string FullyConnectedRefusal(const Operation& operation) {
  if (!KeepsOrder(DimsOf(InputOf(operation)))) return "rows of a picture";
  return ComputedRefusal(operation, hal::FullyConnected::kWeight, hal::FullyConnected::kBias);
}

void MatMul(Lowering& l, const Operation& operation) {
  const core::Operand& matrix = hal::Input(operation, hal::MatMul::kY);
  const bool is_turned = hal::Scalar<bool>(operation, hal::MatMul::kTransposeY);
  Check(xnn_define_fully_connected(l.graph(), -kInfinity, kInfinity, In(l, operation), l[matrix],
                                   XNN_INVALID_VALUE_ID, Out(l, operation),
                                   is_turned ? 0 : XNN_FLAG_TRANSPOSE_WEIGHTS),
        "MAT_MUL");
}

std::string MatMulRefusal(const Operation& operation) {
  const core::Operand& matrix = hal::Input(operation, hal::MatMul::kY);
  const size_t rank = DimsOf(InputOf(operation)).size();
  if (!hal::IsConstant(matrix) || DimsOf(matrix).size() != 2)
    return "it multiplies by a constant matrix alone";
  if (hal::Scalar<bool>(operation, hal::MatMul::kTransposeX)) return "its first operand is turned";
  return rank == 2 || rank == 3 ? "" : "an operand that is neither a matrix nor several";
}

void BatchNormalization(Lowering& l, const Operation& operation) {
  using Positions = hal::BatchNormalization;
  const auto values = [&](int position) { return hal::Values<float>(operation, position); };
  std::vector<float> factor = values(Positions::kScale), offset = values(Positions::kBias);
  const std::vector<float> mean = values(Positions::kMean);
  const std::vector<float> variance = values(Positions::kVariance);
  const auto epsilon = hal::Scalar<float>(operation, Positions::kEpsilon);
  for (size_t i = 0; i < factor.size(); ++i) {
    factor[i] /= std::sqrt(variance[i] + epsilon);
    offset[i] -= mean[i] * factor[i];
  }
  Dims dims = DimsOf(InputOf(operation));
  const Dims turned = Turned(dims);
  for (size_t axis = 0; axis < dims.size(); ++axis)
    if (axis != 1) dims[axis] = 1;
  const uint32_t product = l.Temporary(turned);
  Check(Define(xnn_define_multiply2, l.graph(), In(l, operation),
               l.Constant(Turned(dims), std::move(factor)), product),
        "a product");
  Check(Define(xnn_define_add2, l.graph(), product, l.Constant(Turned(dims), std::move(offset)),
               Out(l, operation)),
        "a sum");
}

std::string BatchNormalizationRefusal(const Operation& operation) {
  for (const int place : {1, 2, 3, 4})
    if (!hal::IsConstant(hal::Input(operation, place))) return "numbers that are computed";
  return DimsOf(InputOf(operation)).size() < 2 ? "a tensor without channels" : "";
}

// Shapes.

void Reshape(Lowering& l, const Operation& operation) {
  const Dims turned = Turned(DimsOf(hal::Output(operation)));
  const std::vector<size_t> shape(turned.begin(), turned.end());
  Check(xnn_define_static_reshape(l.graph(), shape.size(), shape.data(), In(l, operation),
                                  Out(l, operation), 0),
        hal::OperationName(operation.type));
}

std::string ReshapeRefusal(const Operation& operation) {
  const Dims from = DimsOf(InputOf(operation)), to = DimsOf(hal::Output(operation));
  return from == to || (KeepsOrder(from) && KeepsOrder(to))
             ? ""
             : "a picture's elements would change their order";
}

void Pad(Lowering& l, const Operation& operation) {
  const auto pads = hal::Values<int32_t>(operation, hal::Pad::kPads);
  Dims before, after;
  for (size_t i = 0; i + 1 < pads.size(); i += 2) {
    before.push_back(pads[i]);
    after.push_back(pads[i + 1]);
  }
  before = Turned(before);
  after = Turned(after);
  const std::vector<size_t> first(before.begin(), before.end()), last(after.begin(), after.end());
  Check(xnn_define_static_constant_pad(l.graph(), first.data(), last.data(),
                                       hal::ScalarOr<float>(operation, hal::Pad::kValue, 0),
                                       In(l, operation), Out(l, operation), 0),
        "PAD");
}

std::string PadRefusal(const Operation& operation) {
  const int mode = hal::Scalar<int>(operation, hal::Pad::kMode);
  if (mode != NNADAPTER_PAD_MODE_NONE && mode != NNADAPTER_PAD_MODE_CONSTANT)
    return "padding that is no constant";
  for (const int32_t pad : hal::Values<int32_t>(operation, hal::Pad::kPads))
    if (pad < 0) return "pads that cut off";
  hal::ScalarOr<float>(operation, hal::Pad::kValue, 0);  // throws for one that is computed
  return "";
}

void Resize(Lowering& l, const Operation& operation) {
  const Dims size = DimsOf(hal::Output(operation));
  const bool align = hal::Scalar<bool>(operation, hal::ResizeLinear::kAlignCorners);
  const bool half = hal::ScalarOr<int>(operation, hal::ResizeLinear::kAlignMode, 1) == 0;
  const uint32_t flags = align  ? XNN_FLAG_ALIGN_CORNERS
                         : half ? 0
                                : XNN_FLAG_TENSORFLOW_LEGACY_MODE;
  Check(xnn_define_static_resize_bilinear_2d(l.graph(), size[2], size[3], In(l, operation),
                                             Out(l, operation), flags),
        "RESIZE_LINEAR");
}

std::string ResizeRefusal(const Operation& operation) {
  const Dims in = DimsOf(InputOf(operation)), out = DimsOf(hal::Output(operation));
  if (in.size() != 4) return "it is for pictures alone";
  if (out[2] == 1 || out[3] == 1) return "a result of one row or column";
  const core::Operand* scales = hal::InputOrNull(operation, hal::ResizeLinear::kScales);
  const std::vector<float> factors = scales ? hal::Values<float>(*scales) : std::vector<float>();
  for (size_t i = 0; i < factors.size(); ++i)
    if (in[2 + i] * factors[i] != out[2 + i]) return "a factor that leaves a part of an element";
  return "";
}

using Table = std::map<NNAdapterOperationType, Converter>;

const Table& Converters() {
  static const Table table = {
      {NNADAPTER_CONV_2D,
       {{0, hal::Conv2D::kFilter, hal::Conv2D::kBias}, Convolution, ConvolutionRefusal}},
      {NNADAPTER_CONV_2D_TRANSPOSE,
       {{0, hal::Conv2DTranspose::kFilter, hal::Conv2DTranspose::kBias},
        Deconvolution,
        DeconvolutionRefusal}},
      {NNADAPTER_AVERAGE_POOL_2D, {{0}, AveragePool, PoolRefusal}},
      {NNADAPTER_MAX_POOL_2D, {{0}, MaxPool, PoolRefusal}},
      {NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D, {{0}, GlobalAverage, AdaptiveRefusal}},
      {NNADAPTER_REDUCE_MEAN, {{0}, GlobalAverage, MeanRefusal}},
      {NNADAPTER_FULLY_CONNECTED,
       {{0, hal::FullyConnected::kWeight, hal::FullyConnected::kBias},
        FullyConnected,
        FullyConnectedRefusal}},
      {NNADAPTER_MAT_MUL, {{0, 1}, MatMul, MatMulRefusal}},
      {NNADAPTER_BATCH_NORMALIZATION,
       {{0, 1, 2, 3, 4}, BatchNormalization, BatchNormalizationRefusal}},
      {NNADAPTER_ADD, {{0, 1}, Binary<xnn_define_add2>, BinaryRefusal}},
      {NNADAPTER_SUB, {{0, 1}, Binary<xnn_define_subtract>, BinaryRefusal}},
      {NNADAPTER_MUL, {{0, 1}, Binary<xnn_define_multiply2>, BinaryRefusal}},
      {NNADAPTER_DIV, {{0, 1}, Binary<xnn_define_divide>, BinaryRefusal}},
      {NNADAPTER_MAX, {{0, 1}, Binary<xnn_define_maximum2>, BinaryRefusal}},
      {NNADAPTER_MIN, {{0, 1}, Binary<xnn_define_minimum2>, BinaryRefusal}},
      {NNADAPTER_RELU, {{0}, Relu}},
      {NNADAPTER_RELU6, {{0}, Relu}},
      {NNADAPTER_CLIP, {{0}, Clip, ClipRefusal}},
      {NNADAPTER_ABS, {{0}, Unary<xnn_define_abs>}},
      {NNADAPTER_FLOOR, {{0}, Unary<xnn_define_floor>}},
      {NNADAPTER_SQUARE, {{0}, Unary<xnn_define_square>}},
      {NNADAPTER_SIGMOID, {{0}, Unary<xnn_define_sigmoid>}},
      {NNADAPTER_HARD_SIGMOID, {{0}, HardSigmoid}},
      {NNADAPTER_HARD_SWISH, {{0}, HardSwish}},
      {NNADAPTER_SWISH, {{0}, Swish}},
      {NNADAPTER_LEAKY_RELU, {{0}, LeakyRelu, LeakyReluRefusal}},
      {NNADAPTER_PRELU, {{0, hal::Prelu::kSlope}, PRelu, PReluRefusal}},
      {NNADAPTER_SOFTMAX, {{0}, Softmax, SoftmaxRefusal}},
      {NNADAPTER_RESHAPE, {{0}, Reshape, ReshapeRefusal}},
      {NNADAPTER_FLATTEN, {{0}, Reshape, ReshapeRefusal}},
      {NNADAPTER_SQUEEZE, {{0}, Reshape, ReshapeRefusal}},
      {NNADAPTER_UNSQUEEZE, {{0}, Reshape, ReshapeRefusal}},
      {NNADAPTER_PAD, {{0}, Pad, PadRefusal}},
      {NNADAPTER_RESIZE_LINEAR, {{0}, Resize, ResizeRefusal}},
  };
  return table;
}

std::string TensorRefusal(const core::Operand& operand) {
  const NNAdapterOperandType& type = operand.type;
  if (type.precision != NNADAPTER_FLOAT32) return "computes FLOAT32, not " + hal::Describe(type);
  if (hal::HasUnknownDims(type)) return "its shapes are not known: give the inputs'";
  const size_t rank = hal::Dims(type).size();
  if (rank < 1 || rank > XNN_MAX_TENSOR_DIMS) return hal::Text("a tensor of ", rank, " dimensions");
  return hal::ElementCount(type) == 0 ? "a tensor without elements" : "";
}

}  // namespace

const Converter* ConverterOf(NNAdapterOperationType type) {
  const auto found = Converters().find(type);
  return found == Converters().end() ? nullptr : &found->second;
}

std::string Refusal(const core::Operation& operation) {
  const Converter* converter = ConverterOf(operation.type);
  if (converter == nullptr) return "not among the operations of this device";
  std::vector<const core::Operand*> tensors{&hal::Output(operation)};
  for (const int place : converter->tensors) tensors.push_back(hal::InputOrNull(operation, place));
  for (const core::Operand* tensor : tensors) {
    const std::string no = tensor == nullptr ? "" : TensorRefusal(*tensor);
    if (!no.empty()) return no;
  }
  return converter->refusal != nullptr ? converter->refusal(operation) : "";
}

}  // namespace xnnpack
