// Operations that move blocks of elements between axes: RESHAPE, TRANSPOSE, RESHAPE.
#include "lite/nnadapter/nnapi/operations/values.h"
#include "lite/nnadapter/nnapi/operations/window.h"

namespace nnadapter::nnapi {
namespace {

Value Shuffled(Translation& t, Value x, const Shape& parts, const Shape& order, const Shape& dims) {
  return t.Reshaped(t.Transposed(t.Reshaped(x, parts), order), dims);
}

void RequireDivides(int32_t divisor, int32_t number) {
  if (divisor < 1 || number % divisor != 0)
    Translation::Refuse("its blocks do not divide the dimension " + std::to_string(number));
}

// [height, width] of a block.
Shape BlockAt(Translation& t, size_t i) {
  Shape block = t.Ints(i);
  if (block.size() != 2) Translation::Refuse("its block has not two sizes");
  return block;
}

}  // namespace

// (x, block, [nchw])
CONVERTER(SPACE_TO_DEPTH) {
  const bool nchw = IsChannelsFirst(t, 2);
  const Value x = t.Image(0, nchw);
  const int32_t block = t.Int(1);
  const Shape& d = x->dims;
  RequireDivides(block, d[2]);
  RequireDivides(block, d[3]);
  const int32_t h = d[2] / block, w = d[3] / block;
  t.SetImage(0,
             Shuffled(t, x, {d[0], d[1], h, block, w, block}, {0, 3, 5, 1, 2, 4},
                      {d[0], block * block * d[1], h, w}),
             nchw);
}

CONVERTER(DEPTH_TO_SPACE) {
  const bool nchw = IsChannelsFirst(t, 2);
  const Value x = t.Image(0, nchw);
  const int32_t block = t.Int(1);
  const Shape& d = x->dims;
  RequireDivides(block * block, d[1]);
  const int32_t channels = d[1] / (block * block);
  t.SetImage(0,
             Shuffled(t, x, {d[0], block, block, channels, d[2], d[3]}, {0, 3, 4, 1, 5, 2},
                      {d[0], channels, d[2] * block, d[3] * block}),
             nchw);
}

// (x, block, pads, [nchw])
CONVERTER(SPACE_TO_BATCH_ND) {
  const bool nchw = IsChannelsFirst(t, 3);
  Value x = t.Image(0, nchw);
  const Shape block = BlockAt(t, 1);
  const Shape around = t.Ints(2);
  if (around.size() != 4) Translation::Refuse("it has not four pads");
  if (around != Shape{0, 0, 0, 0})
    x = t.Emit(NNADAPTER_PAD,
               {x, t.Int32s({0, 0, 0, 0, around[0], around[1], around[2], around[3]}),
                t.Int32(NNADAPTER_PAD_MODE_CONSTANT), t.ScalarLike(x, 0)});
  const Shape& d = x->dims;
  RequireDivides(block[0], d[2]);
  RequireDivides(block[1], d[3]);
  const int32_t h = d[2] / block[0], w = d[3] / block[1];
  t.SetImage(0,
             Shuffled(t, x, {d[0], d[1], h, block[0], w, block[1]}, {3, 5, 0, 1, 2, 4},
                      {block[0] * block[1] * d[0], d[1], h, w}),
             nchw);
}

// (x, block, [nchw])
CONVERTER(BATCH_TO_SPACE_ND) {
  const bool nchw = IsChannelsFirst(t, 2);
  const Value x = t.Image(0, nchw);
  const Shape block = BlockAt(t, 1);
  const Shape& d = x->dims;
  RequireDivides(block[0] * block[1], d[0]);
  const int32_t n = d[0] / (block[0] * block[1]);
  t.SetImage(0,
             Shuffled(t, x, {block[0], block[1], n, d[1], d[2], d[3]}, {2, 3, 4, 0, 5, 1},
                      {n, d[1], d[2] * block[0], d[3] * block[1]}),
             nchw);
}

// (x, groups, axis)
CONVERTER(CHANNEL_SHUFFLE) {
  const int32_t groups = t.Int(1);
  const Value image = t.ImageOrNull(0);
  const Shape dims = DimsOf(t, 0);
  const int32_t axis = AxisOf(t, 2, dims.size());
  const auto at = static_cast<size_t>(axis);
  RequireDivides(groups, dims[at]);
  if (image != nullptr && axis == 3)
    return t.SetImage(0, t.Emit(NNADAPTER_CHANNEL_SHUFFLE, {image, t.Int32(groups)}), false);
  const Shape parts = {Product(dims, 0, at), groups, dims[at] / groups,
                       Product(dims, at + 1, dims.size())};
  t.SetOutput(0, Shuffled(t, t.Input(0), parts, {0, 2, 1, 3}, dims));
}

}  // namespace nnadapter::nnapi
