// Products of row-major matrices of any number type, on raw pointers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/double_product.h"
#include "lite/kernels/cpu/math/gemm.h"

namespace paddle::lite {

// out = x * y for each of a batch: x is m x k (k x m where trans_x), y is k x n (n x k where
// trans_y). Operands advance by their steps from product to product; 0 repeats them.
struct Product {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  bool trans_x = false, trans_y = false;
  int64_t step_x = 0, step_y = 0;
};

// One product, row by row of y, which compilers make vectors of. Each sum is in the order of k;
// integers wrap.
template <typename T>
void PlainProduct(const Product& p, const T* x, const T* y, T* out) {
  const int64_t row_x = p.trans_x ? 1 : p.k, step_x = p.trans_x ? p.m : 1;
  if constexpr (std::is_same_v<T, double>) {
    const int64_t row_y = p.trans_y ? 1 : p.n, step_y = p.trans_y ? p.k : 1;
    if (p.m > 1)
      return math::MultiplyDoubles({p.m, p.n, p.k, x, row_x, step_x, y, row_y, step_y, out});
  }
  std::vector<T> turned(p.trans_y ? static_cast<size_t>(p.k * p.n) : 0);
  for (int64_t j = 0; p.trans_y && j < p.n; ++j)
    for (int64_t k = 0; k < p.k; ++k) turned[static_cast<size_t>(k * p.n + j)] = y[j * p.k + k];
  const T* const rows_y = p.trans_y ? turned.data() : y;
  for (int64_t i = 0; i < p.m; ++i, out += p.n) {
    T* __restrict to = out;
    std::fill_n(to, p.n, T(0));
    const T* const row = x + i * row_x;
    int64_t k = 0;
    for (; k + 4 <= p.k; k += 4) {  // four at a time: sums are read and written less often
      const T *a = rows_y + k * p.n, *b = a + p.n, *c = b + p.n, *d = c + p.n;
      const T fa = row[k * step_x], fb = row[(k + 1) * step_x];
      const T fc = row[(k + 2) * step_x], fd = row[(k + 3) * step_x];
      for (int64_t j = 0; j < p.n; ++j) {
        const T two = WrapAdd(WrapAdd(to[j], WrapMul(fa, a[j])), WrapMul(fb, b[j]));
        to[j] = WrapAdd(WrapAdd(two, WrapMul(fc, c[j])), WrapMul(fd, d[j]));
      }
    }
    for (; k < p.k; ++k) {
      const T* const from = rows_y + k * p.n;
      const T factor = row[k * step_x];
      for (int64_t j = 0; j < p.n; ++j) to[j] = WrapAdd(to[j], WrapMul(factor, from[j]));
    }
  }
}

// A product of one number: sums side by side, which compilers make vectors of, of parts, as the
// matrix kernels sum; integers wrap.
template <typename T>
T DotProduct(const T* x, const T* y, int64_t count) {
  constexpr int64_t kTogether = 16, kPart = 128 * kTogether;
  T total(0);
  for (int64_t begin = 0; begin < count; begin += kPart) {
    const int64_t end = std::min(begin + kPart, count);
    T sums[kTogether] = {};
    int64_t i = begin;
    for (; i + kTogether <= end; i += kTogether)
      for (int64_t j = 0; j < kTogether; ++j)
        sums[j] = WrapAdd(sums[j], WrapMul(x[i + j], y[i + j]));
    for (int64_t j = 0; i + j < end; ++j) sums[j] = WrapAdd(sums[j], WrapMul(x[i + j], y[i + j]));
    for (int64_t half = kTogether / 2; half > 0; half /= 2)
      for (int64_t j = 0; j < half; ++j) sums[j] = WrapAdd(sums[j], sums[j + half]);
    total = WrapAdd(total, sums[0]);
  }
  return total;
}

// The whole batch; fp32 that is worth packing goes through the matrix kernels.
template <typename T>
void Multiply(int threads, const Product& p, const T* x, const T* y, T* out) {
  if (p.batch * p.m * p.n == 0) return;
  if constexpr (std::is_same_v<T, float>) {
    constexpr int64_t kWorthPacking = 64;  // multiplications of one product
    if (p.k > 0 && p.m * p.n > 1 && p.m * p.n * p.k >= kWorthPacking) {
      math::MatMul mm;
      mm.batch = p.batch, mm.m = p.m, mm.n = p.n, mm.k = p.k;
      mm.a = x, mm.lda = p.trans_x ? p.m : p.k, mm.batch_a = p.step_x, mm.transpose_a = p.trans_x;
      mm.b = y, mm.ldb = p.trans_y ? p.k : p.n, mm.batch_b = p.step_y, mm.transpose_b = p.trans_y;
      mm.c = out, mm.ldc = p.n, mm.batch_c = p.m * p.n;
      math::GemmUnpacked(threads, mm, {});
      return;
    }
  }
  const int64_t work = std::max<int64_t>(p.m * p.n * std::max<int64_t>(p.k, 1), 1);
  math::ParallelRange(threads, p.batch, math::kElementGrain / work + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t b = begin; b < end; ++b) {
                          const T *left = x + b * p.step_x, *right = y + b * p.step_y;
                          if (p.m * p.n == 1)
                            out[b] = DotProduct(left, right, p.k);
                          else
                            PlainProduct(p, left, right, out + b * p.m * p.n);
                        }
                      });
}

}  // namespace paddle::lite
