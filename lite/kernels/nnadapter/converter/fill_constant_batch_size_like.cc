// fill_constant_batch_size_like: a shape with one dimension of Input.
#include "lite/kernels/nnadapter/converter.h"
#include "lite/kernels/nnadapter/operand_type.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

// The shape as shape arithmetic: the constant parts around Input's dimension.
Operand* ComputedShape(Conversion& c, const std::vector<int64_t>& shape, int64_t from, size_t to) {
  Operand* dims = c.EmitOne(NNADAPTER_SHAPE, {c.Input("Input"), c.Int32(NNADAPTER_INT32)});
  Operand* one = c.EmitOne(NNADAPTER_SLICE, {dims, c.Int32s({0}), c.Int32s({from}),
                                             c.Int32s({from + 1}), c.Int32s({1})});
  std::vector<Operand*> parts;
  const auto at = shape.begin() + static_cast<int64_t>(to);
  if (Operand* before = c.Int32s({shape.begin(), at})) parts.push_back(before);
  parts.push_back(one);
  if (Operand* after = c.Int32s({at + 1, shape.end()})) parts.push_back(after);
  if (parts.size() == 1) return one;
  parts.push_back(c.Int32(0));
  return c.EmitOne(NNADAPTER_CONCAT, parts);
}

void ConvertFillConstantBatchSizeLike(Conversion& c) {
  const std::vector<int64_t> dims = c.Dims(c.Input("Input"));
  const int64_t from = c.Int("input_dim_idx");
  const auto to = static_cast<size_t>(c.Int("output_dim_idx"));
  std::vector<int64_t> shape = c.Ints("shape");
  if (from >= static_cast<int64_t>(dims.size()))
    c.Refuse(StrCat("its input_dim_idx is ", from, " for ", dims.size(), " dimensions"));
  if (shape.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    c.Refuse(StrCat("its result has ", shape.size(), " dimensions"));
  for (size_t i = 0; i < shape.size(); ++i)
    if (i != to && shape[i] < 1) c.Refuse(StrCat("its shape has the dimension ", shape[i]));
  shape[to] = dims[static_cast<size_t>(from)];
  Operand* wanted =
      shape[to] == NNADAPTER_UNKNOWN ? ComputedShape(c, shape, from, to) : c.Int32s(shape);
  const auto precision = PrecisionOf(static_cast<DataType>(c.Int("dtype")));
  c.EmitTo({"Out"}, NNADAPTER_FILL, {wanted, c.Scalar(precision, AsFloat(c.Get("number")))});
}

REGISTER_NNADAPTER_CONVERTER(fill_constant_batch_size_like, ConvertFillConstantBatchSizeLike);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
