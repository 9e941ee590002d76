// The sum of any number of tensors of one shape.
#include <cstring>

#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferSum(InferContext& c) {
  const TensorMeta& first = c.Input("X");
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const TensorMeta& x = c.Input("X", i);
    c.Require(x.dims == first.dims, "X[", i, "] has shape ", x.dims, ", expected ", first.dims,
              " like X[0]");
    if (x.dtype != first.dtype)
      throw DataTypeError(
          StrCat("X[", i, "] is ", Name(x.dtype), ", expected ", Name(first.dtype), " like X[0]"));
  }
  c.SetOutput("Out", first.dims, first.dtype, first.lod);
}

void RunSumFloat(KernelContext& c) {
  const Tensor& first = c.Input("X");
  const auto* x = first.data<float>();
  std::vector<math::EpilogueStep> steps(c.InputCount("X") - 1);
  math::Epilogue epilogue;
  epilogue.steps = steps.data();
  epilogue.step_count = static_cast<int>(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].op = math::EpilogueStep::kAdd;
    steps[i].data = c.Input("X", i + 1).data<float>();
    steps[i].col_stride = 1;
  }
  auto* out = c.Output("Out").mutable_data<float>();
  math::ParallelRange(
      c.threads(), first.numel(), math::kElementGrain,
      [&](int64_t begin, int64_t end) {
        const int64_t n = end - begin;
        math::RunEpilogue(1, n, x + begin, n, out + begin, n, epilogue, 0, begin);
      },
      16);
}

template <typename T>
void RunSumAs(KernelContext& c) {
  const Tensor& first = c.Input("X");
  const T* x = first.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  const int64_t count = first.numel();
  std::copy(x, x + count, out);
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const T* more = c.Input("X", i).data<T>();
    for (int64_t j = 0; j < count; ++j) out[j] = WrapAdd(out[j], more[j]);
  }
}

void RunSum(KernelContext& c) {
  const Tensor& x = c.Input("X");
  c.Output("Out").set_layout(x.layout());
  if (x.dtype() == DataType::kFP32) return RunSumFloat(c);
  ForTypes<double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) { RunSumAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(sum).Inputs("X").Output("Out").InferShape(InferSum);
REGISTER_LITE_FUNCTION(sum, kHost, kAny, kNCHW, RunSum, def);
REGISTER_LITE_FUNCTION(sum, kHost, kFloat, kNHWC, RunSum, def);

}  // namespace
}  // namespace paddle::lite
