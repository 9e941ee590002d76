#include "lite/kernels/cpu/math/packing.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/transpose.h"

namespace paddle::lite::math {

AlignedFloats::AlignedFloats(int64_t count) : size_(count) {
  if (count < 0 || count > static_cast<int64_t>(SIZE_MAX / 8)) throw std::bad_alloc();
  const size_t bytes = (std::max<int64_t>(count, 1) * sizeof(float) + 63) / 64 * 64;
  data_ = static_cast<float*>(std::aligned_alloc(64, bytes));
  if (data_ == nullptr) throw std::bad_alloc();
}

AlignedFloats::AlignedFloats(AlignedFloats&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

AlignedFloats& AlignedFloats::operator=(AlignedFloats&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

AlignedFloats::~AlignedFloats() { std::free(data_); }

namespace {

int64_t Vectors(int64_t n) {
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
  return (n + width - 1) / width;
}

}  // namespace

void Transpose(int64_t rows, int64_t columns, const float* x, int64_t ldx, float* y, int64_t ldy) {
  LITE_ISA_PICK(kTransposeTable)
      .transpose(rows, columns, reinterpret_cast<const uint32_t*>(x), ldx,
                 reinterpret_cast<uint32_t*>(y), ldy);
}

int64_t PanelCount(int64_t n) {
  return std::max<int64_t>(1, Vectors(n) / LITE_ISA_PICK(kGemmTable).panel_vectors);
}

int64_t PanelColumn(int64_t panel, int64_t n) {
  const GemmTable& table = LITE_ISA_PICK(kGemmTable);
  return panel >= PanelCount(n) ? n : panel * table.panel_vectors * table.vector_width;
}

int64_t PackedFloats(int64_t k, int64_t n) {
  return k * Vectors(n) * LITE_ISA_PICK(kGemmTable).vector_width;
}

void PackPanels(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed, float* packed,
                int64_t first, int64_t last) {
  const int64_t padded = Vectors(n) * LITE_ISA_PICK(kGemmTable).vector_width;
  for (int64_t panel = first; panel < last; ++panel) {
    const int64_t begin = PanelColumn(panel, n), end = PanelColumn(panel + 1, n);
    const int64_t columns = end - begin;
    const int64_t width = (end == n ? padded : end) - begin;
    float* out = packed + begin * k;
    if (transposed) {
      if (width != columns) std::fill(out, out + k * width, 0.0f);
      Transpose(columns, k, b + begin * ldb, ldb, out, width);
    } else {
      for (int64_t i = 0; i < k; ++i, out += width) {
        std::memcpy(out, b + i * ldb + begin, columns * sizeof(float));
        std::fill(out + columns, out + width, 0.0f);
      }
    }
  }
}

PackedMatrix PackB(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed) {
  PackedMatrix packed;
  packed.isa = ActiveIsa();
  packed.k = k;
  packed.n = n;
  packed.data = AlignedFloats(PackedFloats(k, n));
  if (k > 0 && n > 0) PackPanels(k, n, b, ldb, transposed, packed.data.data(), 0, PanelCount(n));
  return packed;
}

}  // namespace paddle::lite::math
