#include "lite/kernels/cpu/sort.h"

#include <algorithm>
#include <utility>

#include "lite/core/base/thread_pool.h"

namespace paddle::lite {
namespace {

// Line o, i of x[outer][size][inner], of which `wanted` numbers are kept.
struct SortedLines {
  int64_t outer, size, inner, wanted;
};

template <typename T, bool kDescending>
void SortLine(const T* x, const SortedLines& lines, std::vector<Ranked<T>>* line, T* out,
              int64_t* indices) {
  for (int64_t k = 0; k < lines.size; ++k)
    (*line)[static_cast<size_t>(k)] = {x[k * lines.inner], k};
  const auto middle = line->begin() + lines.wanted;
  if (lines.wanted == 1)
    std::swap(line->front(), *std::min_element(line->begin(), line->end(), Before<T, kDescending>));
  else if (lines.wanted < lines.size)
    std::partial_sort(line->begin(), middle, line->end(), Before<T, kDescending>);
  else
    std::sort(line->begin(), line->end(), Before<T, kDescending>);
  for (int64_t k = 0; k < lines.wanted; ++k) {
    out[k * lines.inner] = (*line)[static_cast<size_t>(k)].value;
    indices[k * lines.inner] = (*line)[static_cast<size_t>(k)].place;
  }
}

template <typename T, bool kDescending>
void SortAll(const T* x, const SortedLines& lines, T* out, int64_t* indices, int threads) {
  const int64_t total = lines.outer * lines.inner;
  if (total == 0 || lines.wanted == 0) return;
  if (total * lines.size < (1 << 14)) threads = 1;
  const int64_t parts = std::min<int64_t>(total, 2 * static_cast<int64_t>(threads));
  ParallelFor(threads, parts, [&](int64_t part) {
    std::vector<Ranked<T>> line(static_cast<size_t>(lines.size));
    for (int64_t i = total * part / parts; i < total * (part + 1) / parts; ++i) {
      const int64_t o = i / lines.inner, column = i % lines.inner;
      const int64_t to = o * lines.wanted * lines.inner + column;
      SortLine<T, kDescending>(x + o * lines.size * lines.inner + column, lines, &line, out + to,
                               indices + to);
    }
  });
}

template <typename T>
void SortAs(const Tensor& x, const SortSpec& spec, Tensor& out, Tensor& indices, int threads) {
  const DDim& dims = x.dims();
  SortedLines lines{1, 1, 1, 1};
  if (!dims.empty())
    lines = {dims.Count(0, spec.axis), dims[spec.axis], dims.Count(spec.axis + 1, dims.size()),
             out.dims()[spec.axis]};
  T* values = out.mutable_data<T>();
  auto* places = indices.mutable_data<int64_t>();
  if (spec.descending)
    SortAll<T, true>(x.data<T>(), lines, values, places, threads);
  else
    SortAll<T, false>(x.data<T>(), lines, values, places, threads);
}

}  // namespace

void SortLines(const Tensor& x, const SortSpec& spec, Tensor& out, Tensor& indices, int threads) {
  switch (x.dtype()) {
    case DataType::kFP32:
      return SortAs<float>(x, spec, out, indices, threads);
    case DataType::kFP64:
      return SortAs<double>(x, spec, out, indices, threads);
    case DataType::kInt64:
      return SortAs<int64_t>(x, spec, out, indices, threads);
    case DataType::kInt32:
      return SortAs<int32_t>(x, spec, out, indices, threads);
    case DataType::kInt16:
      return SortAs<int16_t>(x, spec, out, indices, threads);
    case DataType::kInt8:
      return SortAs<int8_t>(x, spec, out, indices, threads);
    case DataType::kUInt8:
      return SortAs<uint8_t>(x, spec, out, indices, threads);
    default:
      throw DataTypeError(StrCat("X is ", Name(x.dtype()), ", which has no order here"));
  }
}

}  // namespace paddle::lite
