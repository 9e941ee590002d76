// x summed over the dims along which `target` would be repeated to have x's shape. int32 and bool
// give int64.
#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

// Throws ShapeError where `target` does not broadcast to x.
std::vector<bool> DimsToSum(const DDim& x, const DDim& target) {
  const int added = x.size() - target.size();
  std::vector<bool> reduced(static_cast<size_t>(x.size()), false);
  bool fits = added >= 0;
  for (int i = 0; fits && i < x.size(); ++i) {
    const int64_t dim = i < added ? 1 : target[i - added];
    reduced[static_cast<size_t>(i)] = i < added || (dim == 1 && x[i] != 1);
    fits = dim == 1 || dim == x[i];
  }
  if (!fits)
    throw ShapeError(StrCat("target of shape ", target, " does not broadcast to x of shape ", x));
  return reduced;
}

void InferReduceAs(InferContext& c) {
  RequireType(c, "x",
              {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
               DataType::kInt16, DataType::kInt8, DataType::kUInt8, DataType::kBool});
  DimsToSum(c.Dims("x"), c.Dims("target"));
  const DataType from = c.Input("x").dtype;
  const bool widens = from == DataType::kInt32 || from == DataType::kBool;
  c.SetOutput("out", c.Dims("target"), widens ? DataType::kInt64 : from);
}

template <typename T>
void RunReduceAsAs(KernelContext& c) {
  using R = std::conditional_t<std::is_same_v<T, int32_t> || std::is_same_v<T, bool>, int64_t, T>;
  using Wide = std::conditional_t<std::is_floating_point_v<T>, double, R>;
  const Tensor& x = c.Input("x");
  const ReduceView view =
      MakeReduceView(x, DimsToSum(x.dims(), c.Input("target").dims()), c.threads());
  const T* from = static_cast<const T*>(view.data);
  R* to = c.Output("out").mutable_data<R>();
  for (int64_t i = 0; i < view.outer * view.inner; ++i) {
    const T* at = from + i / view.inner * view.axis * view.inner + i % view.inner;
    Wide sum(0);
    for (int64_t a = 0; a < view.axis; ++a)
      sum = WrapAdd(sum, static_cast<Wide>(at[a * view.inner]));
    to[i] = static_cast<R>(sum);
  }
}

void RunReduceAs(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t, bool>(
      c, c.Input("x").dtype(), [&](auto zero) { RunReduceAsAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(reduce_as).Input("x").Input("target").Output("out").InferShape(InferReduceAs);
REGISTER_LITE_FUNCTION(reduce_as, kHost, kAny, kNCHW, RunReduceAs, def);

}  // namespace
}  // namespace paddle::lite
