// How often each number from 0 to the largest of X stands there, or the sum of the Weights at its
// places.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

constexpr int64_t kMostBins = std::numeric_limits<int32_t>::max();

void InferBincount(InferContext& c) {
  RequireType(c, "X", {DataType::kInt32, DataType::kInt64});
  c.Require(c.Dims("X").size() == 1, "X has shape ", c.Dims("X"), ", expected one dimension");
  c.Require(c.Attr<int>("minlength") >= 0, "attribute minlength is ", c.Attr<int>("minlength"),
            ", expected at least 0");
  if (!c.HasInput("Weights")) return;
  RequireType(c, "Weights", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  c.Require(c.Dims("Weights") == c.Dims("X"), "Weights has shape ", c.Dims("Weights"),
            ", expected X's, ", c.Dims("X"));
}

// out[value] += weight(i) for each value i of X.
template <typename R, typename Weight>
void Count(KernelContext& c, DataType dtype, Weight weight) {
  const std::vector<int64_t> values = IntValues(c, "X");
  int64_t size = c.Attr<int>("minlength");
  for (const int64_t value : values) {
    if (value < 0 || value >= kMostBins)
      throw LiteError(StrCat("X has the value ", value, ", expected 0 to ", kMostBins - 1));
    size = std::max(size, value + 1);
  }
  Tensor& out = c.Output("Out");
  out.Allocate({size}, dtype);
  R* to = out.mutable_data<R>();
  std::fill(to, to + size, R(0));
  for (size_t i = 0; i < values.size(); ++i) to[values[i]] += weight(i);
}

// fp32 weights give fp32 sums, others fp64.
void RunBincount(KernelContext& c) {
  const Tensor* weights = c.InputOrNull("Weights");
  if (weights == nullptr)
    return Count<int64_t>(c, DataType::kInt64, [](size_t) { return int64_t(1); });
  ForTypes<float, double, int32_t, int64_t>(c, weights->dtype(), [&](auto zero) {
    using T = decltype(zero);
    using R = std::conditional_t<std::is_same_v<T, float>, float, double>;
    const T* from = weights->data<T>();
    Count<R>(c, DataTypeOf<R>::value, [=](size_t i) { return static_cast<R>(from[i]); });
  });
}

REGISTER_LITE_OP(bincount)
    .Input("X")
    .OptionalInput("Weights")
    .Output("Out")
    .Attr<int>("minlength", 0)
    .InferShape(InferBincount)
    .DataDependent();
REGISTER_LITE_FUNCTION(bincount, kHost, kAny, kNCHW, RunBincount, def);

}  // namespace
}  // namespace paddle::lite
