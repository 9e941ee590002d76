#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

// The axes start_axis to stop_axis become one; a 0-D tensor becomes [1].
void InferFlattenContiguousRange(InferContext& c) {
  const DDim& x = c.Dims("X");
  if (x.empty()) return SetReshaped(c, {1}, /*has_xshape=*/true);
  const int start = CanonicalAxis(c.Attr<int32_t>("start_axis"), x.size(), "start_axis");
  const int stop = CanonicalAxis(c.Attr<int32_t>("stop_axis"), x.size(), "stop_axis");
  c.Require(start <= stop, "start_axis ", start, " is after stop_axis ", stop);
  DDim out(x.begin(), static_cast<size_t>(start));
  out.push_back(x.Count(start, stop + 1));
  for (int i = stop + 1; i < x.size(); ++i) out.push_back(x[i]);
  SetReshaped(c, out, /*has_xshape=*/true);
}

REGISTER_LITE_OP(flatten_contiguous_range)
    .Input("X")
    .Output("Out")
    .OptionalOutput("XShape")
    .Attr<int32_t>("start_axis", 1)
    .Attr<int32_t>("stop_axis", 1)
    .InferShape(InferFlattenContiguousRange)
    .View("X", "Out");
REGISTER_LITE_FUNCTION(flatten_contiguous_range, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
