// Operations that give elements another shape or order, and those that tell of shapes.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

// A result has one dimension at least.
Value Ranked(Translation& t, Value v, Shape dims) {
  if (dims.empty()) dims = {1};
  return t.Reshaped(v, dims);
}

Shape Reversed(size_t rank) {
  Shape order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

}  // namespace

CONVERTER(RESHAPE) {
  const Value x = t.Input(0);
  Shape dims = t.Ints(1);
  const auto open = std::find(dims.begin(), dims.end(), -1);
  if (open != dims.end()) {
    *open = 1;
    const int32_t known = Product(dims, 0, dims.size());
    *open = known > 0 ? static_cast<int32_t>(x->count()) / known : 0;
  }
  if (static_cast<size_t>(Product(dims, 0, dims.size())) != x->count())
    Translation::Refuse("its shape " + ShapeText(dims) + " is not that of as many elements as " +
                        ShapeText(x->dims) + " has");
  t.SetOutput(0, Ranked(t, x, dims));
}

CONVERTER(SQUEEZE) {
  const Value x = t.Input(0);
  const Shape axes = t.Has(1) ? t.Ints(1) : Shape();
  std::vector<bool> gone(x->dims.size(), false);
  for (const int32_t axis : axes)
    gone[static_cast<size_t>(CanonicalAxis(axis, gone.size()))] = true;
  Shape dims;
  for (size_t i = 0; i < gone.size(); ++i) {
    if (gone[i] && x->dims[i] != 1)
      Translation::Refuse("it squeezes an axis of " + std::to_string(x->dims[i]));
    if (axes.empty() ? x->dims[i] != 1 : !gone[i]) dims.push_back(x->dims[i]);
  }
  t.SetOutput(0, Ranked(t, x, dims));
}

CONVERTER(EXPAND_DIMS) {
  const Value x = t.Input(0);
  Shape dims = x->dims;
  dims.insert(dims.begin() + AxisOf(t, 1, dims.size() + 1), 1);
  t.SetOutput(0, t.Reshaped(x, dims));
}

CONVERTER(TRANSPOSE) {
  const Value x = t.Input(0);
  const Shape order = t.Has(1) ? t.Ints(1) : Shape();
  t.SetOutput(0, t.Transposed(x, order.empty() ? Reversed(x->dims.size()) : order));
}

CONVERTER(RANK) { t.SetOutput(0, t.Int32(static_cast<int32_t>(t.Input(0)->dims.size()))); }

// A number that is repeated: the device makes the tensor, and only where it is wanted.
CONVERTER(FILL) {
  const Shape dims = t.Ints(0);
  double bytes = 4;
  for (const int32_t extent : dims) bytes *= extent;
  if (std::any_of(dims.begin(), dims.end(), [](int32_t n) { return n < 1; }))
    Translation::Refuse("it fills a shape without elements");
  if (bytes > UINT32_MAX)  // NNAPI says sizes in 32 bits
    Translation::Refuse("it fills " + ShapeText(dims) + ", more than 4 GiB");
  Tensor one = Translation::Stored(t.OutputType(0));
  one.dims.assign(dims.size(), 1);
  const auto repeated = [&](auto number) {
    return t.Emit(NNADAPTER_TILE, {t.Constant(one, &number), t.Int32s(dims)});
  };
  const bool integer = one.precision == NNADAPTER_INT32;
  t.SetOutput(0, integer ? repeated(t.Int(1)) : repeated(t.Float(1)));
}

}  // namespace nnadapter::nnapi
