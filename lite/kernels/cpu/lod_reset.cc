#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

// Offsets that rise from 0 to the number of rows.
void CheckOffsets(const InferContext& c, const std::vector<uint64_t>& offsets, const DDim& x) {
  c.Require(!offsets.empty() && offsets[0] == 0, "the new LoD does not begin at 0");
  for (size_t i = 1; i < offsets.size(); ++i)
    c.Require(offsets[i - 1] <= offsets[i], "the new LoD falls from ", offsets[i - 1], " to ",
              offsets[i]);
  c.Require(!x.empty() && static_cast<int64_t>(offsets.back()) == x[0], "the new LoD ends at ",
            offsets.back(), ", but X has shape ", x);
}

// Y's own LoD, else Y's elements, else `target_lod`; the latter two may be appended to X's.
void InferLodReset(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (c.HasInput("Y") && !c.Input("Y").lod.empty()) {
    const LoD& lod = c.Input("Y").lod;
    CheckOffsets(c, lod.back(), x.dims);
    return c.SetOutput("Out", x.dims, x.dtype, lod);
  }
  const auto values = IntsOf<int32_t>(c, "", "Y", "target_lod");
  std::vector<uint64_t> offsets;
  for (const int64_t value : values) {
    c.Require(value >= 0, "the new LoD has the negative offset ", value);
    offsets.push_back(static_cast<uint64_t>(value));
  }
  CheckOffsets(c, offsets, x.dims);
  LoD lod;
  if (c.Attr<bool>("append")) lod = x.lod;
  lod.push_back(std::move(offsets));
  c.SetOutput("Out", x.dims, x.dtype, std::move(lod));
}

void RunLodReset(KernelContext& c) { CopyElements(c.Input("X"), c.Output("Out")); }

REGISTER_LITE_OP(lod_reset)
    .Input("X")
    .OptionalInput("Y")
    .Output("Out")
    .Attr<std::vector<int32_t>>("target_lod", {})
    .Attr<bool>("append", false)
    .InferShape(InferLodReset)
    .View("X", "Out");
REGISTER_LITE_FUNCTION(lod_reset, kHost, kAny, kNCHW, RunLodReset, def);

}  // namespace
}  // namespace paddle::lite
