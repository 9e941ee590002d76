#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferCumsum(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (c.Attr<bool>("flatten")) return c.SetOutput("Out", {x.dims.production()}, x.dtype);
  AxisOrFirst(c.Attr<int32_t>("axis"), x.dims);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// Sums over `size` rows of `inner` numbers, in the rows' order or its reverse.
template <typename T>
void SumRows(const T* x, T* out, int64_t size, int64_t inner, bool exclusive, bool reverse) {
  const int64_t step = reverse ? -inner : inner;
  if (reverse) {
    x += (size - 1) * inner;
    out += (size - 1) * inner;
  }
  for (int64_t k = 0; k < size; ++k, x += step, out += step)
    for (int64_t i = 0; i < inner; ++i) {
      const T before = k == 0      ? T{}
                       : exclusive ? WrapAdd(out[i - step], x[i - step])
                                   : out[i - step];
      out[i] = exclusive ? before : WrapAdd(before, x[i]);
    }
}

template <typename T>
void RunCumsumAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DDim& dims = x.dims();
  int64_t outer = 1, size = dims.production(), inner = 1;
  if (!dims.empty() && !c.Attr<bool>("flatten")) {
    const int axis = AxisOrFirst(c.Attr<int32_t>("axis"), dims);
    outer = dims.Count(0, axis);
    size = dims[axis];
    inner = dims.Count(axis + 1, dims.size());
  }
  const T* from = x.data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  if (size * inner == 0) return;
  const bool exclusive = c.Attr<bool>("exclusive") && !dims.empty();  // a number is its own sum
  const bool reverse = c.Attr<bool>("reverse");
  const int threads = outer * size * inner < (1 << 16) ? 1 : c.threads();
  const int64_t parts = std::min<int64_t>(outer, 2 * static_cast<int64_t>(threads));
  ParallelFor(threads, parts, [&](int64_t part) {
    for (int64_t o = outer * part / parts; o < outer * (part + 1) / parts; ++o)
      SumRows(from + o * size * inner, to + o * size * inner, size, inner, exclusive, reverse);
  });
}

REGISTER_LITE_OP(cumsum)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("axis", -1)
    .Attr<bool>("flatten", false)
    .Attr<bool>("exclusive", false)
    .Attr<bool>("reverse", false)
    .InferShape(InferCumsum);
REGISTER_LITE_FUNCTION(cumsum, kHost, kFloat, kNCHW, RunCumsumAs<float>, def);
REGISTER_LITE_FUNCTION(cumsum, kHost, kFP64, kNCHW, RunCumsumAs<double>, def);
REGISTER_LITE_FUNCTION(cumsum, kHost, kInt32, kNCHW, RunCumsumAs<int32_t>, def);
REGISTER_LITE_FUNCTION(cumsum, kHost, kInt64, kNCHW, RunCumsumAs<int64_t>, def);

}  // namespace
}  // namespace paddle::lite
