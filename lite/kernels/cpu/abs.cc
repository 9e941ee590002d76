#include "lite/kernels/cpu/activation.h"
#include "lite/kernels/cpu/complex.h"

namespace paddle::lite {
namespace {

math::Activation AbsAsActivation(const OpLite&) { return {math::Act::kAbs}; }

template <typename T>
void RunAbsInteger(KernelContext& c) {
  ApplyUnary<T, T>(c, [](T x) { return x < 0 ? WrapSub(T(0), x) : x; });
}

void RunComplex(KernelContext& c, DataType dtype) {
  ForParts(dtype, [&](auto zero) {
    using T = decltype(zero);
    using C = std::complex<T>;
    ApplyUnary<C, T>(c, [](C x) { return std::abs(x); });
  });
}

// Paddle does not pass the LoD on here.
void InferAbs(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X",
              {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
               DataType::kComplex64, DataType::kComplex128});
  c.SetOutput("Out", x.dims, IsComplex(x.dtype) ? PartType(x.dtype) : x.dtype);
}

void RunAbs(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kInt32) return RunAbsInteger<int32_t>(c);
  if (dtype == DataType::kInt64) return RunAbsInteger<int64_t>(c);
  if (IsComplex(dtype)) return RunComplex(c, dtype);
  RunActivation(c, AbsAsActivation(c.op()));
}

REGISTER_LITE_OP(abs).Input("X").Output("Out").InferShape(InferAbs).AsActivation(AbsAsActivation);
REGISTER_LITE_FUNCTION(abs, kHost, kAny, kAny, RunAbs, def);

}  // namespace
}  // namespace paddle::lite
