#include <utility>

#include "check.h"
#include "lite/kernels/cpu/math/byte_groups.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/math/integer_weights.h"

namespace paddle::lite::math::test {
namespace {

int64_t PickSize() {
  switch (Pick(0, 5)) {
    case 0:
      return 0;
    case 1:
      return Pick(1, 4);
    case 2:
      return OneOf<int64_t>({15, 16, 17, 31, 32, 33, 48, 64});
    case 3:
      return Pick(60, 200);
    default:
      return Pick(1, 60);
  }
}

std::string Describe(int64_t m, int64_t n, int64_t k, int threads, const RandomEpilogue& e) {
  return "m" + std::to_string(m) + " n" + std::to_string(n) + " k" + std::to_string(k) +
         " threads" + std::to_string(threads) + e.Describe();
}

void RunPacked(int64_t m, int64_t n, int64_t k, int64_t spare = Pick(0, 3)) {
  const int64_t lda = k + spare;
  const bool transposed = Pick(0, 1) == 1;
  const int64_t ldb = (transposed ? k : n) + Pick(0, 3);
  const float limit = 2 / std::sqrt(static_cast<float>(k + 1));  // sums of about 1
  const auto a = RandomFloats(m * lda), b = RandomFloats((transposed ? n : k) * ldb, -limit, limit);
  std::vector<double> product(m * n);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < k; ++p) {
        sum += double(a[i * lda + p]) * b[transposed ? j * ldb + p : p * ldb + j];
      }
      product[i * n + j] = sum;
    }
  }
  const PackedMatrix packed = PackB(k, n, b.data(), ldb, transposed, 1, m);
  std::vector<float> first;
  std::vector<float> c(m * n, -7);
  RandomEpilogue e(m, n, OneOf<int64_t>({0, 1, 7, 100}), c.data());
  const std::vector<float> before = c;
  std::vector<double> expected = product;
  e.Apply(&expected);
  for (int threads : {1, 2, 3}) {
    c = before;
    Gemm(threads, m, n, k, a.data(), lda, packed, c.data(), n, e.epilogue);
    CheckClose(c, expected, Describe(m, n, k, threads, e));
    if (threads == 1) first = c;
    Check(c == first, "same on all threads: " + Describe(m, n, k, threads, e));
  }
}

MATH_TEST(GemmPacked) {
  for (int i = 0; i < 300; ++i) RunPacked(PickSize(), PickSize(), PickSize());
  for (int64_t k : {511, 512, 513, 1030, 2000}) RunPacked(Pick(1, 30), Pick(1, 70), k);
  for (int64_t m = 1; m < 30; ++m) RunPacked(m, Pick(1, 100), 20);
  RunPacked(700, 40, 200);
  RunPacked(1, 1000, 700);
  for (int i = 0; i < 80; ++i)
    RunPacked(1, Pick(60, 700), OneOf<int64_t>({1, 7, 64, 515, 1100, 3000}));
}

#if !defined(__aarch64__)
// One sum of so many would lose 1.1e-6; AMX's tiles lose 5.3e-7, vectors 2.3e-7.
MATH_TEST(GemmOfLongSums) {
  constexpr int64_t kRows = 9, kColumns = 100, kLength = 4096;
  const auto a = RandomFloats(kRows * kLength, 0, 1), b = RandomFloats(kLength * kColumns);
  const PackedMatrix packed = PackB(kLength, kColumns, b.data(), kColumns, false, 1, kRows);
  std::vector<float> c(kRows * kColumns);
  Gemm(1, kRows, kColumns, kLength, a.data(), kLength, packed, c.data(), kColumns, {});
  double error = 0, size = 0;
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    double sum = 0;
    for (int64_t p = 0; p < kLength; ++p)
      sum += double(a[i / kColumns * kLength + p]) * b[p * kColumns + i % kColumns];
    error += (c[i] - sum) * (c[i] - sum);
    size += sum * sum;
  }
  const double relative = std::sqrt(error / size);
  Check(relative < 7e-7, "the error of long sums: " + std::to_string(relative * 1e7) + "e-7");
}
#endif

// Rows that lie pages apart, of one K block and of several.
MATH_TEST(GemmOfCollidingRows) {
  for (int64_t k : {700, 1024, 2048, 3000})
    for (int64_t m : {8, 9, 33, 240}) RunPacked(m, Pick(64, 100), k, (k + 1023) / 1024 * 1024 - k);
}

// Rows that do not fit into L2 pass through it once, or panel by panel where there are many.
MATH_TEST(GemmOfManyRows) {
  const std::pair<int64_t, int64_t> sizes[] = {{64, 33},  {65, 48},  {70, 16},  {90, 130},
                                               {300, 20}, {80, 600}, {130, 550}};
  for (const auto& [k, n] : sizes) RunPacked(L2CacheBytes() / 4 / (k + n) + Pick(1, 30), n, k);
}

// Weights in integers give what the floats give that they stand for.
void RunIntegers(int64_t m, int64_t n, int64_t k) {
  const bool transposed = Pick(0, 1) == 1;
  const int64_t ldb = transposed ? k : n;
  const auto a = RandomFloats(m * k), scales = RandomFloats(n, 1e-4f, 1e-2f);
  std::vector<int8_t> b(static_cast<size_t>(n * k));
  for (int8_t& x : b) x = static_cast<int8_t>(Pick(-128, 127));
  std::vector<float> floats;
  for (int64_t i = 0; i < n * k; ++i)
    floats.push_back(b[i] * scales[transposed ? i / ldb : i % ldb]);
  const PackedIntegers packed = PackIntegers(k, n, b.data(), transposed, scales.data());
  const PackedMatrix expected = PackB(k, n, floats.data(), ldb, transposed);
  std::vector<float> c(m * n, -7), want;
  RandomEpilogue e(m, n, 0, c.data());
  want = c;
  const std::vector<float> before = c;
  Gemm(1, m, n, k, a.data(), k, expected, want.data(), n, e.epilogue);
  for (int threads : {1, 2, 3}) {
    c = before;
    GemmIntegers(threads, m, a.data(), k, packed, c.data(), n, e.epilogue);
    Check(c == want, "integers: " + Describe(m, n, k, threads, e));
  }
}

MATH_TEST(GemmOfIntegers) {
  for (int i = 0; i < 100; ++i) RunIntegers(PickSize(), PickSize(), PickSize());
  for (int64_t m = 1; m < 30; ++m) RunIntegers(m, Pick(1, 100), OneOf<int64_t>({20, 700}));
  for (int64_t k : {511, 512, 513, 1030, 2000}) RunIntegers(Pick(1, 30), Pick(1, 70), k);
  RunIntegers(700, 40, 200);
}

// Integers that share scales in blocks give the same floats' results, the very same where more rows
// than a few read them.
void RunGroups(int64_t m, int64_t n, int64_t k) {
  UnpackedGroups b;
  b.bits = OneOf<int>({4, 8});
  b.rows = OneOf<int64_t>({8, 16, 32, 128});
  b.blocks = (k + b.rows - 1) / b.rows;
  b.n = n;
  const int64_t column_bytes = b.blocks * b.rows * b.bits / 8;
  const auto a = RandomFloats(m * k), scales = RandomFloats(b.blocks * n, 1e-4f, 1e-2f);
  std::vector<uint8_t> integers(n * column_bytes), zeros(b.blocks * n);
  for (uint8_t& x : integers) x = static_cast<uint8_t>(Pick(0, 255));
  for (uint8_t& x : zeros) x = static_cast<uint8_t>(Pick(0, (1 << b.bits) - 1));
  b.integers = integers.data();
  b.scales = scales.data();
  const bool has_zeros = Pick(0, 1) == 1;
  if (has_zeros) b.zeros = zeros.data();
  std::vector<float> floats(n * k);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < k; ++i) {
      const int64_t bit = i * b.bits, group = i / b.rows * n + j;
      const int whole = integers[j * column_bytes + bit / 8] >> bit % 8 & ((1 << b.bits) - 1);
      const int zero = has_zeros ? zeros[group] : 1 << (b.bits - 1);
      floats[i * n + j] = static_cast<float>(whole - zero) * scales[group];
    }
  const PackedGroups packed = PackGroups(b);
  const PackedMatrix expected = PackB(k, n, floats.data(), n, false);
  std::vector<float> c(m * n, -7), want;
  RandomEpilogue e(m, n, 0, c.data());
  want = c;
  const std::vector<float> before = c;
  Gemm(1, m, n, k, a.data(), k, expected, want.data(), n, e.epilogue);
  for (int threads : {1, 2, 3}) {
    c = before;
    GemmGroups(threads, m, k, a.data(), packed, c.data(), e.epilogue);
    bool good = m <= 2 || c == want;
    for (int64_t i = 0; i < m * n; ++i)
      good = good && std::abs(c[i] - want[i]) <= 1e-4f * (1 + std::abs(want[i]));
    Check(good, "groups: " + Describe(m, n, k, threads, e));
  }
}

// The same of rows that are rounded to bytes, in each group by themselves.
void RunByteGroups(int64_t m, int64_t n, int64_t k) {
  UnpackedGroups b;
  b.bits = OneOf<int>({4, 8});
  b.rows = OneOf<int64_t>({8, 16, 24, 32, 128});
  b.blocks = (k + b.rows - 1) / b.rows;
  b.n = n;
  const int64_t column_bytes = b.blocks * b.rows * b.bits / 8;
  auto a = RandomFloats(m * k);
  if (m > 1) std::fill_n(a.begin(), std::min(k, b.rows), 0.0f);
  const auto scales = RandomFloats(b.blocks * n, 1e-4f, 1e-2f);
  std::vector<uint8_t> integers(n * column_bytes), zeros(b.blocks * n);
  for (uint8_t& x : integers) x = static_cast<uint8_t>(OneOf<int64_t>({Pick(0, 255), 255}));
  for (uint8_t& x : zeros) x = static_cast<uint8_t>(Pick(0, (1 << b.bits) - 1));
  b.integers = integers.data();
  b.scales = scales.data();
  const bool has_zeros = Pick(0, 1) == 1;
  if (has_zeros) b.zeros = zeros.data();
  std::vector<double> want(m * n);
  for (int64_t row = 0; row < m; ++row)
    for (int64_t first = 0; first < k; first += b.rows) {
      const int64_t end = std::min(k, first + b.rows);
      float most = 0;
      for (int64_t i = first; i < end; ++i) most = std::max(most, std::abs(a[row * k + i]));
      const float step = most / 127, inverse = most > 0 ? 1 / step : 0;
      for (int64_t i = first; i < end; ++i) {
        const double x = std::nearbyint(a[row * k + i] * inverse) * double(step);
        for (int64_t j = 0; j < n; ++j) {
          const int64_t bit = i * b.bits, group = first / b.rows * n + j;
          const int whole = integers[j * column_bytes + bit / 8] >> bit % 8 & ((1 << b.bits) - 1);
          const int zero = has_zeros ? zeros[group] : 1 << (b.bits - 1);
          want[row * n + j] += x * (whole - zero) * scales[group];
        }
      }
    }
  const PackedGroups packed = PackGroups(b);
  std::vector<float> c(m * n, -7), first;
  RandomEpilogue e(m, n, 0, c.data());
  const std::vector<float> before = c;
  e.Apply(&want);
  for (int threads : {1, 2, 3}) {
    c = before;
    GemmByteGroups(threads, m, k, a.data(), packed, c.data(), e.epilogue);
    CheckClose(c, want, "byte groups: " + Describe(m, n, k, threads, e));
    if (threads == 1) first = c;
    Check(c == first, "same on all threads: byte groups: " + Describe(m, n, k, threads, e));
  }
}

MATH_TEST(GemmOfByteGroups) {
  for (int i = 0; i < 100; ++i) RunByteGroups(PickSize(), PickSize(), Pick(1, 300));
  for (int64_t m = 1; m < 20; ++m) RunByteGroups(m, Pick(1, 100), OneOf<int64_t>({20, 700}));
  for (int64_t k : {511, 512, 513, 1030, 2000}) RunByteGroups(Pick(1, 70), Pick(1, 70), k);
}

// No number of A is lost to rounding where it is none.
MATH_TEST(GemmOfByteGroupsOfNoNumbers) {
  const std::vector<uint8_t> integers(3 * 4 * 16, 0x97);
  const std::vector<float> scales(4 * 3, 0.5f);
  UnpackedGroups b;
  b.rows = 32, b.blocks = 4, b.n = 3, b.integers = integers.data(), b.scales = scales.data();
  const PackedGroups packed = PackGroups(b);
  for (const float bad : {std::nanf(""), INFINITY, -INFINITY})
    for (const int64_t at : {0, 33, 127}) {
      std::vector<float> a(2 * 128, 1.0f), c(2 * 3);
      a[128 + at] = bad;
      GemmByteGroups(1, 2, 128, a.data(), packed, c.data(), {});
      for (int j = 0; j < 3; ++j)
        Check(std::isfinite(c[j]) && std::isnan(c[3 + j]), "a row with a number that is none");
    }
}

MATH_TEST(GemmOfGroups) {
  for (int i = 0; i < 100; ++i) RunGroups(PickSize(), PickSize(), Pick(1, 300));
  for (int64_t m = 1; m < 20; ++m) RunGroups(m, Pick(1, 100), OneOf<int64_t>({20, 700}));
  for (int64_t k : {511, 512, 513, 1030, 2000}) RunGroups(Pick(1, 30), Pick(1, 70), k);
  RunGroups(700, 40, 200);
}

void RunUnpacked() {
  MatMul mm;
  mm.batch = Pick(0, 5);
  mm.m = PickSize();
  mm.n = PickSize();
  mm.k = OneOf<int64_t>({PickSize(), PickSize(), 600});
  mm.transpose_a = Pick(0, 1);
  mm.transpose_b = Pick(0, 1);
  mm.lda = (mm.transpose_a ? mm.m : mm.k) + Pick(0, 2);
  mm.ldb = (mm.transpose_b ? mm.k : mm.n) + Pick(0, 2);
  mm.ldc = mm.n;
  mm.batch_a = Pick(0, 3) == 0 ? 0 : (mm.transpose_a ? mm.k : mm.m) * mm.lda;
  mm.batch_b = Pick(0, 3) == 0 ? 0 : (mm.transpose_b ? mm.n : mm.k) * mm.ldb;
  mm.batch_c = mm.m * mm.n;
  const auto a = RandomFloats((mm.transpose_a ? mm.k : mm.m) * mm.lda * mm.batch);
  const float limit = 2 / std::sqrt(static_cast<float>(mm.k + 1));
  const auto b = RandomFloats((mm.transpose_b ? mm.n : mm.k) * mm.ldb * mm.batch, -limit, limit);
  std::vector<double> expected(mm.batch * mm.m * mm.n);
  for (int64_t i = 0; i < mm.batch * mm.m; ++i) {
    const int64_t item = i / mm.m, r = i % mm.m;
    for (int64_t j = 0; j < mm.n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < mm.k; ++p) {
        const int64_t at_a = mm.transpose_a ? p * mm.lda + r : r * mm.lda + p;
        const int64_t at_b = mm.transpose_b ? j * mm.ldb + p : p * mm.ldb + j;
        sum += double(a[item * mm.batch_a + at_a]) * b[item * mm.batch_b + at_b];
      }
      expected[i * mm.n + j] = sum;
    }
  }
  std::vector<float> c(expected.size(), -7), first;
  RandomEpilogue e(mm.batch * mm.m, mm.n, mm.m, c.data());
  const std::vector<float> before = c;
  e.Apply(&expected);
  mm.a = a.data();
  mm.b = b.data();
  mm.c = c.data();
  for (int threads : {1, 2, 3}) {
    c = before;
    GemmUnpacked(threads, mm, e.epilogue);
    const std::string what =
        "batch" + std::to_string(mm.batch) + " ta" + std::to_string(mm.transpose_a) + " tb" +
        std::to_string(mm.transpose_b) + " ba" + std::to_string(mm.batch_a) + " bb" +
        std::to_string(mm.batch_b) + " " + Describe(mm.m, mm.n, mm.k, threads, e);
    CheckClose(c, expected, what);
    if (threads == 1) first = c;
    Check(c == first, "same on all threads: " + what);
  }
}

MATH_TEST(GemmUnpackedBatches) {
  for (int i = 0; i < 400; ++i) RunUnpacked();
}

}  // namespace
}  // namespace paddle::lite::math::test
