#include <cstring>

#include "lite/kernels/cpu/elementwise/convert.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/half.h"

namespace paddle::lite {
namespace {

void InferCast(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int number = c.Attr<int>("out_dtype");
  if (!IsDataType(number))
    throw DataTypeError(StrCat("attribute out_dtype is ", number, ", which is no supported type"));
  c.SetOutput("Out", x.dims, static_cast<DataType>(number), x.lod);
}

void RunCast(KernelContext& c) {
  ConvertElements(c.Input("X"), &c.Output("Out"), static_cast<DataType>(c.Attr<int>("out_dtype")),
                  c.threads());
}

REGISTER_LITE_OP(cast)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int>("out_dtype")
    .InferShape(InferCast);
REGISTER_LITE_FUNCTION(cast, kHost, kAny, kNCHW, RunCast, def);

// float16 has no C++ type here: its bits.
struct Half {
  uint16_t bits;
};

template <typename T>
inline constexpr bool kIsComplex = false;
template <typename T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

// By way of which halves and complex numbers become others, and others these: the same numbers with
// fewer loops.
template <typename T>
struct Way {
  using type = T;
};
template <>
struct Way<Half> {
  using type = float;
};
template <typename T>
struct Way<std::complex<T>> {
  using type = T;
};
template <typename T>
inline constexpr bool kHasWay = !std::is_same_v<typename Way<T>::type, T>;

// Whether there is a loop for it.
template <typename From, typename To>
constexpr bool IsDirect() {
  if (kIsComplex<From> && (kIsComplex<To> || std::is_same_v<To, bool>)) return true;
  return std::is_same_v<typename Way<From>::type, To> ||
         std::is_same_v<From, typename Way<To>::type> || (!kHasWay<From> && !kHasWay<To>) ||
         std::is_same_v<From, To>;
}

template <typename To, typename From>
To ConvertOne(From value) {
  if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (kIsComplex<From> && kIsComplex<To>)
    return {static_cast<typename To::value_type>(value.real()),
            static_cast<typename To::value_type>(value.imag())};
  else if constexpr (kIsComplex<From> && std::is_same_v<To, bool>)
    return value.real() != 0 || value.imag() != 0;
  else if constexpr (kIsComplex<From>)
    return value.real();
  else if constexpr (kIsComplex<To>)
    return {value, 0};
  else
    return NumberCast<To>(value);
}

template <typename From, typename To>
void ConvertRun(int64_t count, const From* from, To* to) {
  if constexpr (std::is_same_v<From, Half> && std::is_same_v<To, float>)
    math::HalvesToFloats(count, &from->bits, to);
  else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, Half>)
    math::FloatsToHalves(count, from, &to->bits);
  else
    for (int64_t i = 0; i < count; ++i) to[i] = ConvertOne<To>(from[i]);
}

void ConvertInTwo(const Tensor& x, Tensor* out, DataType dtype, DataType way, int threads) {
  Tensor between;
  between.Resize(x.dims());
  ConvertElements(x, &between, way, threads);
  ConvertElements(between, out, dtype, threads);
}

template <typename Fn>
void VisitType(DataType dtype, Fn fn) {
  switch (dtype) {
    case DataType::kBool:
      return fn(false);
    case DataType::kInt16:
      return fn(int16_t{});
    case DataType::kInt32:
      return fn(int32_t{});
    case DataType::kInt64:
      return fn(int64_t{});
    case DataType::kFP16:
      return fn(Half{});
    case DataType::kFP32:
      return fn(float{});
    case DataType::kFP64:
      return fn(double{});
    case DataType::kUInt8:
      return fn(uint8_t{});
    case DataType::kInt8:
      return fn(int8_t{});
    case DataType::kComplex64:
      return fn(std::complex<float>{});
    case DataType::kComplex128:
      return fn(std::complex<double>{});
  }
}

}  // namespace

void ConvertElements(const Tensor& x, Tensor* out, DataType dtype, int threads) {
  out->set_layout(x.layout());
  const void* from = x.raw_data();
  void* to = out->MutableRaw(dtype);
  const int64_t count = x.numel();
  if (count == 0) return;
  if (from == nullptr) throw LiteError("the tensor to convert has no data");
  VisitType(BoolsAsBytes(x).dtype(), [&](auto source) {
    VisitType(dtype, [&](auto target) {
      using From = decltype(source);
      using To = decltype(target);
      if constexpr (std::is_same_v<From, bool>)
        return;
      else if constexpr (IsDirect<From, To>())
        math::ParallelRange(threads, count, math::kElementGrain, [&](int64_t begin, int64_t end) {
          ConvertRun(end - begin, static_cast<const From*>(from) + begin,
                     static_cast<To*>(to) + begin);
        });
      else
        ConvertInTwo(
            x, out, dtype,
            DataTypeOf<typename Way<std::conditional_t<kHasWay<From>, From, To>>::type>::value,
            threads);
    });
  });
}

}  // namespace paddle::lite
