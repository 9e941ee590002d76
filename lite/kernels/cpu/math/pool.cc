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

// Windows from ox on that lie in the input like the one there.
int64_t SameWindows(const PoolShape& s, int64_t ox, const Window& w) {
  if (s.adaptive || w.end - w.begin != s.kw || ox * s.sw < s.pl) return 1;
  return std::min((s.iw - w.end) / s.sw + 1, s.ow - ox);
}

// Calls pool(windows, size) for every row of windows of that size.
template <typename T, typename Pool>
void ForEachWindow(int threads, const PoolShape& s, const T* x, T* y, const Pool& pool) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.c <= 0) return;
  const int64_t kh = s.adaptive ? s.ih / s.oh + 2 : std::min(s.kh, s.ih);
  const int64_t kw = s.adaptive ? s.iw / s.ow + 2 : std::min(s.kw, s.iw);
  const int64_t rows = s.n * s.oh, x_pixel = XPixel(s), y_pixel = YPixel(s);
  const double work = 4.0 * static_cast<double>(rows * s.ow) * s.c * kh * kw;
  const WorkSplit split = SplitWork(threads, rows, 1, 1, work);
  ForParts(threads, split, [&](const WorkPart& part) {
    auto** pixels =
        static_cast<const T**>(ThreadScratch(std::max<int64_t>(kh * kw, 1) * sizeof(T*)));
    for (int64_t row = part.begin; row < part.end; ++row) {
      const T* image = x + row / s.oh * s.ih * s.iw * x_pixel;
      const Window h = WindowAt(row % s.oh, s.oh, s.ih, s.kh, s.sh, s.pt, s.adaptive);
      PoolWindowsOf<T> windows;
      windows.pixels = pixels;
      windows.x_step = s.sw * x_pixel, windows.y_step = y_pixel;
      windows.channels = s.c;
      for (int64_t ox = 0; ox < s.ow; ox += windows.count) {
        const Window w = WindowAt(ox, s.ow, s.iw, s.kw, s.sw, s.pl, s.adaptive);
        windows.count = SameWindows(s, ox, w);
        windows.pixel_count = 0;
        for (int64_t iy = h.begin; iy < h.end; ++iy) {
          for (int64_t ix = w.begin; ix < w.end; ++ix) {
            pixels[windows.pixel_count++] = image + (iy * s.iw + ix) * x_pixel;
          }
        }
        windows.y = y + (row * s.ow + ox) * y_pixel;
        pool(windows, h.size * w.size);
      }
    }
  });
}

// For windows without a pixel.
void Fill(const PoolWindows& w, float value) {
  for (int64_t i = 0; i < w.count; ++i) std::fill_n(w.y + i * w.y_step, w.channels, value);
}

// Calls pool(window) for a few chunks of channels an image.
template <typename Pool>
void ForEachImage(int threads, const PoolShape& s, const float* x, float* y, const Pool& pool) {
  if (s.n <= 0 || s.c <= 0) return;
  constexpr int64_t kChannels = 64;
  const int64_t pixels = s.ih * s.iw, parts = (s.c + kChannels - 1) / kChannels;
  const double work = 4.0 * static_cast<double>(s.n * pixels) * s.c;
  const WorkSplit split = SplitWork(threads, s.n * parts, 1, 1, work);
  ForParts(threads, split, [&](const WorkPart& part) {
    auto** pointers = static_cast<const float**>(ThreadScratch(pixels * sizeof(float*)));
    for (int64_t i = part.begin; i < part.end; ++i) {
      const int64_t image = i / parts, c = i % parts * kChannels;
      const float* first = x + image * pixels * XPixel(s) + c;
      for (int64_t p = 0; p < pixels; ++p) pointers[p] = first + p * XPixel(s);
      PoolWindows window;
      window.pixels = pointers, window.pixel_count = pixels;
      window.channels = std::min(kChannels, s.c - c);
      window.y = y + image * YPixel(s) + c;
      pool(window);
    }
  });
}

}  // namespace

void MaxPoolNhwc(int threads, const PoolShape& shape, const float* x, float* y) {
  ForEachWindow(threads, shape, x, y, [](const PoolWindows& windows, int64_t) {
    if (windows.pixel_count <= 0) return Fill(windows, -FLT_MAX);
    LITE_ISA_PICK(kPoolTable).max(windows);
  });
}

void MaxPoolNhwc(int threads, const PoolShape& shape, const uint8_t* x, uint8_t* y) {
  ForEachWindow(threads, shape, x, y, [](const PoolWindowsOf<uint8_t>& windows, int64_t) {
    LITE_ISA_PICK(kPoolTable).max_of_bytes(windows);
  });
}

void AvgPoolNhwc(int threads, const PoolShape& shape, bool exclusive, const float* x, float* y) {
  ForEachWindow(threads, shape, x, y, [&](const PoolWindows& windows, int64_t size) {
    if (windows.pixel_count <= 0) return Fill(windows, 0.0f);
    const int64_t by = exclusive || shape.adaptive ? windows.pixel_count : size;
    LITE_ISA_PICK(kPoolTable).sum(windows, 1.0f / static_cast<float>(by));
  });
}

void GlobalMaxPoolNhwc(int threads, const PoolShape& shape, const float* x, float* y) {
  ForEachImage(threads, shape, x, y,
               [](const PoolWindows& window) { LITE_ISA_PICK(kPoolTable).max(window); });
}

void GlobalAvgPoolNhwc(int threads, const PoolShape& shape, const float* x, float* y) {
  const float scale = 1.0f / static_cast<float>(shape.ih * shape.iw);
  ForEachImage(threads, shape, x, y,
               [&](const PoolWindows& window) { LITE_ISA_PICK(kPoolTable).sum(window, scale); });
}

}  // namespace paddle::lite::math
