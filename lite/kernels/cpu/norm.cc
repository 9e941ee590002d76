// Out = X / Norm with Norm = sqrt(sum of X^2 along `axis` + epsilon).
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  RequireEpsilon(c);
  c.Require(!x.dims.empty(), "X has rank 0, expected 1 dim or more");
  const int axis = CanonicalAxis(c.Attr<int>("axis"), x.dims.size(), "attribute axis");
  DDim norm = x.dims;
  norm[axis] = 1;
  c.SetOutput("Out", x.dims, x.dtype);
  c.SetOutput("Norm", norm, x.dtype);
}

template <typename T>
void RunNormAs(KernelContext& c) {
  const Tensor& tensor = c.Input("X");
  const DDim& dims = tensor.dims();
  const int axis = CanonicalAxis(c.Attr<int>("axis"), dims.size(), "attribute axis");
  const int64_t size = dims[axis], inner = dims.Count(axis + 1, dims.size());
  const double epsilon = c.Attr<float>("epsilon");
  const T* x = tensor.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  T* norms = OutputOrNull<T>(c, "Norm");
  math::ParallelRange(c.threads(), dims.Count(0, axis) * inner,
                      math::kElementGrain / (size + 1) + 1, [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          const int64_t at = i / inner * size * inner + i % inner;
                          double sum = epsilon;
                          for (int64_t a = 0; a < size; ++a) {
                            const double v = x[at + a * inner];
                            sum += v * v;
                          }
                          const T norm = static_cast<T>(std::sqrt(sum));
                          for (int64_t a = 0; a < size; ++a)
                            out[at + a * inner] = x[at + a * inner] / norm;
                          if (norms != nullptr) norms[i] = norm;
                        }
                      });
}

void RunNorm(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunNormAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(norm)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Norm")
    .RequiredAttr<int>("axis")
    .Attr<float>("epsilon", 1e-10f)
    .InferShape(InferNorm);
REGISTER_LITE_FUNCTION(norm, kHost, kAny, kNCHW, RunNorm, def);

}  // namespace
}  // namespace paddle::lite
