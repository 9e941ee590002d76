// Reductions, and where extremes stand.
#include <algorithm>

#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

// (x, axes, keep); an axis may be named twice. Without any, all are meant.
struct Reduction {
  explicit Reduction(Translation& t) {
    const Shape dims = DimsOf(t, 0);
    for (const int32_t axis : t.Ints(1)) axes.push_back(CanonicalAxis(axis, dims.size()));
    if (axes.empty())
      for (size_t i = 0; i < dims.size(); ++i) axes.push_back(static_cast<int32_t>(i));
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    keep = t.Type(2).code == ANEURALNETWORKS_BOOL ? t.Bool(2) : t.Int(2) > 0;
    for (size_t i = 0; i < dims.size(); ++i) {
      const bool gone = std::binary_search(axes.begin(), axes.end(), static_cast<int32_t>(i));
      if (!gone || keep) left.push_back(gone ? 1 : dims[i]);
    }
    if (left.empty()) left = {1};
  }

  Shape axes, left;
  bool keep;
};

Value Reduced(Translation& t, NNAdapterOperationType type, Value x, const Reduction& r) {
  return EmitResult(t, type, {x, t.Int32s(r.axes), t.Bool8(r.keep)});
}

// Over height and width of an image that is at hand in NCHW it needs no transposition.
bool ReduceImage(Translation& t, NNAdapterOperationType type, const Reduction& r) {
  const Value image = t.ImageOrNull(0);
  if (image == nullptr || r.axes != Shape{1, 2}) return false;
  const Value axes = t.Int32s({2, 3});
  const Value out = EmitResult(t, type, {image, axes, t.Bool8(r.keep)});
  if (r.keep)
    t.SetImage(0, out, false);
  else
    t.SetOutput(0, out);
  return true;
}

void Reduce(Translation& t, NNAdapterOperationType type) {
  const Reduction r(t);
  if (ReduceImage(t, type, r)) return;
  t.SetOutput(0, t.Reshaped(Reduced(t, type, t.Input(0), r), r.left));
}

Value Negative(Translation& t, Value x) {
  return t.Emit(NNADAPTER_MUL, {x, t.ScalarLike(x, -1), t.Int32(NNADAPTER_FUSED_NONE)});
}

// Any of truths; all of them if they are turned around before and after.
void ReduceTruths(Translation& t, bool all) {
  const Reduction r(t);
  Value x = t.Input(0);
  if (all) x = t.Emit(NNADAPTER_NOT, {x});
  const Value numbers = t.Emit(NNADAPTER_CAST, {x, t.Int32(NNADAPTER_INT32)});
  const Value most = Reduced(t, NNADAPTER_REDUCE_MAX, numbers, r);
  Value out = t.Emit(NNADAPTER_CAST, {most, t.Int32(NNADAPTER_BOOL8)});
  if (all) out = t.Emit(NNADAPTER_NOT, {out});
  t.SetOutput(0, t.Reshaped(out, r.left));
}

// The product of the rows of [n, m]: halves are multiplied until one is left.
Value ProductOfRows(Translation& t, Value x) {
  Value odd = nullptr;
  while (x->dims[0] > 1) {
    const int32_t rows = x->dims[0], half = rows / 2;
    if (rows % 2 != 0) {
      const Value last = Sliced(t, x, 0, rows - 1, rows);
      odd = odd == nullptr ? last : Multiplied(t, odd, last);
    }
    x = Multiplied(t, Sliced(t, x, 0, 0, half), Sliced(t, x, 0, half, 2 * half));
  }
  return odd == nullptr ? x : Multiplied(t, odd, x);
}

// (x, axis)
void Extreme(Translation& t, NNAdapterOperationType type) {
  const Value x = t.Input(0);
  Shape dims = x->dims;
  const int32_t axis = AxisOf(t, 1, dims.size());
  dims.erase(dims.begin() + axis);
  if (dims.empty()) dims = {1};
  const Value places = t.Emit(type, {x, t.Int32(axis), t.Bool8(false), t.Int32(NNADAPTER_INT32)});
  t.SetOutput(0, t.Reshaped(places, dims));
}

}  // namespace

CONVERTER(MEAN) { Reduce(t, NNADAPTER_REDUCE_MEAN); }
CONVERTER(REDUCE_MAX) { Reduce(t, NNADAPTER_REDUCE_MAX); }
CONVERTER(REDUCE_SUM) { Reduce(t, NNADAPTER_REDUCE_SUM); }
CONVERTER(REDUCE_ALL) { ReduceTruths(t, true); }
CONVERTER(REDUCE_ANY) { ReduceTruths(t, false); }

CONVERTER(REDUCE_MIN) {
  const Reduction r(t);
  const Value x = Negative(t, t.Real(t.Input(0)));
  t.SetOutput(0, t.Reshaped(Negative(t, Reduced(t, NNADAPTER_REDUCE_MAX, x, r)), r.left));
}

CONVERTER(REDUCE_PROD) {
  const Reduction r(t);
  const Value x = t.Real(t.Input(0));
  Shape order = r.axes;
  int32_t rows = 1;
  for (const int32_t axis : r.axes) rows *= x->dims[static_cast<size_t>(axis)];
  for (size_t i = 0; i < x->dims.size(); ++i)
    if (!std::binary_search(r.axes.begin(), r.axes.end(), static_cast<int32_t>(i)))
      order.push_back(static_cast<int32_t>(i));
  const Value lists =
      t.Reshaped(t.Transposed(x, order), {rows, static_cast<int32_t>(x->count()) / rows});
  t.SetOutput(0, t.Reshaped(ProductOfRows(t, lists), r.left));
}

CONVERTER(ARGMAX) { Extreme(t, NNADAPTER_ARG_MAX); }
CONVERTER(ARGMIN) { Extreme(t, NNADAPTER_ARG_MIN); }

// (x, k)
CONVERTER(TOPK_V2) {
  const std::vector<Value> results =
      t.EmitMany(NNADAPTER_TOP_K,
                 {t.Input(0), t.Int32(t.Int(1)), t.Int32(-1), t.Bool8(true), t.Bool8(true),
                  t.Int32(NNADAPTER_INT32)},
                 2);
  t.SetOutput(0, results[0]);
  t.SetOutput(1, results[1]);
}

}  // namespace nnadapter::nnapi
