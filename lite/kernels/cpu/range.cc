#include <cmath>

#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

constexpr double kMaxElements = 1e15;  // the memory check speaks about less

void InferRange(InferContext& c) {
  const DataType dtype = c.Input("Start").dtype;
  double bound[3];
  const char* const slots[] = {"Start", "End", "Step"};
  for (int i = 0; i < 3; ++i) {
    const TensorMeta& meta = c.Input(slots[i]);
    c.Require(meta.dims.production() == 1, slots[i], " has shape ", meta.dims,
              ", expected one element");
    if (meta.dtype != dtype)
      throw DataTypeError(
          StrCat(slots[i], " is ", Name(meta.dtype), ", but Start is ", Name(dtype)));
    bound[i] = c.NumberValue(slots[i]);
  }
  const double start = bound[0], end = bound[1], step = bound[2];
  c.Require(step != 0 && std::isfinite(start) && std::isfinite(end) && std::isfinite(step),
            "no range from ", start, " to ", end, " by steps of ", step);
  c.Require(start == end || (start < end) == (step > 0), "steps of ", step, " never lead from ",
            start, " to ", end);
  const double count = std::ceil((end - start) / step);
  c.Require(count < kMaxElements, "a range of ", count, " elements");
  c.SetOutput("Out", {static_cast<int64_t>(count)}, dtype);
}

template <typename T>
void RunRangeAs(KernelContext& c) {
  const T start = *c.Input("Start").data<T>(), step = *c.Input("Step").data<T>();
  Tensor& out = c.Output("Out");
  T* to = out.mutable_data<T>();
  T value = start;
  const int64_t count = out.numel();
  for (int64_t i = 0; i < count; ++i) {
    to[i] = value;
    if (i + 1 < count) value = static_cast<T>(value + step);
  }
}

REGISTER_LITE_OP(range).Input("Start").Input("End").Input("Step").Output("Out").InferShape(
    InferRange);
REGISTER_LITE_FUNCTION(range, kHost, kFloat, kNCHW, RunRangeAs<float>, def);
REGISTER_LITE_FUNCTION(range, kHost, kFP64, kNCHW, RunRangeAs<double>, def);
REGISTER_LITE_FUNCTION(range, kHost, kInt32, kNCHW, RunRangeAs<int32_t>, def);
REGISTER_LITE_FUNCTION(range, kHost, kInt64, kNCHW, RunRangeAs<int64_t>, def);

}  // namespace
}  // namespace paddle::lite
