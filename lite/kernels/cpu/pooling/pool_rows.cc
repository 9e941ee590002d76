// pool2d and pool3d of row-major fp32: the input rows of a window are put together first, then the
// elements of what that gives.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/work_split.h"
#include "lite/kernels/cpu/pooling/pool.h"

namespace paddle::lite {
namespace {

template <bool kMax>
class RowPool {
 public:
  RowPool(const PoolShape& s, const float* x, float* out) : s_(s), x_(x), out_(out) {
    for (int64_t i = 0; i < s.out[2]; ++i) ranges_.push_back(RangeOf(s, 2, i));
    if (s.adaptive) return;
    const auto whole = [&](int64_t i) {
      const PoolRange& range = ranges_[static_cast<size_t>(i)];
      return range.last - range.first == s.window[2].kernel;
    };
    while (first_ < s.out[2] && !whole(first_)) ++first_;
    last_ = first_;
    while (last_ < s.out[2] && whole(last_)) ++last_;
  }

  // Output rows [begin, end) of all planes; `row` has room for an input row.
  void Run(int64_t begin, int64_t end, float* row) const {
    for (int64_t at = begin; at < end; ++at) {
      const int64_t y = at % s_.out[1], z = at / s_.out[1] % s_.out[0];
      const int64_t plane = at / s_.out[1] / s_.out[0];
      const PoolRange rz = RangeOf(s_, 0, z), ry = RangeOf(s_, 1, y);
      float* const to = out_ + at * s_.out[2];
      if (rz.first >= rz.last || ry.first >= ry.last) {
        std::fill_n(to, s_.out[2], kNothing);
        continue;
      }
      const float* const x = x_ + plane * s_.in[0] * s_.in[1] * s_.in[2];
      Gather(x, rz, ry, row);
      Spread(row, SizeOf(rz) * SizeOf(ry), to);
      // Among the definition's elements a NaN is replaced by what follows, and sums of huge numbers
      // are infinite in one order and not in another.
      for (int64_t i = 0; i < s_.out[2]; ++i)
        if (!std::isfinite(to[i]))
          to[i] = PoolWindow(s_, x, rz, ry, ranges_[static_cast<size_t>(i)]);
    }
  }

 private:
  static constexpr float kNothing = kMax ? std::numeric_limits<float>::lowest() : 0.0f;

  // NaN stays NaN, so that the definition is asked about each window that has one.
  static float Combine(float a, float b) {
    if constexpr (kMax) return static_cast<bool>((a > b) | (a != a)) ? a : b;  // no branch
    return a + b;
  }

  int64_t SizeOf(const PoolRange& range) const {
    return s_.exclusive || s_.adaptive ? range.last - range.first : range.padded;
  }

  void Gather(const float* x, const PoolRange& rz, const PoolRange& ry, float* row) const {
    const int64_t width = s_.in[2];
    bool first = true;
    for (int64_t z = rz.first; z < rz.last; ++z)
      for (int64_t y = ry.first; y < ry.last; ++y, first = false) {
        const float* const from = x + (z * s_.in[1] + y) * width;
        if (first)
          std::copy_n(from, width, row);
        else
          for (int64_t i = 0; i < width; ++i) row[i] = Combine(row[i], from[i]);
      }
  }

  // Tap by tap where a tap of each window is inside, which compilers make vectors of.
  void Spread(const float* __restrict row, int64_t rows, float* __restrict to) const {
    const int64_t stride = s_.window[2].stride, taps = s_.window[2].kernel;
    for (int64_t i = 0; i < s_.out[2]; ++i) {
      if (i == first_ && first_ < last_) {
        const float* from = row + first_ * stride - s_.window[2].pad_before;
        const int64_t count = last_ - first_;
        for (int64_t j = 0; j < count; ++j) to[i + j] = from[j * stride];
        for (int64_t t = 1; t < taps; ++t)
          if (stride == 1)
            for (int64_t j = 0; j < count; ++j) to[i + j] = Combine(to[i + j], from[j + t]);
          else
            for (int64_t j = 0; j < count; ++j)
              to[i + j] = Combine(to[i + j], from[j * stride + t]);
        i = last_ - 1;
        continue;
      }
      const PoolRange& range = ranges_[static_cast<size_t>(i)];
      to[i] = kNothing;
      for (int64_t x = range.first; x < range.last; ++x)
        to[i] = x == range.first ? row[x] : Combine(to[i], row[x]);
    }
    if constexpr (kMax) return;
    for (int64_t i = 0; i < s_.out[2]; ++i) {
      const PoolRange& range = ranges_[static_cast<size_t>(i)];
      if (range.first < range.last) to[i] /= static_cast<float>(rows * SizeOf(range));
    }
  }

  const PoolShape& s_;
  const float* const x_;
  float* const out_;
  std::vector<PoolRange> ranges_;
  int64_t first_ = 0, last_ = 0;  // windows whose taps are all inside
};

template <bool kMax>
void RunRows(KernelContext& c, const PoolShape& s) {
  const Tensor& input = c.Input("X");
  const RowPool<kMax> pool(s, input.data<float>(), c.Output("Out").mutable_data<float>());
  const int64_t rows = input.dims()[0] * input.dims()[1] * s.out[0] * s.out[1];
  const math::WorkSplit split = math::SplitWork(
      c.threads(), rows, 1, 1, static_cast<double>(input.numel()) * s.window[1].kernel);
  math::ForParts(c.threads(), split, [&](const math::WorkPart& part) {
    auto* const row = static_cast<float*>(
        ThreadScratch(static_cast<size_t>(s.in[2]) * sizeof(float), kScratchKernel));
    pool.Run(part.begin, part.end, row);
  });
}

// Without a last axis of one element, which exporters add to signals: rows would be that short.
PoolShape WithLongRows(PoolShape s) {
  const Window& last = s.window[2];
  if (s.in[2] != 1 || s.out[2] != 1 || last.kernel != 1 || last.pad_before != 0) return s;
  const auto one_further = [](auto* axes) {
    std::rotate(axes->begin(), axes->begin() + 2, axes->end());
  };
  one_further(&s.in), one_further(&s.out), one_further(&s.window);
  return s;
}

void RunPoolRows(KernelContext& c) {
  const PoolShape s = WithLongRows(ResolvePool(c.op(), c.Input("X").dims()));
  if (c.Output("Out").numel() == 0)
    c.Output("Out").mutable_data<float>();
  else if (s.max)
    RunRows<true>(c, s);
  else
    RunRows<false>(c, s);
}

REGISTER_LITE_FUNCTION(pool2d, kHost, kFloat, kNCHW, RunPoolRows, def);
REGISTER_LITE_FUNCTION(pool3d, kHost, kFloat, kNCHW, RunPoolRows, def);

}  // namespace
}  // namespace paddle::lite
