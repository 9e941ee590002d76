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

template <typename To, typename From>
To ConvertOne(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsComplex<From>) {
    if constexpr (kIsComplex<To>)
      return {static_cast<typename To::value_type>(value.real()),
              static_cast<typename To::value_type>(value.imag())};
    else if constexpr (std::is_same_v<To, bool>)
      return value.real() != 0 || value.imag() != 0;
    else
      return ConvertOne<To>(value.real());
  } else if constexpr (kIsComplex<To>) {
    return {ConvertOne<typename To::value_type>(value), 0};
  } else {
    return NumberCast<To>(value);
  }
}

// Whether there is a loop for it: bools are read as bytes (loops over bools stay scalar in GCC),
// and halves are only made of floats, and these of them.
template <typename From, typename To>
constexpr bool IsDirect() {
  if (std::is_same_v<From, Half>) return std::is_same_v<To, Half> || std::is_same_v<To, float>;
  return !std::is_same_v<From, bool> && (!std::is_same_v<To, Half> || std::is_same_v<From, float>);
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
  const bool from_half = x.dtype() == DataType::kFP16, to_half = dtype == DataType::kFP16;
  if (from_half != to_half && (from_half ? dtype : x.dtype()) != DataType::kFP32) {
    Tensor floats;
    floats.Resize(x.dims());
    ConvertElements(x, &floats, DataType::kFP32, threads);
    return ConvertElements(floats, out, dtype, threads);
  }
  VisitType(x.dtype() == DataType::kBool ? DataType::kUInt8 : x.dtype(), [&](auto source) {
    VisitType(dtype, [&](auto target) {
      using From = decltype(source);
      using To = decltype(target);
      if constexpr (IsDirect<From, To>())
        math::ParallelRange(threads, count, math::kElementGrain, [&](int64_t begin, int64_t end) {
          ConvertRun(end - begin, static_cast<const From*>(from) + begin,
                     static_cast<To*>(to) + begin);
        });
    });
  });
}

}  // namespace paddle::lite
