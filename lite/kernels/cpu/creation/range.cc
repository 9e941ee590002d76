#include <cmath>

#include "lite/kernels/cpu/creation/fill.h"
#include "lite/kernels/cpu/creation/spaced.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/random/random.h"
#include "lite/kernels/cpu/shape/data_movement.h"

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

void InferLinspace(InferContext& c) { InferSpaced(c, {"Start", "Stop"}); }

template <typename T>
T Bound(const KernelContext& c, const char* slot) {
  const FillValue value = FillValue::From(c.Input(slot), slot);
  T element;
  StoreElement(value, DataTypeOf<T>::value, &element);
  return element;
}

// Counts from both ends to the middle, so that the last number is Stop exactly.
template <typename T>
void RunLinspaceAs(KernelContext& c) {
  const T start = Bound<T>(c, "Start"), stop = Bound<T>(c, "Stop");
  Tensor& out = c.Output("Out");
  T* to = out.mutable_data<T>();
  const int64_t num = out.numel();
  if (num == 1) {
    *to = start;
    return;
  }
  const double step =
      (static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(num - 1);
  for (int64_t i = 0; i < num; ++i)
    to[i] =
        i < num / 2
            ? static_cast<T>(static_cast<double>(start) + step * static_cast<double>(i))
            : static_cast<T>(static_cast<double>(stop) - step * static_cast<double>(num - 1 - i));
}

void RunLinspace(KernelContext& c) {
  switch (c.Output("Out").dtype()) {
    case DataType::kFP32:
      return RunLinspaceAs<float>(c);
    case DataType::kFP64:
      return RunLinspaceAs<double>(c);
    case DataType::kInt32:
      return RunLinspaceAs<int32_t>(c);
    default:
      return RunLinspaceAs<int64_t>(c);
  }
}

REGISTER_LITE_OP(linspace)
    .Input("Start")
    .Input("Stop")
    .Input("Num")
    .Output("Out")
    .RequiredAttr<int32_t>("dtype")
    .InferShape(InferLinspace);
REGISTER_LITE_FUNCTION(linspace, kHost, kAny, kNCHW, RunLinspace, def);

// Num powers of Base, whose exponents are spaced evenly from Start to Stop.
void InferLogspace(InferContext& c) {
  for (const char* slot : {"Start", "Stop", "Base"})
    RequireType(c, slot, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  InferSpaced(c, {"Start", "Stop", "Base"});
}

// The numbers are brought to the result's type first; exponents are counted from both ends.
template <typename T>
void RunLogspaceAs(KernelContext& c) {
  const auto number = [&](const char* slot) {
    return static_cast<double>(NumberCast<T>(Doubles(c.Input(slot))[0]));
  };
  const double start = number("Start"), stop = number("Stop"), base = number("Base");
  Tensor& out = c.Output("Out");
  T* to = out.mutable_data<T>();
  const int64_t num = out.numel();
  const double step = num == 1 ? 0 : (stop - start) / static_cast<double>(num - 1);
  for (int64_t i = 0; i < num; ++i) {
    const double exponent = i < (num + 1) / 2 ? start + step * static_cast<double>(i)
                                              : stop - step * static_cast<double>(num - 1 - i);
    to[i] = NumberCast<T>(std::pow(base, exponent));
  }
}

void RunLogspace(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Output("Out").dtype(),
                                            [&](auto zero) { RunLogspaceAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(logspace)
    .Input("Start")
    .Input("Stop")
    .Input("Num")
    .Input("Base")
    .Output("Out")
    .RequiredAttr<int32_t>("dtype")
    .InferShape(InferLogspace);
REGISTER_LITE_FUNCTION(logspace, kHost, kAny, kNCHW, RunLogspace, def);

}  // namespace
}  // namespace paddle::lite
