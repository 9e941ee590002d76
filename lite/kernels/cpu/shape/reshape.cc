#include "lite/kernels/cpu/shape/reshape.h"

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
namespace {

// reshape, and reshape2, which exporters give the output XShape.
template <bool has_xshape>
void InferReshapeOp(InferContext& c) {
  InferReshape(c, has_xshape);
}

OpInfo& DeclareReshape(OpInfo& info) {
  return info.Input("X")
      .OptionalInput("Shape")
      .OptionalInputs("ShapeTensor")
      .Output("Out")
      .Attr<std::vector<int32_t>>("shape", {})
      .View("X", "Out");
}

REGISTER_LITE_OP(reshape);
[[maybe_unused]] OpInfo& reshape_declared =
    DeclareReshape(reshape_op_info).InferShape(InferReshapeOp<false>);
REGISTER_LITE_FUNCTION(reshape, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(reshape2);
[[maybe_unused]] OpInfo& reshape2_declared =
    DeclareReshape(reshape2_op_info).OptionalOutput("XShape").InferShape(InferReshapeOp<true>);
REGISTER_LITE_FUNCTION(reshape2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace

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

namespace {

// flatten, and flatten2, which exporters give the output XShape.
template <bool has_xshape>
void InferFlattenOp(InferContext& c) {
  InferFlatten(c, has_xshape);
}

OpInfo& DeclareFlatten(OpInfo& info) {
  return info.Input("X").Output("Out").Attr<int32_t>("axis", 1).View("X", "Out");
}

REGISTER_LITE_OP(flatten);
[[maybe_unused]] OpInfo& flatten_declared =
    DeclareFlatten(flatten_op_info).InferShape(InferFlattenOp<false>);
REGISTER_LITE_FUNCTION(flatten, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(flatten2);
[[maybe_unused]] OpInfo& flatten2_declared =
    DeclareFlatten(flatten2_op_info).OptionalOutput("XShape").InferShape(InferFlattenOp<true>);
REGISTER_LITE_FUNCTION(flatten2, kHost, kAny, kNCHW, CopyReshaped, def);

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

// squeeze, and squeeze2, which exporters give the output XShape.
template <bool has_xshape>
void InferSqueezeOp(InferContext& c) {
  InferSqueeze(c, has_xshape);
}

OpInfo& DeclareSqueeze(OpInfo& info) {
  return info.Input("X").Output("Out").Attr<std::vector<int32_t>>("axes", {}).View("X", "Out");
}

REGISTER_LITE_OP(squeeze);
[[maybe_unused]] OpInfo& squeeze_declared =
    DeclareSqueeze(squeeze_op_info).InferShape(InferSqueezeOp<false>);
REGISTER_LITE_FUNCTION(squeeze, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(squeeze2);
[[maybe_unused]] OpInfo& squeeze2_declared =
    DeclareSqueeze(squeeze2_op_info).OptionalOutput("XShape").InferShape(InferSqueezeOp<true>);
REGISTER_LITE_FUNCTION(squeeze2, kHost, kAny, kNCHW, CopyReshaped, def);

// unsqueeze, and unsqueeze2, which exporters give the output XShape.
template <bool has_xshape>
void InferUnsqueezeOp(InferContext& c) {
  InferUnsqueeze(c, has_xshape);
}

OpInfo& DeclareUnsqueeze(OpInfo& info) {
  return info.Input("X")
      .OptionalInput("AxesTensor")
      .OptionalInputs("AxesTensorList")
      .Output("Out")
      .Attr<std::vector<int32_t>>("axes", {})
      .View("X", "Out");
}

REGISTER_LITE_OP(unsqueeze);
[[maybe_unused]] OpInfo& unsqueeze_declared =
    DeclareUnsqueeze(unsqueeze_op_info).InferShape(InferUnsqueezeOp<false>);
REGISTER_LITE_FUNCTION(unsqueeze, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(unsqueeze2);
[[maybe_unused]] OpInfo& unsqueeze2_declared = DeclareUnsqueeze(unsqueeze2_op_info)
                                                   .OptionalOutput("XShape")
                                                   .InferShape(InferUnsqueezeOp<true>);
REGISTER_LITE_FUNCTION(unsqueeze2, kHost, kAny, kNCHW, CopyReshaped, def);

void InferShapeOp(InferContext& c) {
  c.SetOutput("Out", {c.Dims("Input").size()}, DataType::kInt32);
}

void RunShape(KernelContext& c) {
  auto* out = c.Output("Out").mutable_data<int32_t>();
  for (const int64_t dim : c.Input("Input").dims()) *out++ = static_cast<int32_t>(dim);
}

REGISTER_LITE_OP(shape).Input("Input").Output("Out").InferShape(InferShapeOp).ShapeOnly();
REGISTER_LITE_FUNCTION(shape, kHost, kAny, kAny, RunShape, def);

// The number of Input's elements.
void InferSize(InferContext& c) { c.SetOutput("Out", {}, DataType::kInt64); }

void RunSize(KernelContext& c) {
  *c.Output("Out").mutable_data<int64_t>() = c.Input("Input").numel();
}

REGISTER_LITE_OP(size).Input("Input").Output("Out").InferShape(InferSize).ShapeOnly();
REGISTER_LITE_FUNCTION(size, kHost, kAny, kAny, RunSize, def);

void InferIsEmpty(InferContext& c) { c.SetOutput("Out", {}, DataType::kBool); }

void RunIsEmpty(KernelContext& c) {
  *c.Output("Out").mutable_data<bool>() = c.Input("X").numel() == 0;
}

REGISTER_LITE_OP(is_empty).Input("X").Output("Out").InferShape(InferIsEmpty).ShapeOnly();
REGISTER_LITE_FUNCTION(is_empty, kHost, kAny, kAny, RunIsEmpty, def);

}  // namespace
}  // namespace paddle::lite
