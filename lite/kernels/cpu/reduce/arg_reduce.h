// arg_max and arg_min: the first place of the extreme along an axis.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

inline void InferArgReduce(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int dtype = c.Attr<int32_t>("dtype");
  const bool keepdims = c.Attr<bool>("keepdims");
  if (dtype != -1 && dtype != static_cast<int>(DataType::kInt32) &&
      dtype != static_cast<int>(DataType::kInt64))
    throw DataTypeError(StrCat("attribute dtype is ", dtype, ", expected 2 (int32) or 3 (int64)"));
  c.Require(x.dims.production() > 0, "X has shape ", x.dims, ", which has no elements");
  DDim out;
  if (x.dims.empty()) {
    CanonicalAxis(c.Attr<int64_t>("axis"), 1, "axis");
    if (keepdims) out.push_back(1);
  } else if (c.Attr<bool>("flatten")) {
    for (int i = 0; keepdims && i < x.dims.size(); ++i) out.push_back(1);
  } else {
    const int axis = CanonicalAxis(c.Attr<int64_t>("axis"), x.dims.size(), "axis");
    for (int i = 0; i < x.dims.size(); ++i) {
      if (i != axis)
        out.push_back(x.dims[i]);
      else if (keepdims)
        out.push_back(1);
    }
  }
  c.SetOutput("Out", out, dtype == 2 ? DataType::kInt32 : DataType::kInt64);
}

// NaN is never the extreme; the first of equals wins.
template <bool kMax, typename T>
bool IsMoreExtreme(T value, T best) {
  return (kMax ? value > best : value < best) || (best != best && value == value);
}

// Places as wide as the numbers: so compilers make vectors of both.
template <typename T>
using PlaceBeside = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

// Of one line, of few numbers or of 64 bits, which vectors of 128 bits do not compare.
template <bool kMax, typename T>
int64_t ArgReduceWide(const T* x, int64_t size) {
  int64_t at = 0;
  while (at < size && x[at] != x[at]) ++at;  // a NaN is none
  if (at == size) return 0;
  T best = x[at];
  for (int64_t k = at + 1; k < size; ++k)
    if (kMax ? x[k] > best : x[k] < best) {
      best = x[k];
      at = k;
    }
  return at;
}

// Of one line of at least so many: every sixteenth number, then the best of those.
constexpr int64_t kArgTogether = 16;

template <bool kMax, typename T>
int64_t ArgReduceLine(const T* x, int64_t size) {
  using Place = PlaceBeside<T>;
  const int64_t whole = size / kArgTogether * kArgTogether;
  T best[kArgTogether];
  Place at[kArgTogether];
  std::copy_n(x, kArgTogether, best);
  std::iota(at, at + kArgTogether, Place(0));
  for (int64_t k = kArgTogether; k < whole; k += kArgTogether)
    for (int64_t j = 0; j < kArgTogether; ++j) {
      const bool more = IsMoreExtreme<kMax>(x[k + j], best[j]);
      best[j] = more ? x[k + j] : best[j];
      at[j] = more ? static_cast<Place>(k + j) : at[j];
    }
  for (int64_t k = whole; k < size; ++k)
    if (IsMoreExtreme<kMax>(x[k], best[k - whole])) {
      best[k - whole] = x[k];
      at[k - whole] = static_cast<Place>(k);
    }
  int64_t winner = 0;
  for (int64_t j = 1; j < kArgTogether; ++j) {
    const bool same =
        best[j] == best[winner] || (best[j] != best[j] && best[winner] != best[winner]);
    if (IsMoreExtreme<kMax>(best[j], best[winner]) || (same && at[j] < at[winner])) winner = j;
  }
  return static_cast<int64_t>(at[winner]);
}

// Where places go, as the type that was asked for.
class Places {
 public:
  explicit Places(Tensor& out)
      : narrow_(out.dtype() == DataType::kInt32 ? out.mutable_data<int32_t>() : nullptr),
        wide_(narrow_ == nullptr ? out.mutable_data<int64_t>() : nullptr) {}
  void Put(int64_t i, int64_t place) const {
    if (narrow_ != nullptr)
      narrow_[i] = static_cast<int32_t>(place);
    else
      wide_[i] = place;
  }

 private:
  int32_t* narrow_;
  int64_t* wide_;
};

// The first of the `inner` places goes to `out` at `begin`.
template <bool kMax, typename T>
void ArgReduceRow(const T* x, int64_t size, int64_t inner, const Places& out, int64_t begin) {
  if (inner == 1 && (sizeof(T) == 8 || size < kArgTogether))
    return out.Put(begin, ArgReduceWide<kMax>(x, size));
  if constexpr (sizeof(T) < 8) {
    if (inner == 1) return out.Put(begin, ArgReduceLine<kMax>(x, size));
  }
  // Neighbours side by side.
  using Place = PlaceBeside<T>;
  constexpr int64_t kTogether = 256;
  T best[kTogether];
  Place at[kTogether];
  for (int64_t first = 0; first < inner; first += kTogether) {
    const int64_t count = std::min(kTogether, inner - first);
    std::copy_n(x + first, count, best);
    std::fill_n(at, count, Place(0));
    for (int64_t k = 1; k < size; ++k) {
      const T* const values = x + k * inner + first;
      for (int64_t i = 0; i < count; ++i) {
        const bool more = IsMoreExtreme<kMax>(values[i], best[i]);
        best[i] = more ? values[i] : best[i];
        at[i] = more ? static_cast<Place>(k) : at[i];
      }
    }
    for (int64_t i = 0; i < count; ++i) out.Put(begin + first + i, at[i]);
  }
}

template <bool kMax, typename T>
void ArgReduceAs(KernelContext& c) {
  const T* const x = c.Input("X").data<T>();
  const DDim& dims = c.Input("X").dims();
  int64_t outer = 1, size = dims.production(), inner = 1;
  if (!dims.empty() && !c.Attr<bool>("flatten")) {
    const int axis = CanonicalAxis(c.Attr<int64_t>("axis"), dims.size(), "axis");
    outer = dims.Count(0, axis);
    size = dims[axis];
    inner = dims.Count(axis + 1, dims.size());
  }
  const Places out(c.Output("Out"));
  const int threads = outer * size * inner < (1 << 16) ? 1 : c.threads();
  const int64_t parts = std::min<int64_t>(outer, 2 * static_cast<int64_t>(threads));
  ParallelFor(threads, parts, [&](int64_t part) {
    for (int64_t o = outer * part / parts; o < outer * (part + 1) / parts; ++o)
      ArgReduceRow<kMax>(x + o * size * inner, size, inner, out, o * inner);
  });
}

template <bool kMax>
void ArgReduce(KernelContext& c) {
  switch (c.Input("X").dtype()) {
    case DataType::kFP32:
      return ArgReduceAs<kMax, float>(c);
    case DataType::kFP64:
      return ArgReduceAs<kMax, double>(c);
    case DataType::kInt64:
      return ArgReduceAs<kMax, int64_t>(c);
    case DataType::kInt32:
      return ArgReduceAs<kMax, int32_t>(c);
    case DataType::kInt16:
      return ArgReduceAs<kMax, int16_t>(c);
    case DataType::kUInt8:
      return ArgReduceAs<kMax, uint8_t>(c);
    case DataType::kInt8:
      return ArgReduceAs<kMax, int8_t>(c);
    default:
      throw DataTypeError(StrCat("X is ", Name(c.Input("X").dtype()), ", expected a number type"));
  }
}

}  // namespace paddle::lite
