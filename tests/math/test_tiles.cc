// Products in tiles (AMX, or its model): these cases do nothing where products of every size are
// not (tile_model.cc). The other files' cases of products and convolutions run in tiles then, too.

#include <sys/wait.h>
#include <unistd.h>

#include <cfloat>
#include <cstring>
#include <limits>

#include "check.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/math/halves.h"
#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/tiles.h"

namespace paddle::lite::math {

namespace tile_model {
bool TilesAreFree();
int64_t TileProducts();
}  // namespace tile_model

namespace test {
namespace {

bool InTiles() { return TilesPay(1, 1, 1); }

std::vector<float> Multiply(int64_t m, int64_t n, int64_t k, const std::vector<float>& a,
                            const std::vector<float>& b, int threads = 1) {
  const PackedMatrix packed = PackB(k, n, b.data(), n, false, 1, m);
  Check(packed.tiles, "packed as tiles");
  std::vector<float> c(m * n, -7);
  Gemm(threads, m, n, k, a.data(), k, packed, c.data(), n, Epilogue());
  return c;
}

std::vector<double> Exact(int64_t m, int64_t n, int64_t k, const std::vector<float>& a,
                          const std::vector<float>& b) {
  std::vector<double> c(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < n; ++j)
        c[i * n + j] += static_cast<double>(a[i * k + p]) * b[p * n + j];
  return c;
}

// Numbers of every size whose parts are no denormals.
std::vector<float> AllSizes(int64_t count) {
  std::vector<float> x = RandomFloats(count);
  for (float& v : x) v = std::ldexp(v, static_cast<int>(Pick(-100, 127)));
  const float corners[] = {FLT_MAX, -FLT_MAX, 0x1.fep127f, 0x1.feffffp127f, 0x1.ff8p0f, 1, 0};
  for (size_t i = 0; i < std::size(corners) && i < x.size(); ++i) x[i] = corners[i];
  return x;
}

MATH_TEST(TilesPayForSizes) {
  if (ActiveIsa() < Isa::kAmx || InTiles()) return;
  const struct {
    int64_t m, n, k;
    bool pay;
  } kCases[] = {{196, 512, 512, true},  {784, 512, 128, true},  {128, 1216, 320, true},
                {3136, 256, 128, true}, {1, 1000, 1024, false}, {16, 4096, 1024, false},
                {12544, 64, 32, false}, {196, 16, 512, false},  {196, 512, 16, false}};
  for (const auto& s : kCases)
    Check(TilesPay(s.m, s.n, s.k) == s.pay,
          "m" + std::to_string(s.m) + " n" + std::to_string(s.n) + " k" + std::to_string(s.k));
}

MATH_TEST(TilesPayForBytesOfSizes) {
  if (ActiveIsa() < Isa::kAmx || InTiles()) return;
  const struct {
    int64_t columns, segments, words;
    bool pay;
  } kCases[] = {{128, 1, 16, true}, {256, 1, 64, true}, {64, 9, 16, true}, {64, 7, 6, true},
                {64, 1, 8, false},  {96, 1, 4, false},  {32, 3, 3, false}, {12, 3, 18, false},
                {0, 1, 16, false},  {16, 1, 0, false},  {24, 3, 72, true}, {1000, 1, 256, true}};
  for (const auto& s : kCases)
    Check(TilesPayForBytes(s.columns, s.segments, s.words) == s.pay,
          "n" + std::to_string(s.columns) + " segments " + std::to_string(s.segments) + " words " +
              std::to_string(s.words));
}

MATH_TEST(TilesSplitExactly) {
  if (!InTiles()) return;
  const int64_t n = 70;
  const std::vector<float> x = AllSizes(n * n);
  std::vector<float> one(n * n);
  for (int64_t i = 0; i < n; ++i) one[i * n + i] = 1;
  Check(Multiply(n, n, n, one, x) == x, "weights are their parts' sum");
  Check(Multiply(n, n, n, x, one) == x, "rows are their parts' sum");
}

// Of all elements, relative to the sums of the products' sizes.
MATH_TEST(TilesAreMoreExactThanSums) {
  if (!InTiles()) return;
  const struct {
    int64_t m, n, k;
    float low;
  } kCases[] = {{50, 64, 32, -1}, {64, 96, 512, -1}, {64, 64, 1216, -1}, {32, 64, 700, 0}};
  for (const auto& s : kCases) {
    const auto a = RandomFloats(s.m * s.k, s.low), b = RandomFloats(s.k * s.n, s.low);
    const std::vector<double> exact = Exact(s.m, s.n, s.k, a, b);
    std::vector<float> sums(s.m * s.n);
    for (int64_t i = 0; i < s.m; ++i)
      for (int64_t j = 0; j < s.n; ++j)
        for (int64_t p = 0; p < s.k; ++p) sums[i * s.n + j] += a[i * s.k + p] * b[p * s.n + j];
    const double tiles = RelativeError(Multiply(s.m, s.n, s.k, a, b), exact);
    const double plain = RelativeError(sums, exact);
    Check(tiles < plain, "k" + std::to_string(s.k) + ": error " + std::to_string(tiles * 1e7) +
                             "e-7, sequential " + std::to_string(plain * 1e7) + "e-7");
  }
}

// One special number on either side beside ordinary ones.
MATH_TEST(TilesOfSpecials) {
  if (!InTiles()) return;
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  for (const float special : {inf, -inf, nan, FLT_MAX, -FLT_MAX, FLT_MIN / 2, 1e-30f, -0.0f,
                              FLT_MIN / 3, -1.1e-42f, 0x1.234566p-115f})
    for (const int64_t k : {1, 2, 33, 600})
      for (const bool right : {false, true}) {
        const int64_t m = 37, n = 50;
        auto a = RandomFloats(m * k, -0.5f, 0.5f), b = RandomFloats(k * n, -0.5f, 0.5f);
        // Its parts meet zeros.
        std::fill_n(right ? a.end() - k : b.end() - n, right ? k : n, 1.0f);
        right ? b[(k - 1) * n + 3] = special : a[5 * k + k - 1] = special;
        CheckClose(Multiply(m, n, k, a, b), Exact(m, n, k, a, b),
                   "tiles special " + std::to_string(special) + " k" + std::to_string(k));
      }
}

// Products that overflow are infinite, of the sign that fp32 gives, though parts have both signs;
// what only parts overflow in stays finite.
MATH_TEST(TilesOverflow) {
  if (!InTiles()) return;
  const float inf = std::numeric_limits<float>::infinity();
  const auto one = [](float a, float b) {
    return Multiply(1, 16, 1, {a}, std::vector<float>(16, b));
  };
  Check(one(0x1.ff7p100f, 0x1.ff7p100f)[3] == inf, "overflow");
  Check(one(0x1.ff7p100f, -0x1.ff7p100f)[3] == -inf, "negative overflow");
  const float near = 0x1.ff7p63f * 0x1.fffp63f;
  Check(std::isfinite(near) && one(0x1.ff7p63f, 0x1.fffp63f)[3] == near, "nearly an overflow");
}

// Theirs are the cases of test_halves.cc and test_int8.cc; here, that these are in tiles.
MATH_TEST(TilesOfRoundedRows) {
  if (!InTiles() || tile_model::TileProducts() == 0) return;  // the CPU's own are not counted
  const int64_t m = 40, n = 50, k = 70;
  const auto a = RandomFloats(m * k), b = RandomFloats(k * n);
  std::vector<float> c(m * n);
  const auto products = [&](auto&& run) {
    const int64_t before = tile_model::TileProducts();
    run();
    Check(tile_model::TilesAreFree(), "nothing is left to save");
    return tile_model::TileProducts() - before;
  };
  const PackedHalves halves = PackHalvesMatrix(WeightPrecision::kBf16, k, n, b.data(), n, false);
  const int64_t of_halves =
      products([&] { GemmHalves(1, m, a.data(), k, halves, c.data(), n, Epilogue()); });
  // 3 tiles of rows times 4 of columns, of 35 words.
  Check(of_halves == (HasBf16Dot() ? 3 * 4 * 3 : 0), "bf16: " + std::to_string(of_halves));
  const std::vector<int8_t> bytes(k * n, 3);
  const std::vector<float> scales(n, 1);
  const PackedInt8 packed = PackInt8Matrix(k, n, bytes.data(), false);
  const Int8Scaling scaling = ScaleInt8(packed, Int8Rounding(), 1, scales.data());
  const int64_t of_bytes =
      products([&] { GemmInt8(1, m, {a.data()}, k, packed, scaling, c.data(), n, Epilogue()); });
  Check(of_bytes == (HasByteDot() ? 3 * 4 * 2 : 0), "int8: " + std::to_string(of_bytes));
}

MATH_TEST(TilesAfterFork) {
  if (!InTiles()) return;
  const auto a = RandomFloats(70 * 600), b = RandomFloats(600 * 100);
  const std::vector<float> expected = Multiply(70, 100, 600, a, b);
  Check(tile_model::TilesAreFree(), "nothing is left to save");
  Check(Multiply(70, 100, 600, a, b, 3) == expected, "threads");
  const pid_t child = fork();
  if (child == 0) _exit(Multiply(70, 100, 600, a, b, 2) == expected ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  Check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "in a child process");
}

}  // namespace
}  // namespace test
}  // namespace paddle::lite::math
