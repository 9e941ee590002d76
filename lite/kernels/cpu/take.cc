// Out = numpy.take(X, Index, axis): Index has any rank and counts from the end where it is
// negative. NNAdapter's GATHER; no Paddle operator has this name.
#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

void InferTake(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  RequireIndexType(index.dtype, "Index");
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), x.dims.size(), "axis");
  c.Require(x.dims.size() - 1 + index.dims.size() <= DDim::kMaxRank, "X of shape ", x.dims,
            " and Index of shape ", index.dims, " give too many dimensions");
  DDim out(x.dims.begin(), static_cast<size_t>(axis));
  for (int i = 0; i < index.dims.size(); ++i) out.push_back(index.dims[i]);
  for (int i = axis + 1; i < x.dims.size(); ++i) out.push_back(x.dims[i]);
  c.SetOutput("Out", out, x.dtype);
}

void RunTake(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int rank = x.dims().size();
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), rank, "axis");
  const GatherShape shape{x.dims().Count(0, axis), x.dims()[axis], x.dims().Count(axis + 1, rank),
                          -1};
  const std::vector<int64_t> given = IntValues(c, "Index");
  Tensor index;
  index.Allocate(DDim{static_cast<int64_t>(given.size())}, DataType::kInt64);
  auto* rows = static_cast<int64_t*>(index.raw_data());
  for (size_t i = 0; i < given.size(); ++i) {
    // One that is too far below 0 stays an error that GatherRows names.
    const bool from_end = given[i] < 0 && given[i] >= -shape.rows;
    rows[i] = from_end ? given[i] + shape.rows : given[i];
  }
  GatherRows(x, index, "Index", shape, c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(take).Input("X").Input("Index").Output("Out").Attr<int32_t>("axis", 0).InferShape(
    InferTake);
REGISTER_LITE_FUNCTION(take, kHost, kAny, kNCHW, RunTake, def);

}  // namespace
}  // namespace paddle::lite
