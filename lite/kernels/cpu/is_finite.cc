// Which numbers are finite, infinite or not numbers: of each element (`_v2`), or of any (isinf,
// isnan) and all (isfinite) of them.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

enum class Kind { kFinite, kInfinite, kNan };

template <Kind kKind, typename T>
bool Is(T v) {
  if constexpr (std::is_integral_v<T>) return kKind == Kind::kFinite;
  return kKind == Kind::kFinite     ? std::isfinite(v)
         : kKind == Kind::kInfinite ? std::isinf(v)
                                    : std::isnan(v);
}

void RequireNumberIsFinite(const InferContext& c) {
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
}

void InferEach(InferContext& c) {
  RequireNumberIsFinite(c);
  c.SetOutput("Out", c.Dims("X"), DataType::kBool);
}

void InferOne(InferContext& c) {
  RequireNumberIsFinite(c);
  c.Require(c.Dims("X").production() > 0, "X of shape ", c.Dims("X"), " has no elements");
  c.SetOutput("Out", {1}, DataType::kBool);
}

template <Kind kKind>
void RunEach(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, bool>(c, Is<kKind, T>);
  });
}

template <Kind kKind>
void RunOne(KernelContext& c) {
  const Tensor& x = c.Input("X");
  constexpr bool kAll = kKind == Kind::kFinite;
  bool& out = *c.Output("Out").mutable_data<bool>();
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *begin = x.data<T>(), *end = begin + x.numel();
    out = kAll ? std::all_of(begin, end, Is<kKind, T>) : std::any_of(begin, end, Is<kKind, T>);
  });
}

REGISTER_LITE_OP(isfinite_v2).Input("X").Output("Out").InferShape(InferEach);
REGISTER_LITE_FUNCTION(isfinite_v2, kHost, kAny, kAny, RunEach<Kind::kFinite>, def);
REGISTER_LITE_OP(isinf_v2).Input("X").Output("Out").InferShape(InferEach);
REGISTER_LITE_FUNCTION(isinf_v2, kHost, kAny, kAny, RunEach<Kind::kInfinite>, def);
REGISTER_LITE_OP(isnan_v2).Input("X").Output("Out").InferShape(InferEach);
REGISTER_LITE_FUNCTION(isnan_v2, kHost, kAny, kAny, RunEach<Kind::kNan>, def);

REGISTER_LITE_OP(isfinite).Input("X").Output("Out").InferShape(InferOne);
REGISTER_LITE_FUNCTION(isfinite, kHost, kAny, kNCHW, RunOne<Kind::kFinite>, def);
REGISTER_LITE_OP(isinf).Input("X").Output("Out").InferShape(InferOne);
REGISTER_LITE_FUNCTION(isinf, kHost, kAny, kNCHW, RunOne<Kind::kInfinite>, def);
REGISTER_LITE_OP(isnan).Input("X").Output("Out").InferShape(InferOne);
REGISTER_LITE_FUNCTION(isnan, kHost, kAny, kNCHW, RunOne<Kind::kNan>, def);

}  // namespace
}  // namespace paddle::lite
