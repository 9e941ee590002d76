// What elementwise operators share: broadcasting, shape inference and loops over any element type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lite/core/base/function_ref.h"
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/math/vector_math.h"

namespace paddle::lite {

// The shape of X op Y. `axis` is where the dims of the operand with fewer dims stand in the other
// one's; -1 aligns the last dims. Trailing ones that do not fit are dropped.
// Throws ShapeError naming both shapes.
DDim BroadcastDims(const DDim& x, const DDim& y, int axis);

// The names of an operator's first slots, whatever it calls them: what is said below of X, Y and
// Out holds for these.
inline std::string_view FirstInput(const OpLite& op) { return op.info().inputs()[0].name; }
inline std::string_view SecondInput(const OpLite& op) { return op.info().inputs()[1].name; }
inline std::string_view FirstOutput(const OpLite& op) { return op.info().outputs()[0].name; }

// Throws DataTypeError unless the input's type is one of `types`.
void RequireType(const InferContext& c, std::string_view slot, const std::vector<DataType>& types);

// Of floats, as numpy and Paddle: without the exact remainder, so that the quotient's own rounding
// never reaches the next integer.
template <typename T>
T FloorDivide(T x, T y) {
  if (y == 0) return x / y;
  const T rest = std::fmod(x, y);
  T quotient = (x - rest) / y;
  if (rest != 0 && (rest < 0) != (y < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(T(0), x / y);
  const T down = std::floor(quotient);
  return quotient - down > T(0.5) ? down + 1 : down;
}

// x / y and x % y. Small numbers of 64 bits are divided as those of 32, which takes half the time.
template <typename T>
std::pair<T, T> DivideIntegers(T x, T y) {
  if constexpr (sizeof(T) == 8) {
    constexpr uint64_t kHigh = ~uint64_t{0xffffffff};
    if (((static_cast<uint64_t>(x) | static_cast<uint64_t>(y)) & kHigh) == 0) {
      const auto a = static_cast<uint32_t>(x), b = static_cast<uint32_t>(y);
      return {static_cast<T>(a / b), static_cast<T>(a % b)};
    }
  }
  return {static_cast<T>(x / y), static_cast<T>(x % y)};
}

// X, Y -> Out for operators whose inputs have one type, which is also Out's (or bool is). The LoD
// is X's.
void InferBinary(InferContext& c);
void InferBinaryBool(InferContext& c);
// The same for the types listed.
OpInfo::InferFn InferBinaryOf(std::vector<DataType> types);

// X -> Out of the same shape and type, which must be one of `types`.
OpInfo::InferFn InferUnary(std::vector<DataType> types, bool keeps_lod = true);
// The same for fp32 and fp64.
OpInfo::InferFn InferFloatUnary(bool keeps_lod = true);

// How two operands are walked along an output of at most 9 merged axes, in its memory order.
struct Broadcast {
  int rank = 0;  // at least 1
  int64_t dims[DDim::kMaxRank];
  int64_t x_strides[DDim::kMaxRank];  // 0 where x is repeated
  int64_t y_strides[DDim::kMaxRank];
  int64_t count = 1;

  // Elements in front of the last axis.
  int64_t outer() const { return dims[rank - 1] == 0 ? 0 : count / dims[rank - 1]; }
  // Offsets of the `index`-th run of the last axis.
  void Offsets(int64_t index, int64_t* x, int64_t* y) const;
};

// Sets out's layout (NHWC where an operand has it) and returns the walk.
Broadcast MakeBroadcast(const Tensor& x, const Tensor& y, Tensor* out, int axis);

// out = op(x, y), then `activation`, for fp32 tensors; out may be x where it has x's shape.
void RunBinaryFloat(KernelContext& c, math::EpilogueStep::Op op,
                    const math::Activation& activation);

// One run of the last axis; the usual steps are constants, so that compilers see through them.
template <typename T, typename R, typename Fn>
void RunLine(int64_t count, const T* x, int64_t x_step, const T* y, int64_t y_step, R* to, Fn fn) {
  if (x_step == 1 && y_step == 1) {
    for (int64_t j = 0; j < count; ++j) to[j] = fn(x[j], y[j]);
  } else if (x_step == 1 && y_step == 0) {
    for (int64_t j = 0; j < count; ++j) to[j] = fn(x[j], *y);
  } else if (x_step == 0 && y_step == 1) {
    for (int64_t j = 0; j < count; ++j) to[j] = fn(*x, y[j]);
  } else {
    for (R* const end = to + count; to != end; ++to, x += x_step, y += y_step) *to = fn(*x, *y);
  }
}

// A run of `count` elements of the last axis: where it starts in each operand and their steps.
struct BroadcastRun {
  int64_t count, x, x_step, y, y_step, out;
};

// Calls `run` for all of the walk, from several threads: whole lines and parts of them.
void WalkBroadcast(int threads, const Broadcast& b, FunctionRef<void(const BroadcastRun&)> run);

// out = fn(x, y) along the walk.
template <typename T, typename R, typename Fn>
void RunLines(int threads, const Broadcast& b, const T* xs, const T* ys, R* os, Fn fn) {
  WalkBroadcast(threads, b, [&](const BroadcastRun& run) {
    RunLine(run.count, xs + run.x, run.x_step, ys + run.y, run.y_step, os + run.out, fn);
  });
}

// The operands of a binary operator (`swap`: the second one first) and their walk; sets the
// output's layout.
struct BinaryOperands {
  BinaryOperands(KernelContext& c, int axis, bool swap = false);
  const Tensor &x, &y;
  Tensor& out;
  Broadcast walk;
};

// out = fn(x, y) for any types.
template <typename T, typename R, typename Fn>
void ApplyBroadcast(KernelContext& c, Fn fn, int axis = -1) {
  const BinaryOperands o(c, axis);
  RunLines(c.threads(), o.walk, o.x.data<T>(), o.y.data<T>(), o.out.mutable_data<R>(), fn);
}

// out[i] = fn(x[i]); the layout and the memory order are x's.
template <typename T, typename R, typename Fn>
void ApplyUnary(KernelContext& c, Fn fn) {
  const Tensor& x = c.Input(FirstInput(c.op()));
  Tensor& out = c.Output(FirstOutput(c.op()));
  out.set_layout(x.layout());
  const T* from = x.data<T>();
  R* to = out.mutable_data<R>();
  math::ParallelRange(c.threads(), x.numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = fn(from[i]);
  });
}

// Out = fn(X) for fp64; for fp32 `function` with the parameters a and b.
template <typename Fn>
void RunVectorFunction(KernelContext& c, math::VectorFunction function, float a, float b, Fn fn) {
  const Tensor& x = c.Input(FirstInput(c.op()));
  if (x.dtype() == DataType::kFP64) return ApplyUnary<double, double>(c, fn);
  Tensor& out = c.Output(FirstOutput(c.op()));
  out.set_layout(x.layout());
  math::RunVector(function, x.numel(), x.data<float>(), out.mutable_data<float>(), a, b,
                  c.threads());
}

// X -> Out of X's shape: fp32 and fp64 stay, int32 and int64 become fp32.
void InferFloatOfNumber(InferContext& c);

// Whether the numbers are equal, floating point ones within 1e-8.
template <typename T>
bool AlmostEqual(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    return x == y || std::abs(static_cast<double>(x - y)) < 1e-8;
  else
    return x == y;
}

// Throws DataTypeError unless the input is fp32.
void RequireFloat(const InferContext& c, const char* slot);

[[noreturn]] void ThrowDivisionByZero(const char* op);
[[noreturn]] void ThrowUnsupportedType(const KernelContext& c, DataType dtype);

// Bools as bytes without sign, which loops over numbers read: those over bools stay scalar in GCC.
inline Tensor BoolsAsBytes(Tensor tensor) {
  if (tensor.dtype() == DataType::kBool) tensor.set_dtype(DataType::kUInt8);
  return tensor;
}

// Calls fn(T{}) for the C++ type of `dtype`, one of the listed ones.
template <typename... Ts, typename Fn>
void ForTypes(const KernelContext& c, DataType dtype, Fn fn) {
  const bool found = ((DataTypeOf<Ts>::value == dtype ? (fn(Ts{}), true) : false) || ...);
  if (!found) ThrowUnsupportedType(c, dtype);
}

// Integer arithmetic that wraps instead of being undefined.
template <typename T>
T WrapAdd(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}
template <typename T>
T WrapSub(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  else
    return a - b;
}
template <typename T>
T WrapMul(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const uint64_t product = static_cast<uint64_t>(a) * static_cast<uint64_t>(b);
    return static_cast<T>(product);  // at once GCC 11 warns of it for bool
  } else {
    return a * b;
  }
}

// NaN where one is.
template <typename T>
T Larger(T a, T b) {
  return a > b || a != a ? a : b;
}
template <typename T>
T Smaller(T a, T b) {
  return a < b || a != a ? a : b;
}

// A number as To. Values out of To's range give what x86 gives: the lowest value of the signed
// 32- or 64-bit integer, of which smaller types keep the low bits.
template <typename To, typename From>
To NumberCast(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    using Wide = std::conditional_t<sizeof(To) == 8, int64_t, int32_t>;
    constexpr From kEnd = sizeof(Wide) == 8 ? From(9223372036854775808.0) : From(2147483648.0);
    const bool fits = value < kEnd && value >= -kEnd;
    return static_cast<To>(fits ? static_cast<Wide>(value) : std::numeric_limits<Wide>::min());
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace paddle::lite
