#include <cstring>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/indexing/gather.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// The shape that numpy broadcasting gives.
DDim Common(const DDim& condition, const DDim& x, const DDim& y) {
  return BroadcastDims(BroadcastDims(condition, x, -1), y, -1);
}

void InferWhere(InferContext& c) {
  const TensorMeta& condition = c.Input("Condition");
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  if (condition.dtype != DataType::kBool)
    throw DataTypeError(StrCat("Condition is ", Name(condition.dtype), ", expected bool"));
  if (x.dtype != y.dtype)
    throw DataTypeError(
        StrCat("X is ", Name(x.dtype), " and Y is ", Name(y.dtype), ", expected one type"));
  c.Require(c.Attr<bool>("broadcast") || (condition.dims == x.dims && x.dims == y.dims),
            "Condition, X and Y have shapes ", condition.dims, ", ", x.dims, " and ", y.dims,
            ", expected equal ones");
  c.SetOutput("Out", Common(condition.dims, x.dims, y.dims), x.dtype, x.lod);
}

void RunWhere(KernelContext& c) {
  const DDim& dims = c.Output("Out").dims();
  const Tensor x = Repeated(c.Input("X"), dims, c.threads());
  const Tensor y = Repeated(c.Input("Y"), dims, c.threads());
  const Tensor conditions = Repeated(c.Input("Condition"), dims, c.threads());
  ForTypes<float, double, int32_t, int64_t, bool, int16_t, int8_t, uint8_t, std::complex<float>,
           std::complex<double>>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const bool* condition = conditions.data<bool>();
    const T* xs = x.data<T>();
    const T* ys = y.data<T>();
    T* out = c.Output("Out").mutable_data<T>();
    math::ParallelRange(c.threads(), x.numel(), math::kElementGrain,
                        [&](int64_t begin, int64_t end) {
                          for (int64_t i = begin; i < end; ++i)
                            out[i] = condition[i] ? xs[i] : ys[i];
                        });
  });
}

REGISTER_LITE_OP(where)
    .Input("Condition")
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<bool>("broadcast", false)  // of NNAdapter's WHERE, in no program
    .InferShape(InferWhere);
REGISTER_LITE_FUNCTION(where, kHost, kAny, kNCHW, RunWhere, def);

// The coordinates of what is not zero, a row each: [number, rank of Condition].
template <typename T>
void Find(const Tensor& condition, Tensor& out) {
  const T* data = condition.data<T>();
  const DDim& dims = condition.dims();
  const int64_t total = condition.numel();
  int64_t found = 0;
  for (int64_t i = 0; i < total; ++i) found += data[i] != T{};
  out.Allocate({found, dims.size()}, DataType::kInt64);
  auto* to = out.mutable_data<int64_t>();
  for (int64_t i = 0; i < total; ++i) {
    if (data[i] == T{}) continue;
    int64_t rest = i;
    for (int d = dims.size() - 1; d >= 0; --d) {
      to[d] = rest % dims[d];
      rest /= dims[d];
    }
    to += dims.size();
  }
}

void RunWhereIndex(KernelContext& c) {
  const Tensor& condition = c.Input("Condition");
  Tensor& out = c.Output("Out");
  if (condition.dims().empty()) throw ShapeError("Condition is 0-D, expected a dimension or more");
  switch (condition.dtype()) {
    case DataType::kBool:
    case DataType::kUInt8:
    case DataType::kInt8: {
      Tensor bytes = condition;
      bytes.set_dtype(DataType::kUInt8);
      return Find<uint8_t>(bytes, out);
    }
    case DataType::kInt16:
      return Find<int16_t>(condition, out);
    case DataType::kInt32:
      return Find<int32_t>(condition, out);
    case DataType::kInt64:
      return Find<int64_t>(condition, out);
    case DataType::kFP32:
      return Find<float>(condition, out);
    case DataType::kFP64:
      return Find<double>(condition, out);
    default:
      throw DataTypeError(StrCat("Condition is ", Name(condition.dtype()), ", expected bool"));
  }
}

REGISTER_LITE_OP(where_index)
    .Input("Condition")
    .Output("Out")
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(where_index, kHost, kAny, kNCHW, RunWhereIndex, def);

void RunMaskedSelect(KernelContext& c) {
  const Tensor& mask = c.Input("Mask");
  if (mask.dtype() != DataType::kBool)
    throw DataTypeError(StrCat("Mask is ", Name(mask.dtype()), ", expected bool"));
  const DDim dims = BroadcastDims(c.Input("X").dims(), mask.dims(), -1);
  const Tensor x = Repeated(c.Input("X"), dims, c.threads());
  const Tensor masks = Repeated(mask, dims, c.threads());
  const char* chosen = Bytes(masks);
  const int64_t total = x.numel(), size = ElementSize(x);
  int64_t count = 0;
  for (int64_t i = 0; i < total; ++i) count += chosen[i] != 0;
  Tensor& out = c.Output("Y");
  out.Allocate({count}, x.dtype());
  char* to = MutableBytes(out);
  for (int64_t i = 0; i < total;) {
    int64_t end = i;
    while (end < total && chosen[end] != 0) ++end;
    if (end > i) std::memcpy(to, Bytes(x) + i * size, static_cast<size_t>((end - i) * size));
    to += (end - i) * size;
    i = end + 1;
  }
}

REGISTER_LITE_OP(masked_select)
    .Input("X")
    .Input("Mask")
    .Output("Y")
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(masked_select, kHost, kAny, kNCHW, RunMaskedSelect, def);

// Row i of Out is row i of the tensor that Ids[i] names.
void InferMultiplex(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& ids = c.Dims("Ids");
  c.Require(!x.dims.empty(), "X is 0-D, expected a dimension or more");
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const TensorMeta& other = c.Input("X", i);
    c.Require(other.dims == x.dims, "X[", i, "] has shape ", other.dims, ", but X[0] ", x.dims);
    if (other.dtype != x.dtype)
      throw DataTypeError(
          StrCat("X[", i, "] is ", Name(other.dtype), ", but X[0] is ", Name(x.dtype)));
  }
  c.Require(ids.production() == x.dims[0], "Ids has shape ", ids, ", expected ", x.dims[0],
            " elements, as X has rows");
  c.SetOutput("Out", x.dims, x.dtype);
}

void RunMultiplex(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int64_t bytes = x.dims().Count(1, x.dims().size()) * ElementSize(x);
  const auto count = static_cast<int64_t>(c.InputCount("X"));
  char* to = MutableBytes(c.Output("Out"));
  int64_t row = 0;
  for (const int64_t id : IntValues(c, "Ids")) {
    if (id < 0 || id >= count)
      throw ShapeError(StrCat("element ", row, " of Ids is ", id,
                              ", expected the number of a tensor from 0 to ", count - 1));
    if (bytes > 0)
      std::memcpy(to + row * bytes, Bytes(c.Input("X", static_cast<size_t>(id))) + row * bytes,
                  static_cast<size_t>(bytes));
    ++row;
  }
}

REGISTER_LITE_OP(multiplex).Inputs("X").Input("Ids").Output("Out").InferShape(InferMultiplex);
REGISTER_LITE_FUNCTION(multiplex, kHost, kAny, kNCHW, RunMultiplex, def);

}  // namespace
}  // namespace paddle::lite
