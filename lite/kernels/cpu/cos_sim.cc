// Out = the cosine of the angle between the rows of X and Y; one row of Y may meet all of X.
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferCosSim(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta &x = c.Input("X"), &y = c.Input("Y");
  if (x.dtype != y.dtype)
    throw DataTypeError(StrCat("input Y is ", Name(y.dtype), ", but X is ", Name(x.dtype)));
  const int rank = x.dims.size();
  c.Require(rank >= 2 && y.dims.size() == rank && (y.dims[0] == x.dims[0] || y.dims[0] == 1) &&
                DDim(x.dims.begin() + 1, static_cast<size_t>(rank - 1)) ==
                    DDim(y.dims.begin() + 1, static_cast<size_t>(rank - 1)),
            "inputs X of shape ", x.dims, " and Y of shape ", y.dims,
            ", expected equal shapes of rank 2 or more, or one row of Y");
  c.SetOutput("Out", DDim{x.dims[0], 1}, x.dtype, x.lod);
  c.SetOutput("XNorm", DDim{x.dims[0], 1}, x.dtype);
  c.SetOutput("YNorm", DDim{y.dims[0], 1}, x.dtype);
}

template <typename T>
void RunCosSimAs(KernelContext& c) {
  const DDim &dims = c.Input("X").dims(), &y_dims = c.Input("Y").dims();
  const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  T *x_norm = OutputOrNull<T>(c, "XNorm"), *y_norm = OutputOrNull<T>(c, "YNorm");
  const int64_t cols = dims.Count(1, dims.size());
  for (int64_t i = 0; i < dims[0]; ++i, x += cols) {
    const int64_t j = y_dims[0] == 1 ? 0 : i;
    double xx = 0, yy = 0, xy = 0;
    for (int64_t k = 0; k < cols; ++k) {
      const double a = x[k], b = y[j * cols + k];
      xx += a * a, yy += b * b, xy += a * b;
    }
    out[i] = static_cast<T>(xy / (std::sqrt(xx) * std::sqrt(yy)));
    if (x_norm != nullptr) x_norm[i] = static_cast<T>(std::sqrt(xx));
    if (y_norm != nullptr) y_norm[j] = static_cast<T>(std::sqrt(yy));
  }
}

void RunCosSim(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunCosSimAs<double>(c);
  RunCosSimAs<float>(c);
}

REGISTER_LITE_OP(cos_sim)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .OptionalOutput("XNorm")
    .OptionalOutput("YNorm")
    .InferShape(InferCosSim);
REGISTER_LITE_FUNCTION(cos_sim, kHost, kAny, kNCHW, RunCosSim, def);

}  // namespace
}  // namespace paddle::lite
