#include <algorithm>
#include <cstring>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/pixel_lanes.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {

// An output pixel is a sum over the taps whose input pixel exists; the pixels of one phase
// (position modulo the stride) use the same taps. So each phase of an output row is a product: its
// pixels are the rows, (tap, channel) is K. Where the kernel equals the stride ("tiles"), a phase
// has one tap, and the phases of an output row stand side by side as the columns of one product.

namespace {

struct Tap {
  int64_t kernel;  // position in the kernel
  int64_t shift;   // output position phase + stride * i takes input position i + shift
};

std::vector<Tap> TapsOf(int64_t phase, int64_t kernel, int64_t stride, int64_t pad,
                        int64_t dilation) {
  std::vector<Tap> taps;
  for (int64_t k = 0; k < kernel; ++k) {
    const int64_t position = phase + pad - k * dilation;
    if (position % stride == 0) taps.push_back({k, position / stride});
  }
  return taps;
}

void PackTiles(const float* weights, const ConvShape& s, PackedConvTranspose* packed) {
  const int64_t columns = s.kw * s.oc;
  packed->matrix_floats = PackedFloats(s.ic, columns);
  packed->data = AlignedFloats(packed->matrix_floats * s.kh);
  std::vector<float> matrix(s.ic * columns);
  for (int64_t ky = 0; ky < s.kh; ++ky) {
    for (int64_t i = 0; i < s.ic; ++i) {
      for (int64_t o = 0; o < s.oc; ++o) {
        const float* taps = weights + ((i * s.oc + o) * s.kh + ky) * s.kw;
        for (int64_t kx = 0; kx < s.kw; ++kx) matrix[i * columns + kx * s.oc + o] = taps[kx];
      }
    }
    PackPanels(s.ic, columns, matrix.data(), columns, false,
               packed->data.data() + ky * packed->matrix_floats, 0, PanelCount(columns), true);
  }
}

void PackPhases(const float* weights, const ConvShape& s, PackedConvTranspose* packed) {
  const int64_t ic = s.ic / s.groups, oc = s.oc / s.groups;
  std::vector<std::vector<Tap>> columns;
  for (int64_t px = 0; px < s.sw; ++px) columns.push_back(TapsOf(px, s.kw, s.sw, s.pl, s.dw));
  // Each tap belongs to at most one phase of each axis.
  packed->data = AlignedFloats(PackedFloats(s.kh * s.kw * ic, oc) * s.groups);
  int64_t used = 0;
  std::vector<float> matrix;
  for (int64_t py = 0; py < s.sh; ++py) {
    const std::vector<Tap> rows = TapsOf(py, s.kh, s.sh, s.pt, s.dh);
    for (int64_t px = 0; px < s.sw; ++px) {
      for (int64_t g = 0; g < s.groups; ++g) {
        matrix.clear();
        for (const Tap& y : rows) {
          for (const Tap& x : columns[px]) {
            for (int64_t i = 0; i < ic; ++i) {
              for (int64_t o = 0; o < oc; ++o) {
                matrix.push_back(
                    weights[(((g * ic + i) * oc + o) * s.kh + y.kernel) * s.kw + x.kernel]);
              }
            }
          }
        }
        const int64_t k = static_cast<int64_t>(rows.size() * columns[px].size()) * ic;
        packed->matrix.push_back(used);
        PackPanels(k, oc, matrix.data(), oc, false, packed->data.data() + used, 0, PanelCount(oc),
                   true);
        used += PackedFloats(k, oc);
      }
    }
  }
}

// Products of rows that lie `stride` floats apart, in blocks.
void RunProduct(GemmBlock g, const float* first, int64_t stride, int64_t count) {
  const float* rows[kMaxBlockRows];
  float* const c = g.c;
  g.rows = rows;
  g.last_panel = PanelCount(g.columns);
  for (int64_t i = 0; i < count; i += kMaxBlockRows) {
    g.row_count = std::min(kMaxBlockRows, count - i);
    for (int64_t r = 0; r < g.row_count; ++r) rows[r] = first + (i + r) * stride;
    g.c = c + i * g.ldc;
    LITE_ISA_PICK(kGemmTable).run_block(g);
  }
}

// Of the padded input that is worked on at once, so that it stays in L2.
constexpr int64_t kStripBytes = 256 * 1024;

class ConvTranspose {
 public:
  ConvTranspose(const ConvShape& shape, const float* x, const PackedConvTranspose& w,
                const Epilogue& epilogue, float* y)
      : s_(shape.IsLine() ? shape.Turned() : shape),
        x_(x),
        w_(w),
        epilogue_(epilogue),
        y_(y),
        tiles_(w.tiles && !shape.IsLine()),
        matrix_(w.matrix) {
    const ConvShape& s = s_;
    // A tile of one column is a tap of each row's phase.
    for (int64_t ky = 0; ky < shape.kh && w.tiles && !tiles_; ++ky)
      matrix_.push_back(ky * w.matrix_floats);
    // Steps see a finished output row; without steps everything is done in the products.
    in_product_.bias = epilogue.bias;
    if (epilogue.step_count == 0) {
      in_product_.act = epilogue.act;
    } else {
      after_ = epilogue;
      after_.bias = nullptr;
    }
    if (tiles_) {
      for (int64_t kx = 0; kx < s.kw && epilogue.bias != nullptr; ++kx) {
        tiled_bias_.insert(tiled_bias_.end(), epilogue.bias, epilogue.bias + s.oc);
      }
      if (!tiled_bias_.empty()) in_product_.bias = tiled_bias_.data();
      return;
    }
    for (int64_t py = 0; py < s.sh; ++py) rows_.push_back(TapsOf(py, s.kh, s.sh, s.pt, s.dh));
    for (int64_t px = 0; px < s.sw; ++px) {
      columns_.push_back(TapsOf(px, s.kw, s.sw, s.pl, s.dw));
      for (const Tap& tap : columns_.back()) {
        first_shift_ = std::min(first_shift_, tap.shift);
        last_shift_ = std::max(last_shift_, tap.shift);
      }
    }
    size_t taps = 1;
    for (const auto& row : rows_) taps = std::max(taps, row.size());
    const int64_t pixel = static_cast<int64_t>(taps * sizeof(float)) * s.ic;
    const int64_t fitting = BytesInL2(kStripBytes) / pixel / kMaxBlockRows * kMaxBlockRows;
    part_ = std::max(fitting, kMaxBlockRows);
  }

  void Run(int threads) {
    const int64_t steps = tiles_ ? 1 : (s_.ow + s_.sw - 1) / s_.sw;
    parts_ = (steps + part_ - 1) / part_;
    const int64_t rows = s_.n * s_.oh * parts_;
    const double work = static_cast<double>(s_.n * s_.oh * s_.ow) * (s_.oc / s_.groups) * s_.ic *
                        static_cast<double>(s_.kh * s_.kw) / static_cast<double>(s_.sh * s_.sw);
    const WorkSplit split = SplitWork(threads, rows, 1, 1, work);
    ForParts(threads, split, [&](const WorkPart& part) {
      for (int64_t i = part.begin; i < part.end; ++i)
        RunRow(i / parts_, i % parts_ * part_, std::min(i % parts_ * part_ + part_, steps));
    });
  }

 private:
  // Where the input of some output pixels lies, with zeros around it: a row for each tap.
  struct Strip {
    float* data;
    int64_t first, width;  // of the input's row, in pixels
  };

  // The pixels of an output row between two of its steps of so many phases; of tiles, all.
  void RunRow(int64_t row, int64_t begin, int64_t end) const {
    const int64_t image = row / s_.oh, oy = row % s_.oh;
    const int64_t first = begin * s_.sw, last = tiles_ ? s_.ow : std::min(end * s_.sw, s_.ow);
    const int64_t pixels = last - first;
    const int64_t whole_tiles = (pixels + s_.sw - 1) / s_.sw * s_.sw * s_.oc;
    const int64_t taps = tiles_ ? 0 : static_cast<int64_t>(rows_[oy % s_.sh].size());
    // A step may read the memory of y, and a tile may be cut: then the products go beside it.
    const bool beside = epilogue_.step_count > 0 || (tiles_ && whole_tiles != pixels * s_.oc);
    Strip strip = {nullptr, begin + first_shift_, end - begin + last_shift_ - first_shift_};
    const int64_t floats = taps * strip.width * s_.ic;
    strip.data =
        static_cast<float*>(ThreadScratch((floats + (beside ? whole_tiles : 0)) * sizeof(float)));
    float* const y = y_ + (row * s_.ow + first) * s_.oc;
    float* const out = beside ? strip.data + floats : y;
    if (tiles_) {
      RunTiles(image, oy, out);
    } else {
      for (int64_t i = 0; i < taps; ++i) {
        const int64_t iy = oy / s_.sh + rows_[oy % s_.sh][i].shift;
        CopyRow(image, iy, strip, strip.data + i * strip.width * s_.ic);
      }
      for (int64_t px = 0; px < std::min(s_.sw, pixels); ++px)
        RunPhase(oy, px, strip, (pixels - px + s_.sw - 1) / s_.sw, out);
    }
    if (beside) RunEpilogue(pixels, s_.oc, out, s_.oc, y, s_.oc, after_, row * s_.ow + first, 0);
  }

  void RunTiles(int64_t image, int64_t oy, float* out) const {
    const int64_t iy = oy / s_.sh;
    const int64_t pixels = iy < s_.ih ? std::min(s_.iw, (s_.ow + s_.sw - 1) / s_.sw) : 0;
    const int64_t offset = 0;
    GemmBlock g;
    g.offsets = &offset;
    g.segments = 1;
    g.length = s_.ic;
    g.b = w_.data.data() + oy % s_.sh * w_.matrix_floats;
    g.columns = s_.kw * s_.oc;
    g.ldc = g.columns;
    g.c = out;
    g.epilogue = &in_product_;
    RunProduct(g, x_ + (image * s_.ih + iy) * s_.iw * s_.ic, s_.ic, pixels);
    // What the output padding adds has no input.
    const int64_t rest = std::max<int64_t>(s_.ow - pixels * s_.sw, 0);
    float* const end = out + pixels * s_.sw * s_.oc;
    std::fill(end, end + rest * s_.oc, 0.0f);
    Epilogue epilogue = in_product_;
    epilogue.bias = epilogue_.bias;
    RunEpilogue(rest, s_.oc, end, s_.oc, end, s_.oc, epilogue, 0, 0);
  }

  void CopyRow(int64_t image, int64_t iy, const Strip& strip, float* out) const {
    const int64_t begin = std::clamp<int64_t>(-strip.first, 0, strip.width);
    const int64_t end = std::clamp<int64_t>(s_.iw - strip.first, begin, strip.width);
    if (iy < 0 || iy >= s_.ih || begin == end) {
      std::fill(out, out + strip.width * s_.ic, 0.0f);
      return;
    }
    const float* from = x_ + ((image * s_.ih + iy) * s_.iw + begin + strip.first) * s_.ic;
    std::fill(out, out + begin * s_.ic, 0.0f);
    std::memcpy(out + begin * s_.ic, from, (end - begin) * s_.ic * sizeof(float));
    std::fill(out + end * s_.ic, out + strip.width * s_.ic, 0.0f);
  }

  void RunPhase(int64_t oy, int64_t px, const Strip& strip, int64_t count, float* out) const {
    const int64_t ic = s_.ic / s_.groups, oc = s_.oc / s_.groups, py = oy % s_.sh;
    std::vector<int64_t> offsets;
    for (size_t i = 0; i < rows_[py].size(); ++i) {
      for (const Tap& tap : columns_[px]) {
        offsets.push_back((static_cast<int64_t>(i) * strip.width + tap.shift - first_shift_) *
                          s_.ic);
      }
    }
    Epilogue epilogue = in_product_;
    GemmBlock g;
    g.offsets = offsets.data();
    g.segments = offsets.size();
    g.length = ic;
    g.columns = oc;
    g.ldc = s_.sw * s_.oc;
    g.epilogue = &epilogue;
    for (int64_t group = 0; group < s_.groups; ++group) {
      g.b = w_.data.data() + matrix_[(py * s_.sw + px) * s_.groups + group];
      g.c = out + px * s_.oc + group * oc;
      if (in_product_.bias != nullptr) epilogue.bias = in_product_.bias + group * oc;
      RunProduct(g, strip.data + group * ic, s_.ic, count);
    }
  }

  const ConvShape s_;
  const float* const x_;
  const PackedConvTranspose& w_;
  const Epilogue& epilogue_;
  float* const y_;
  const bool tiles_;
  std::vector<int64_t> matrix_;
  Epilogue in_product_, after_;
  std::vector<float> tiled_bias_;
  std::vector<std::vector<Tap>> rows_, columns_;
  int64_t first_shift_ = 0, last_shift_ = 0;
  int64_t part_ = 1, parts_ = 1;  // steps that are worked on at once, how many such a row has
};

// kh x kw x channels of channels x kh x kw.
void PackDepthwiseTaps(const float* weights, const ConvShape& s, PackedConvTranspose* packed) {
  const int64_t taps = s.kh * s.kw;
  packed->data = AlignedFloats::Lasting(taps * s.ic);
  if (packed->data.packed()) return;
  for (int64_t c = 0; c < s.ic; ++c)
    for (int64_t t = 0; t < taps; ++t) packed->data.data()[t * s.ic + c] = weights[c * taps + t];
}

void AddProduct(int64_t count, const float* __restrict a, const float* __restrict b,
                float* __restrict sum) {
  for (int64_t i = 0; i < count; ++i) sum[i] += a[i] * b[i];
}

// One output row of a filter for each channel: what each input row and tap adds to it.
void DepthwiseRow(const ConvShape& s, const float* x, const float* taps, int64_t oy, float* out) {
  const int64_t channels = s.ic;
  for (int64_t ky = 0; ky < s.kh; ++ky) {
    const int64_t moved = oy + s.pt - ky * s.dh;
    if (moved < 0 || moved % s.sh != 0 || moved / s.sh >= s.ih) continue;
    const float* const row = x + moved / s.sh * s.iw * channels;
    for (int64_t kx = 0; kx < s.kw; ++kx) {
      const float* const tap = taps + (ky * s.kw + kx) * channels;
      const int64_t at = kx * s.dw - s.pl;  // of the first input pixel
      const int64_t first = at < 0 ? (-at + s.sw - 1) / s.sw : 0;
      const int64_t last = at < s.ow ? std::min(s.iw, (s.ow - at + s.sw - 1) / s.sw) : 0;
      for (int64_t ix = first; ix < last; ++ix)
        AddProduct(channels, row + ix * channels, tap, out + (at + ix * s.sw) * channels);
    }
  }
}

void RunDepthwise(int threads, const ConvShape& s, const float* x, const float* taps,
                  const Epilogue& epilogue, float* y) {
  Epilogue after = epilogue;
  after.bias = nullptr;
  const int64_t rows = s.n * s.oh, row_floats = s.ow * s.oc;
  const double work = static_cast<double>(rows * row_floats) * static_cast<double>(s.kh * s.kw) /
                      static_cast<double>(s.sh * s.sw);
  const WorkSplit split = SplitWork(threads, rows, 1, 1, work);
  ForParts(threads, split, [&](const WorkPart& part) {
    // A step may read the memory of y.
    auto* const sums = static_cast<float*>(ThreadScratch(row_floats * sizeof(float)));
    for (int64_t row = part.begin; row < part.end; ++row) {
      for (int64_t ox = 0; ox < s.ow; ++ox) {
        if (epilogue.bias == nullptr)
          std::fill_n(sums + ox * s.oc, s.oc, 0.0f);
        else
          std::copy_n(epilogue.bias, s.oc, sums + ox * s.oc);
      }
      DepthwiseRow(s, x + row / s.oh * s.ih * s.iw * s.ic, taps, row % s.oh, sums);
      RunEpilogue(s.ow, s.oc, sums, s.oc, y + row * row_floats, s.oc, after, row * s.ow, 0);
    }
  });
}

}  // namespace

PackedConvTranspose PackConvTranspose(const float* weights, const ConvShape& s) {
  PackedConvTranspose packed;
  packed.depthwise = s.groups > 1 && s.groups == s.ic && s.oc == s.ic;
  if (packed.depthwise) {
    PackDepthwiseTaps(weights, s, &packed);
    return packed;
  }
  if (TransposeLanesPay(s)) return PackTransposeLanes(weights, s);
  packed.tiles = s.kh == s.sh && s.kw == s.sw && s.pt == 0 && s.pl == 0 && s.dh == 1 && s.dw == 1 &&
                 s.groups == 1;
  if (packed.tiles)
    PackTiles(weights, s, &packed);
  else
    PackPhases(weights, s, &packed);
  return packed;
}

void ConvTransposeNhwc(int threads, const ConvShape& s, const float* x,
                       const PackedConvTranspose& weights, const Epilogue& epilogue, float* y) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.oc <= 0) return;
  if (weights.depthwise) return RunDepthwise(threads, s, x, weights.data.data(), epilogue, y);
  if (weights.pixel_lanes) return ConvTransposeLanes(threads, s, x, weights, epilogue, y);
  ConvTranspose(s, x, weights, epilogue, y).Run(threads);
}

}  // namespace paddle::lite::math
