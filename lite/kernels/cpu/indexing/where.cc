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

// An operand of `where`: one element for all, or as many as the output has.
struct Choice {
  Choice(const Tensor& given, const DDim& dims, int threads)
      : one(given.numel() == 1), tensor(one ? given : Repeated(given, dims, threads)) {}
  bool one;
  Tensor tensor;
};

// Integers, which any elements are, by bits: branches would keep the loop from vectors.
template <typename T>
void Choose(int64_t count, const uint8_t* condition, const T* x, const T* y, T* out) {
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) {
      const T mask = static_cast<T>(-static_cast<T>(condition[i] != 0));
      out[i] = static_cast<T>(y[i] ^ ((x[i] ^ y[i]) & mask));
    } else {
      out[i] = condition[i] != 0 ? x[i] : y[i];
    }
  }
}

template <typename T>
void ChooseAll(KernelContext& c, const uint8_t* condition, const Choice& x, const Choice& y) {
  constexpr int64_t kTogether = 512;  // copies of the one element
  const auto* const xs = static_cast<const T*>(x.tensor.raw_data());
  const auto* const ys = static_cast<const T*>(y.tensor.raw_data());
  const std::vector<T> same_x(x.one ? kTogether : 0, *xs);
  const std::vector<T> same_y(y.one ? kTogether : 0, *ys);
  auto* const out = static_cast<T*>(c.Output("Out").raw_data());
  math::ParallelRange(
      c.threads(), c.Output("Out").numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i += kTogether)
          Choose(std::min(kTogether, end - i), condition + i, x.one ? same_x.data() : xs + i,
                 y.one ? same_y.data() : ys + i, out + i);
      });
}

void RunWhere(KernelContext& c) {
  const DDim dims = c.Output("Out").dims();
  const Choice x(c.Input("X"), dims, c.threads()), y(c.Input("Y"), dims, c.threads());
  c.Output("Out").MutableRaw(x.tensor.dtype());
  if (dims.production() == 0) return;
  const Tensor conditions = Repeated(c.Input("Condition"), dims, c.threads());
  const auto* const condition = static_cast<const uint8_t*>(conditions.raw_data());
  switch (ElementSize(x.tensor)) {
    case 1:
      return ChooseAll<uint8_t>(c, condition, x, y);
    case 2:
      return ChooseAll<uint16_t>(c, condition, x, y);
    case 4:
      return ChooseAll<uint32_t>(c, condition, x, y);
    case 8:
      return ChooseAll<uint64_t>(c, condition, x, y);
    default:
      return ChooseAll<std::complex<double>>(c, condition, x, y);
  }
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
  RequireAlike(c, "X");
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
