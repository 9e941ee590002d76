#include <cstring>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

// Ids is [n], [n, 1] or 0-D (one row, whose Updates lack the first dimension).
void InferScatter(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& ids = c.Input("Ids");
  const TensorMeta& updates = c.Input("Updates");
  RequireIndexType(ids.dtype, "Ids");
  const int rank = ids.dims.size();
  c.Require(!x.dims.empty() && (rank <= 1 || (rank == 2 && ids.dims[1] == 1)), "X has shape ",
            x.dims, ", Ids ", ids.dims, "; expected Ids of shape [n], [n, 1] or []");
  DDim expected;
  if (rank > 0) expected.push_back(ids.dims[0]);
  for (int i = 1; i < x.dims.size(); ++i) expected.push_back(x.dims[i]);
  c.Require(updates.dims == expected, "Updates has shape ", updates.dims, ", expected ", expected);
  if (updates.dtype != x.dtype)
    throw DataTypeError(StrCat("Updates is ", Name(updates.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// With `overwrite` the last update of a row stays; otherwise a named row is the sum of its updates.
template <typename T>
void Scatter(const std::vector<int64_t>& ids, const T* updates, int64_t inner, bool overwrite,
             T* out) {
  const auto bytes = static_cast<size_t>(inner) * sizeof(T);
  if (bytes == 0) return;
  if (overwrite) {
    for (const int64_t id : ids) {
      std::memcpy(out + id * inner, updates, bytes);
      updates += inner;
    }
    return;
  }
  for (const int64_t id : ids) std::memset(out + id * inner, 0, bytes);
  for (const int64_t id : ids)
    for (int64_t i = 0; i < inner; ++i, ++updates)
      out[id * inner + i] = WrapAdd(out[id * inner + i], *updates);
}

template <typename T>
void RunScatterAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const auto ids = IntValues(c, "Ids");
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0 || ids[i] >= x.dims()[0])
      throw ShapeError(StrCat("element ", i, " of Ids is ", ids[i],
                              ", expected an index from 0 to ", x.dims()[0] - 1));
  CopyElements(x, out);
  Scatter(ids, c.Input("Updates").data<T>(), x.dims().Count(1, x.dims().size()),
          c.Attr<bool>("overwrite"), out.mutable_data<T>());
}

REGISTER_LITE_OP(scatter)
    .Input("X")
    .Input("Ids")
    .Input("Updates")
    .Output("Out")
    .Attr<bool>("overwrite", true)
    .InferShape(InferScatter);
REGISTER_LITE_FUNCTION(scatter, kHost, kFloat, kNCHW, RunScatterAs<float>, def);
REGISTER_LITE_FUNCTION(scatter, kHost, kFP64, kNCHW, RunScatterAs<double>, def);
REGISTER_LITE_FUNCTION(scatter, kHost, kInt32, kNCHW, RunScatterAs<int32_t>, def);
REGISTER_LITE_FUNCTION(scatter, kHost, kInt64, kNCHW, RunScatterAs<int64_t>, def);

}  // namespace
}  // namespace paddle::lite
