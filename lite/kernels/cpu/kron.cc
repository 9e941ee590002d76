// The Kronecker product: along every dim, blocks of Y, one for each element of X.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

// The dims with ones in front up to `rank`.
DDim Aligned(const DDim& dims, int rank) {
  DDim out;
  for (int i = dims.size(); i < rank; ++i) out.push_back(1);
  for (const int64_t dim : dims) out.push_back(dim);
  return out;
}

DDim KronProduct(const DDim& x, const DDim& y) {
  const int rank = std::max(x.size(), y.size());
  const DDim a = Aligned(x, rank), b = Aligned(y, rank);
  DDim out;
  for (int i = 0; i < rank; ++i) out.push_back(DDim{a[i], b[i]}.production());
  return out;
}

void InferKron(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  RequireType(c, "Y", {x.dtype});
  c.SetOutput("Out", KronProduct(x.dims, c.Dims("Y")), x.dtype);
}

template <typename T>
void RunKronAs(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const int rank = out.dims().size();
  const DDim y_dims = Aligned(c.Input("Y").dims(), rank);
  const DDim x_strides = RowMajorStrides(Aligned(c.Input("X").dims(), rank));
  const DDim y_strides = RowMajorStrides(y_dims);
  const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
  T* to = out.mutable_data<T>();
  math::ParallelRange(c.threads(), out.numel(), math::kElementGrain / 8,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          int64_t rest = i, x_at = 0, y_at = 0;
                          for (int d = rank - 1; d >= 0; --d) {
                            const int64_t at = rest % out.dims()[d];
                            rest /= out.dims()[d];
                            x_at += at / y_dims[d] * x_strides[d];
                            y_at += at % y_dims[d] * y_strides[d];
                          }
                          to[i] = WrapMul(x[x_at], y[y_at]);
                        }
                      });
}

void RunKron(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunKronAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(kron).Input("X").Input("Y").Output("Out").InferShape(InferKron);
REGISTER_LITE_FUNCTION(kron, kHost, kAny, kNCHW, RunKron, def);

}  // namespace
}  // namespace paddle::lite
