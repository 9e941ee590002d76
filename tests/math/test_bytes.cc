// Convolutions that read and store bytes which stand for reals, against the same of reals.
#include "conv_sums.h"
#include "lite/kernels/cpu/math/byte_depthwise.h"
#include "lite/kernels/cpu/math/int8.h"

namespace paddle::lite::math::test {
namespace {

struct Grid {
  float scale;
  int zero;
};

Grid RandomGrid() {
  return {OneOf<float>({0.5f, 0.03f, 0.011f}),
          static_cast<int>(OneOf<int64_t>({0, 1, 77, 128, 255}))};
}

Int8Rounding RoundingTo(const Grid& grid) {
  Int8Rounding how;
  how.factor = grid.scale;
  how.zero = grid.zero;
  how.lowest = static_cast<float>(-grid.zero);
  how.highest = static_cast<float>(255 - grid.zero);
  how.ties_to_even = how.divides = true;
  return how;
}

// As Paddle's operators round: multiplied, ties to either side.
Int8Rounding RandomSymmetric() {
  Int8Rounding how;
  how.factor = OneOf<float>({2.0f, 32.0f, 90.7f});
  how.ties_to_even = Pick(0, 1) == 1;
  return how;
}

struct Bytes {
  Grid grid;
  std::vector<uint8_t> bytes;
  std::vector<float> reals;
};

Bytes RandomBytes(int64_t count) {
  Bytes x{RandomGrid(), std::vector<uint8_t>(count), std::vector<float>(count)};
  for (int64_t i = 0; i < count; ++i) {
    x.bytes[i] = static_cast<uint8_t>(Pick(0, 255));
    x.reals[i] = static_cast<float>(x.bytes[i] - x.grid.zero) * x.grid.scale;
  }
  return x;
}

// Steps over bytes, and the same over reals.
struct Ends {
  Ends(const ConvShape& s, const Bytes& operand) : bias(RandomFloats(s.oc)) {
    EpilogueStep round, add, then;
    const Grid grid = RandomGrid();
    round.act = {Act::kSteps, grid.scale, static_cast<float>(-grid.zero),
                 static_cast<float>(255 - grid.zero)};
    add.op = OneOf({EpilogueStep::kAdd, EpilogueStep::kAdd, EpilogueStep::kMul});
    add.col_stride = OneOf<int64_t>({1, 1, 0});
    add.row_stride = add.col_stride == 1 ? OneOf<int64_t>({s.oc, s.oc, 0}) : 1;
    add.image_stride = add.row_stride * s.oh * s.ow;
    add.data = operand.reals.data();
    then.act.kind = OneOf({Act::kRelu, Act::kSigmoid});
    if (Pick(0, 1) == 1) steps.push_back(round);
    if (Pick(0, 2) > 0) steps.push_back(add);
    if (Pick(0, 1) == 1) steps.push_back(then);
    bytes_steps = steps;
    for (EpilogueStep& step : bytes_steps)
      if (step.data != nullptr) {
        step.data = nullptr;
        step.bytes = operand.bytes.data();
        step.byte_scale = operand.grid.scale, step.byte_zero = operand.grid.zero;
      }
    of_reals.bias = bias.data();
    of_reals.act.kind = OneOf({Act::kNone, Act::kRelu, Act::kTanh, Act::kClip});
    of_reals.act.a = OneOf({-3.0f, 0.02f}), of_reals.act.b = OneOf({0.3f, 2.0f, 1e9f});
    if (Pick(0, 9) == 0)  // more than int32 holds
      bias[static_cast<size_t>(Pick(0, s.oc - 1))] = OneOf({1e9f, -1e12f, 3e38f, -3e38f});
    of_reals.rows_per_image = s.oh * s.ow;
    of_bytes = of_reals;
    of_reals.steps = steps.data(), of_bytes.steps = bytes_steps.data();
    of_reals.step_count = of_bytes.step_count = static_cast<int>(steps.size());
  }
  Ends(const Ends&) = delete;

  std::vector<float> bias;
  std::vector<EpilogueStep> steps, bytes_steps;
  Epilogue of_reals, of_bytes;
};

// `run(threads, of bytes, epilogue, y)`. Bytes, where they are stored, are the reals rounded.
template <typename Run>
void Compare(const ConvShape& s, const std::string& what, const Run& run) {
  const int64_t count = s.n * s.oh * s.ow * s.oc;
  const Bytes operand = RandomBytes(count);
  Ends ends(s, operand);
  const Int8Rounding rounding = Pick(0, 2) > 0 ? RoundingTo(RandomGrid()) : RandomSymmetric();
  std::vector<float> expected(count, -7), steps(count);
  run(1, false, ends.of_reals, expected.data());
  RoundReals(expected.data(), count, rounding, 1, 0, steps.data());
  for (const int threads : {1, 3}) {
    std::vector<float> y(count, -7);
    run(threads, true, ends.of_bytes, y.data());
    Check(y == expected, "reals of " + what);
    std::vector<uint8_t> bytes(count + 1, 99);
    ends.of_bytes.rounding = &rounding;
    run(threads, true, ends.of_bytes, bytes.data());
    ends.of_bytes.rounding = nullptr;
    Check(bytes[count] == 99, "nothing behind " + what);
    for (int64_t i = 0; i < count; ++i)
      if (bytes[i] != static_cast<int>(steps[i]) + rounding.zero)
        return Check(false, "bytes of " + what + ", at " + std::to_string(i));
  }
}

void RunProduct(const ConvShape& s) {
  const Bytes x = RandomBytes(s.n * s.ih * s.iw * s.ic);
  const int64_t terms = s.ic / s.groups * s.kh * s.kw;
  std::vector<int8_t> w(s.oc * terms);
  for (int8_t& v : w) v = static_cast<int8_t>(Pick(-127, 127));
  const std::vector<float> scales = RandomFloats(s.oc, 0.001f, 0.002f);
  const PackedInt8 packed = PackInt8Conv(w.data(), s);
  const Int8Scaling scaling = ScaleInt8(packed, RoundingTo(x.grid), x.grid.scale, scales.data());
  RoundedInput reals, bytes;
  reals.reals = x.reals.data();
  bytes.bytes = x.bytes.data();
  Compare(s, "a convolution " + DescribeConv(s),
          [&](int threads, bool of_bytes, const Epilogue& e, void* y) {
            ConvInt8(threads, s, of_bytes ? bytes : reals, packed, scaling, e, y);
          });
}

MATH_TEST(BytesBetweenProducts) {
  for (int i = 0; i < 300; ++i) RunProduct(RandomGroupedConv());
  for (int i = 0; i < 100; ++i) RunProduct(RandomPatches());
  for (const int64_t stride : {1, 2}) {
    ConvShape s;
    s.n = 2, s.ih = s.iw = 30, s.oh = s.ow = 29 / stride + 1, s.sh = s.sw = stride;
    s.ic = 64, s.oc = 100;
    RunProduct(s);
  }
  ConvShape deep;  // whose rows are multiplied in several pieces
  deep.n = 2, deep.ih = deep.iw = deep.oh = deep.ow = 14;
  deep.kh = deep.kw = 3, deep.pt = deep.pl = 1;
  deep.ic = 2000, deep.oc = 50;
  RunProduct(deep);
}

MATH_TEST(BytesMapped) {
  std::vector<uint8_t> table(256);
  for (int64_t count = 0; count < 300; ++count) {
    for (uint8_t& v : table) v = static_cast<uint8_t>(Pick(0, 255));
    std::vector<uint8_t> x(count), y(count + 1, 77);
    for (uint8_t& v : x) v = static_cast<uint8_t>(Pick(0, 255));
    MapBytes(x.data(), count, table.data(), y.data());
    for (int64_t i = 0; i < count; ++i) Check(y[i] == table[x[i]], "a byte by a table");
    Check(y[count] == 77, "nothing behind them");
  }
}

MATH_TEST(BytesAroundDepthwise) {
  for (int i = 0; i < 200; ++i) {
    ConvShape s = RandomGroupedConv();
    s.groups = s.ic = s.oc = OneOf<int64_t>({Pick(1, 40), Pick(40, 130), 16, 300});
    const Bytes x = RandomBytes(s.n * s.ih * s.iw * s.ic);
    const std::vector<float> w = RandomFloats(s.oc * s.kh * s.kw);
    const PackedDepthwise packed = PackDepthwise(w.data(), s.ic, s.kh, s.kw);
    const DepthwiseInput bytes = {nullptr, x.bytes.data(), x.grid.scale, x.grid.zero};
    Compare(s, "each channel of a convolution " + DescribeConv(s),
            [&](int threads, bool of_bytes, const Epilogue& e, void* y) {
              DepthwiseNhwc(threads, s, of_bytes ? bytes : DepthwiseInput{x.reals.data()}, packed,
                            e, y);
            });
  }
}

// Sums of bytes less their zero, times int8 weights, of one channel a filter.
std::vector<float> SumsByDefinition(const ConvShape& s, const Bytes& x,
                                    const std::vector<int8_t>& weights) {
  std::vector<float> sums;
  const auto at = [&](int64_t n, int64_t y, int64_t i, int64_t c) {
    if (y < 0 || y >= s.ih || i < 0 || i >= s.iw) return 0;
    return x.bytes[static_cast<size_t>(((n * s.ih + y) * s.iw + i) * s.ic + c)] - x.grid.zero;
  };
  for (int64_t n = 0; n < s.n; ++n)
    for (int64_t oy = 0; oy < s.oh; ++oy)
      for (int64_t ox = 0; ox < s.ow; ++ox)
        for (int64_t c = 0; c < s.ic; ++c) {
          int sum = 0;
          for (int64_t ky = 0; ky < s.kh; ++ky)
            for (int64_t kx = 0; kx < s.kw; ++kx)
              sum += weights[static_cast<size_t>((c * s.kh + ky) * s.kw + kx)] *
                     at(n, oy * s.sh - s.pt + ky * s.dh, ox * s.sw - s.pl + kx * s.dw, c);
          sums.push_back(static_cast<float>(sum));
        }
  return sums;
}

MATH_TEST(IntegersOfDepthwise) {
  for (int i = 0; i < 300; ++i) {
    ConvShape s = RandomGroupedConv();
    s.groups = s.ic = s.oc = OneOf<int64_t>({Pick(1, 40), Pick(40, 300), 16, 32, 64, 96, 128});
    if (Pick(0, 1) == 1) s.sh = s.dh = 1;
    if (Pick(0, 3) == 0) s.kh = Pick(5, 8), s.kw = Pick(5, 8);
    const Bytes x = RandomBytes(s.n * s.ih * s.iw * s.ic);
    std::vector<int8_t> integers(s.ic * s.kh * s.kw);
    for (int8_t& v : integers)
      v = static_cast<int8_t>(OneOf<int64_t>({-128, 127, Pick(-127, 127)}));
    const std::vector<float> scales = RandomFloats(s.ic, 0.001f, 0.002f);
    std::vector<float> w;
    for (const int8_t v : integers)
      w.push_back(static_cast<float>(v) * scales[w.size() / static_cast<size_t>(s.kh * s.kw)]);
    PackedDepthwise packed = PackDepthwise(w.data(), s.ic, s.kh, s.kw);
    PackDepthwiseBytes(integers.data(), scales.data(), &packed);
    const bool pays = s.ic >= 16 && s.kh <= 7 && s.kw <= 7;
    Check((packed.words.size() != 0) == (pays && LITE_ISA_PICK(kByteDepthwiseTable).widest > 0),
          "integers are kept");
    const DepthwiseInput bytes = {nullptr, x.bytes.data(), x.grid.scale, x.grid.zero};
    const std::string what = "each channel of integers " + DescribeConv(s);
    const auto run = [&](int threads, bool, const Epilogue& e, void* y) {
      DepthwiseNhwc(threads, s, bytes, packed, e, y);
    };
    if (packed.words.size() != 0) {
      std::vector<float> y(s.n * s.oh * s.ow * s.oc), sums = SumsByDefinition(s, x, integers);
      run(2, true, Epilogue(), y.data());
      for (size_t k = 0; k < y.size(); ++k)
        sums[k] *= x.grid.scale * scales[k % static_cast<size_t>(s.ic)];
      Check(y == sums, what);
    }
    Compare(s, what, run);
  }
}

}  // namespace
}  // namespace paddle::lite::math::test
