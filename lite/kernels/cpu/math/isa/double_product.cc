#include "lite/kernels/cpu/math/double_product.h"

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

namespace {

typedef double VD __attribute__((vector_size(kW * 4)));
typedef double VDUnaligned __attribute__((vector_size(kW * 4), aligned(8), may_alias));
constexpr int64_t kLanes = kW / 2, kPanel = 2 * kLanes;

// Rows that follow each other in x, of two vectors of columns.
template <int kRows>
void Tile(const DoubleProduct& p, const double* x, const double* panel, int64_t columns,
          double* out) {
  VD sums[kRows][2] = {};
  for (int64_t k = 0; k < p.k; ++k, panel += kPanel, x += p.step_x) {
    const VD y0 = *reinterpret_cast<const VDUnaligned*>(panel);
    const VD y1 = *reinterpret_cast<const VDUnaligned*>(panel + kLanes);
    for (int i = 0; i < kRows; ++i) {
      const VD factor = x[i * p.row_x] - VD{};
      sums[i][0] += factor * y0;
      sums[i][1] += factor * y1;
    }
  }
  for (int i = 0; i < kRows; ++i, out += p.n)
    for (int64_t j = 0; j < columns; ++j) out[j] = sums[i][j / kLanes][j % kLanes];
}

void Multiply(const DoubleProduct& p, double* room) {
  constexpr int kRows = 4;
  for (int64_t first = 0; first < p.n; first += kPanel) {
    const int64_t columns = p.n - first < kPanel ? p.n - first : kPanel;
    double* to = room;
    for (int64_t k = 0; k < p.k; ++k, to += kPanel)
      for (int64_t j = 0; j < kPanel; ++j)
        to[j] = j < columns ? p.y[k * p.row_y + (first + j) * p.step_y] : 0;
    int64_t i = 0;
    for (; i + kRows <= p.m; i += kRows)
      Tile<kRows>(p, p.x + i * p.row_x, room, columns, p.out + i * p.n + first);
    for (; i < p.m; ++i) Tile<1>(p, p.x + i * p.row_x, room, columns, p.out + i * p.n + first);
  }
}

}  // namespace

extern const DoubleTable kDoubleTable = {kPanel, Multiply};

}  // namespace paddle::lite::math::LITE_ISA
