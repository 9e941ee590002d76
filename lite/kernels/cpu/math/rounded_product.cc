#include "lite/kernels/cpu/math/rounded_product.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/transpose.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {

void RoundedWeights::Divide(bool dilated) {
  merged = !dilated && blocks == 1 && !winograd;
  segments = merged ? kh : winograd ? 1 : kh * kw;
  length = merged ? kw * block_ic : block_ic;
}

RoundedBlock RoundedProduct::BlockAt(int64_t row, int64_t column) const {
  RoundedBlock g;
  g.segments = weights.segments;
  g.columns = weights.block_oc;
  g.first_row = row;
  g.first_column = column;
  const int64_t at = row * ldc_ + column;
  if (epilogue_.rounding != nullptr)
    g.bytes = static_cast<uint8_t*>(c_) + at;
  else
    g.c = static_cast<float*>(c_) + at;
  g.ldc = ldc_;
  return g;
}

void RoundedProduct::Multiply(const RoundedRows& r) const {
  RoundedBlock g = BlockAt(r.first_row, r.block * weights.block_oc);
  g.rows = r.rows;
  g.row_count = r.count;
  g.offsets = r.offsets;
  g.first_panel = r.first_panel;
  g.last_panel = r.last_panel;
  Epilogue epilogue = epilogue_;
  if (epilogue.bias != nullptr) epilogue.bias += g.first_column;
  g.epilogue = &epilogue;
  Run(g, r.block);
}

void RoundedProduct::MultiplyPatches(const PatchStrip& strip, int64_t first_panel,
                                     int64_t last_panel) const {
  RoundedBlock g = BlockAt(0, 0);
  g.first_panel = first_panel;
  g.last_panel = last_panel;
  g.epilogue = &epilogue_;
  RunPatches(strip, g);
}

namespace {

// Bytes of rounded rows that are worked on at once, so that they stay in L2 beside a panel.
constexpr int64_t kStripBytes = 256 * 1024;
// A column's last word may reach beyond its row.
constexpr int64_t kSlackBytes = 64;
constexpr int64_t kWordBytes = 4;

// A convolution as a product: rows are output pixels, a column's summands run over the kernel.
// Input rows are rounded into a strip, with the padding around them; where they are rounded, one
// pixel of the input is all that a pixel of the output needs, and words do not reach beyond it,
// they are read where they are.
class Convolution {
 public:
  Convolution(const ConvShape& s, const RoundedInput& x, const RoundedProduct& product)
      : s_(s), x_(x), product_(product), w_(product.weights) {
    in_place_ = x.bytes != nullptr && product.ReadsBytes() && s.kh == 1 && s.kw == 1 && s.pt == 0 &&
                s.pl == 0 && s.oh * s.sh < s.ih + s.sh && s.ow * s.sw < s.iw + s.sw &&
                w_.block_ic * product.element_bytes % kWordBytes == 0;
    // With a kernel of one pixel in a direction only every stride-th pixel is rounded.
    take_w_ = s.kw == 1 && !in_place_ ? s.sw : 1;
    take_h_ = s.kh == 1 && !in_place_ ? s.sh : 1;
    step_w_ = s.sw / take_w_;
    step_h_ = s.sh / take_h_;
    width_ = (s.ow - 1) * step_w_ + (s.kw - 1) * s.dw + 1;
    span_h_ = (s.kh - 1) * s.dh + 1;
    pixel_ = s.ic * product.element_bytes;
    for (int64_t ky = 0; ky < s.kh; ++ky)
      for (int64_t kx = 0; kx < (w_.merged ? 1 : s.kw); ++kx)
        offsets_.push_back((ky * s.dh * width_ + kx * s.dw) * pixel_);
    const int64_t row = width_ * pixel_;
    unit_ = w_.winograd ? 2 : 1;
    strip_rows_ =
        std::clamp<int64_t>((BytesInL2(kStripBytes) / std::max<int64_t>(row, 1) - span_h_) /
                                    std::max<int64_t>(step_h_, 1) +
                                1,
                            unit_, kMaxBlockRows) /
        unit_ * unit_;
    const int64_t images = std::min(s.n, (strip_rows_ + s.oh - 2) / s.oh + 1);
    // Patches may reach beyond the last row and pixel.
    const int64_t beyond = w_.winograd ? row + pixel_ : 0;
    gathers_ = !in_place_ && !w_.winograd && s.kh > 1 && s.dh > strip_rows_;
    if (gathers_) ArrangeByTap(BytesInL2(kStripBytes) / std::max<int64_t>(row, 1));
    const int64_t rows = gathers_ ? strip_rows_ * s.kh : strip_rows_ * step_h_ + images * span_h_;
    strip_bytes_ = row * rows + beyond + kSlackBytes;
    strip_bytes_ = (strip_bytes_ + 63) / 64 * 64;
  }

  void Run(int threads) {
    const int64_t rows = s_.n * s_.oh, panels = PanelCount(w_.block_oc);
    const double work = static_cast<double>(rows * s_.ow) * w_.block_oc * w_.blocks *
                        static_cast<double>(w_.segments * w_.length);
    const int64_t unit = std::max(unit_, UnitOfImageRows(s_.ow) / unit_ * unit_);
    const WorkSplit split =
        SplitWork(threads, rows, unit, panels * w_.blocks, work, w_.oc > rows * s_.ow);
    ForParts(threads, split, [&](const WorkPart& part) {
      RunChunk(part.begin, part.end, part.first_panel, part.last_panel);
    });
  }

 private:
  // A strip of the input rows that are read only, `fitting` at most, those of a tap together.
  void ArrangeByTap(int64_t fitting) {
    strip_rows_ = std::clamp<int64_t>(fitting / s_.kh, 1, kMaxBlockRows);
    const auto of_row = static_cast<int64_t>(offsets_.size()) / s_.kh;
    for (int64_t i = 0; i < of_row * s_.kh; ++i)
      offsets_[static_cast<size_t>(i)] += i / of_row * (strip_rows_ - s_.dh) * width_ * pixel_;
  }

  // Output rows [begin, end) counted through all images; panels counted through all blocks.
  void RunChunk(int64_t begin, int64_t end, int64_t first_panel, int64_t last_panel) {
    const int64_t planes = x_.nchw ? width_ * s_.ic * static_cast<int64_t>(sizeof(float)) : 0;
    char* strip = static_cast<char*>(ThreadScratch(static_cast<size_t>(strip_bytes_ + planes)));
    const char* row_start[kMaxBlockRows];
    const int64_t step = EvenPart(end - begin, strip_rows_, unit_);
    for (int64_t row = begin; row < end; row += step) {
      const int64_t count = std::min(step, end - row);
      if (in_place_)
        FindRows(row, count, row_start);
      else if (gathers_)
        GatherRows(row, count, strip, row_start);
      else
        FillStrip(row, count, strip, row_start);
      w_.winograd ? RunPatches(row, count, row_start, first_panel, last_panel)
                  : RunStrip(row, count, row_start, first_panel, last_panel);
    }
  }

  void FindRows(int64_t row, int64_t count, const char** row_start) const {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t image = (row + i) / s_.oh, oy = (row + i) % s_.oh;
      row_start[i] =
          reinterpret_cast<const char*>(x_.bytes) + (image * s_.ih + oy * s_.sh) * s_.iw * pixel_;
    }
  }

  void GatherRows(int64_t row, int64_t count, char* strip, const char** row_start) const {
    const int64_t bytes = width_ * pixel_;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t image = (row + i) / s_.oh, top = (row + i) % s_.oh * s_.sh - s_.pt;
      row_start[i] = strip + i * bytes;
      for (int64_t ky = 0; ky < s_.kh; ++ky)
        FillRow(image, top + ky * s_.dh, strip + (ky * strip_rows_ + i) * bytes,
                reinterpret_cast<float*>(strip + strip_bytes_));
    }
  }

  // Rounds what output rows read, and finds where the input of each begins.
  void FillStrip(int64_t row, int64_t count, char* strip, const char** row_start) const {
    const int64_t bytes = width_ * pixel_;
    char* to = strip;
    for (int64_t i = 0; i < count;) {
      const int64_t image = (row + i) / s_.oh, oy = (row + i) % s_.oh;
      const int64_t here = std::min(count - i, s_.oh - oy);
      const int64_t input_rows = (here - 1) * step_h_ + span_h_;
      for (int64_t r = 0; r < input_rows; ++r)
        FillRow(image, oy * s_.sh - s_.pt + r * take_h_, to + r * bytes,
                reinterpret_cast<float*>(strip + strip_bytes_));
      for (int64_t j = 0; j < here; ++j) row_start[i + j] = to + j * step_h_ * bytes;
      to += input_rows * bytes;
      i += here;
    }
    if (w_.winograd) Pad(to, width_ + 1);
  }

  // `pixels` has room for a row of reals, where the input is in planes.
  void FillRow(int64_t image, int64_t iy, char* out, float* pixels) const {
    // Pixels before the input, and those in it.
    const int64_t left = std::clamp<int64_t>((s_.pl + take_w_ - 1) / take_w_, 0, width_);
    const int64_t first = left * take_w_ - s_.pl;
    const int64_t there = first < s_.iw ? (s_.iw - 1 - first) / take_w_ + 1 : 0;
    const int64_t inside = std::clamp<int64_t>(width_ - left, 0, there);
    if (iy < 0 || iy >= s_.ih || inside == 0) return Pad(out, width_);
    Pad(out, left);
    char* middle = out + left * pixel_;
    if (x_.bytes != nullptr) {
      const uint8_t* row = x_.bytes + ((image * s_.ih + iy) * s_.iw + first) * s_.ic;
      if (take_w_ == 1)
        product_.Take(row, inside * s_.ic, middle);
      else
        for (int64_t i = 0; i < inside; ++i)
          product_.Take(row + i * take_w_ * s_.ic, s_.ic, middle + i * pixel_);
    } else if (x_.nchw) {
      const int64_t plane = s_.ih * s_.iw;
      const float* row = x_.reals + (image * s_.ic * s_.ih + iy) * s_.iw + first;
      if (take_w_ == 1)
        Transpose(s_.ic, inside, row, plane, pixels, s_.ic);
      else
        for (int64_t i = 0; i < inside; ++i)
          for (int64_t c = 0; c < s_.ic; ++c) pixels[i * s_.ic + c] = row[c * plane + i * take_w_];
      product_.Round(pixels, inside * s_.ic, middle);
    } else {
      const int64_t pixel = s_.XPixel();
      const float* row = x_.reals + ((image * s_.ih + iy) * s_.iw + first) * pixel;
      if (take_w_ == 1 && pixel == s_.ic)
        product_.Round(row, inside * s_.ic, middle);
      else
        for (int64_t i = 0; i < inside; ++i)
          product_.Round(row + i * take_w_ * pixel, s_.ic, middle + i * pixel_);
    }
    const int64_t done = left + inside;
    Pad(out + done * pixel_, width_ - done);
  }

  void Pad(char* out, int64_t pixels) const {
    std::memset(out, product_.zero_byte, static_cast<size_t>(pixels * pixel_));
  }

  void RunPatches(int64_t row, int64_t count, const char* const* row_start, int64_t first_panel,
                  int64_t last_panel) const {
    PatchStrip p;
    p.line_bytes = width_ * pixel_;
    p.pixel_bytes = pixel_;
    p.channels = s_.ic;
    p.width = s_.ow;
    for (int64_t i = 0; i < count; i += p.count) {
      p.count = std::min(count - i, s_.oh - (row + i) % s_.oh);
      p.lines = row_start + i;
      p.first_row = (row + i) * s_.ow;
      product_.MultiplyPatches(p, first_panel, last_panel);
    }
  }

  void RunStrip(int64_t row, int64_t count, const char* const* row_start, int64_t first_panel,
                int64_t last_panel) const {
    const char* pixels[kMaxBlockRows];
    RoundedRows r;
    r.rows = pixels;
    r.offsets = offsets_.data();
    const int64_t total = count * s_.ow, panels = PanelCount(w_.block_oc);
    const int64_t first_block = first_panel / panels, last_block = (last_panel - 1) / panels;
    const int64_t most = EvenPart(total, kMaxBlockRows, 1);
    for (int64_t p = 0; p < total; p += r.count) {
      r.count = std::min(most, total - p);
      r.first_row = row * s_.ow + p;
      for (r.block = first_block; r.block <= last_block; ++r.block) {
        const int64_t step = step_w_ * pixel_;
        const int64_t channels = r.block * w_.block_ic * product_.element_bytes;
        int64_t oy = p / s_.ow, ox = p % s_.ow;
        for (int64_t i = 0; i < r.count; ++oy, ox = 0) {
          const char* at = row_start[oy] + ox * step + channels;
          const int64_t here = std::min(r.count - i, s_.ow - ox);
          for (int64_t j = 0; j < here; ++j, at += step) pixels[i + j] = at;
          i += here;
        }
        r.first_panel = std::max<int64_t>(first_panel - r.block * panels, 0);
        r.last_panel = std::min(last_panel - r.block * panels, panels);
        product_.Multiply(r);
      }
    }
  }

  const ConvShape& s_;
  const RoundedInput x_;
  const RoundedProduct& product_;
  const RoundedWeights& w_;
  bool in_place_;
  int64_t take_w_, take_h_;  // of so many input pixels one is rounded
  int64_t step_w_, step_h_;  // stride over those
  int64_t width_, span_h_;   // pixels of a strip's row, rows that an output row needs
  int64_t pixel_;            // bytes
  int64_t unit_;             // of rows that are worked on together
  bool gathers_;             // a strip has the rows of each tap together
  int64_t strip_rows_, strip_bytes_;
  std::vector<int64_t> offsets_;
};

}  // namespace

void RunRoundedConv(int threads, const ConvShape& s, const RoundedInput& x,
                    const RoundedProduct& product) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.oc <= 0) return;
  Convolution(s, x, product).Run(threads);
}

void RunRoundedGemm(int threads, int64_t m, const RoundedInput& a, int64_t lda,
                    const RoundedProduct& product) {
  const RoundedWeights& w = product.weights;
  const int64_t n = w.oc;
  if (m <= 0 || n <= 0) return;
  const int64_t unit = LITE_ISA_PICK(kGemmTable).panel_rows;
  const int64_t bytes = w.ic * product.element_bytes;
  const int64_t row = (bytes + kSlackBytes - 1) / kSlackBytes * kSlackBytes;
  const bool in_place = a.bytes != nullptr && product.ReadsBytes() && bytes % kWordBytes == 0;
  const int64_t fitting = BytesInL2(kStripBytes) / std::max<int64_t>(row, 1) / unit * unit;
  const int64_t most = std::clamp<int64_t>(fitting, unit, kMaxBlockRows / unit * unit);
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(w.ic);
  const WorkSplit split = SplitProduct(threads, m, n, unit, work);
  ForParts(threads, split, [&](const WorkPart& part) {
    char* strip = static_cast<char*>(ThreadScratch(static_cast<size_t>(most * row + kSlackBytes)));
    const char* rows[kMaxBlockRows];
    const int64_t offset = 0;
    RoundedRows block;
    block.rows = rows;
    block.offsets = &offset;
    block.first_panel = part.first_panel;
    block.last_panel = part.last_panel;
    const int64_t step = EvenPart(part.end - part.begin, most, unit);
    for (int64_t r = part.begin; r < part.end; r += step) {
      block.count = std::min(step, part.end - r);
      block.first_row = r;
      for (int64_t k = 0; k < block.count; ++k) {
        const uint8_t* kept = a.bytes == nullptr ? nullptr : a.bytes + (r + k) * w.ic;
        rows[k] = in_place ? reinterpret_cast<const char*>(kept) : strip + k * row;
        if (kept == nullptr)
          product.Round(a.reals + (r + k) * lda, w.ic, strip + k * row);
        else if (!in_place)
          product.Take(kept, w.ic, strip + k * row);
      }
      product.Multiply(block);
    }
  });
}

}  // namespace paddle::lite::math
