// tile and expand: repetitions of every dimension; dimensions of 1 in front where there are more
// repetitions than dimensions.
#include "lite/kernels/nnadapter/converter.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

void ConvertTile(Conversion& c) {
  Operand* x = c.Input("X");
  std::vector<int64_t> repeats = c.Ints("repeats");
  const size_t rank = c.Dims(x).size();
  if (repeats.size() < rank) repeats.insert(repeats.begin(), rank - repeats.size(), 1);
  if (repeats.size() > rank) {
    std::vector<int64_t> axes;
    for (size_t i = 0; i < repeats.size() - rank; ++i) axes.push_back(static_cast<int64_t>(i));
    x = c.EmitOne(NNADAPTER_UNSQUEEZE, {x, c.Int32s(axes)});
  }
  c.EmitTo({"Out"}, NNADAPTER_TILE, {x, c.Int32s(repeats)});
}

REGISTER_NNADAPTER_CONVERTER(tile, ConvertTile);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
