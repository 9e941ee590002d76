#include <algorithm>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/byte_depthwise.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/packing_table.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

int64_t PadChannels(int64_t channels) {
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
  return (channels + width - 1) / width * width;
}

// Where the parts of a chunk's scratch begin, in floats.
struct DepthwiseScratch {
  DepthwiseScratch(const ConvShape& s, int64_t padded, int64_t together, bool widens) {
    input_rows = s.kh + (together - 1) * s.sh;
    const int64_t most = std::max(4 * s.kh * s.kw, input_rows * (3 * s.sw + s.kw)) + input_rows;
    pointers = 0;
    constexpr int64_t kPointer = sizeof(void*), kFloat = sizeof(float);
    zeros = (most * kPointer / kFloat + 15) / 16 * 16;
    bias = zeros + std::max<int64_t>(s.iw, 1) * s.XPixel() + padded;
    tile = bias + padded;
    ring = tile + (together * s.ow * s.ic + 15) / 16 * 16;
    ring_rows = std::min((input_rows - 1) * s.dh + 1, s.ih);
    total = ring + (widens ? ring_rows * s.iw * s.ic : 0);
  }
  int64_t input_rows;
  int64_t ring_rows;  // of the input, as reals
  int64_t pointers, zeros, bias, tile, ring, total;
};

// Rows of the output, counted through all images, and channels.
struct DepthwisePart {
  int64_t begin, end;
  int64_t first_channel, last_channel;
  DepthwiseInput x;  // of first_image
  int64_t x_rows;    // of an image
  int64_t first_image;
  void* y;  // of first_row; bytes where the epilogue rounds
  int64_t first_row;
  int64_t first_pixel = 0;  // of the rows in the result, for the steps
};

// Rows of bytes as reals, for as long as the window that moves down an image needs them.
class RingOfReals {
 public:
  RingOfReals(const ConvShape& s, const DepthwisePart& part, int64_t rows, float* data)
      : s_(s), part_(part), rows_(rows), data_(data) {}

  const float* Row(int64_t image, int64_t iy) {
    if (image != image_) next_ = std::max<int64_t>(iy - s_.dh + 1, 0);  // dilated rows alternate
    image_ = image;
    next_ = std::max(next_, iy - rows_ + 1);
    for (; next_ <= iy; ++next_) Widen(next_);
    return data_ + iy % rows_ * s_.iw * s_.ic + part_.first_channel;
  }

 private:
  void Widen(int64_t iy) const {
    const DepthwiseInput& x = part_.x;
    const int64_t first = part_.first_channel, channels = part_.last_channel - first;
    const int64_t row = ((image_ - part_.first_image) * s_.ih + iy) * s_.iw * s_.ic;
    const uint8_t* from = x.bytes + row + first;
    float* to = data_ + iy % rows_ * s_.iw * s_.ic + first;
    const auto widen = LITE_ISA_PICK(kInt8Table).widen_bytes;
    if (channels == s_.ic) return widen(from, s_.iw * s_.ic, x.scale, x.zero, to);
    for (int64_t i = 0; i < s_.iw; ++i)
      widen(from + i * s_.ic, channels, x.scale, x.zero, to + i * s_.ic);
  }

  const ConvShape& s_;
  const DepthwisePart& part_;
  const int64_t rows_;
  float* const data_;
  int64_t image_ = -1, next_ = 0;
};

bool ReadsPaddedRows(const ConvShape& s, const DepthwisePart& part) {
  const int64_t first = part.begin % s.oh, last = first + part.end - part.begin - 1;
  if (last >= s.oh) return true;  // of another image
  return first * s.sh < s.pt || last * s.sh - s.pt + (s.kh - 1) * s.dh >= s.ih;
}

void RunPart(const ConvShape& s, const PackedDepthwise& weights, const Epilogue& epilogue,
             const DepthwisePart& part) {
  const int64_t padded = PadChannels(s.ic);
  const DepthwiseTable& table = LITE_ISA_PICK(kDepthwiseTable);
  DepthwiseRow r;
  r.channels = part.last_channel - part.first_channel;
  r.padded_channels = padded;
  r.x_pixel = s.XPixel();
  r.y_pixel = s.YPixel();
  r.iw = s.iw;
  r.ow = s.ow;
  r.kh = s.kh;
  r.kw = s.kw;
  r.sw = s.sw;
  r.pl = s.pl;
  r.dw = s.dw;
  const int64_t together = table.rows_together(r, s.sh, s.dh);
  const DepthwiseScratch layout(s, padded, together, part.x.bytes != nullptr);
  float* scratch = static_cast<float*>(ThreadScratch(layout.total * sizeof(float)));
  // Beside an image one pixel is enough.
  const int64_t zeros = ReadsPaddedRows(s, part) ? layout.bias - layout.zeros : padded;
  std::fill_n(scratch + layout.zeros, zeros, 0.0f);
  std::fill(scratch + layout.bias, scratch + layout.tile, 0.0f);
  if (epilogue.bias != nullptr) {
    std::copy(epilogue.bias, epilogue.bias + s.ic, scratch + layout.bias);
  }
  const float** rows = reinterpret_cast<const float**>(scratch);
  r.rows = rows;
  r.pointers = rows + layout.input_rows;
  r.zeros = scratch + layout.zeros;
  r.bias = scratch + layout.bias + part.first_channel;
  r.tile = scratch + layout.tile;
  r.weights = weights.data.data() + part.first_channel;
  r.epilogue = &epilogue;
  r.first_column = part.first_channel;
  RingOfReals ring(s, part, layout.ring_rows, scratch + layout.ring);
  for (int64_t row = part.begin; row < part.end; row += r.together) {
    const int64_t image = row / s.oh, oy = row % s.oh;
    r.together = std::min({together, part.end - row, s.oh - oy});
    for (int64_t i = 0; i < s.kh + (r.together - 1) * s.sh; ++i) {
      const int64_t iy = oy * s.sh - s.pt + i * s.dh;
      rows[i] = nullptr;
      if (iy < 0 || iy >= s.ih) continue;
      const int64_t row_of_x = (image - part.first_image) * part.x_rows + iy % part.x_rows;
      rows[i] = part.x.bytes != nullptr
                    ? ring.Row(image, iy)
                    : part.x.reals + part.first_channel + row_of_x * s.iw * r.x_pixel;
    }
    r.first_row = row * s.ow + part.first_pixel;
    const int64_t at = part.first_channel + (row - part.first_row) * s.ow * r.y_pixel;
    if (epilogue.rounding != nullptr)
      r.bytes = static_cast<uint8_t*>(part.y) + at;
    else
      r.y = static_cast<float*>(part.y) + at;
    table.run_rows(r);
  }
}

// Threads share the pixels of lines, each of which is one row of an image; some of them at once, so
// that what a part needs beside them stays small.
void RunLines(int threads, const ConvShape& lines, const float* x, const PackedDepthwise& weights,
              const Epilogue& epilogue, float* y) {
  const int64_t pixels = lines.n * lines.ow;
  const double work = 4.0 * static_cast<double>(pixels) * lines.ic * lines.kw;
  const WorkSplit split = SplitWork(threads, pixels, 1, 1, work);
  ForParts(threads, split, [&](const WorkPart& chunk) {
    for (int64_t p = chunk.begin; p < chunk.end;) {
      const int64_t image = p / lines.ow, at = p % lines.ow, start = at * lines.sw - lines.pl;
      const int64_t left_out = std::clamp<int64_t>(start, 0, lines.iw);
      ConvShape s = lines;
      s.n = 1;
      s.ow = std::min({kMaxBlockRows, chunk.end - p, lines.ow - at});
      s.iw -= left_out;
      s.pl = std::max<int64_t>(-start, 0);
      const float* const from = x + (image * lines.iw + left_out) * s.XPixel();
      RunPart(s, weights, epilogue, {0, 1, 0, s.ic, {from}, 1, 0, y + p * s.YPixel(), 0, p});
      p += s.ow;
    }
  });
}

}  // namespace

PackedDepthwise PackDepthwise(const float* weights, int64_t channels, int64_t kh, int64_t kw) {
  PackedDepthwise packed;
  packed.channels = channels;
  packed.kh = kh;
  packed.kw = kw;
  const int64_t padded = PadChannels(channels), taps = kh * kw;
  packed.data = AlignedFloats::Lasting(taps * padded);
  if (packed.data.packed()) return packed;
  TurnedPanel turned;
  turned.x = weights;
  turned.ldx = turned.taps = taps;
  turned.columns = channels;
  turned.channels = turned.tap_rows = 1;
  turned.y = packed.data.data();
  turned.width = padded;
  turned.flush = true;
  LITE_ISA_PICK(kPackingTable).turn(turned);
  return packed;
}

void DepthwiseNhwc(int threads, const ConvShape& s, const DepthwiseInput& x,
                   const PackedDepthwise& weights, const Epilogue& epilogue, void* y) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.ic <= 0) return;
  if (x.bytes != nullptr && weights.words.size() != 0)
    return DepthwiseBytes(threads, s, x, weights, epilogue, y);
  if (s.IsLine() && x.bytes == nullptr && epilogue.rounding == nullptr)
    return RunLines(threads, s.Turned(), x.reals, weights, epilogue, static_cast<float*>(y));
  const int64_t rows = s.n * s.oh;
  const double work = 4.0 * static_cast<double>(rows * s.ow) * s.ic * s.kh * s.kw;
  // Small images by channels, as the products before them: what a thread reads is in its own cache.
  const int64_t pixels = rows * s.ow, panels = s.ic > pixels ? PanelCount(s.ic) : 1;
  const WorkSplit split = SplitWork(threads, rows, 1, panels, work, panels > 1);
  ForParts(threads, split, [&](const WorkPart& chunk) {
    const int64_t last = chunk.last_panel;
    const DepthwisePart part = {chunk.begin,
                                chunk.end,
                                PanelColumn(chunk.first_panel, s.ic),
                                last == panels ? s.ic : PanelColumn(last, s.ic),
                                x,
                                s.ih,
                                0,
                                y,
                                0};
    RunPart(s, weights, epilogue, part);
  });
}

void DepthwiseNhwcRows(const ConvShape& s, const ConvRows& rows, const PackedDepthwise& weights,
                       const Epilogue& epilogue) {
  if (s.ow <= 0 || s.ic <= 0) return;
  const int64_t begin = rows.image * s.oh + rows.begin;
  RunPart(s, weights, epilogue,
          {begin,
           begin + rows.end - rows.begin,
           0,
           s.ic,
           {rows.x},
           rows.x_rows,
           rows.image,
           rows.y,
           begin});
}

}  // namespace paddle::lite::math
