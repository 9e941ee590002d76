// Sums over the dims `axis`, in which NaN counts nothing. int32 and bool give int64 unless `dtype`
// names a type.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

DataType OutputType(const InferContext& c) {
  const int number = c.Attr<int>("dtype");
  const DataType from = c.Input("x").dtype;
  if (number < 0)
    return from == DataType::kBool || from == DataType::kInt32 ? DataType::kInt64 : from;
  const DataType to = DataTypeFrom(number, "dtype");
  if (to != DataType::kFP32 && to != DataType::kFP64 && to != DataType::kInt32 &&
      to != DataType::kInt64)
    throw DataTypeError(
        StrCat("attribute dtype is ", Name(to), ", expected float32, float64, int32 or int64"));
  return to;
}

void InferNansum(InferContext& c) {
  InferReduce(
      c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64, DataType::kBool},
      OutputType(c));
}

template <typename From, typename To>
To Sum(const From* x, int64_t count, int64_t step) {
  using Wide = std::conditional_t<std::is_floating_point_v<To>, double, To>;
  Wide sum(0);
  for (int64_t a = 0; a < count; ++a) {
    const From v = x[a * step];
    if (v == v) sum = WrapAdd(sum, NumberCast<Wide>(v));
  }
  return static_cast<To>(sum);
}

void RunNansum(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, bool>(c, c.Input("x").dtype(), [&](auto source) {
    ForTypes<float, double, int32_t, int64_t>(c, c.Output("out").dtype(), [&](auto target) {
      using From = decltype(source);
      using To = decltype(target);
      ReduceLines<From, To>(c, Sum<From, To>);
    });
  });
}

REGISTER_LITE_OP(nansum)
    .Input("x")
    .Output("out")
    .Attr<std::vector<int>>("axis", {})
    .Attr<int>("dtype", -1)
    .Attr<bool>("keepdim", false)
    .InferShape(InferNansum);
REGISTER_LITE_FUNCTION(nansum, kHost, kAny, kNCHW, RunNansum, def);

}  // namespace
}  // namespace paddle::lite
