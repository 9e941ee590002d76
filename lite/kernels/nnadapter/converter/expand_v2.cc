// expand_v2: Paddle's -1 keeps a dimension, which numpy's broadcasting does not know.
#include "lite/kernels/nnadapter/converter.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

std::vector<int64_t> WithoutKept(Conversion& c, std::vector<int64_t> wanted,
                                 const std::vector<int64_t>& dims) {
  if (wanted.size() < dims.size() || wanted.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    c.Refuse(StrCat("its shape has ", wanted.size(), " numbers for ", dims.size(), " dimensions"));
  const size_t added = wanted.size() - dims.size();
  for (size_t i = 0; i < wanted.size(); ++i) {
    const int64_t dim = i < added ? 1 : dims[i - added];
    const bool unknown = dim == NNADAPTER_UNKNOWN, keeps = wanted[i] == -1 && i >= added;
    if (keeps && !unknown) wanted[i] = dim;
    if (wanted[i] == 0) c.Refuse("its result has no elements");
    if (wanted[i] < (keeps ? -1 : 1) || !(keeps || unknown || dim == 1 || dim == wanted[i]))
      c.Refuse(StrCat("a dimension of ", dim, " cannot become ", wanted[i]));
  }
  return wanted;
}

void ConvertExpandV2(Conversion& c) {
  Operand *x = c.Input("X"), *tensor = c.InputOrNull("Shape");
  const std::vector<Operand*> list =
      tensor != nullptr ? std::vector<Operand*>() : c.Inputs("expand_shapes_tensor");
  Operand* shape = c.IntListOperand(tensor, list, c.Ints("shape"));
  if (shape == nullptr) c.Refuse("its result is a 0-dim tensor, which NNAdapter does not have");
  if (c.IsConstant(shape)) shape = c.Int32s(WithoutKept(c, c.ConstantInts(shape), c.Dims(x)));
  c.EmitTo({"Out"}, NNADAPTER_EXPAND, {x, shape});
}

REGISTER_NNADAPTER_CONVERTER(expand_v2, ConvertExpandV2);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
