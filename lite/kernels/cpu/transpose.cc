#include "lite/kernels/cpu/transpose.h"

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

void Infer(InferContext& c) { InferTranspose(c, /*has_xshape=*/false); }

REGISTER_LITE_OP(transpose)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("axis")
    .InferShape(Infer);
REGISTER_LITE_FUNCTION(transpose, kHost, kAny, kNCHW, Transpose, def);

}  // namespace

void InferTranspose(InferContext& c, bool has_xshape) {
  const TensorMeta& x = c.Input("X");
  const auto& axis = c.Attr<std::vector<int32_t>>("axis");
  c.SetOutput("Out", Permuted(x.dims, Permutation(axis, x.dims)), x.dtype);
  if (has_xshape) SetXShape(c);
}

void Transpose(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim permutation = Permutation(c.Attr<std::vector<int32_t>>("axis"), x.dims());
  CopyBox(out.dims(), x, 0, Permuted(RowMajorStrides(x.dims()), permutation), out, 0,
          RowMajorStrides(out.dims()), c.threads());
}

}  // namespace paddle::lite
