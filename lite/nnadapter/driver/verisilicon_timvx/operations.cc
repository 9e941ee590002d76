// An operation a function; a table of them.
#include <algorithm>
#include <cmath>

#include "lowering.h"
#include "tim/vx/ops/activations.h"
#include "tim/vx/ops/clip.h"
#include "tim/vx/ops/concat.h"
#include "tim/vx/ops/conv2d.h"
#include "tim/vx/ops/deconv.h"
#include "tim/vx/ops/elementwise.h"
#include "tim/vx/ops/fullyconnected.h"
#include "tim/vx/ops/groupedconv2d.h"
#include "tim/vx/ops/pad.h"
#include "tim/vx/ops/pool2d.h"
#include "tim/vx/ops/reduce.h"
#include "tim/vx/ops/reshape.h"
#include "tim/vx/ops/resize.h"
#include "tim/vx/ops/simple_operations.h"
#include "tim/vx/ops/slice.h"
#include "tim/vx/ops/softmax.h"
#include "tim/vx/ops/split.h"
#include "tim/vx/ops/transpose.h"

namespace timvx {
namespace {

namespace ops = tim::vx::ops;
using core::Operation;

std::vector<int32_t> DimsOf(const core::Operand& operand) { return hal::Dims(operand.type); }

// An axis, counted from the innermost.
int32_t AxisOf(const Operation& operation, int position) {
  const auto rank = static_cast<int32_t>(DimsOf(hal::Input(operation, 0)).size());
  const auto axis = hal::Scalar<int32_t>(operation, position);
  return rank - 1 - (axis < 0 ? axis + rank : axis);
}

std::array<uint32_t, 4> PadsOf(const hal::Window2D& window) {
  return {static_cast<uint32_t>(window.pad_left), static_cast<uint32_t>(window.pad_right),
          static_cast<uint32_t>(window.pad_top), static_cast<uint32_t>(window.pad_bottom)};
}
std::array<uint32_t, 2> Pair(int width, int height) {
  return {static_cast<uint32_t>(width), static_cast<uint32_t>(height)};
}

// One tensor in, one out.
template <typename Op, typename... Arguments>
void Unary(Lowering& l, const Operation& operation, Arguments... arguments) {
  l.Add<Op>({l[hal::Input(operation, 0)]}, {l[hal::Output(operation)]}, arguments...);
}
template <typename Op>
void Simple(Lowering& l, const Operation& operation) {
  Unary<Op>(l, operation);
}

template <typename Op>
void Binary(Lowering& l, const Operation& operation) {
  const size_t rank = DimsOf(hal::Output(operation)).size();
  l.Add<Op>(
      {l.WithRank(hal::Input(operation, 0), rank), l.WithRank(hal::Input(operation, 1), rank)},
      {l[hal::Output(operation)]});
}

// Zeros where there is none (null): filters with a scale for each channel do not compile without.
TensorPtr BiasOf(Lowering& l, const Operation& operation, const core::Operand* bias,
                 int32_t count) {
  if (bias != nullptr) return l.Constant(*bias, {static_cast<uint32_t>(count)}, 0);
  const float scale = hal::Scales(hal::Input(operation, 0).type)[0];
  std::vector<float> scales = hal::Scales(hal::Input(operation, 1).type);
  for (float& factor : scales) factor *= scale;
  return l.Zeros(static_cast<uint32_t>(count), scales);
}

std::string LargestRefusal(const Operation& operation) {
  const std::vector<int32_t> dims = DimsOf(hal::Output(operation));
  const bool same =
      DimsOf(hal::Input(operation, 0)) == dims && DimsOf(hal::Input(operation, 1)) == dims;
  return same ? "" : "operands of different shapes";
}

void Convolution(Lowering& l, const Operation& operation) {
  const hal::Window2D window = hal::ReadWindow(operation);
  const core::Operand& filter = hal::Input(operation, hal::Conv2D::kFilter);
  const std::vector<int32_t> dims = DimsOf(filter);  // [C_out, C_in / group, H, W]
  const int group = hal::Scalar<int>(operation, hal::Conv2D::kGroup);
  const int channels = DimsOf(hal::Input(operation, 0))[1];
  const bool depthwise = group == channels && group > 1;
  const auto pads = PadsOf(window);
  const auto stride = Pair(window.stride_w, window.stride_h);
  const auto dilation = Pair(window.dilation_w, window.dilation_h);
  tim::vx::ShapeType shape = Reversed(dims);
  if (depthwise) std::swap(shape[2], shape[3]);  // one filter for all channels, as wide as they are
  const std::vector<TensorPtr> inputs{
      l[hal::Input(operation, 0)], l.Constant(filter, shape, depthwise ? 2 : 3),
      BiasOf(l, operation, hal::InputOrNull(operation, hal::Conv2D::kBias), dims[0])};
  const std::vector<TensorPtr> outputs{l[hal::Output(operation)]};
  if (group > 1 && !depthwise)
    l.Add<ops::GroupedConv2d>(inputs, outputs, pads, stride, dilation, group);
  else
    l.Add<ops::Conv2d>(inputs, outputs, pads, stride, dilation, depthwise ? dims[0] / channels : 0);
}

// Of a filter or weight, and of a bias.
std::string ComputedRefusal(const Operation& operation, int weight, int bias) {
  for (const int position : {weight, bias}) {
    const core::Operand* operand = hal::InputOrNull(operation, position);
    if (operand != nullptr && !hal::IsConstant(*operand)) return "its filter or bias is computed";
  }
  return "";
}

std::string ConvolutionRefusal(const Operation& operation) {
  const core::Operand& filter = hal::Input(operation, hal::Conv2D::kFilter);
  const std::string no = ComputedRefusal(operation, hal::Conv2D::kFilter, hal::Conv2D::kBias);
  if (!no.empty()) return no;
  const int group = hal::Scalar<int>(operation, hal::Conv2D::kGroup);
  const int channels = DimsOf(hal::Input(operation, 0))[1];
  if (group == channels && group > 1 && DimsOf(filter)[0] != channels)
    return "several filters for each channel";
  const bool in_groups = group > 1 && group != channels;
  if (in_groups && hal::IsSymmPerChannel(filter.type.precision) &&
      DimsOf(hal::Input(operation, 0))[0] > 1)
    return "groups with a scale for each channel, over several pictures";
  return "";
}

void Deconvolution(Lowering& l, const Operation& operation) {
  const hal::Window2D window = hal::ReadWindow(operation);
  const core::Operand& filter = hal::Input(operation, hal::Conv2DTranspose::kFilter);
  const std::vector<int32_t> dims = DimsOf(filter);  // [C_in, C_out, H, W]
  const auto area = static_cast<size_t>(dims[2]) * static_cast<size_t>(dims[3]);
  const auto rows = static_cast<size_t>(dims[0]), columns = static_cast<size_t>(dims[1]);
  const auto* from = static_cast<const uint8_t*>(filter.buffer);
  std::vector<uint8_t> turned(rows * columns * area);  // [C_out, C_in, H, W]
  for (size_t at = 0; at < rows * columns; ++at)
    std::copy_n(from + at * area, area, &turned[(at % columns * rows + at / columns) * area]);
  const std::vector<int32_t> in = DimsOf(hal::Input(operation, 0));
  const std::vector<int32_t> out = DimsOf(hal::Output(operation));
  // What the output has beyond the least: OUTPUT_PADDING, or OUTPUT_SHAPE, which may be absent.
  const int extra_h = out[2] - ((in[2] - 1) * window.stride_h - window.pad_top - window.pad_bottom +
                                window.kernel_h);
  const int extra_w = out[3] - ((in[3] - 1) * window.stride_w - window.pad_left - window.pad_right +
                                window.kernel_w);
  l.Add<ops::DeConv2d>(
      {l[hal::Input(operation, 0)],
       l.Constant(filter, Reversed({dims[1], dims[0], dims[2], dims[3]}), 3, turned.data()),
       BiasOf(l, operation, hal::InputOrNull(operation, hal::Conv2DTranspose::kBias), dims[1])},
      {l[hal::Output(operation)]}, dims[1], tim::vx::PadType::AUTO,
      Pair(window.kernel_w, window.kernel_h), Pair(window.stride_w, window.stride_h),
      Pair(extra_w, extra_h), PadsOf(window));
}

std::string DeconvolutionRefusal(const Operation& operation) {
  const hal::Window2D window = hal::ReadWindow(operation);
  if (window.dilation_h != 1 || window.dilation_w != 1) return "dilations";
  if (hal::Scalar<int>(operation, hal::Conv2DTranspose::kGroup) != 1) return "groups";
  return ComputedRefusal(operation, hal::Conv2DTranspose::kFilter, hal::Conv2DTranspose::kBias);
}

template <tim::vx::PoolType kType>
void Pooling(Lowering& l, const Operation& operation) {
  const hal::Window2D window = hal::ReadWindow(operation);
  const bool counts = kType != tim::vx::PoolType::MAX &&
                      hal::ScalarOr<bool>(operation, hal::AveragePool2D::kCountIncludePad, false);
  Unary<ops::Pool2d>(l, operation, counts ? tim::vx::PoolType::AVG : kType, PadsOf(window),
                     Pair(window.kernel_w, window.kernel_h), Pair(window.stride_w, window.stride_h),
                     tim::vx::RoundType::FLOOR);
}

std::string PoolingRefusal(const Operation& operation) {
  hal::ReadWindow(operation);  // throws for what is none
  const bool is_max = operation.type == NNADAPTER_MAX_POOL_2D;
  const int ceil_mode = is_max ? +hal::MaxPool2D::kCeilMode : +hal::AveragePool2D::kCeilMode;
  if (hal::ScalarOr<bool>(operation, ceil_mode, false)) return "ceil_mode";
  if (is_max && operation.output_operands.size() > 1 && operation.output_operands[1] != nullptr)
    return "positions of the largest";
  return "";
}

void GlobalAverage(Lowering& l, const Operation& operation) {
  const std::vector<int32_t> dims = DimsOf(hal::Input(operation, 0));
  Unary<ops::Pool2d>(l, operation, tim::vx::PoolType::AVG, std::array<uint32_t, 4>{0, 0, 0, 0},
                     Pair(dims[3], dims[2]), Pair(1, 1), tim::vx::RoundType::FLOOR);
}

std::string GlobalAverageRefusal(const Operation& operation) {
  const auto size = hal::Values<int32_t>(operation, hal::AdaptiveAveragePool2D::kOutputShape);
  return size == std::vector<int32_t>{1, 1} ? "" : "it takes an average of all alone";
}

// A product with a weight of [C_out, C_in].
void Product(Lowering& l, const Operation& operation, const TensorPtr& weight,
             const TensorPtr& bias, uint32_t columns, uint32_t channels) {
  const TensorPtr rows = l.RowsFor(hal::Output(operation), channels);
  l.Add<ops::FullyConnected>({l.Rows(hal::Input(operation, 0), columns), weight, bias}, {rows},
                             uint32_t{0}, channels);
  l.Keep(hal::Output(operation), rows);
}

// TIM-VX's own product of matrices is wrong on some chips.
void MatMul(Lowering& l, const Operation& operation) {
  const core::Operand& matrix = hal::Input(operation, hal::MatMul::kY);
  const bool is_turned = hal::Scalar<bool>(operation, hal::MatMul::kTransposeY);
  const std::vector<int32_t> dims = DimsOf(matrix);
  const auto columns = static_cast<size_t>(dims[is_turned ? 1 : 0]);
  const auto channels = static_cast<size_t>(dims[is_turned ? 0 : 1]);
  const auto* from = static_cast<const uint8_t*>(matrix.buffer);
  std::vector<uint8_t> bytes(columns * channels);
  for (size_t at = 0; at < channels; ++at)
    for (size_t i = 0; i < columns; ++i)
      bytes[at * columns + i] = from[is_turned ? at * columns + i : i * channels + at];
  const auto width = static_cast<uint32_t>(columns), height = static_cast<uint32_t>(channels);
  Product(l, operation, l.Constant(matrix, {width, height}, 1, bytes.data()),
          BiasOf(l, operation, nullptr, dims[is_turned ? 0 : 1]), width, height);
}

std::string MatMulRefusal(const Operation& operation) {
  const core::Operand& matrix = hal::Input(operation, hal::MatMul::kY);
  if (!hal::IsConstant(matrix) || DimsOf(matrix).size() != 2)
    return "it multiplies by a constant matrix alone";
  if (DimsOf(hal::Input(operation, 0)).size() < 2) return "an operand of one dimension";
  if (hal::Scalar<bool>(operation, hal::MatMul::kTransposeX)) return "its first operand is turned";
  const bool is_turned = hal::Scalar<bool>(operation, hal::MatMul::kTransposeY);
  if (hal::IsSymmPerChannel(matrix.type.precision) &&
      matrix.type.symm_per_channel_params.channel_dim != (is_turned ? 0u : 1u))
    return "scales along the other axis";
  return "";
}

void FullyConnected(Lowering& l, const Operation& operation) {
  const core::Operand& weight = hal::Input(operation, hal::FullyConnected::kWeight);
  const tim::vx::ShapeType shape = Reversed(DimsOf(weight));
  const core::Operand* bias = hal::InputOrNull(operation, hal::FullyConnected::kBias);
  Product(l, operation, l.Constant(weight, shape, 1), BiasOf(l, operation, bias, DimsOf(weight)[0]),
          shape[0], shape[1]);
}

std::string FullyConnectedRefusal(const Operation& operation) {
  return ComputedRefusal(operation, hal::FullyConnected::kWeight, hal::FullyConnected::kBias);
}

void Reshape(Lowering& l, const Operation& operation) {
  Unary<ops::Reshape>(l, operation, Reversed(DimsOf(hal::Output(operation))));
}

void Transpose(Lowering& l, const Operation& operation) {
  const auto perm = hal::Values<int32_t>(operation, hal::Transpose::kPerm);
  std::vector<uint32_t> turned;
  for (auto at = perm.rbegin(); at != perm.rend(); ++at)
    turned.push_back(static_cast<uint32_t>(static_cast<int32_t>(perm.size()) - 1 - *at));
  Unary<ops::Transpose>(l, operation, turned);
}

std::string TransposeRefusal(const Operation& operation) {
  const size_t rank = DimsOf(hal::Input(operation, 0)).size();
  const bool whole = hal::Values<int32_t>(operation, hal::Transpose::kPerm).size() == rank;
  return whole ? "" : "its order of axes is not complete";
}

void Pad(Lowering& l, const Operation& operation) {
  const auto pads = hal::Values<int32_t>(operation, hal::Pad::kPads);
  std::vector<uint32_t> front, back;
  for (size_t i = pads.size(); i >= 2; i -= 2) {
    front.push_back(static_cast<uint32_t>(pads[i - 2]));
    back.push_back(static_cast<uint32_t>(pads[i - 1]));
  }
  // The number itself, not what is stored for it.
  const auto value = hal::ScalarOr<float>(operation, hal::Pad::kValue, 0);
  Unary<ops::Pad>(l, operation, front, back, static_cast<int32_t>(value));
}

std::string PadRefusal(const Operation& operation) {
  const int mode = hal::Scalar<int>(operation, hal::Pad::kMode);
  if (mode != NNADAPTER_PAD_MODE_NONE && mode != NNADAPTER_PAD_MODE_CONSTANT)
    return "padding that is no constant";
  for (const int32_t pad : hal::Values<int32_t>(operation, hal::Pad::kPads))
    if (pad < 0) return "pads that cut off";
  const auto value = hal::ScalarOr<float>(operation, hal::Pad::kValue, 0);
  if (value != std::trunc(value) || std::fabs(value) > 1e6f) return "a padding that is no integer";
  const bool same =
      hal::Scales(hal::Input(operation, 0).type) == hal::Scales(hal::Output(operation).type);
  return same ? "" : "a result of another scale";
}

void Concat(Lowering& l, const Operation& operation) {
  std::vector<TensorPtr> inputs;
  for (size_t i = 0; i + 1 < operation.input_operands.size(); ++i)
    inputs.push_back(l[hal::Input(operation, static_cast<int>(i))]);
  const auto count = static_cast<int>(inputs.size());
  l.Add<ops::Concat>(inputs, {l[hal::Output(operation)]},
                     static_cast<uint32_t>(AxisOf(operation, hal::Concat::kAxis)), count);
}

void Split(Lowering& l, const Operation& operation) {
  const auto axis = static_cast<uint32_t>(AxisOf(operation, hal::Split::kAxis));
  std::vector<TensorPtr> outputs;
  std::vector<uint32_t> sizes;
  for (const core::Operand* output : operation.output_operands) {
    outputs.push_back(l[*output]);
    sizes.push_back(Reversed(DimsOf(*output))[axis]);
  }
  l.Add<ops::Split>({l[hal::Input(operation, 0)]}, outputs, axis, sizes);
}

void Slice(Lowering& l, const Operation& operation) {
  const std::vector<int32_t> dims = DimsOf(hal::Input(operation, 0));
  const std::vector<int32_t> sizes = DimsOf(hal::Output(operation));
  const auto rank = static_cast<int32_t>(dims.size());
  std::vector<int32_t> starts(dims.size(), 0);
  const auto given = hal::Values<int32_t>(operation, hal::Slice::kStarts);
  const auto axes = hal::Values<int32_t>(operation, hal::Slice::kAxes);
  for (size_t i = 0; i < axes.size(); ++i) {
    const int32_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    const int32_t size = dims[static_cast<size_t>(axis)];
    const int32_t start = given[i] < 0 ? std::max(given[i] + size, 0) : std::min(given[i], size);
    starts[static_cast<size_t>(rank - 1 - axis)] = start;
  }
  Unary<ops::Slice>(l, operation, static_cast<uint32_t>(rank), starts,
                    std::vector<int32_t>(sizes.rbegin(), sizes.rend()));
}

std::string SliceRefusal(const Operation& operation) {
  for (const int step : hal::Values<int>(operation, hal::Slice::kSteps))
    if (step != 1) return "steps other than 1";
  return "";
}

void Softmax(Lowering& l, const Operation& operation) {
  Unary<ops::Softmax>(l, operation, 1.0f, AxisOf(operation, hal::Softmax::kAxis));
}

template <typename Op>
void Reduce(Lowering& l, const Operation& operation) {
  const auto rank = static_cast<int32_t>(DimsOf(hal::Input(operation, 0)).size());
  std::vector<int32_t> axes = hal::Values<int32_t>(operation, hal::ReduceMean::kAxes);
  for (int32_t& axis : axes) axis = rank - 1 - (axis < 0 ? axis + rank : axis);
  std::sort(axes.begin(), axes.end());
  Unary<Op>(l, operation, axes, hal::Scalar<bool>(operation, hal::ReduceMean::kKeepdim));
}

template <tim::vx::ResizeType kType>
void Resize(Lowering& l, const Operation& operation) {
  const std::vector<int32_t> size = DimsOf(hal::Output(operation));
  const bool align = hal::Scalar<bool>(operation, hal::ResizeNearest::kAlignCorners);
  const bool half = kType == tim::vx::ResizeType::BILINEAR && !align &&
                    hal::ScalarOr<int>(operation, hal::ResizeLinear::kAlignMode, 1) == 0;
  Unary<ops::Resize>(l, operation, kType, 0.0f, align, half, size[2], size[3],
                     tim::vx::DataLayout::WHCN);
}

std::string ResizeRefusal(const Operation& operation) {
  return DimsOf(hal::Input(operation, 0)).size() == 4 ? "" : "it is for pictures alone";
}

void LeakyRelu(Lowering& l, const Operation& operation) {
  Unary<ops::LeakyRelu>(l, operation, hal::Scalar<float>(operation, hal::LeakyRelu::kAlpha));
}

void HardSigmoid(Lowering& l, const Operation& operation) {
  Unary<ops::HardSigmoid>(l, operation, hal::Scalar<float>(operation, hal::HardSigmoid::kAlpha),
                          hal::Scalar<float>(operation, hal::HardSigmoid::kBeta));
}

std::string HardSwishRefusal(const Operation& operation) {
  const auto alpha = hal::Scalar<float>(operation, hal::HardSwish::kAlpha);
  const auto beta = hal::Scalar<float>(operation, hal::HardSwish::kBeta);
  const bool usual = std::fabs(alpha - 1.0f / 6) < 1e-4f && std::fabs(beta - 0.5f) < 1e-4f;
  return usual ? "" : "HARD_SWISH of other numbers than 1/6 and 0.5";
}

void Clip(Lowering& l, const Operation& operation) {
  Unary<ops::Clip>(l, operation, hal::Scalar<float>(operation, hal::Clip::kMin),
                   hal::Scalar<float>(operation, hal::Clip::kMax));
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
      {NNADAPTER_AVERAGE_POOL_2D, {{0}, Pooling<tim::vx::PoolType::AVG_ANDROID>, PoolingRefusal}},
      {NNADAPTER_MAX_POOL_2D, {{0}, Pooling<tim::vx::PoolType::MAX>, PoolingRefusal}},
      {NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D, {{0}, GlobalAverage, GlobalAverageRefusal}},
      {NNADAPTER_FULLY_CONNECTED,
       {{0, hal::FullyConnected::kWeight, hal::FullyConnected::kBias},
        FullyConnected,
        FullyConnectedRefusal}},
      {NNADAPTER_MAT_MUL, {{0, 1}, MatMul, MatMulRefusal}},
      {NNADAPTER_ADD, {{0, 1}, Binary<ops::Add>}},
      {NNADAPTER_SUB, {{0, 1}, Binary<ops::Sub>}},
      {NNADAPTER_MUL, {{0, 1}, Binary<ops::Multiply>}},
      {NNADAPTER_DIV, {{0, 1}, Binary<ops::Div>}},
      {NNADAPTER_MAX, {{0, 1}, Binary<ops::Maximum>, LargestRefusal}},
      {NNADAPTER_MIN, {{0, 1}, Binary<ops::Minimum>, LargestRefusal}},
      {NNADAPTER_RELU, {{0}, Simple<ops::Relu>}},
      {NNADAPTER_RELU6, {{0}, Simple<ops::Relu6>}},
      {NNADAPTER_TANH, {{0}, Simple<ops::Tanh>}},
      {NNADAPTER_SIGMOID, {{0}, Simple<ops::Sigmoid>}},
      {NNADAPTER_SWISH, {{0}, Simple<ops::Swish>}},
      {NNADAPTER_HARD_SWISH, {{0}, Simple<ops::HardSwish>, HardSwishRefusal}},
      {NNADAPTER_HARD_SIGMOID, {{0}, HardSigmoid}},
      {NNADAPTER_LEAKY_RELU, {{0}, LeakyRelu}},
      {NNADAPTER_CLIP, {{0}, Clip}},
      {NNADAPTER_SOFTMAX, {{0}, Softmax}},
      {NNADAPTER_CONCAT, {{-1}, Concat}},
      {NNADAPTER_SPLIT, {{0}, Split}},
      {NNADAPTER_SLICE, {{0}, Slice, SliceRefusal}},
      {NNADAPTER_RESHAPE, {{0}, Reshape}},
      {NNADAPTER_FLATTEN, {{0}, Reshape}},
      {NNADAPTER_SQUEEZE, {{0}, Reshape}},
      {NNADAPTER_UNSQUEEZE, {{0}, Reshape}},
      {NNADAPTER_PAD, {{0}, Pad, PadRefusal}},
      {NNADAPTER_TRANSPOSE, {{0}, Transpose, TransposeRefusal}},
      {NNADAPTER_REDUCE_MEAN, {{0}, Reduce<ops::ReduceMean>}},
      {NNADAPTER_RESIZE_NEAREST,
       {{0}, Resize<tim::vx::ResizeType::NEAREST_NEIGHBOR>, ResizeRefusal}},
      {NNADAPTER_RESIZE_LINEAR, {{0}, Resize<tim::vx::ResizeType::BILINEAR>, ResizeRefusal}},
      {NNADAPTER_QUANTIZE, {{0}, Simple<ops::DataConvert>}},
      {NNADAPTER_DEQUANTIZE, {{0}, Simple<ops::DataConvert>}},
  };
  return table;
}

constexpr size_t kMostDimensions = 6;

constexpr float kLeast = 6.1e-5f;  // half precision's, in which it makes bytes and floats

bool IsQuantised(const NNAdapterOperandType& type) { return !hal::Scales(type).empty(); }

// Nothing, or what is wrong with a tensor; the first input of QUANTIZE and the output of DEQUANTIZE
// are floats.
std::string TensorRefusal(const core::Operand& operand, bool may_be_float, bool is_filter) {
  const NNAdapterOperandType& type = operand.type;
  if (hal::IsSymmPerChannel(type.precision) && !is_filter) return "a scale for each channel";
  if (hal::HasUnknownDims(type)) return "its shapes are not known: give the inputs'";
  const std::vector<int32_t> dims = hal::Dims(type);
  if (dims.size() > kMostDimensions) return hal::Text("a tensor of ", dims.size(), " dimensions");
  if (hal::ElementCount(type) == 0) return "a tensor without elements";
  if (may_be_float && type.precision == NNADAPTER_FLOAT32) return "";
  if (!IsQuantised(type)) return "computes int8 with scales, not " + hal::Describe(type);
  if (!is_filter && hal::Scales(type)[0] * 127 < kLeast)
    return hal::Text("numbers up to ", hal::Scales(type)[0] * 127, " only, which become 0");
  SpecOf(type, tim::vx::TensorAttribute::TRANSIENT);  // throws for what the NPU has not
  return "";
}

}  // namespace

const Converter* ConverterOf(NNAdapterOperationType type) {
  const auto found = Converters().find(type);
  return found == Converters().end() ? nullptr : &found->second;
}

std::string Refusal(const core::Operation& operation) {
  const Converter* converter = ConverterOf(operation.type);
  if (converter == nullptr) return "not among the operations of this device";
  std::vector<int> places = converter->tensors;
  if (places == std::vector<int>{-1}) {
    places.resize(operation.input_operands.size() - 1);
    for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i);
  }
  const bool has_filter =
      operation.type == NNADAPTER_CONV_2D || operation.type == NNADAPTER_CONV_2D_TRANSPOSE ||
      operation.type == NNADAPTER_FULLY_CONNECTED || operation.type == NNADAPTER_MAT_MUL;
  for (const int place : places) {
    const core::Operand* operand = hal::InputOrNull(operation, place);
    if (operand == nullptr) continue;
    const std::string no =
        TensorRefusal(*operand, operation.type == NNADAPTER_QUANTIZE, has_filter && place > 0);
    if (!no.empty()) return no;
  }
  for (const core::Operand* output : operation.output_operands) {
    if (output == nullptr) continue;
    const std::string no = TensorRefusal(*output, operation.type == NNADAPTER_DEQUANTIZE, false);
    if (!no.empty()) return no;
  }
  return converter->refusal != nullptr ? converter->refusal(operation) : "";
}

}  // namespace timvx
