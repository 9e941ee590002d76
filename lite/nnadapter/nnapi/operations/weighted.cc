// Convolutions, transposed ones and products of matrices: what has weights and a bias.
#include <algorithm>
#include <utility>

#include "lite/nnadapter/nnapi/operations/values.h"
#include "lite/nnadapter/nnapi/operations/window.h"

namespace nnadapter::nnapi {
namespace {

// The scales that an int32 bias has: those of the weights, times that of the input.
std::vector<float> BiasScales(const Tensor& input, const Tensor& weights) {
  std::vector<float> scales = weights.channel_scales;
  if (scales.empty()) scales = {weights.scale};
  for (float& scale : scales) scale *= input.scale;
  return scales;
}

// A constant int32 bias with its scales.
Value QuantisedBias(Translation& t, Value bias, const std::vector<float>& scales) {
  Tensor like = *bias;
  const bool one = scales.size() == 1;
  like.precision =
      one ? NNADAPTER_QUANT_INT32_SYMM_PER_LAYER : NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL;
  like.scale = one ? scales[0] : 0;
  like.channel_dim = 0;
  like.channel_scales = one ? std::vector<float>() : scales;
  return t.Constant(like, bias->data);
}

Value RealBias(Translation& t, Value bias, const std::vector<float>& scales) {
  if (bias->quantised()) return t.Real(bias);
  if (bias->precision != NNADAPTER_INT32) return bias;
  const Value numbers = t.Emit(NNADAPTER_CAST, {bias, t.Int32(NNADAPTER_FLOAT32)});
  return t.Emit(NNADAPTER_MUL, {numbers, t.Float32s(scales), t.Int32(NNADAPTER_FUSED_NONE)});
}

struct Weighted {
  Value input, weights, bias;
};

// Inputs 1 (its axes in `order`) and 2 beside `input`. Quantised ones stay so where weights and
// bias are constants; otherwise all three are FLOAT32, and so is the result.
Weighted WeightedInputs(Translation& t, Value input, const Shape& order) {
  const Value weights = t.Input(1), bias = t.Input(2);
  if (!input->quantised()) return {input, t.Transposed(t.Real(weights), order), t.Real(bias)};
  const std::vector<float> scales = BiasScales(*input, *weights);
  if (weights->constant() && bias->constant())
    return {input, t.Transposed(weights, order), QuantisedBias(t, bias, scales)};
  return {t.Real(input), t.Transposed(t.Real(weights), order), RealBias(t, bias, scales)};
}

struct Convolution {
  bool nchw;
  int32_t fuse, group;
  Shape dilations;
  Shape filter_order;  // the filter's axes as NNAdapter has them
};

void Convolve(Translation& t, const Window& window, const Convolution& c) {
  const Weighted in = WeightedInputs(t, t.Image(0, c.nchw), c.filter_order);
  const Shape& filter = in.weights->dims;
  const Shape spans = {(filter[2] - 1) * c.dilations[0] + 1, (filter[3] - 1) * c.dilations[1] + 1};
  const Value pads = t.Int32s(window.Pads(in.input->dims, spans));
  const Value out = EmitResult(
      t, NNADAPTER_CONV_2D,
      {in.input, in.weights, in.bias, t.Int32(NNADAPTER_AUTO_PAD_NONE), pads,
       t.Int32s(window.strides()), t.Int32(c.group), t.Int32s(c.dilations), t.Int32(c.fuse)});
  t.SetImage(0, out, c.nchw);
}

// Pads and output padding of one axis so that a transposed convolution gives `wanted` elements.
struct Edges {
  int32_t before, behind, extra;
};
Edges EdgesFor(int32_t full, int32_t wanted, bool same) {
  const int32_t before = same ? std::max(full - wanted, 0) / 2 : 0;
  const int32_t rest = full - before - wanted;
  return {before, std::max(rest, 0), std::max(-rest, 0)};
}

struct Transposed {
  Shape pads, strides, extra = {0, 0};
};

int32_t Full(const Tensor& image, const Tensor& filter, const Shape& strides, size_t axis) {
  return (image.dims[axis + 2] - 1) * strides[axis] + filter.dims[axis + 2];
}

// (x, w, b, output shape, scheme, strides, activation, nchw)
Transposed TransposedBySize(Translation& t, bool nchw, const Tensor& image, const Tensor& filter) {
  const Shape shape = t.Ints(3);
  if (shape.size() != 4) Translation::Refuse("its output shape has not four numbers");
  const bool same = t.Int(4) == ANEURALNETWORKS_PADDING_SAME;
  Transposed made{{}, {t.Int(6), t.Int(5)}};
  for (size_t axis = 0; axis < 2; ++axis) {
    const int32_t wanted = shape[axis + (nchw ? 2 : 1)];
    const Edges edges = EdgesFor(Full(image, filter, made.strides, axis), wanted, same);
    made.pads.insert(made.pads.end(), {edges.before, edges.behind});
    made.extra[axis] = edges.extra;
  }
  return made;
}

}  // namespace

CONVERTER(CONV_2D) {
  const Window window(t, 3, 4);
  const size_t next = window.next();
  Convolve(t, window,
           {IsChannelsFirst(t, next + 1), t.Int(next), 1, DilationsAt(t, next + 2), kToImage});
}

CONVERTER(DEPTHWISE_CONV_2D) {
  const Window window(t, 3, 5);
  const size_t next =
      window.next() + 1;  // behind the multiplier, which the filter's shape says too
  const bool nchw = IsChannelsFirst(t, next + 1);
  Convolve(t, window,
           {nchw, t.Int(next), t.Image(0, nchw)->dims[1], DilationsAt(t, next + 2), {3, 0, 1, 2}});
}

CONVERTER(GROUPED_CONV_2D) {
  const Window window(t, 3, 5);
  const size_t next = window.next();
  Convolve(t, window, {t.Bool(next + 2), t.Int(next + 1), t.Int(next), {1, 1}, kToImage});
}

CONVERTER(TRANSPOSE_CONV_2D) {
  const bool by_size = t.inputs() == 9;
  const size_t fuse = by_size ? 7 : 9;
  const bool nchw = t.Bool(fuse + 1);
  const Weighted in = WeightedInputs(t, t.Image(0, nchw), {3, 0, 1, 2});
  const Transposed how =
      by_size ? TransposedBySize(t, nchw, *in.input, *in.weights)
              : Transposed{{t.Int(5), t.Int(6), t.Int(3), t.Int(4)}, {t.Int(8), t.Int(7)}};
  const Value out =
      EmitResult(t, NNADAPTER_CONV_2D_TRANSPOSE,
                 {in.input, in.weights, in.bias, t.Int32(NNADAPTER_AUTO_PAD_NONE),
                  t.Int32s(how.pads), t.Int32s(how.strides), t.Int32(1), t.Int32s({1, 1}),
                  t.Int32s(how.extra), nullptr, t.Int32(t.Int(fuse))});
  t.SetImage(0, out, nchw);
}

// (x, weights [units, size], bias, activation); x is taken as rows of `size` elements.
CONVERTER(FULLY_CONNECTED) {
  const int32_t size = t.Input(1)->dims.back();
  const Value x = t.Input(0);
  if (t.Input(1)->dims.size() != 2 || size < 1 || x->count() % static_cast<size_t>(size) != 0)
    Translation::Refuse("its input " + ShapeText(x->dims) +
                        " does not divide into rows of its weights " + ShapeText(t.Input(1)->dims));
  const Value rows = t.Reshaped(x, {static_cast<int32_t>(x->count()) / size, size});
  const Weighted in = WeightedInputs(t, rows, {0, 1});
  t.SetOutput(0, EmitResult(t, NNADAPTER_FULLY_CONNECTED,
                            {in.input, in.weights, in.bias, t.Int32(t.Int(3))}));
}

// (x, y, [adjoint x, adjoint y])
CONVERTER(BATCH_MATMUL) {
  const Value left = t.Bool8(t.Has(2) && t.Bool(2)), right = t.Bool8(t.Has(3) && t.Bool(3));
  t.SetOutput(0, EmitResult(t, NNADAPTER_MAT_MUL, {t.Input(0), t.Input(1), left, right}));
}

}  // namespace nnadapter::nnapi
