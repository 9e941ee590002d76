#include "lite/kernels/cpu/math/conv.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/tiles.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

// Of the padded input rows that are worked on at once, so that they stay in L2.
constexpr int64_t kStripBytes = 400 * 1024;

// A convolution as a product: rows are output pixels, K runs over the kernel. Rows of input pixels
// that touch the padding, or are not NHWC, are copied into a strip with the padding around them.
class Convolution {
 public:
  Convolution(const ConvShape& shape, const float* x, int64_t x_rows, bool nchw,
              const PackedConv& w, const Epilogue& epilogue, float* y)
      : s_(shape), x_(x), x_rows_(x_rows), nchw_(nchw), w_(w), epilogue_(epilogue), y_(y) {
    if (!w.tiles && x_rows == shape.ih) CropKernel();
    const ConvShape& s = s_;
    span_w_ = (s.ow - 1) * s.sw + (s.kw - 1) * s.dw + 1;
    span_h_ = (s.kh - 1) * s.dh + 1;
    copies_ = nchw || s.pt > 0 || s.pl > 0 || span_w_ > s.iw || (s.oh - 1) * s.sh + span_h_ > s.ih;
    width_ = copies_ ? span_w_ : s.iw;
    pixel_ = copies_ ? s.ic : s.XPixel();
    // A kernel row is contiguous, and where it is as wide as the input's rows, so are all of them.
    const bool merged = s.dw == 1 && w.blocks == 1 && (pixel_ == s.ic || s.kw == 1);
    const bool whole = merged && s.dh == 1 && width_ * pixel_ == s.kw * s.ic;
    length_ = merged ? (whole ? s.kh : 1) * s.kw * s.ic : w.block_ic;
    for (int64_t ky = 0; ky < (whole ? 1 : s.kh); ++ky) {
      const int64_t row = ky * s.dh * width_ * pixel_;
      for (int64_t kx = 0; kx < (merged ? 1 : s.kw); ++kx) {
        offsets_.push_back(row + kx * s.dw * pixel_);
      }
    }
    const int64_t row_floats = width_ * pixel_;
    const int64_t strip_floats = BytesInL2(kStripBytes) / 4;
    strip_rows_ = std::clamp<int64_t>(
        (strip_floats / std::max<int64_t>(row_floats, 1) - span_h_) / std::max<int64_t>(s.sh, 1) +
            1,
        1, kMaxBlockRows);
    if (!copies_) strip_rows_ = kMaxBlockRows;
    const int64_t k = length_ * static_cast<int64_t>(offsets_.size());
    unit_ = w.tiles ? kTileRows : LITE_ISA_PICK(kGemmTable).panel_rows;
    const int64_t fitting = std::min(strip_floats / std::clamp<int64_t>(k, 1, 512), kMaxBlockRows);
    block_rows_ = w.tiles ? TileBlockRows(k) : std::max(fitting / unit_ * unit_, unit_);
    gathers_ = copies_ && !nchw && s.kh > 1 && s.dh > strip_rows_;
    if (gathers_) ArrangeByTap();
    // Every image of a strip has its own rows.
    strip_floats_ = copies_ ? row_floats * (gathers_ ? s.kh * strip_rows_ : StripInputRows()) : 0;
  }

  void Run(int threads) {
    streams_ = StreamsIn(threads);
    const int64_t rows = s_.n * s_.oh;
    const int64_t panels = PanelCount(w_.block_oc);
    const double work = static_cast<double>(rows * s_.ow) * w_.block_oc * w_.blocks * length_ *
                        static_cast<double>(offsets_.size());
    const WorkSplit split = SplitWork(threads, rows, UnitOfImageRows(s_.ow), panels * w_.blocks,
                                      work, w_.oc > rows * s_.ow, w_.tiles);
    ForParts(threads, split, [&](const WorkPart& part) {
      RunChunk(part.begin, part.end, part.first_panel, part.last_panel);
    });
  }

  void RunRows(const ConvRows& rows) {
    first_image_ = rows.image;
    streams_ = StreamsIn(1);
    first_row_ = rows.image * s_.oh + rows.begin;
    RunChunk(first_row_, first_row_ + rows.end - rows.begin, 0,
             PanelCount(w_.block_oc) * w_.blocks);
  }

 private:
  // Leaves out kernel rows that only read padding, wherever the kernel is: of a map of one pixel or
  // row most of the weights. Of one kernel row that is left, the columns, too: they lie together.
  void CropKernel() {
    const Taps rows = TapsOfAll(s_.oh, s_.sh, s_.pt, s_.ih, s_.kh, s_.dh);
    s_.kh = rows.last - rows.first, s_.pt -= rows.first * s_.dh;
    skipped_ = rows.first * s_.kw * w_.block_ic;
    if (s_.kh > 1) return;
    const Taps columns = TapsOfAll(s_.ow, s_.sw, s_.pl, s_.iw, s_.kw, s_.dw);
    s_.kw = columns.last - columns.first, s_.pl -= columns.first * s_.dw;
    skipped_ += columns.first * w_.block_ic;
  }

  // Whether what a thread reads and writes is larger than its L2.
  bool StreamsIn(int threads) const {
    const int64_t floats = s_.n * (s_.ih * s_.iw * s_.ic + s_.oh * s_.ow * s_.oc);
    return floats * static_cast<int64_t>(sizeof(float)) / threads > L2CacheBytes();
  }

  // A strip of the input rows that are read only, those of a tap together. It feeds a whole block
  // even where that is too much for L2: all weights are read once for each.
  void ArrangeByTap() {
    strip_rows_ =
        std::clamp<int64_t>(block_rows_ / s_.ow, 1, std::min(kMaxBlockRows, s_.n * s_.oh));
    const auto of_row = static_cast<int64_t>(offsets_.size()) / s_.kh;
    for (int64_t i = 0; i < of_row * s_.kh; ++i)
      offsets_[static_cast<size_t>(i)] += i / of_row * (strip_rows_ - s_.dh) * width_ * pixel_;
    skips_ = !w_.tiles;
  }

  // Most input rows that strip_rows_ output rows of any images can need.
  int64_t StripInputRows() const {
    const int64_t images = std::min(s_.n, (strip_rows_ + s_.oh - 2) / s_.oh + 1);
    return strip_rows_ * s_.sh + images * span_h_;
  }

  // What a block needs beside its operands.
  struct Room {
    float *partial, *widened, *copied;
  };

  // Taps of an axis.
  struct Taps {
    int64_t first, last;
    bool operator==(const Taps& other) const { return first == other.first && last == other.last; }
  };

  // Those that do not read padding, of a kernel that begins at `start`; none if all do.
  static Taps TapsInside(int64_t start, int64_t size, int64_t taps, int64_t dilation) {
    const int64_t first = start < 0 ? (-start + dilation - 1) / dilation : 0;
    return {first, start < size ? std::min(taps, (size - 1 - start) / dilation + 1) : 0};
  }
  // One that does, if all do.
  static Taps TapsToRead(int64_t start, int64_t size, int64_t taps, int64_t dilation) {
    const Taps inside = TapsInside(start, size, taps, dilation);
    return inside.first < inside.last ? inside : Taps{0, 1};
  }
  // Those inside at each of `out` places, if they are the same; else all.
  static Taps TapsOfAll(int64_t out, int64_t stride, int64_t pad, int64_t size, int64_t taps,
                        int64_t dilation) {
    const Taps first = TapsInside(-pad, size, taps, dilation);
    const Taps last = TapsInside((out - 1) * stride - pad, size, taps, dilation);
    const bool same = first == last && first.first < first.last;
    return same && first.first * dilation <= pad ? first : Taps{0, taps};
  }
  Taps TapsOfRow(int64_t row) const {
    return TapsToRead(row % s_.oh * s_.sh - s_.pt, s_.ih, s_.kh, s_.dh);
  }
  // Those of `count` rows at most, which becomes as many as have the same.
  Taps TapsOfRows(int64_t row, int64_t* count) const {
    if (!skips_) return {0, s_.kh};
    const Taps taps = TapsOfRow(row);
    int64_t alike = 1;
    while (alike < *count && TapsOfRow(row + alike) == taps) ++alike;
    *count = alike;
    return taps;
  }
  Taps TapsOfColumn(int64_t x) const { return TapsToRead(x * s_.sw - s_.pl, s_.iw, s_.kw, s_.dw); }

  // Output pixels that the same segments of the kernel make: whole rows, or a part of one.
  struct Part {
    int64_t row, count, x, width;
    int64_t first, last;  // segments
  };

  // Output rows [begin, end) counted through all images; panels counted through all blocks.
  void RunChunk(int64_t begin, int64_t end, int64_t first_panel, int64_t last_panel) {
    const int64_t partial_floats = (PartialFloats() + 15) / 16 * 16;
    const int64_t strip = (strip_floats_ + 15) / 16 * 16;
    const int64_t widened = w_.integers() != nullptr ? kWidenedFloats : 0;
    const bool collide = !w_.tiles && offsets_.size() == 1 &&
                         RowsCollide((end - begin) * s_.ow, w_.block_oc,
                                     (s_.ow > 1 ? s_.sw : s_.sh * width_) * pixel_);
    const int64_t copied = collide ? MostRowsOfBlock(block_rows_, unit_) * kCopiedRow : 0;
    float* scratch = static_cast<float*>(
        ThreadScratch((strip + partial_floats + widened + copied) * sizeof(float)));
    float* const behind = scratch + strip + partial_floats;
    const Room room = {partial_floats > 0 ? scratch + strip : nullptr, behind,
                       collide ? behind + widened : nullptr};
    const float* row_start[kMaxBlockRows];
    const int64_t step = EvenPart(end - begin, strip_rows_, 1);
    for (int64_t row = begin, count; row < end; row += count) {
      count = std::min(step, end - row);
      const Taps taps = TapsOfRows(row, &count);
      if (gathers_)
        GatherRows(row, count, taps, scratch, row_start);
      else
        FindRows(row, count, scratch, row_start);
      const Part whole = {row, count, 0, s_.ow, 0, static_cast<int64_t>(offsets_.size())};
      if (!skips_) {
        RunStrip(whole, row_start, first_panel, last_panel, room);
        continue;
      }
      for (const Part& part : PartsOf(whole, taps))
        RunStrip(part, row_start + (part.row - row), first_panel, last_panel, room);
    }
  }

  // Of some rows with such taps. One kernel row's weights lie together, so that of these also the
  // columns that read padding are left out.
  std::vector<Part> PartsOf(const Part& rows, const Taps& taps) const {
    const auto of_row = static_cast<int64_t>(offsets_.size()) / s_.kh;
    Part part = rows;
    part.first = taps.first * of_row, part.last = taps.last * of_row;
    if (taps.last - taps.first > 1 || of_row == 1) return {part};
    std::vector<Part> parts;
    for (int64_t i = 0; i < rows.count; i += part.count) {
      part.row = rows.row + i;
      for (int64_t x = 0; x < s_.ow; x += part.width) {
        const Taps inside = TapsOfColumn(x);
        part.x = x, part.width = 1;
        while (x + part.width < s_.ow && TapsOfColumn(x + part.width) == inside) ++part.width;
        part.first = taps.first * of_row + inside.first;
        part.last = taps.first * of_row + inside.last;
        part.count = part.width == s_.ow ? rows.count : 1;
        parts.push_back(part);
      }
    }
    return parts;
  }

  // Of a chunk's scratch: partial sums, or the room of tiles.
  int64_t PartialFloats() const {
    const auto segments = static_cast<int64_t>(offsets_.size());
    if (w_.tiles)
      return TileRoom(MostRowsOfBlock(block_rows_, unit_), w_.block_oc, segments * length_);
    const bool needed = LITE_ISA_PICK(kGemmTable).needs_partial(segments, length_, epilogue_);
    return needed ? MostRowsOfBlock(block_rows_, unit_) * w_.block_oc : 0;
  }

  void GatherRows(int64_t row, int64_t count, const Taps& taps, float* strip,
                  const float** row_start) const {
    const int64_t row_floats = width_ * pixel_;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t image = (row + i) / s_.oh, top = (row + i) % s_.oh * s_.sh - s_.pt;
      row_start[i] = strip + i * row_floats;
      for (int64_t ky = taps.first; ky < taps.last; ++ky)
        CopyRow(image, top + ky * s_.dh, strip + (ky * strip_rows_ + i) * row_floats);
    }
  }

  // Where the input of each output row begins, padding included.
  void FindRows(int64_t row, int64_t count, float* strip, const float** row_start) const {
    for (int64_t i = 0; i < count;) {
      const int64_t image = (row + i) / s_.oh, oy = (row + i) % s_.oh;
      const int64_t here = std::min(count - i, s_.oh - oy);
      const int64_t row_floats = width_ * pixel_;
      if (copies_) {
        const int64_t input_rows = (here - 1) * s_.sh + span_h_;
        const int64_t top = oy * s_.sh - s_.pt;
        if (width_ == 1 && s_.iw == 1 && s_.pl == 0 && x_rows_ == s_.ih)
          CopyLine(image, top, input_rows, strip);
        else
          for (int64_t r = 0; r < input_rows; ++r) CopyRow(image, top + r, strip + r * row_floats);
        for (int64_t j = 0; j < here; ++j) row_start[i + j] = strip + j * s_.sh * row_floats;
        strip += input_rows * row_floats;
      } else {
        for (int64_t j = 0; j < here; ++j) row_start[i + j] = InputRow(image, (oy + j) * s_.sh);
      }
      i += here;
    }
  }

  const float* InputRow(int64_t image, int64_t iy) const {
    return x_ + ((image - first_image_) * x_rows_ + iy % x_rows_) * s_.iw * s_.XPixel();
  }

  void CopyRow(int64_t image, int64_t iy, float* out) const {
    const int64_t left = std::min(s_.pl, width_);
    const int64_t inside = std::clamp<int64_t>(width_ - s_.pl, 0, s_.iw);
    if (iy < 0 || iy >= s_.ih || inside == 0) {
      std::fill(out, out + width_ * s_.ic, 0.0f);
      return;
    }
    std::fill(out, out + left * s_.ic, 0.0f);
    float* middle = out + left * s_.ic;
    if (nchw_) {
      const int64_t plane = s_.ih * s_.iw;
      Transpose(s_.ic, inside, x_ + ((image - first_image_) * s_.ic * s_.ih + iy) * s_.iw, plane,
                middle, s_.ic);
    } else {
      CopyPixels(InputRow(image, iy), inside, middle);
    }
    std::fill(middle + inside * s_.ic, out + width_ * s_.ic, 0.0f);
  }

  // Rows of one pixel, which lie together.
  void CopyLine(int64_t image, int64_t iy, int64_t rows, float* out) const {
    const int64_t before = std::clamp<int64_t>(-iy, 0, rows);
    const int64_t inside = std::clamp<int64_t>(s_.ih - iy, before, rows) - before;
    float* const middle = out + before * s_.ic;
    std::fill(out, middle, 0.0f);
    if (inside > 0 && nchw_)
      Transpose(s_.ic, inside, x_ + (image - first_image_) * s_.ic * s_.ih + iy + before, s_.ih,
                middle, s_.ic);
    else if (inside > 0)
      CopyPixels(InputRow(image, iy + before), inside, middle);
    std::fill(middle + inside * s_.ic, out + rows * s_.ic, 0.0f);
  }

  void CopyPixels(const float* from, int64_t count, float* to) const {
    const int64_t pixel = s_.XPixel();
    if (pixel == s_.ic) {
      std::memcpy(to, from, count * s_.ic * sizeof(float));
      return;
    }
    for (int64_t i = 0; i < count; ++i) std::copy_n(from + i * pixel, s_.ic, to + i * s_.ic);
  }

  void RunStrip(const Part& part, const float* const* row_start, int64_t first_panel,
                int64_t last_panel, const Room& room) const {
    const float* pixels[kMaxBlockRows];
    GemmBlock g;
    g.rows = pixels;
    g.offsets = offsets_.data() + part.first;
    g.segments = part.last - part.first;
    g.length = length_;
    g.packed = PackedSummands();
    g.skipped = skipped_ + part.first * length_;
    g.columns = w_.block_oc;
    g.ldc = s_.YPixel();
    g.partial = room.partial;
    g.integers = w_.integers();
    g.scales = w_.scales.data();
    g.room = room.widened;
    g.copied = room.copied;
    g.streams = streams_;
    const int64_t total = part.count * part.width, panels = PanelCount(w_.block_oc);
    const int64_t first_block = first_panel / panels, last_block = (last_panel - 1) / panels;
    int64_t y = 0, x = part.x;
    const int64_t step = RowsOfBlock(total, block_rows_, unit_);
    for (int64_t p = 0; p < total; p += step) {
      g.row_count = std::min(step, total - p);
      g.first_row = part.row * s_.ow + part.x + p;
      const int64_t y0 = y, x0 = x;
      for (int64_t block = first_block; block <= last_block; ++block) {
        y = y0;
        x = x0;
        for (int64_t i = 0; i < g.row_count; ++i) {
          pixels[i] = row_start[y] + x * s_.sw * pixel_ + block * w_.block_ic;
          if (++x == s_.ow) {
            x = 0;
            ++y;
          }
        }
        g.first_panel = std::max<int64_t>(first_panel - block * panels, 0);
        g.last_panel = std::min(last_panel - block * panels, panels);
        g.first_column = block * w_.block_oc;
        g.b = g.integers != nullptr ? g.room : w_.data.data() + block * w_.block_floats;
        g.next = NextPanel(block, first_panel, last_panel, p + step < total);
        g.c = y_ + (g.first_row - first_row_ * s_.ow) * g.ldc + g.first_column;
        Epilogue epilogue = epilogue_;
        if (epilogue.bias != nullptr) epilogue.bias += g.first_column;
        g.epilogue = &epilogue;
        if (w_.tiles)
          RunTileBlock(g, room.partial);
        else
          LITE_ISA_PICK(kGemmTable).run_block(g);
      }
    }
  }

  // Of a column of the packed weights, those that are left out included.
  int64_t PackedSummands() const { return w_.kh * w_.kw * w_.block_ic; }

  // What is read after a block of rows and channels: the next channels, or the first ones again.
  const float* NextPanel(int64_t block, int64_t first_panel, int64_t last_panel, bool more) const {
    const int64_t panels = PanelCount(w_.block_oc);
    if (block < (last_panel - 1) / panels) return w_.data.data() + (block + 1) * w_.block_floats;
    if (!more) return nullptr;
    const int64_t k = PackedSummands();
    const int64_t column = PanelColumn(first_panel % panels, w_.block_oc);
    const int64_t first = w_.tiles ? TileFloats(k, column) : column * k;
    if (w_.integers() != nullptr) return reinterpret_cast<const float*>(w_.integers() + first);
    return w_.data.data() + first_panel / panels * w_.block_floats + first;
  }

  ConvShape s_;           // of what is left of the kernel
  int64_t skipped_ = 0;   // summands before that
  const float* const x_;  // of first_image_
  int64_t x_rows_;        // of an image
  bool gathers_ = false;  // a strip has the rows of each tap together
  bool skips_ = false;    // segments that read only padding are left out
  const bool nchw_;
  const PackedConv& w_;
  const Epilogue& epilogue_;
  float* const y_;  // of first_row_
  int64_t first_image_ = 0, first_row_ = 0;
  int64_t span_w_, span_h_;  // input pixels that an output row, a kernel's column span
  bool copies_, streams_ = false;
  int64_t width_;   // pixels between rows of the input or the strip
  int64_t pixel_;   // floats between its pixels
  int64_t length_;  // contiguous floats of a row
  std::vector<int64_t> offsets_;
  int64_t strip_rows_, strip_floats_;
  int64_t block_rows_, unit_;  // about so many rows at a time, in multiples
};

bool IsEmpty(const ConvShape& s) { return s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.oc <= 0; }

}  // namespace

void ConvNhwc(int threads, const ConvShape& s, const float* x, const PackedConv& weights,
              const Epilogue& epilogue, float* y) {
  if (IsEmpty(s)) return;
  Convolution(s, x, s.ih, false, weights, epilogue, y).Run(threads);
}

void ConvNchwInput(int threads, const ConvShape& s, const float* x, const PackedConv& weights,
                   const Epilogue& epilogue, float* y) {
  if (IsEmpty(s)) return;
  Convolution(s, x, s.ih, true, weights, epilogue, y).Run(threads);
}

void ConvNhwcRows(const ConvShape& s, const ConvRows& rows, bool planes, const PackedConv& weights,
                  const Epilogue& epilogue) {
  if (IsEmpty(s)) return;
  Convolution(s, rows.x, rows.x_rows, planes, weights, epilogue, rows.y).RunRows(rows);
}

}  // namespace paddle::lite::math
