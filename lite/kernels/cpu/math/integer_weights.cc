#include "lite/kernels/cpu/math/integer_weights.h"

#include <algorithm>

#include "lite/core/base/thread_pool.h"

namespace paddle::lite::math {
namespace {

struct Source {
  int64_t k, n;
  const int8_t* b;
  bool transposed;
};

void PackPanel(const Source& s, int64_t first, int64_t columns, int64_t width, int8_t* out) {
  const int64_t row = s.transposed ? 1 : s.n, column = s.transposed ? s.k : 1;
  for (int64_t i = 0; i < s.k; ++i, out += width) {
    const int8_t* from = s.b + i * row + first * column;
    for (int64_t j = 0; j < columns; ++j) out[j] = from[j * column];
    std::fill(out + columns, out + width, int8_t{0});
  }
}

}  // namespace

PackedIntegers PackIntegers(int64_t k, int64_t n, const int8_t* b, bool transposed,
                            const float* scales, int threads) {
  PackedIntegers packed;
  packed.isa = ActiveIsa();
  packed.k = k;
  packed.n = n;
  const int64_t padded = PackedFloats(1, n);
  packed.data = AlignedFloats::Lasting((k * padded + 3) / 4);
  packed.scales = AlignedFloats(padded);
  std::copy_n(scales, n, packed.scales.data());
  std::fill(packed.scales.data() + n, packed.scales.data() + padded, 0.0f);
  if (k <= 0 || n <= 0 || packed.data.packed()) return packed;
  auto* const to = reinterpret_cast<int8_t*>(packed.data.data());
  ParallelFor(PackThreads(threads, k * n), PanelCount(n), [&](int64_t panel) {
    const int64_t first = PanelColumn(panel, n), last = PanelColumn(panel + 1, n);
    const int64_t width = (last == n ? padded : last) - first;
    PackPanel({k, n, b, transposed}, first, last - first, width, to + first * k);
  });
  if (CurrentWeightMemory() != nullptr) CurrentWeightMemory()->Drop(b, static_cast<size_t>(k * n));
  return packed;
}

}  // namespace paddle::lite::math
