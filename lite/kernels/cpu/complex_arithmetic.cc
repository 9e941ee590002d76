#include "lite/kernels/cpu/complex.h"
#include "lite/kernels/cpu/convert.h"

namespace paddle::lite {
namespace {

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

}  // namespace paddle::lite
