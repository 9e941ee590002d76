#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

template <typename Context>
DDim OffsetsOf(const Context& c) {
  return DDim(HasSlot(c, "Offsets") ? IntValues(c, "Offsets")
                                    : IntsOf<int32_t>(c, "OffsetsTensor", "", "offsets"));
}

// A box of `shape` at `offsets`; -1 goes to the end of the dimension.
void SetCropped(InferContext& c, DDim out, const DDim& offsets) {
  const TensorMeta& x = c.Input("X");
  c.Require(out.size() == x.dims.size() && offsets.size() == x.dims.size(), "shape is ", out,
            " and offsets ", offsets, ", but X has shape ", x.dims);
  for (int i = 0; i < out.size(); ++i) {
    c.Require(offsets[i] >= 0 && offsets[i] <= x.dims[i], "offset ", offsets[i],
              " lies outside dimension ", i, " of X of shape ", x.dims);
    if (out[i] == -1) out[i] = x.dims[i] - offsets[i];
    c.Require(out[i] >= 0 && out[i] <= x.dims[i] - offsets[i], "shape ", out, " at offsets ",
              offsets, " leaves X of shape ", x.dims);
  }
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void InferCropTensor(InferContext& c) {
  const DDim shape(c.HasInput("Shape") ? c.IntValues("Shape")
                                       : IntsOf<int32_t>(c, "ShapeTensor", "", "shape"));
  SetCropped(c, shape, OffsetsOf(c));
}

// The older operator takes the shape of another tensor.
template <typename Context>
DDim OldOffsetsOf(const Context& c) {
  return DDim(IntsOf<int32_t>(c, "", "Offsets", "offsets"));
}

void InferOld(InferContext& c) {
  const DDim shape = c.HasInput("Y") ? c.Dims("Y") : DDim(IntsOf<int32_t>(c, "", "", "shape"));
  SetCropped(c, shape, OldOffsetsOf(c));
}

void Crop(KernelContext& c, const DDim& offsets) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim from = StridesOf(x);
  int64_t offset = 0;
  for (int i = 0; i < from.size(); ++i) offset += offsets[i] * from[i];
  CopyBox(out.dims(), x, offset, from, out, 0, StridesOf(out), c.threads());
}

void RunCropTensor(KernelContext& c) { Crop(c, OffsetsOf(c)); }
void RunOld(KernelContext& c) { Crop(c, OldOffsetsOf(c)); }

REGISTER_LITE_OP(crop_tensor)
    .Input("X")
    .OptionalInput("Shape")
    .OptionalInputs("ShapeTensor")
    .OptionalInput("Offsets")
    .OptionalInputs("OffsetsTensor")
    .Output("Out")
    .Attr<std::vector<int32_t>>("shape", {})
    .Attr<std::vector<int32_t>>("offsets", {})
    .InferShape(InferCropTensor);
REGISTER_LITE_FUNCTION(crop_tensor, kHost, kAny, kNCHW, RunCropTensor, def);
REGISTER_LITE_FUNCTION(crop_tensor, kHost, kFloat, kNHWC, RunCropTensor, nhwc);

REGISTER_LITE_OP(crop)
    .Input("X")
    .OptionalInput("Y")
    .OptionalInput("Offsets")
    .Output("Out")
    .Attr<std::vector<int32_t>>("shape", {})
    .Attr<std::vector<int32_t>>("offsets", {})
    .InferShape(InferOld);
REGISTER_LITE_FUNCTION(crop, kHost, kAny, kNCHW, RunOld, def);

}  // namespace
}  // namespace paddle::lite
