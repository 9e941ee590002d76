// int32 and bool give int64 unless `out_dtype` names a type, as in Paddle.
#include "lite/kernels/cpu/complex.h"
#include "lite/kernels/cpu/convert.h"
#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

DataType ReduceSumType(const OpLite& op, DataType from) {
  const int number = op.Attr<int>("out_dtype");
  if (number >= 0) {
    if (!IsDataType(number))
      throw DataTypeError(
          StrCat("attribute out_dtype is ", number, ", which is no supported type"));
    return static_cast<DataType>(number);
  }
  return from == DataType::kBool || from == DataType::kInt32 ? DataType::kInt64 : from;
}

void InferReduceSum(InferContext& c) {
  const DataType from = c.Input("X").dtype, out = ReduceSumType(c.op(), from);
  if ((IsComplex(from) || IsComplex(out)) && from != out)
    throw DataTypeError(StrCat("X is ", Name(from), " and attribute out_dtype ", Name(out),
                               ", expected one type where numbers are complex; cast X first"));
  if (out == DataType::kBool || out == DataType::kFP16)
    throw DataTypeError(StrCat("attribute out_dtype is ", Name(out), ", which cannot be summed"));
  InferReduce(c,
              {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
               DataType::kInt16, DataType::kInt8, DataType::kUInt8, DataType::kBool,
               DataType::kComplex64, DataType::kComplex128},
              out);
}

void SumComplex(KernelContext& c, DataType dtype) {
  ForParts(dtype, [&](auto zero) {
    using C = std::complex<decltype(zero)>;
    ReduceWith<C, C>(
        c, C(), [](C sum, C x) { return sum + x; }, [](C sum, int64_t) { return sum; });
  });
}

template <typename From, typename To>
void Sum(KernelContext& c) {
  ReduceWith<From, To>(
      c, To(0), [](To sum, From x) { return WrapAdd(sum, NumberCast<To>(x)); },
      [](To sum, int64_t) { return sum; });
}

void RunReduceSum(KernelContext& c) {
  const DataType from = c.Input("X").dtype(), to = ReduceSumType(c.op(), from);
  if (from == DataType::kFP32 && to == DataType::kFP32)
    return RunReduceFloat(c, math::Reduction::kSum);
  if (IsComplex(from)) return SumComplex(c, from);
  ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t, bool>(
      c, from, [&](auto source) {
        ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t>(
            c, to, [&](auto target) { Sum<decltype(source), decltype(target)>(c); });
      });
}

void RunReduceSumNhwc(KernelContext& c) {
  c.Output("Out").set_layout(c.Input("X").layout());
  RunReduceSum(c);
}

REGISTER_LITE_OP(reduce_sum)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .Attr<int>("out_dtype", -1)
    .InferShape(InferReduceSum);
REGISTER_LITE_FUNCTION(reduce_sum, kHost, kAny, kNCHW, RunReduceSum, def);
REGISTER_LITE_FUNCTION(reduce_sum, kHost, kFloat, kNHWC, RunReduceSumNhwc, def);

}  // namespace
}  // namespace paddle::lite
