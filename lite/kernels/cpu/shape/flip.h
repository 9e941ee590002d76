// flip and reverse.
#pragma once

#include "lite/kernels/cpu/indexing/segments.h"

namespace paddle::lite {

inline void FlipAxes(KernelContext& c) {
  const Tensor& x = c.Input("X");
  std::vector<Segments> axes;
  for (const int64_t dim : x.dims()) axes.push_back(WholeAxis(dim));
  for (const int axis : c.Attr<std::vector<int32_t>>("axis")) {
    const auto at = static_cast<size_t>(CanonicalAxis(axis, x.dims().size(), "axis"));
    axes[at] = {{0, x.dims()[static_cast<int>(at)], x.dims()[static_cast<int>(at)] - 1, -1}};
  }
  CopySegments(axes, x, c.Output("Out"), nullptr, c.threads());
}

}  // namespace paddle::lite
