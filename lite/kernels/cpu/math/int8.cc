#include "lite/kernels/cpu/math/int8.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "lite/core/thread_pool.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/transpose.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

// Bytes of rounded rows that are worked on at once, so that they stay in L2 beside a panel.
constexpr int64_t kStripBytes = 256 * 1024;
constexpr int64_t kWordBytes = 4;
// A column's last word may reach beyond its row: what is read there is multiplied by 0.
constexpr int64_t kSlackBytes = 64;

int64_t ElementBytes() { return HasVnni() ? 1 : 2; }

int64_t PaddedColumns(int64_t n) {
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
  return (n + width - 1) / width * width;
}

AlignedFloats Zeros(int64_t count) {
  AlignedFloats made(count);
  std::fill(made.data(), made.data() + count, 0.0f);
  return made;
}

// Where a block's bytes go: the weight of one summand at a time.
class Packer {
 public:
  explicit Packer(PackedInt8* packed) : p_(*packed) {
    p_.block_columns = PaddedColumns(p_.block_oc);
    const int64_t per_word = kWordBytes / ElementBytes();
    p_.merged = p_.merged && p_.blocks == 1;
    p_.segments = p_.merged ? p_.kh : p_.kh * p_.kw;
    length_ = p_.merged ? p_.kw * p_.block_ic : p_.block_ic;
    p_.words = (length_ + per_word - 1) / per_word;
    p_.block_bytes = p_.segments * p_.words * kWordBytes * p_.block_columns;
    p_.data = Zeros((p_.block_bytes * p_.blocks + 3) / 4);
    p_.start = Zeros(p_.block_columns * p_.blocks);
    for (int64_t j = 0; j < p_.block_oc; ++j) {
      const int64_t panels = PanelCount(p_.block_oc);
      const int64_t width =
          LITE_ISA_PICK(kGemmTable).panel_vectors * LITE_ISA_PICK(kGemmTable).vector_width;
      const int64_t panel = std::min(j / width, panels - 1);
      const int64_t first = PanelColumn(panel, p_.block_oc);
      const int64_t next = PanelColumn(panel + 1, p_.block_oc);
      columns_.push_back({first, (next == p_.block_oc ? p_.block_columns : next) - first});
    }
  }

  // Summand k of a column, counted as if all taps were contiguous.
  void Put(int64_t block, int64_t k, int64_t column, int8_t weight) {
    const int64_t per_word = kWordBytes / ElementBytes();
    const int64_t segment = k / length_, at = k % length_;
    const int64_t word = segment * p_.words + at / per_word;
    const Column& c = columns_[static_cast<size_t>(column)];
    const int64_t from_panel = (word * c.width + column - c.first) * kWordBytes;
    char* to = reinterpret_cast<char*>(p_.data.data()) + block * p_.block_bytes +
               c.first * p_.segments * p_.words * kWordBytes + from_panel +
               at % per_word * ElementBytes();
    if (HasVnni()) {
      std::memcpy(to, &weight, 1);
      reinterpret_cast<int32_t*>(p_.start.data())[block * p_.block_columns + column] -=
          128 * weight;
    } else {
      const auto wide = static_cast<int16_t>(weight);
      std::memcpy(to, &wide, 2);
    }
  }

 private:
  struct Column {
    int64_t first, width;  // of its panel
  };

  PackedInt8& p_;
  int64_t length_ = 0;
  std::vector<Column> columns_;
};

}  // namespace

void RoundReals(const float* x, int64_t count, const Int8Rounding& how, float scale, float bound,
                float* out) {
  LITE_ISA_PICK(kInt8Table).round_reals(x, count, how, scale, bound, out);
}

PackedInt8 PackInt8Conv(const int8_t* weights, int64_t oc, int64_t ic, int64_t kh, int64_t kw,
                        int64_t groups, bool dilated) {
  const int64_t group_oc = oc / groups, group_ic = ic / groups;
  const int64_t together = GroupsOfBlock(groups, group_oc);
  PackedInt8 packed;
  packed.oc = oc, packed.ic = ic, packed.kh = kh, packed.kw = kw;
  packed.blocks = groups / together;
  packed.block_ic = group_ic * together;
  packed.block_oc = group_oc * together;
  packed.merged = !dilated;
  Packer packer(&packed);
  for (int64_t o = 0; o < oc; ++o) {
    const int64_t block = o / packed.block_oc, column = o % packed.block_oc;
    const int64_t first_channel = column / group_oc * group_ic;
    for (int64_t i = 0; i < group_ic; ++i)
      for (int64_t t = 0; t < kh * kw; ++t)
        packer.Put(block, t * packed.block_ic + first_channel + i, column, *weights++);
  }
  return packed;
}

PackedInt8 PackInt8Matrix(int64_t k, int64_t n, const int8_t* b, bool transposed) {
  PackedInt8 packed;
  packed.oc = packed.block_oc = n;
  packed.ic = packed.block_ic = k;
  packed.merged = true;
  Packer packer(&packed);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < k; ++i) packer.Put(0, i, j, transposed ? b[j * k + i] : b[i * n + j]);
  return packed;
}

Int8Scaling ScaleInt8(const PackedInt8& weights, const Int8Rounding& rounding, float step,
                      const float* scales) {
  Int8Scaling scaling = {rounding, Zeros(weights.block_columns * weights.blocks)};
  for (int64_t o = 0; o < weights.oc; ++o) {
    const int64_t block = o / weights.block_oc, column = o % weights.block_oc;
    scaling.scales.data()[block * weights.block_columns + column] = step * scales[o];
  }
  return scaling;
}

namespace {

// A convolution as a product: rows are output pixels, a column's summands run over the kernel.
// Input rows are rounded into a strip, with the padding around them.
class Convolution {
 public:
  Convolution(const ConvShape& s, const float* x, bool nchw, const PackedInt8& w,
              const Int8Scaling& scaling, const Epilogue& epilogue, float* y)
      : s_(s), x_(x), nchw_(nchw), w_(w), scaling_(scaling), epilogue_(epilogue), y_(y) {
    // With a kernel of one pixel in a direction only every stride-th pixel is rounded.
    take_w_ = s.kw == 1 ? s.sw : 1;
    take_h_ = s.kh == 1 ? s.sh : 1;
    step_w_ = s.sw / take_w_;
    step_h_ = s.sh / take_h_;
    width_ = (s.ow - 1) * step_w_ + (s.kw - 1) * s.dw + 1;
    span_h_ = (s.kh - 1) * s.dh + 1;
    pixel_ = s.ic * ElementBytes();
    for (int64_t ky = 0; ky < s.kh; ++ky)
      for (int64_t kx = 0; kx < (w.merged ? 1 : s.kw); ++kx)
        offsets_.push_back((ky * s.dh * width_ + kx * s.dw) * pixel_);
    const int64_t row = width_ * pixel_;
    strip_rows_ = std::clamp<int64_t>(
        (kStripBytes / std::max<int64_t>(row, 1) - span_h_) / std::max<int64_t>(step_h_, 1) + 1, 1,
        kMaxBlockRows);
    const int64_t images = std::min(s.n, (strip_rows_ + s.oh - 2) / s.oh + 1);
    strip_bytes_ = row * (strip_rows_ * step_h_ + images * span_h_) + kSlackBytes;
    strip_bytes_ = (strip_bytes_ + 63) / 64 * 64;
  }

  void Run(int threads) {
    const int64_t rows = s_.n * s_.oh, panels = PanelCount(w_.block_oc);
    const double work = static_cast<double>(rows * s_.ow) * w_.block_oc * w_.blocks *
                        static_cast<double>(w_.segments * w_.words * kWordBytes / ElementBytes());
    const int64_t unit = std::max<int64_t>(1, 24 / std::max<int64_t>(s_.ow, 1));
    const WorkSplit split =
        SplitWork(threads, rows, unit, panels * w_.blocks, work, w_.oc > rows * s_.ow);
    ParallelFor(threads, split.row_chunks * split.panel_chunks, [&](int64_t chunk) {
      const int64_t i = chunk / split.panel_chunks, j = chunk % split.panel_chunks;
      RunChunk(i * split.rows, std::min((i + 1) * split.rows, rows), j * split.panels,
               std::min((j + 1) * split.panels, panels * w_.blocks));
    });
  }

 private:
  // Output rows [begin, end) counted through all images; panels counted through all blocks.
  void RunChunk(int64_t begin, int64_t end, int64_t first_panel, int64_t last_panel) {
    const int64_t planes = nchw_ ? width_ * s_.ic * static_cast<int64_t>(sizeof(float)) : 0;
    char* strip = static_cast<char*>(ThreadScratch(static_cast<size_t>(strip_bytes_ + planes)));
    const char* row_start[kMaxBlockRows];
    for (int64_t row = begin; row < end; row += strip_rows_) {
      const int64_t count = std::min(strip_rows_, end - row);
      FillStrip(row, count, strip, row_start);
      RunStrip(row, count, row_start, first_panel, last_panel);
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
  }

  // `pixels` has room for a row of reals, where the input is in planes.
  void FillRow(int64_t image, int64_t iy, char* out, float* pixels) const {
    const int zero = HasVnni() ? 128 : 0;
    // Pixels before the input, and those in it.
    const int64_t left = std::clamp<int64_t>((s_.pl + take_w_ - 1) / take_w_, 0, width_);
    const int64_t first = left * take_w_ - s_.pl;
    const int64_t there = first < s_.iw ? (s_.iw - 1 - first) / take_w_ + 1 : 0;
    const int64_t inside = std::clamp<int64_t>(width_ - left, 0, there);
    if (iy < 0 || iy >= s_.ih || inside == 0) {
      std::memset(out, zero, static_cast<size_t>(width_ * pixel_));
      return;
    }
    std::memset(out, zero, static_cast<size_t>(left * pixel_));
    char* middle = out + left * pixel_;
    const auto round = [&](const float* x, int64_t count, char* to) {
      LITE_ISA_PICK(kInt8Table).round_row(x, count, scaling_.rounding, HasVnni(), to);
    };
    if (nchw_) {
      const int64_t plane = s_.ih * s_.iw;
      const float* row = x_ + (image * s_.ic * s_.ih + iy) * s_.iw + first;
      if (take_w_ == 1)
        Transpose(s_.ic, inside, row, plane, pixels, s_.ic);
      else
        for (int64_t i = 0; i < inside; ++i)
          for (int64_t c = 0; c < s_.ic; ++c) pixels[i * s_.ic + c] = row[c * plane + i * take_w_];
      round(pixels, inside * s_.ic, middle);
    } else {
      const float* row = x_ + ((image * s_.ih + iy) * s_.iw + first) * s_.ic;
      if (take_w_ == 1)
        round(row, inside * s_.ic, middle);
      else
        for (int64_t i = 0; i < inside; ++i)
          round(row + i * take_w_ * s_.ic, s_.ic, middle + i * pixel_);
    }
    const int64_t done = left + inside;
    std::memset(out + done * pixel_, zero, static_cast<size_t>((width_ - done) * pixel_));
  }

  void RunStrip(int64_t row, int64_t count, const char* const* row_start, int64_t first_panel,
                int64_t last_panel) const {
    const char* pixels[kMaxBlockRows];
    Int8Block g;
    g.rows = pixels;
    g.offsets = offsets_.data();
    g.segments = w_.segments;
    g.words = w_.words;
    g.quads = HasVnni();
    g.columns = w_.block_oc;
    g.ldc = s_.oc;
    const int64_t total = count * s_.ow, panels = PanelCount(w_.block_oc);
    const int64_t first_block = first_panel / panels, last_block = (last_panel - 1) / panels;
    for (int64_t p = 0; p < total; p += g.row_count) {
      g.row_count = std::min(kMaxBlockRows, total - p);
      g.first_row = row * s_.ow + p;
      for (int64_t block = first_block; block <= last_block; ++block) {
        for (int64_t i = 0; i < g.row_count; ++i) {
          const int64_t oy = (p + i) / s_.ow, ox = (p + i) % s_.ow;
          pixels[i] = row_start[oy] + ox * step_w_ * pixel_ + block * w_.block_ic * ElementBytes();
        }
        RunBlock(block, std::max<int64_t>(first_panel - block * panels, 0),
                 std::min(last_panel - block * panels, panels), &g);
      }
    }
  }

  void RunBlock(int64_t block, int64_t first_panel, int64_t last_panel, Int8Block* g) const {
    g->first_panel = first_panel;
    g->last_panel = last_panel;
    g->first_column = block * w_.block_oc;
    g->b = reinterpret_cast<const int8_t*>(w_.data.data()) + block * w_.block_bytes;
    g->start = reinterpret_cast<const int32_t*>(w_.start.data()) + block * w_.block_columns;
    g->scales = scaling_.scales.data() + block * w_.block_columns;
    g->c = y_ + g->first_row * s_.oc + g->first_column;
    Epilogue epilogue = epilogue_;
    if (epilogue.bias != nullptr) epilogue.bias += g->first_column;
    g->epilogue = &epilogue;
    LITE_ISA_PICK(kInt8Table).run_block(*g);
  }

  const ConvShape& s_;
  const float* const x_;
  const bool nchw_;
  const PackedInt8& w_;
  const Int8Scaling& scaling_;
  const Epilogue& epilogue_;
  float* const y_;
  int64_t take_w_, take_h_;  // of so many input pixels one is rounded
  int64_t step_w_, step_h_;  // stride over those
  int64_t width_, span_h_;   // pixels of a strip's row, rows that an output row needs
  int64_t pixel_;            // bytes
  int64_t strip_rows_, strip_bytes_;
  std::vector<int64_t> offsets_;
};

}  // namespace

void ConvInt8(int threads, const ConvShape& s, const float* x, bool nchw, const PackedInt8& weights,
              const Int8Scaling& scaling, const Epilogue& epilogue, float* y) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.oc <= 0) return;
  Convolution(s, x, nchw, weights, scaling, epilogue, y).Run(threads);
}

void GemmInt8(int threads, int64_t m, const float* a, int64_t lda, const PackedInt8& b,
              const Int8Scaling& scaling, float* c, int64_t ldc, const Epilogue& epilogue) {
  const int64_t n = b.oc, panels = PanelCount(n);
  if (m <= 0 || n <= 0) return;
  const int64_t unit = LITE_ISA_PICK(kInt8Table).panel_rows;
  const int64_t row = (b.ic * ElementBytes() + kSlackBytes - 1) / kSlackBytes * kSlackBytes;
  const int64_t fitting = kStripBytes / std::max<int64_t>(row, 1) / unit * unit;
  const int64_t step = std::clamp<int64_t>(fitting, unit, kMaxBlockRows);
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(b.ic);
  const WorkSplit split = SplitWork(threads, m, unit, panels, work, n > m);
  ParallelFor(threads, split.row_chunks * split.panel_chunks, [&](int64_t chunk) {
    const int64_t i = chunk / split.panel_chunks, j = chunk % split.panel_chunks;
    const int64_t last = std::min((i + 1) * split.rows, m);
    char* strip = static_cast<char*>(ThreadScratch(static_cast<size_t>(step * row + kSlackBytes)));
    const char* rows[kMaxBlockRows];
    const int64_t offset = 0;
    Int8Block g;
    g.rows = rows;
    g.offsets = &offset;
    g.segments = 1;
    g.words = b.words;
    g.quads = HasVnni();
    g.b = reinterpret_cast<const int8_t*>(b.data.data());
    g.start = reinterpret_cast<const int32_t*>(b.start.data());
    g.scales = scaling.scales.data();
    g.columns = n;
    g.first_panel = j * split.panels;
    g.last_panel = std::min((j + 1) * split.panels, panels);
    g.ldc = ldc;
    g.epilogue = &epilogue;
    for (int64_t r = i * split.rows; r < last; r += step) {
      g.row_count = std::min(step, last - r);
      for (int64_t k = 0; k < g.row_count; ++k) {
        LITE_ISA_PICK(kInt8Table)
            .round_row(a + (r + k) * lda, b.ic, scaling.rounding, g.quads, strip + k * row);
        rows[k] = strip + k * row;
      }
      g.c = c + r * ldc;
      g.first_row = r;
      LITE_ISA_PICK(kInt8Table).run_block(g);
    }
  });
}

}  // namespace paddle::lite::math
