#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {

void SetReshaped(InferContext& c, const DDim& dims, bool has_xshape, bool keep_lod) {
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", dims, x.dtype, keep_lod ? x.lod : LodOfSameRows(x, dims));
  if (has_xshape) SetXShape(c);
}

void SetXShape(InferContext& c) {
  if (!c.HasOutput("XShape")) return;
  const TensorMeta& x = c.Input("X");
  DDim shape{0};
  for (const int64_t dim : x.dims)
    if (shape.size() < DDim::kMaxRank) shape.push_back(dim);
  c.SetOutput("XShape", shape, x.dtype, x.lod);
}

void CopyReshaped(KernelContext& c) {
  CopyElements(c.Input("X"), c.Output("Out"));
  if (c.op().info().FindOutput("XShape") >= 0 && c.HasOutput("XShape"))
    MutableBytes(c.Output("XShape"));
}

// 0 copies X's dimension at that place, one -1 is what remains.
void InferReshape(InferContext& c, bool has_xshape) {
  const DDim& x = c.Dims("X");
  const DDim wanted(IntsOf<int32_t>(c, "ShapeTensor", "Shape", "shape"));
  DDim out = wanted, known;
  int unknown = -1;
  for (int i = 0; i < out.size(); ++i) {
    if (out[i] == -1) {
      c.Require(unknown < 0, "shape ", wanted, " has more than one -1");
      unknown = i;
      continue;
    }
    c.Require(out[i] >= 0, "shape ", wanted, " has a dimension below -1");
    if (out[i] == 0) {
      c.Require(i < x.size(), "shape ", wanted, " copies dimension ", i, " of X, which has shape ",
                x);
      out[i] = x[i];
    }
    known.push_back(out[i]);
  }
  const int64_t total = x.production(), rest = known.production();
  if (unknown >= 0) {
    c.Require(rest != 0, "the -1 in shape ", wanted, " can be anything for X of shape ", x);
    c.Require(total % rest == 0, "X of shape ", x, " (", total, " elements) does not fit shape ",
              wanted);
    out[unknown] = total / rest;
  }
  c.Require(out.production() == total, "X of shape ", x, " (", total,
            " elements) does not fit shape ", wanted);
  SetReshaped(c, out, has_xshape, /*keep_lod=*/true);
}

// Removes the dimensions of size 1 that `axes` names, or all of them.
void InferSqueeze(InferContext& c, bool has_xshape) {
  const DDim& x = c.Dims("X");
  const auto& axes = c.Attr<std::vector<int32_t>>("axes");
  bool named[DDim::kMaxRank] = {};
  for (const int axis : axes)
    named[CanonicalAxis(axis, x.empty() ? 1 : x.size(), "an element of axes")] = true;
  DDim out;
  for (int i = 0; i < x.size(); ++i)
    if (x[i] != 1 || !(axes.empty() || named[i])) out.push_back(x[i]);
  SetReshaped(c, out, has_xshape);
}

// Inserts dimensions of 1 one after the other: each axis counts in the shape made so far.
void InferUnsqueeze(InferContext& c, bool has_xshape) {
  DDim out = c.Dims("X");
  for (const int64_t axis : IntsOf<int32_t>(c, "AxesTensorList", "AxesTensor", "axes")) {
    const int at = CanonicalAxis(axis, out.size() + 1, "an element of axes");
    out.push_back(1);
    for (int i = out.size() - 1; i > at; --i) out[i] = out[i - 1];
    out[at] = 1;
  }
  SetReshaped(c, out, has_xshape);
}

// Two dimensions: those before `axis` and the rest; a 0-D tensor becomes [1].
void InferFlatten(InferContext& c, bool has_xshape) {
  const DDim& x = c.Dims("X");
  const int axis = c.Attr<int32_t>("axis");
  c.Require(axis >= 0 && axis <= x.size(), "axis is ", axis, ", expected 0 to the rank of X, ", x);
  if (x.empty()) return SetReshaped(c, {1}, has_xshape);
  SetReshaped(c, {x.Count(0, axis), x.Count(axis, x.size())}, has_xshape);
}

}  // namespace paddle::lite
