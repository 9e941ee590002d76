#include <cstring>

#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

// Each row of Index (its last dimension) names a part of X by its first coordinates.
void Infer(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  RequireIndexType(index.dtype, "Index");
  c.Require(!index.dims.empty() && index.dims.back() <= x.dims.size(), "Index has shape ",
            index.dims, ", but X has shape ", x.dims);
  DDim out = index.dims;
  out.pop_back();
  for (int i = static_cast<int>(index.dims.back()); i < x.dims.size(); ++i)
    out.push_back(x.dims[i]);
  c.SetOutput("Out", out, x.dtype, x.lod);
}

template <typename Index>
void Gather(const Tensor& x, const Tensor& index, Tensor& out) {
  const DDim& dims = x.dims();
  const int depth = static_cast<int>(index.dims().back());
  const int64_t rows = index.dims().Count(0, index.dims().size() - 1);
  const auto bytes = static_cast<size_t>(dims.Count(depth, dims.size()) * ElementSize(x));
  const auto* at = index.data<Index>();
  char* to = MutableBytes(out);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t position = 0;
    for (int i = 0; i < depth; ++i, ++at) {
      if (*at < 0 || *at >= dims[i])
        throw ShapeError(StrCat("row ", row, " of Index has ", *at, " for axis ", i,
                                " of X, which has shape ", dims));
      position = position * dims[i] + *at;
    }
    if (bytes == 0) continue;
    std::memcpy(to, Bytes(x) + static_cast<size_t>(position) * bytes, bytes);
    to += bytes;
  }
}

void Run(KernelContext& c) {
  const Tensor& index = c.Input("Index");
  if (index.dtype() == DataType::kInt32)
    Gather<int32_t>(c.Input("X"), index, c.Output("Out"));
  else
    Gather<int64_t>(c.Input("X"), index, c.Output("Out"));
}

REGISTER_LITE_OP(gather_nd).Input("X").Input("Index").Output("Out").InferShape(Infer);
REGISTER_LITE_FUNCTION(gather_nd, kHost, kAny, kNCHW, Run, def);

}  // namespace
}  // namespace paddle::lite
