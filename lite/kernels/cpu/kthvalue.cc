// The k-th smallest number of each line along an axis, and its place.
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/lines.h"
#include "lite/kernels/cpu/sort.h"

namespace paddle::lite {
namespace {

void InferKthvalue(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  const int axis = AxisOrFirst(c.Attr<int>("axis"), x.dims);
  const int64_t k = c.Attr<int64_t>("k"), size = x.dims.empty() ? 1 : x.dims[axis];
  c.Require(k >= 1 && k <= size, "attribute k is ", k, ", expected 1 to ", size,
            ", the size of axis ", axis, " of X of shape ", x.dims);
  const DDim out = WithoutAxis(x.dims, axis, c.Attr<bool>("keepdim"));
  c.SetOutput("Out", out, x.dtype, LodOfSameRows(x, out));
  c.SetOutput("Indices", out, DataType::kInt64, LodOfSameRows(x, out));
}

template <typename T>
void RunKthvalueAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Lines lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("axis"), x.dims()));
  const T* from = x.data<T>();
  T* values = c.Output("Out").mutable_data<T>();
  auto* places = c.Output("Indices").mutable_data<int64_t>();
  const int64_t k = c.Attr<int64_t>("k") - 1;
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    std::vector<Ranked<T>> line(static_cast<size_t>(lines.size));
    for (int64_t i = begin; i < end; ++i) {
      const T* at = from + lines.Begin(i, lines.size);
      for (int64_t a = 0; a < lines.size; ++a)
        line[static_cast<size_t>(a)] = {at[a * lines.inner], a};
      std::nth_element(line.begin(), line.begin() + k, line.end(), Before<T, false>);
      values[i] = line[static_cast<size_t>(k)].value;
      places[i] = line[static_cast<size_t>(k)].place;
    }
  });
}

void RunKthvalue(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunKthvalueAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(kthvalue)
    .Input("X")
    .Output("Out")
    .Output("Indices")
    .Attr<int64_t>("k", 1)
    .Attr<int>("axis", -1)
    .Attr<bool>("keepdim", false)
    .InferShape(InferKthvalue);
REGISTER_LITE_FUNCTION(kthvalue, kHost, kAny, kNCHW, RunKthvalue, def);

}  // namespace
}  // namespace paddle::lite
