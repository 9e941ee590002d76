#include <cstring>

#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

// Each row of Index (its last dimension) names a part of X by its first coordinates.
void InferGatherNd(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", GatheredNdDims(x.dims, c.Input("Index")), x.dtype, x.lod);
}

void RunGatherNd(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor& index = c.Input("Index");
  const int depth = static_cast<int>(index.dims().back());
  const int64_t size = ElementSize(x), bytes = x.dims().Count(depth, x.dims().size()) * size;
  char* to = MutableBytes(c.Output("Out"));
  for (const int64_t start : NdPositions(x.dims(), index)) {
    if (bytes == 0) break;
    std::memcpy(to, Bytes(x) + start * size, static_cast<size_t>(bytes));
    to += bytes;
  }
}

template <typename Index>
std::vector<int64_t> Positions(const DDim& x, const Tensor& index) {
  const auto depth = static_cast<int>(index.dims().back());
  const int64_t inner = x.Count(depth, x.size());
  const auto* at = index.data<Index>();
  std::vector<int64_t> positions(
      static_cast<size_t>(index.dims().Count(0, index.dims().size() - 1)));
  for (int64_t& position : positions) {
    for (int i = 0; i < depth; ++i, ++at) {
      if (*at < -x[i] || *at >= x[i])
        throw ShapeError(StrCat("row ", &position - positions.data(), " of Index has ", *at,
                                " for axis ", i, " of X, which has shape ", x));
      position = position * x[i] + (*at < 0 ? *at + x[i] : *at);
    }
    position *= inner;
  }
  return positions;
}

REGISTER_LITE_OP(gather_nd).Input("X").Input("Index").Output("Out").InferShape(InferGatherNd);
REGISTER_LITE_FUNCTION(gather_nd, kHost, kAny, kNCHW, RunGatherNd, def);

}  // namespace

DDim GatheredNdDims(const DDim& x, const TensorMeta& index) {
  RequireIndexType(index.dtype, "Index");
  if (index.dims.empty() || index.dims.back() > x.size())
    throw ShapeError(StrCat("Index has shape ", index.dims, ", but X has shape ", x));
  DDim out = index.dims;
  out.pop_back();
  for (int i = static_cast<int>(index.dims.back()); i < x.size(); ++i) out.push_back(x[i]);
  return out;
}

std::vector<int64_t> NdPositions(const DDim& x, const Tensor& index) {
  return index.dtype() == DataType::kInt32 ? Positions<int32_t>(x, index)
                                           : Positions<int64_t>(x, index);
}

}  // namespace paddle::lite
