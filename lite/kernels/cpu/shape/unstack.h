// unstack and unbind: the parts of a tensor along an axis, without the axis.
#pragma once

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

inline void InferUnstack(InferContext& c, const char* slot, bool keep_lod) {
  const TensorMeta& x = c.Input("X");
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), x.dims.size(), "axis");
  const size_t parts = c.OutputCount(slot);
  c.Require(static_cast<int64_t>(parts) == x.dims[axis], "axis ", axis, " of X of shape ", x.dims,
            " does not make the ", parts, " tensors in ", slot);
  DDim out;
  for (int i = 0; i < x.dims.size(); ++i)
    if (i != axis) out.push_back(x.dims[i]);
  for (size_t i = 0; i < parts; ++i) c.SetOutput(slot, i, out, x.dtype, keep_lod ? x.lod : LoD{});
}

inline void Unstack(KernelContext& c, const char* slot) {
  const Tensor& x = c.Input("X");
  const DDim strides = RowMajorStrides(x.dims());
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), strides.size(), "axis");
  DDim from;
  for (int i = 0; i < strides.size(); ++i)
    if (i != axis) from.push_back(strides[i]);
  for (size_t i = 0; i < c.OutputCount(slot); ++i) {
    Tensor& out = c.Output(slot, i);
    CopyBox(out.dims(), x, static_cast<int64_t>(i) * strides[axis], from, out, 0,
            RowMajorStrides(out.dims()), c.threads());
  }
}

}  // namespace paddle::lite
