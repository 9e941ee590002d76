#include "lite/kernels/cpu/segments.h"

namespace paddle::lite {

void CopySegments(const std::vector<Segments>& axes, const Tensor& x, Tensor& out, const void* fill,
                  int threads) {
  char* target = MutableBytes(out);
  if (out.numel() == 0) return;
  const DDim from = StridesOf(x), to = StridesOf(out);
  const int rank = out.dims().size();
  const int64_t size = ElementSize(out);
  std::vector<size_t> at(axes.size());
  for (;;) {
    math::CopyLoops loops;
    int64_t source = 0, destination = 0;
    bool filled = false;
    for (int i = 0; i < rank; ++i) {
      const auto axis = static_cast<size_t>(i);
      filled = filled || axes[axis][at[axis]].from < 0;
    }
    for (int i = 0; i < rank; ++i) {
      const auto axis = static_cast<size_t>(i);
      const Segment& s = axes[axis][at[axis]];
      loops.Add(s.size, filled ? 0 : s.step * from[i], to[i]);
      source += s.from * from[i];
      destination += s.to * to[i];
    }
    const void* element = filled ? fill : Bytes(x) + source * size;
    loops.Run(element, target + destination * size, static_cast<size_t>(size), threads);
    int i = rank - 1;
    for (; i >= 0; --i) {
      const auto axis = static_cast<size_t>(i);
      if (++at[axis] < axes[axis].size()) break;
      at[axis] = 0;
    }
    if (i < 0) return;
  }
}

}  // namespace paddle::lite
