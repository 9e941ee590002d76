#include "lite/kernels/cpu/spectral/complex.h"

#include "lite/kernels/cpu/elementwise/convert.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

void InferComplex(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  RequireParts(c, "X");
  RequireType(c, "Y", {x.dtype});
  c.SetOutput("Out", BroadcastDims(x.dims, y.dims, -1), ComplexOf(x.dtype));
}

void RunComplexOp(KernelContext& c) {
  ForParts(c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    using C = std::complex<T>;
    ApplyBroadcast<T, C>(c, [](T real, T imag) { return C(real, imag); });
  });
}

REGISTER_LITE_OP(complex).Input("X").Input("Y").Output("Out").InferShape(InferComplex);
REGISTER_LITE_FUNCTION(complex, kHost, kAny, kNCHW, RunComplexOp, def);

// The two parts of complex numbers: real and imag.
void InferComplexParts(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireComplex(c, "X");
  c.SetOutput("Out", x.dims, PartType(x.dtype));
}

template <bool imaginary>
void RunComplexParts(KernelContext& c) {
  ForParts(c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    using C = std::complex<T>;
    ApplyUnary<C, T>(c, [](C x) { return imaginary ? x.imag() : x.real(); });
  });
}

REGISTER_LITE_OP(real).Input("X").Output("Out").InferShape(InferComplexParts);
REGISTER_LITE_FUNCTION(real, kHost, kAny, kNCHW, RunComplexParts<false>, def);

REGISTER_LITE_OP(imag).Input("X").Output("Out").InferShape(InferComplexParts);
REGISTER_LITE_FUNCTION(imag, kHost, kAny, kNCHW, RunComplexParts<true>, def);

using Op = math::EpilogueStep::Op;

bool IsReal(DataType dtype) { return dtype == DataType::kFP32 || dtype == DataType::kFP64; }

// The type that holds the numbers of both.
DataType Common(DataType x, DataType y) {
  const auto wide = [](DataType t) { return t == DataType::kFP64 || t == DataType::kComplex128; };
  return wide(x) || wide(y) ? DataType::kComplex128 : DataType::kComplex64;
}

// x itself where it is of the type, else `converted`.
const Tensor& As(const Tensor& x, DataType dtype, Tensor* converted, int threads) {
  if (x.dtype() == dtype) return x;
  converted->Resize(x.dims());
  ConvertElements(x, converted, dtype, threads);
  return *converted;
}

template <typename C>
void Apply(KernelContext& c, Op op) {
  const int axis = c.Attr<int>("axis");
  switch (op) {
    case Op::kAdd:
      return ApplyBroadcast<C, C>(
          c, [](C x, C y) { return x + y; }, axis);
    case Op::kSub:
      return ApplyBroadcast<C, C>(
          c, [](C x, C y) { return x - y; }, axis);
    case Op::kMul:
      return ApplyBroadcast<C, C>(
          c, [](C x, C y) { return ComplexProduct(x, y); }, axis);
    case Op::kDiv:
      return ApplyBroadcast<C, C>(
          c, [](C x, C y) { return x / y; }, axis);
    default:
      ThrowUnsupportedType(c, DataTypeOf<C>::value);
  }
}

}  // namespace

void RequireComplex(const InferContext& c, std::string_view slot) {
  RequireType(c, slot, {DataType::kComplex64, DataType::kComplex128});
}

void RequireParts(const InferContext& c, std::string_view slot) {
  RequireType(c, slot, {DataType::kFP32, DataType::kFP64});
}

void InferArithmetic(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  const bool mixed = (IsComplex(x.dtype) && (IsReal(y.dtype) || IsComplex(y.dtype))) ||
                     (IsReal(x.dtype) && IsComplex(y.dtype));
  if (!mixed) return InferBinary(c);
  c.SetOutput("Out", BroadcastDims(x.dims, y.dims, c.Attr<int>("axis")), Common(x.dtype, y.dtype),
              x.lod);
}

void RunComplexArithmetic(KernelContext& c, Op op) {
  const DataType dtype = c.Output("Out").dtype();
  Tensor x, y;
  KernelContext of_one_type = c;
  of_one_type.inputs()[0] = {&As(c.Input("X"), dtype, &x, c.threads())};
  of_one_type.inputs()[1] = {&As(c.Input("Y"), dtype, &y, c.threads())};
  ForParts(dtype, [&](auto zero) { Apply<std::complex<decltype(zero)>>(of_one_type, op); });
}

namespace {

void RunConj(KernelContext& c) {
  const Tensor& x = c.Input("X");
  if (!IsComplex(x.dtype())) return CopyElements(x, c.Output("Out"));
  ForParts(x.dtype(), [&](auto zero) {
    using C = std::complex<decltype(zero)>;
    ApplyUnary<C, C>(c, [](C value) { return std::conj(value); });
  });
}

REGISTER_LITE_OP(conj).Input("X").Output("Out").InferShape(
    InferUnary({DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
                DataType::kComplex64, DataType::kComplex128},
               false));
REGISTER_LITE_FUNCTION(conj, kHost, kAny, kNCHW, RunConj, def);

void InferAngle(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X",
              {DataType::kFP32, DataType::kFP64, DataType::kComplex64, DataType::kComplex128});
  c.SetOutput("Out", x.dims, IsComplex(x.dtype) ? PartType(x.dtype) : x.dtype);
}

void RunAngle(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  ForParts(dtype, [&](auto zero) {
    using T = decltype(zero);
    using C = std::complex<T>;
    constexpr T kPi = static_cast<T>(3.14159265358979323846);
    if (IsComplex(dtype))
      ApplyUnary<C, T>(c, [](C x) { return std::arg(x); });
    else
      ApplyUnary<T, T>(c, [](T x) { return x < 0 ? kPi : T(0); });
  });
}

REGISTER_LITE_OP(angle).Input("X").Output("Out").InferShape(InferAngle);
REGISTER_LITE_FUNCTION(angle, kHost, kAny, kNCHW, RunAngle, def);

// Pairs of numbers as complex ones and back: as_complex and as_real.
void InferAsComplex(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireParts(c, "X");
  c.Require(!x.dims.empty() && x.dims.back() == 2, "X has shape ", x.dims,
            ", expected a last dimension of 2: real and imaginary parts");
  DDim dims;
  for (int i = 0; i + 1 < x.dims.size(); ++i) dims.push_back(x.dims[i]);
  c.SetOutput("Out", dims, ComplexOf(x.dtype));
}

void InferAsReal(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireComplex(c, "X");
  c.Require(x.dims.size() < static_cast<int>(DDim::kMaxRank), "X has shape ", x.dims,
            ", which cannot have one more dimension");
  DDim dims = x.dims;
  dims.push_back(2);
  c.SetOutput("Out", dims, PartType(x.dtype));
}

void RunAsComplex(KernelContext& c) { CopyElements(c.Input("X"), c.Output("Out")); }

REGISTER_LITE_OP(as_complex).Input("X").Output("Out").InferShape(InferAsComplex);
REGISTER_LITE_FUNCTION(as_complex, kHost, kAny, kNCHW, RunAsComplex, def);

REGISTER_LITE_OP(as_real).Input("X").Output("Out").InferShape(InferAsReal);
REGISTER_LITE_FUNCTION(as_real, kHost, kAny, kNCHW, RunAsComplex, def);

}  // namespace
}  // namespace paddle::lite
