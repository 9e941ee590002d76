#include "lite/kernels/cpu/fill.h"
#include "lite/kernels/cpu/spaced.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
