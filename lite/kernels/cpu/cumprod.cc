// Products of each line along the axis `dim`, from its beginning to every number.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/lines.h"

namespace paddle::lite {
namespace {

void InferCumprod(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  CanonicalAxis(c.Attr<int>("dim"), std::max(x.dims.size(), 1), "attribute dim");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RunCumprodAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Lines lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("dim"), x.dims()));
  const bool exclusive = c.Attr<bool>("exclusive"), reverse = c.Attr<bool>("reverse");
  const T* from = x.data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t start = lines.Begin(i, lines.size);
      T product(1);
      for (int64_t k = 0; k < lines.size; ++k) {
        const int64_t at = start + (reverse ? lines.size - 1 - k : k) * lines.inner;
        const T next = WrapMul(product, from[at]);
        to[at] = exclusive ? product : next;
        product = next;
      }
    }
  });
}

void RunCumprod(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunCumprodAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(cumprod)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int>("dim")
    .Attr<bool>("exclusive", false)
    .Attr<bool>("reverse", false)
    .InferShape(InferCumprod);
REGISTER_LITE_FUNCTION(cumprod, kHost, kAny, kNCHW, RunCumprod, def);

}  // namespace
}  // namespace paddle::lite
