#include "lite/kernels/cpu/math/pool.h"

#include <algorithm>
#include <cfloat>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

struct Window {
  int64_t begin, end;  // inside the input
  int64_t size;        // with the padding that counts
};

Window WindowAt(int64_t o, int64_t out, int64_t in, int64_t kernel, int64_t stride, int64_t pad,
                bool adaptive) {
  if (adaptive) {
    const int64_t begin = o * in / out, end = ((o + 1) * in + out - 1) / out;
    return {begin, end, end - begin};
  }
  const int64_t begin = o * stride - pad, end = std::min(begin + kernel, in + pad);
  return {std::max<int64_t>(begin, 0), std::min(end, in), end - begin};
}

int64_t XPixel(const PoolShape& s) { return s.x_pixel != 0 ? s.x_pixel : s.c; }
int64_t YPixel(const PoolShape& s) { return s.y_pixel != 0 ? s.y_pixel : s.c; }

// Calls pixel(pointers, count, window size, output) for every output pixel.
template <typename Pixel>
void ForEachWindow(int threads, const PoolShape& s, const float* x, float* y, const Pixel& pixel) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.c <= 0) return;
  const int64_t kh = s.adaptive ? s.ih / s.oh + 2 : std::min(s.kh, s.ih);
  const int64_t kw = s.adaptive ? s.iw / s.ow + 2 : std::min(s.kw, s.iw);
  const int64_t rows = s.n * s.oh, x_pixel = XPixel(s), y_pixel = YPixel(s);
  const double work = 4.0 * static_cast<double>(rows * s.ow) * s.c * kh * kw;
  const WorkSplit split = SplitWork(threads, rows, 1, 1, work);
  ParallelFor(threads, split.row_chunks, [&](int64_t chunk) {
    auto** pixels =
        static_cast<const float**>(ThreadScratch(std::max<int64_t>(kh * kw, 1) * sizeof(float*)));
    const int64_t end = std::min((chunk + 1) * split.rows, rows);
    for (int64_t row = chunk * split.rows; row < end; ++row) {
      const float* image = x + row / s.oh * s.ih * s.iw * x_pixel;
      const Window h = WindowAt(row % s.oh, s.oh, s.ih, s.kh, s.sh, s.pt, s.adaptive);
      for (int64_t ox = 0; ox < s.ow; ++ox) {
        const Window w = WindowAt(ox, s.ow, s.iw, s.kw, s.sw, s.pl, s.adaptive);
        int64_t count = 0;
        for (int64_t iy = h.begin; iy < h.end; ++iy) {
          for (int64_t ix = w.begin; ix < w.end; ++ix) {
            pixels[count++] = image + (iy * s.iw + ix) * x_pixel;
          }
        }
        pixel(pixels, count, h.size * w.size, y + (row * s.ow + ox) * y_pixel);
      }
    }
  });
}

// A few chunks of channels an image.
template <typename Channels>
void ForEachImage(int threads, const PoolShape& s, const float* x, float* y,
                  const Channels& channels) {
  if (s.n <= 0 || s.c <= 0) return;
  constexpr int64_t kChannels = 64;
  const int64_t pixels = s.ih * s.iw, parts = (s.c + kChannels - 1) / kChannels;
  const double work = 4.0 * static_cast<double>(s.n * pixels) * s.c;
  const WorkSplit split = SplitWork(threads, s.n * parts, 1, 1, work);
  ParallelFor(threads, split.row_chunks, [&](int64_t chunk) {
    auto** pointers = static_cast<const float**>(ThreadScratch(pixels * sizeof(float*)));
    const int64_t end = std::min((chunk + 1) * split.rows, s.n * parts);
    for (int64_t i = chunk * split.rows; i < end; ++i) {
      const int64_t image = i / parts, c = i % parts * kChannels;
      const float* first = x + image * pixels * XPixel(s) + c;
      for (int64_t p = 0; p < pixels; ++p) pointers[p] = first + p * XPixel(s);
      channels(pointers, pixels, std::min(kChannels, s.c - c), y + image * YPixel(s) + c);
    }
  });
}

}  // namespace

void MaxPoolNhwc(int threads, const PoolShape& shape, const float* x, float* y) {
  const PoolTable& table = LITE_ISA_PICK(kPoolTable);
  ForEachWindow(threads, shape, x, y,
                [&](const float* const* pixels, int64_t count, int64_t, float* out) {
                  if (count > 0) return table.max(pixels, count, shape.c, out);
                  std::fill(out, out + shape.c, -FLT_MAX);
                });
}

void AvgPoolNhwc(int threads, const PoolShape& shape, bool exclusive, const float* x, float* y) {
  const PoolTable& table = LITE_ISA_PICK(kPoolTable);
  ForEachWindow(threads, shape, x, y,
                [&](const float* const* pixels, int64_t count, int64_t size, float* out) {
                  if (count <= 0) return std::fill(out, out + shape.c, 0.0f);
                  const int64_t by = exclusive || shape.adaptive ? count : size;
                  table.sum(pixels, count, shape.c, 1.0f / static_cast<float>(by), out);
                });
}

void GlobalMaxPoolNhwc(int threads, const PoolShape& shape, const float* x, float* y) {
  const PoolTable& table = LITE_ISA_PICK(kPoolTable);
  ForEachImage(threads, shape, x, y,
               [&](const float* const* pixels, int64_t count, int64_t channels, float* out) {
                 table.max(pixels, count, channels, out);
               });
}

void GlobalAvgPoolNhwc(int threads, const PoolShape& shape, const float* x, float* y) {
  const PoolTable& table = LITE_ISA_PICK(kPoolTable);
  const float scale = 1.0f / static_cast<float>(shape.ih * shape.iw);
  ForEachImage(threads, shape, x, y,
               [&](const float* const* pixels, int64_t count, int64_t channels, float* out) {
                 table.sum(pixels, count, channels, scale, out);
               });
}

}  // namespace paddle::lite::math
