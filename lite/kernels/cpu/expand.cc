#include "lite/kernels/cpu/tile.h"

namespace paddle::lite {
namespace {

void InferExpand(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const bool from_tensor = c.HasInput("ExpandTimes");
  const auto times = from_tensor ? c.IntValues("ExpandTimes")
                                 : IntsOf<int32_t>(c, "expand_times_tensor", "", "expand_times");
  c.Require(static_cast<int>(times.size()) == x.dims.size(), "expand_times has ", times.size(),
            " elements, but X has shape ", x.dims);
  const DDim out = TiledDims(x.dims, times);
  c.SetOutput("Out", out, x.dtype, LodOfSameRows(x, out));
}

void RunExpand(KernelContext& c) { TileTo(c.Input("X"), c.Output("Out"), c.threads()); }

REGISTER_LITE_OP(expand)
    .Input("X")
    .OptionalInput("ExpandTimes")
    .OptionalInputs("expand_times_tensor")
    .Output("Out")
    .Attr<std::vector<int32_t>>("expand_times", {})
    .InferShape(InferExpand);
REGISTER_LITE_FUNCTION(expand, kHost, kAny, kNCHW, RunExpand, def);

}  // namespace
}  // namespace paddle::lite
