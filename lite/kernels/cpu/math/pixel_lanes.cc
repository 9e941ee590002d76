#include "lite/kernels/cpu/math/pixel_lanes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

// That are transposed at once; with their channels they stay in L1 or near it.
constexpr int64_t kBlockPixels = 192;

// Rows of the output that a row of the input may reach, which are held in memory.
constexpr int64_t kMostReach = 256;

int64_t FloorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }
int64_t CeilDiv(int64_t a, int64_t b) { return -FloorDiv(-a, b); }

int64_t ReachOf(const ConvShape& s) { return (s.kh - 1) * s.dh; }

// A transposed convolution; a plain one is one whose taps are in the other order.
class ToFewChannels {
 public:
  ToFewChannels(const ConvShape& s, const float* x, const float* weights, const Epilogue& epilogue,
                float* y)
      : s_(s),
        x_(x),
        more_(epilogue),
        y_(y),
        reach_(ReachOf(s)),
        columns_(s.iw + (s.kw - 1) * s.dw / s.sw),
        row_floats_(s.oc * s.sw * columns_),
        room_((PackedFloats(s.ic, kBlockPixels) + 15) / 16 * 16) {
    for (int64_t r = 0; r < s.kh * s.kw * s.oc; ++r) weights_.push_back(weights + r * s.ic);
    if (epilogue.bias != nullptr) {
      EpilogueStep add;
      add.op = EpilogueStep::kAdd;
      add.data = epilogue.bias;
      add.row_stride = 1;
      own_.push_back(add);
    }
    EpilogueStep act;
    act.act = epilogue.act;
    if (epilogue.act.kind != Act::kNone) own_.push_back(act);
    more_.bias = nullptr;
    more_.act = {};
  }

  void Run(int threads) {
    const bool alone = s_.kh * s_.kw * s_.sh * s_.sw == 1 && s_.pt == 0 && s_.pl == 0 &&
                       s_.oh == s_.ih && s_.ow == s_.iw;
    const int64_t pixels = s_.n * s_.oh * s_.ow, blocks = CeilDiv(pixels, kBlockPixels);
    const double work =
        static_cast<double>(s_.n * s_.ih * s_.iw) * s_.ic * static_cast<double>(weights_.size());
    const WorkSplit split = SplitWork(threads, alone ? blocks : s_.n * s_.oh, 1, 1, work);
    ForParts(threads, split, [&](const WorkPart& part) {
      if (alone)
        RunPixels(part.begin * kBlockPixels, std::min(part.end * kBlockPixels, pixels));
      else
        RunRows(part.begin, part.end);
    });
  }

 private:
  // What a thread works with.
  struct Room {
    float *panels, *products, *planes, *beside, *rows;
  };

  Room Take(int64_t pixels, int64_t rows) const {
    const int64_t products = static_cast<int64_t>(weights_.size()) * kBlockPixels;
    const int64_t output = pixels * s_.oc;
    float* const all = static_cast<float*>(
        ThreadScratch((room_ + products + 2 * output + rows * row_floats_) * sizeof(float)));
    float* const planes = all + room_ + products;
    return {all, all + room_, planes, planes + output, planes + 2 * output};
  }

  // A kernel of one pixel: products are sums.
  void RunPixels(int64_t begin, int64_t end) const {
    const Room room = Take(kBlockPixels, 0);
    for (int64_t first = begin; first < end; first += kBlockPixels) {
      const int64_t here = std::min(kBlockPixels, end - first);
      Multiply(x_ + first * s_.XPixel(), here, 0, s_.oc, room);
      Store(room.products, kBlockPixels, here, first, room.beside);
    }
  }

  // Output rows, counted through all images.
  void RunRows(int64_t begin, int64_t end) const {
    const Room room = Take(s_.ow, reach_ + 1);
    std::fill_n(room.rows, (reach_ + 1) * row_floats_, 0.0f);
    while (begin < end) {
      const int64_t image = begin / s_.oh, first = begin % s_.oh;
      const int64_t here = std::min(end - begin, s_.oh - first);
      RunImage(image, first, first + here, room);
      begin += here;
    }
  }

  // The sums of as many output rows as an input row reaches are kept; they are zeros before and
  // after.
  void RunImage(int64_t image, int64_t begin, int64_t end, const Room& room) const {
    int64_t done = begin;
    const auto finish = [&](int64_t until) {
      for (; done < std::min(until, end); ++done) FinishRow(image, done, room);
    };
    const int64_t last = std::min(s_.ih, FloorDiv(end - 1 + s_.pt, s_.sh) + 1);
    for (int64_t iy = std::max<int64_t>(CeilDiv(begin + s_.pt - reach_, s_.sh), 0); iy < last;
         ++iy) {
      const int64_t top = iy * s_.sh - s_.pt;
      finish(top);
      const int64_t first_tap = std::max<int64_t>(CeilDiv(begin - top, s_.dh), 0);
      const int64_t last_tap = std::min(s_.kh, FloorDiv(end - 1 - top, s_.dh) + 1);
      if (first_tap < last_tap) AddRow(image, iy, first_tap, last_tap, room);
    }
    finish(end);
  }

  // A row of the output by channels and, where columns are `sw` apart, by their remainders.
  float* Row(const Room& room, int64_t oy) const {
    return room.rows + oy % (reach_ + 1) * row_floats_;
  }

  // What an input row gives by some of the kernel's rows.
  void AddRow(int64_t image, int64_t iy, int64_t first_tap, int64_t last_tap,
              const Room& room) const {
    const int64_t of_row = s_.kw * s_.oc;
    const float* const x = x_ + (image * s_.ih + iy) * s_.iw * s_.XPixel();
    for (int64_t first = 0; first < s_.iw; first += kBlockPixels) {
      const int64_t here = std::min(kBlockPixels, s_.iw - first);
      Multiply(x + first * s_.XPixel(), here, first_tap * of_row, last_tap * of_row, room);
      const float* from = room.products;
      for (int64_t ky = first_tap; ky < last_tap; ++ky) {
        float* const row = Row(room, iy * s_.sh - s_.pt + ky * s_.dh) + first;
        for (int64_t kx = 0; kx < s_.kw; ++kx) {
          const int64_t shift = kx * s_.dw;
          float* to = row + shift % s_.sw * columns_ + shift / s_.sw;
          for (int64_t o = 0; o < s_.oc; ++o, from += kBlockPixels, to += s_.sw * columns_)
            for (int64_t p = 0; p < here; ++p) to[p] += from[p];
        }
      }
    }
  }

  // products[r][pixel] of the weights [first, last).
  void Multiply(const float* x, int64_t pixels, int64_t first, int64_t last,
                const Room& room) const {
    const int64_t offset = 0;
    const Epilogue none;
    GemmBlock g;
    g.offsets = &offset;
    g.segments = 1;
    g.length = s_.ic;
    g.b = room.panels;
    g.columns = pixels;
    g.last_panel = PanelCount(pixels);
    g.ldc = kBlockPixels;
    g.epilogue = &none;
    PackPanels(s_.ic, pixels, x, s_.XPixel(), true, room.panels, 0, g.last_panel);
    g.c = room.products;
    for (; first < last; first += g.row_count, g.c += g.row_count * kBlockPixels) {
      g.rows = weights_.data() + first;
      g.row_count = std::min(kMaxBlockRows, last - first);
      LITE_ISA_PICK(kGemmTable).run_block(g);
    }
  }

  void FinishRow(int64_t image, int64_t oy, const Room& room) const {
    float* const row = Row(room, oy);
    std::fill_n(room.planes, s_.oc * s_.ow, 0.0f);
    for (int64_t o = 0; o < s_.oc; ++o)
      Gather(row + o * s_.sw * columns_, room.planes + o * s_.ow - s_.pl);
    std::fill_n(row, row_floats_, 0.0f);
    Store(room.planes, s_.ow, s_.ow, (image * s_.oh + oy) * s_.ow, room.beside);
  }

  // A channel's columns in their order: column q of those with remainder r is q * sw + r.
  void Gather(const float* from, float* to) const {
    const auto begin = [&](int64_t r) { return std::max<int64_t>(CeilDiv(s_.pl - r, s_.sw), 0); };
    const auto end = [&](int64_t r) {
      return std::min(columns_, CeilDiv(s_.ow + s_.pl - r, s_.sw));
    };
    const auto some = [&](int64_t r, int64_t q, int64_t last) {
      for (; q < last; ++q) to[q * s_.sw + r] = from[r * columns_ + q];
    };
    if (s_.sw != 2) {
      for (int64_t r = 0; r < s_.sw; ++r) some(r, begin(r), end(r));
      return;
    }
    const float* const odd = from + columns_;
    some(1, begin(1), std::min(begin(0), end(1)));
    const int64_t last = end(1);  // in pairs, which compilers make vectors of
    for (int64_t q = begin(0); q < last; ++q) to[2 * q] = from[q], to[2 * q + 1] = odd[q];
    some(0, std::max(begin(0), end(1)), end(0));
  }

  // Finishes pixels that follow each other in y, from planes. Steps may read y: they get what is
  // finished from beside it.
  void Store(float* planes, int64_t plane, int64_t pixels, int64_t first, float* beside) const {
    RunSteps(s_.oc, pixels, planes, plane, planes, plane, own_.data(),
             static_cast<int>(own_.size()), 0);
    float* const y = y_ + first * s_.YPixel();
    const bool more = more_.step_count > 0;
    Interleave(planes, plane, pixels, more ? beside : y, more ? s_.oc : s_.YPixel());
    if (more) RunEpilogue(pixels, s_.oc, beside, s_.oc, y, s_.YPixel(), more_, first, 0);
  }

  void Interleave(const float* planes, int64_t plane, int64_t pixels, float* y,
                  int64_t stride) const {
    if (s_.oc == 1 && stride == 1) {
      std::copy_n(planes, pixels, y);
      return;
    }
    if (s_.oc == 2 && stride == 2) {
      const float* const second = planes + plane;
      for (int64_t i = 0; i < pixels; ++i) y[2 * i] = planes[i], y[2 * i + 1] = second[i];
      return;
    }
    for (int64_t o = 0; o < s_.oc; ++o)
      for (int64_t i = 0; i < pixels; ++i) y[i * stride + o] = planes[o * plane + i];
  }

  const ConvShape& s_;
  const float* const x_;
  Epilogue more_;                  // what follows bias and activation
  std::vector<EpilogueStep> own_;  // these, on planes
  float* const y_;
  const int64_t reach_;    // output rows after the first that an input row gives to
  const int64_t columns_;  // of an output row that are `sw` apart
  const int64_t row_floats_;
  const int64_t room_;
  std::vector<const float*> weights_;
};

// Vectors of products for each channel of as many pixels as a vector has lanes, as measured: to add
// them takes as long again, to transpose the channel a dozen.
bool FewEnough(const ConvShape& s) {
  constexpr int64_t kLeastChannels = 8;
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width, taps = s.kh * s.kw;
  return s.groups == 1 && s.ic >= kLeastChannels && ReachOf(s) <= kMostReach &&
         2 * taps * s.oc + 12 <= taps * width;
}

// Rows of a tap's weights for an output channel, whose weight for input channel i is
// weights[o * step_o + i * step_i + tap]; denormals become 0.
AlignedFloats PackRows(const float* weights, const ConvShape& s, int64_t step_o, int64_t step_i,
                       bool backwards) {
  const int64_t taps = s.kh * s.kw;
  auto packed = AlignedFloats::Lasting(taps * s.oc * s.ic);
  if (packed.packed()) return packed;
  float* out = packed.data();
  for (int64_t t = 0; t < taps; ++t)
    for (int64_t o = 0; o < s.oc; ++o)
      for (int64_t i = 0; i < s.ic; ++i) {
        const float weight = weights[o * step_o + i * step_i + (backwards ? taps - 1 - t : t)];
        *out++ = std::fpclassify(weight) == FP_SUBNORMAL ? 0 : weight;
      }
  return packed;
}

}  // namespace

bool ConvLanesPay(const ConvShape& s) {
  return s.sh == 1 && s.sw == 1 && s.pt >= 0 && s.pl >= 0 && FewEnough(s);
}

bool TransposeLanesPay(const ConvShape& s) {
  // Where outputs come from one pixel each, the columns of a product are those of a row of taps.
  const bool apart = s.kw == s.sw && s.kh == s.sh && s.pt == 0 && s.pl == 0 && s.dh * s.dw == 1;
  if (!apart || s.groups > 1) return FewEnough(s);
  return 2 * s.kw * s.oc <= LITE_ISA_PICK(kGemmTable).vector_width && ReachOf(s) <= kMostReach;
}

PackedConv PackConvLanes(const float* weights, const ConvShape& s) {
  const int64_t taps = s.kh * s.kw;
  PackedConv packed;
  packed.oc = packed.block_oc = s.oc;
  packed.ic = packed.block_ic = s.ic;
  packed.kh = s.kh, packed.kw = s.kw;
  packed.pixel_lanes = true;
  packed.block_floats = taps * s.oc * s.ic;
  packed.data = PackRows(weights, s, s.ic * taps, taps, true);
  return packed;
}

PackedConvTranspose PackTransposeLanes(const float* weights, const ConvShape& s) {
  const int64_t taps = s.kh * s.kw;
  PackedConvTranspose packed;
  packed.pixel_lanes = true;
  packed.data = PackRows(weights, s, taps, s.oc * taps, false);
  return packed;
}

void ConvLanes(int threads, const ConvShape& s, const float* x, const PackedConv& weights,
               const Epilogue& epilogue, float* y) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0) return;
  ConvShape turned = s;
  turned.pt = ReachOf(s) - s.pt;
  turned.pl = (s.kw - 1) * s.dw - s.pl;
  ToFewChannels(turned, x, weights.data.data(), epilogue, y).Run(threads);
}

void ConvTransposeLanes(int threads, const ConvShape& s, const float* x,
                        const PackedConvTranspose& weights, const Epilogue& epilogue, float* y) {
  ToFewChannels(s, x, weights.data.data(), epilogue, y).Run(threads);
}

}  // namespace paddle::lite::math
