#include "lite/kernels/cpu/math/conv_lanes.h"

#include <algorithm>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/pixel_lanes.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

class ToFewChannels {
 public:
  ToFewChannels(const ConvShape& s, const float* x, const PackedConv& w, const Epilogue& epilogue,
                float* y)
      : s_(s),
        x_(x),
        epilogue_(epilogue, s.oc, s.oc),
        y_(y),
        reach_((s.kh - 1) * s.dh),
        room_(LaneRoom(s.ic)) {
    for (int64_t r = 0; r < s.kh * s.kw * s.oc; ++r) weights_.push_back(w.data.data() + r * s.ic);
  }

  void Run(int threads) {
    const double work =
        static_cast<double>(s_.n * s_.oh * s_.ow) * s_.ic * static_cast<double>(weights_.size());
    const bool alone = s_.kh * s_.kw == 1 && s_.pt + s_.pl == 0 && s_.oh == s_.ih && s_.ow == s_.iw;
    const int64_t pixels = s_.n * s_.oh * s_.ow, blocks = (pixels + kLanePixels - 1) / kLanePixels;
    const WorkSplit split = SplitWork(threads, alone ? blocks : s_.n * s_.oh, 1, 1, work);
    ForParts(threads, split, [&](const WorkPart& part) {
      if (alone)
        RunPixels(part.begin * kLanePixels, std::min(part.end * kLanePixels, pixels));
      else
        RunRows(part.begin, part.end);
    });
  }

 private:
  int64_t Products() const { return static_cast<int64_t>(weights_.size()) * kLanePixels; }

  // A kernel of one pixel: products are sums.
  void RunPixels(int64_t begin, int64_t end) const {
    float* const room = static_cast<float*>(
        ThreadScratch((room_ + Products() + kLanePixels * s_.oc) * sizeof(float)));
    float* const sums = room + room_;
    for (int64_t first = begin; first < end; first += kLanePixels) {
      const int64_t here = std::min(kLanePixels, end - first);
      MultiplyLanes(weights_.data(), s_.oc, s_.ic, x_ + first * s_.XPixel(), s_.XPixel(), here,
                    room, sums);
      Store(sums, kLanePixels, here, first, sums + Products());
    }
  }

  // Output rows, counted through all images.
  void RunRows(int64_t begin, int64_t end) const {
    const int64_t kept = (reach_ + 1) * s_.oc * s_.ow;
    float* const room = static_cast<float*>(
        ThreadScratch((room_ + Products() + kept + s_.ow * s_.oc) * sizeof(float)));
    float* const rows = room + room_ + Products();
    std::fill_n(rows, kept, 0.0f);
    while (begin < end) {
      const int64_t image = begin / s_.oh, first = begin % s_.oh;
      const int64_t here = std::min(end - begin, s_.oh - first);
      RunImage(image, first, first + here, room, rows);
      begin += here;
    }
  }

  // `rows` holds the sums of as many output rows as an input row reaches; it is zeros before and
  // after.
  void RunImage(int64_t image, int64_t begin, int64_t end, float* room, float* rows) const {
    int64_t done = begin;
    const auto finish = [&](int64_t until) {
      for (; done < std::min(until, end); ++done) {
        float* const row = Row(rows, done);
        Store(row, s_.ow, s_.ow, (image * s_.oh + done) * s_.ow,
              rows + (reach_ + 1) * s_.oc * s_.ow);
        std::fill_n(row, s_.oc * s_.ow, 0.0f);
      }
    };
    const int64_t last = std::min(s_.ih, end - s_.pt + reach_);
    for (int64_t iy = std::max<int64_t>(begin - s_.pt, 0); iy < last; ++iy) {
      finish(iy + s_.pt - reach_);
      AddRow(image, iy, begin, end, room, rows);
    }
    finish(end);
  }

  float* Row(float* rows, int64_t oy) const { return rows + oy % (reach_ + 1) * s_.oc * s_.ow; }

  // What an input row gives to output rows [begin, end).
  void AddRow(int64_t image, int64_t iy, int64_t begin, int64_t end, float* room,
              float* rows) const {
    // Output row iy + pt - ky * dh.
    const int64_t top = iy + s_.pt;
    const int64_t first_tap = std::max<int64_t>((top - end + s_.dh) / s_.dh, 0);
    const int64_t last_tap = top < begin ? 0 : std::min(s_.kh, (top - begin) / s_.dh + 1);
    if (first_tap >= last_tap) return;
    const int64_t of_row = s_.kw * s_.oc;
    float* const products = room + room_;
    const float* const x = x_ + (image * s_.ih + iy) * s_.iw * s_.XPixel();
    for (int64_t first = 0; first < s_.iw; first += kLanePixels) {
      const int64_t here = std::min(kLanePixels, s_.iw - first);
      MultiplyLanes(weights_.data() + first_tap * of_row, (last_tap - first_tap) * of_row, s_.ic,
                    x + first * s_.XPixel(), s_.XPixel(), here, room, products);
      const float* from = products;
      for (int64_t ky = first_tap; ky < last_tap; ++ky)
        for (int64_t kx = 0; kx < s_.kw; ++kx) {
          // Pixel p goes to p + pl - kx * dw.
          const int64_t shift = first + s_.pl - kx * s_.dw;
          const int64_t left = std::max<int64_t>(-shift, 0), right = std::min(here, s_.ow - shift);
          float* const to = Row(rows, top - ky * s_.dh) + shift;
          for (int64_t o = 0; o < s_.oc; ++o, from += kLanePixels)
            for (int64_t p = left; p < right; ++p) to[o * s_.ow + p] += from[p];
        }
    }
  }

  // Finishes pixels that follow each other in y, from planes.
  void Store(float* planes, int64_t plane, int64_t pixels, int64_t first, float* beside) const {
    epilogue_.RunOnLanes(s_.oc, pixels, planes, plane);
    float* const y = y_ + first * s_.YPixel();
    const bool more = epilogue_.HasMore();
    Interleave(planes, plane, s_.oc, pixels * s_.oc, more ? beside : y, more ? s_.oc : s_.YPixel());
    if (more) epilogue_.RunMore(pixels, s_.oc, beside, y, s_.YPixel(), first);
  }

  const ConvShape& s_;
  const float* const x_;
  const LaneEpilogue epilogue_;
  float* const y_;
  const int64_t reach_;  // output rows before the last that an input row gives to
  const int64_t room_;
  std::vector<const float*> weights_;
};

}  // namespace

bool ConvLanesPay(const ConvShape& s) {
  constexpr int64_t kLeastChannels = 8;
  if (s.groups != 1 || s.sh != 1 || s.sw != 1 || s.pt < 0 || s.pl < 0 || s.ic < kLeastChannels)
    return false;
  // Vectors of products for each channel of as many pixels as a vector has lanes, as measured: to
  // add them takes as long again, to transpose the channel a dozen.
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width, taps = s.kh * s.kw;
  return 2 * taps * s.oc + 12 <= taps * width;
}

PackedConv PackConvLanes(const float* weights, const ConvShape& s) {
  const int64_t taps = s.kh * s.kw;
  PackedConv packed;
  packed.oc = packed.block_oc = s.oc;
  packed.ic = packed.block_ic = s.ic;
  packed.kh = s.kh, packed.kw = s.kw;
  packed.pixel_lanes = true;
  packed.block_floats = taps * s.oc * s.ic;
  packed.data = AlignedFloats::Lasting(packed.block_floats);
  if (packed.data.packed()) return packed;
  float* out = packed.data.data();
  for (int64_t t = 0; t < taps; ++t)
    for (int64_t o = 0; o < s.oc; ++o)
      for (int64_t i = 0; i < s.ic; ++i) *out++ = WeightOfLanes(weights[(o * s.ic + i) * taps + t]);
  return packed;
}

void ConvLanes(int threads, const ConvShape& s, const float* x, const PackedConv& weights,
               const Epilogue& epilogue, float* y) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0) return;
  ToFewChannels(s, x, weights, epilogue, y).Run(threads);
}

}  // namespace paddle::lite::math
