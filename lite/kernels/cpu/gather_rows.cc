#include <algorithm>
#include <cstring>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

constexpr int64_t kThreadBytes = 256 * 1024;

template <typename Index>
void Gather(const char* x, const Index* index, int64_t count, const GatherShape& shape,
            int64_t row_bytes, char* out, int threads) {
  const int64_t total = shape.outer * count;
  auto copy = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = index[i % count];
      char* to = out + i * row_bytes;
      if (row == shape.zero_row)
        std::memset(to, 0, static_cast<size_t>(row_bytes));
      else
        std::memcpy(to, x + (i / count * shape.rows + row) * row_bytes,
                    static_cast<size_t>(row_bytes));
    }
  };
  const int64_t parts =
      std::min({2 * static_cast<int64_t>(threads), total, total * row_bytes / kThreadBytes});
  if (threads <= 1 || parts <= 1) return copy(0, total);
  ParallelFor(threads, parts,
              [&](int64_t part) { copy(total * part / parts, total * (part + 1) / parts); });
}

template <typename Index>
void CheckAndGather(const Tensor& x, const Tensor& index, const char* slot,
                    const GatherShape& shape, Tensor& out, int threads) {
  const auto* rows = index.data<Index>();
  const int64_t count = index.numel();
  for (int64_t i = 0; i < count; ++i)
    if (rows[i] < 0 || rows[i] >= shape.rows)
      throw ShapeError(StrCat("element ", i, " of ", slot, " is ", rows[i],
                              ", expected an index from 0 to ", shape.rows - 1));
  char* to = MutableBytes(out);
  const int64_t row_bytes = shape.inner * ElementSize(x);
  if (row_bytes == 0 || count == 0 || shape.outer == 0) return;
  Gather(Bytes(x), rows, count, shape, row_bytes, to, threads);
}

}  // namespace

void RequireIndexType(DataType dtype, const char* slot) {
  if (dtype != DataType::kInt32 && dtype != DataType::kInt64)
    throw DataTypeError(StrCat("input ", slot, " is ", Name(dtype), ", expected int32 or int64"));
}

void GatherRows(const Tensor& x, const Tensor& index, const char* slot, const GatherShape& shape,
                Tensor& out, int threads) {
  if (index.dtype() == DataType::kInt32)
    CheckAndGather<int32_t>(x, index, slot, shape, out, threads);
  else
    CheckAndGather<int64_t>(x, index, slot, shape, out, threads);
}

}  // namespace paddle::lite
