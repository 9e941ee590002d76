#include "lite/kernels/cpu/math/byte_depthwise.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

constexpr int64_t kMostTaps = 7;  // of a kernel's row or column

int64_t Widest() { return LITE_ISA_PICK(kByteDepthwiseTable).widest; }

constexpr int64_t kWordBytes = 4;

int64_t WordRows() { return RowsOfWord(HasByteDot()); }

int64_t WordsOf(int64_t kh) { return (kh + WordRows() - 1) / WordRows(); }

// Calls run(channels, number) with each ByteChannelsAt and where its numbers begin; how many there
// are.
template <typename Run>
int64_t ForByteChannels(int64_t channels, const Run& run) {
  int64_t number = 0;
  for (int64_t at = 0; at < channels;) {
    const ByteChannels part = ByteChannelsAt(at, channels, Widest());
    run(part, number);
    number += part.width;
    at = part.first + part.width;
  }
  return number;
}

int64_t NumbersOf(int64_t channels) {
  return ForByteChannels(channels, [](const ByteChannels&, int64_t) {});
}

// Calls put(number, channel) for each.
template <typename Put>
void ForNumbers(int64_t channels, const Put& put) {
  ForByteChannels(channels, [&](const ByteChannels& part, int64_t number) {
    for (int64_t c = 0; c < part.width; ++c)
      put(number + PlaceOfByteChannel(c, part.width), part.first + c);
  });
}

class Convolution {
 public:
  Convolution(const ConvShape& s, const DepthwiseInput& x, const PackedDepthwise& weights,
              const Epilogue& epilogue, void* y)
      : s_(s), x_(x), w_(weights), epilogue_(epilogue), y_(y), words_(WordsOf(s.kh)) {
    // A word's last row is of no use to one row of the output, but to the next.
    if (s.sh == 1 && s.dh == 1 && s.kh % WordRows() != 0) together_ = 2;
    numbers_ = NumbersOf(s.ic);
    start_ = AlignedFloats(numbers_), scales_ = AlignedFloats(numbers_);
    bias_ = AlignedFloats(numbers_);
    const auto* const sums = reinterpret_cast<const int32_t*>(weights.sums.data());
    auto* const start = reinterpret_cast<int32_t*>(start_.data());
    ForNumbers(s.ic, [&](int64_t number, int64_t channel) {
      start[number] = -x.zero * sums[channel];
      scales_.data()[number] = x.scale * weights.scales.data()[channel];
      bias_.data()[number] = epilogue.bias == nullptr ? 0 : epilogue.bias[channel];
    });
  }

  void Run(int threads) const {
    const int64_t rows = s_.n * s_.oh;
    const double work = 4.0 * static_cast<double>(rows * s_.ow) * s_.ic * s_.kh * s_.kw;
    const WorkSplit split = SplitWork(threads, rows, together_, 1, work);
    ForParts(threads, split, [&](const WorkPart& part) { RunRows(part.begin, part.end); });
  }

 private:
  void RunRows(int64_t begin, int64_t end) const {
    const int64_t columns = (s_.ow - 1) * s_.sw + (s_.kw - 1) * s_.dw + 1;
    const int64_t column_bytes = columns * words_ * kWordBytes * Widest();
    const int64_t reals = together_ * s_.ow * s_.ic;
    auto* const scratch = static_cast<uint8_t*>(
        ThreadScratch(static_cast<size_t>(column_bytes) + static_cast<size_t>(reals) * 4));
    std::vector<const uint8_t*> input(static_cast<size_t>(words_ * WordRows()));
    ByteDepthwiseRows r;
    r.rows = input.data();
    r.words = words_;
    r.quads = HasByteDot();
    r.channels = s_.ic;
    r.iw = s_.iw, r.ow = s_.ow, r.kw = s_.kw, r.sw = s_.sw, r.pl = s_.pl, r.dw = s_.dw;
    r.zero = x_.zero;
    r.weights = reinterpret_cast<const int8_t*>(w_.words.data());
    r.start = reinterpret_cast<const int32_t*>(start_.data());
    r.scales = scales_.data(), r.bias = bias_.data();
    r.numbers = numbers_;
    r.columns = scratch;
    r.reals = reinterpret_cast<float*>(scratch + column_bytes);
    r.epilogue = &epilogue_;
    r.y_pixel = s_.YPixel();
    for (int64_t row = begin; row < end; row += r.together) {
      const int64_t image = row / s_.oh, oy = row % s_.oh;
      r.together = std::min({together_, end - row, s_.oh - oy});
      for (int64_t i = 0; i < words_ * WordRows(); ++i) {
        const int64_t iy = oy * s_.sh - s_.pt + i * s_.dh;
        const bool inside = i < s_.kh + r.together - 1 && iy >= 0 && iy < s_.ih;
        input[static_cast<size_t>(i)] =
            inside ? x_.bytes + (image * s_.ih + iy) * s_.iw * s_.ic : nullptr;
      }
      r.first_row = row * s_.ow;
      const int64_t at = r.first_row * r.y_pixel;
      if (epilogue_.rounding != nullptr)
        r.bytes = static_cast<uint8_t*>(y_) + at;
      else
        r.y = static_cast<float*>(y_) + at;
      LITE_ISA_PICK(kByteDepthwiseTable).run(r);
    }
  }

  const ConvShape& s_;
  const DepthwiseInput& x_;
  const PackedDepthwise& w_;
  const Epilogue& epilogue_;
  void* const y_;
  const int64_t words_;
  int64_t together_ = 1;  // rows of the output
  int64_t numbers_;
  AlignedFloats start_, scales_, bias_;
};

}  // namespace

void PackDepthwiseBytes(const int8_t* weights, const float* scales, PackedDepthwise* packed) {
  const int64_t channels = packed->channels, kh = packed->kh, kw = packed->kw;
  if (Widest() == 0 || channels < kLeastByteChannels || kh > kMostTaps || kw > kMostTaps) return;
  const int64_t words = WordsOf(kh), rows = 2;
  const int64_t word_rows = WordRows();
  const int64_t bytes = NumbersOf(channels) * kw * words * rows * kWordBytes;
  packed->words = AlignedFloats::Lasting(bytes / 4);
  packed->scales = AlignedFloats::Lasting(channels);
  packed->sums = AlignedFloats::Lasting(channels);
  if (packed->words.packed() && packed->scales.packed() && packed->sums.packed()) return;
  std::copy_n(scales, channels, packed->scales.data());
  auto* const sums = reinterpret_cast<int32_t*>(packed->sums.data());
  for (int64_t c = 0; c < channels; ++c) {
    const int8_t* const taps = weights + c * kh * kw;
    sums[c] = 0;
    for (int64_t t = 0; t < kh * kw; ++t) sums[c] += taps[t];
  }
  auto* const to = reinterpret_cast<int8_t*>(packed->words.data());
  std::fill_n(to, bytes, int8_t{0});
  ForByteChannels(channels, [&](const ByteChannels& part, int64_t number) {
    const int64_t each = part.width * kWordBytes;  // bytes of a column's words
    int8_t* const first = to + number * kw * words * rows * kWordBytes;
    for (int64_t c = 0; c < part.width; ++c)
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t ky = 0; ky < kh && ky + row < words * word_rows; ++ky)
          for (int64_t kx = 0; kx < kw; ++kx) {
            const int64_t word = (ky + row) / word_rows, in_word = (ky + row) % word_rows;
            int8_t* const at = first + ((kx * words + word) * rows + row) * each +
                               PlaceOfByteChannel(c, part.width) * kWordBytes;
            const int8_t tap = weights[((part.first + c) * kh + ky) * kw + kx];
            const auto wide = static_cast<int16_t>(tap);
            if (word_rows == 4)
              at[in_word] = tap;
            else
              std::memcpy(at + in_word * 2, &wide, 2);
          }
  });
}

void DepthwiseBytes(int threads, const ConvShape& s, const DepthwiseInput& x,
                    const PackedDepthwise& weights, const Epilogue& epilogue, void* y) {
  Convolution(s, x, weights, epilogue, y).Run(threads);
}

}  // namespace paddle::lite::math
