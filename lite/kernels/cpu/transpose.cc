// transpose, and transpose2, which exporters give the output XShape.
#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

// X's axis for each axis of Out.
DDim Permutation(const std::vector<int32_t>& axis, const DDim& x) {
  if (static_cast<int>(axis.size()) != x.size())
    throw ShapeError(StrCat("axis has ", axis.size(), " elements, but X has shape ", x));
  DDim permutation;
  bool used[DDim::kMaxRank] = {};
  for (const int32_t given : axis) {
    const int from = CanonicalAxis(given, x.size(), "an element of axis");
    if (used[from]) throw ShapeError(StrCat("axis names dimension ", from, " twice"));
    used[from] = true;
    permutation.push_back(from);
  }
  return permutation;
}

DDim Permuted(const DDim& values, const DDim& permutation) {
  DDim out;
  for (const int64_t axis : permutation) out.push_back(values[static_cast<int>(axis)]);
  return out;
}

template <bool has_xshape>
void InferTranspose(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const auto& axis = c.Attr<std::vector<int32_t>>("axis");
  c.SetOutput("Out", Permuted(x.dims, Permutation(axis, x.dims)), x.dtype);
  if (has_xshape) SetXShape(c);
}

void RunTranspose(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim permutation = Permutation(c.Attr<std::vector<int32_t>>("axis"), x.dims());
  CopyBox(out.dims(), x, 0, Permuted(RowMajorStrides(x.dims()), permutation), out, 0,
          RowMajorStrides(out.dims()), c.threads());
}

OpInfo& DeclareTranspose(OpInfo& info) {
  return info.Input("X").Output("Out").RequiredAttr<std::vector<int32_t>>("axis");
}

REGISTER_LITE_OP(transpose);
[[maybe_unused]] OpInfo& transpose_declared =
    DeclareTranspose(transpose_op_info).InferShape(InferTranspose<false>);
REGISTER_LITE_FUNCTION(transpose, kHost, kAny, kNCHW, RunTranspose, def);

REGISTER_LITE_OP(transpose2);
[[maybe_unused]] OpInfo& transpose2_declared =
    DeclareTranspose(transpose2_op_info).OptionalOutput("XShape").InferShape(InferTranspose<true>);
REGISTER_LITE_FUNCTION(transpose2, kHost, kAny, kNCHW, RunTranspose, def);

}  // namespace
}  // namespace paddle::lite
