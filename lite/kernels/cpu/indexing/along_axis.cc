#include "lite/kernels/cpu/indexing/along_axis.h"

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/indexing/gather.h"

namespace paddle::lite {
namespace {

void InferTakeAlongAxis(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const TensorMeta& index = c.Input("Index");
  RequireAlongAxis(x.dims, "Input", index, AxisOrFirst(c.Attr<int32_t>("Axis"), x.dims));
  c.SetOutput("Result", index.dims, x.dtype);
}

void RunTakeAlongAxis(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  const int axis = AxisOrFirst(c.Attr<int32_t>("Axis"), x.dims());
  TakeElements(x, AlongAxis(x.dims(), c.Input("Index"), axis), c.Output("Result"), c.threads());
}

REGISTER_LITE_OP(take_along_axis)
    .Input("Input")
    .Input("Index")
    .Output("Result")
    .Attr<int32_t>("Axis", 0)
    .InferShape(InferTakeAlongAxis);
REGISTER_LITE_FUNCTION(take_along_axis, kHost, kAny, kNCHW, RunTakeAlongAxis, def);

}  // namespace

void RequireAlongAxis(const DDim& x, const char* x_slot, const TensorMeta& index, int axis) {
  RequireIndexType(index.dtype, "Index");
  bool fits = index.dims.size() == x.size();
  for (int i = 0; fits && i < x.size(); ++i) fits = i == axis || index.dims[i] <= x[i];
  if (!fits)
    throw ShapeError(StrCat("Index has shape ", index.dims, " and ", x_slot, " ", x,
                            "; expected the same rank and, but for axis ", axis,
                            ", no larger dimensions"));
}

std::vector<int64_t> AlongAxis(const DDim& x, const Tensor& index, int axis) {
  std::vector<int64_t> positions = IntValues(index, "Index");
  const DDim& dims = index.dims();
  const DDim strides = RowMajorStrides(x);
  const int rank = dims.size();
  const int64_t size = rank == 0 ? 1 : x[axis], stride = rank == 0 ? 1 : strides[axis];
  for (const int64_t& given : positions)
    if (given < -size || given >= size)
      throw ShapeError(StrCat("element ", &given - positions.data(), " of Index is ", given,
                              ", expected an index from ", -size, " to ", size - 1));
  const int64_t line = rank == 0 ? 1 : dims[rank - 1];
  const int64_t step = rank == 0 || axis == rank - 1 ? 0 : strides[rank - 1];
  DDim at = dims;
  for (int i = 0; i < rank; ++i) at[i] = 0;
  int64_t base = 0;  // of the coordinates besides the axis, at the beginning of a line
  const int64_t count = static_cast<int64_t>(positions.size());
  for (int64_t begin = 0; begin < count; begin += line) {
    int64_t* const position = &positions[static_cast<size_t>(begin)];
    for (int64_t i = 0; i < line; ++i)
      position[i] = base + i * step + (position[i] + (position[i] < 0 ? size : 0)) * stride;
    for (int i = rank - 2; i >= 0; --i) {
      const int64_t next = i == axis ? 0 : strides[i];
      base += next;
      if (++at[i] < dims[i]) break;
      base -= next * dims[i];
      at[i] = 0;
    }
  }
  return positions;
}

void TakeElements(const Tensor& x, const std::vector<int64_t>& positions, Tensor& out,
                  int threads) {
  Tensor index;
  index.Bind(const_cast<int64_t*>(positions.data()), positions.size() * sizeof(int64_t));
  index.set_meta({{static_cast<int64_t>(positions.size())}, DataType::kInt64, {}});
  GatherRows(x, index, "Index", {1, x.numel(), 1, -1}, out, threads);
}

namespace {

enum class PutReduce { kAssign, kAdd, kMul, kMin, kMax, kMean };

PutReduce ReduceOf(const OpLite& op) {
  const auto& name = op.Attr<std::string>("Reduce");
  if (name == "assign") return PutReduce::kAssign;
  if (name == "add") return PutReduce::kAdd;
  if (name == "mul" || name == "multiply") return PutReduce::kMul;
  if (name == "amin") return PutReduce::kMin;
  if (name == "amax") return PutReduce::kMax;
  if (name == "mean") return PutReduce::kMean;
  throw LiteError(StrCat("attribute Reduce is '", name,
                         "', expected assign, add, multiply, amin, amax or mean"));
}

// Value has Index's shape, or repeats to it.
void InferPutAlongAxis(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const TensorMeta& index = c.Input("Index");
  const TensorMeta& value = c.Input("Value");
  ReduceOf(c.op());
  RequireAlongAxis(x.dims, "Input", index, AxisOrFirst(c.Attr<int32_t>("Axis"), x.dims));
  const int added = index.dims.size() - value.dims.size();
  c.Require(added >= 0, "Value has shape ", value.dims, ", but Index ", index.dims);
  for (int i = added; i < index.dims.size(); ++i)
    c.Require(value.dims[i - added] == index.dims[i] || value.dims[i - added] == 1,
              "Value has shape ", value.dims, ", but Index ", index.dims);
  if (value.dtype != x.dtype)
    throw DataTypeError(StrCat("Value is ", Name(value.dtype), ", but Input is ", Name(x.dtype)));
  c.SetOutput("Result", x.dims, x.dtype);
}

template <typename T>
T Combine(PutReduce reduce, T old, T value) {
  switch (reduce) {
    case PutReduce::kAdd:
    case PutReduce::kMean:
      return WrapAdd(old, value);
    case PutReduce::kMul:
      return WrapMul(old, value);
    case PutReduce::kMin:
      return value < old ? value : old;
    case PutReduce::kMax:
      return value > old ? value : old;
    default:
      return value;
  }
}

// Without `include_self` the first value that meets an element replaces it.
template <typename T>
void Put(const std::vector<int64_t>& positions, const T* values, PutReduce reduce,
         bool include_self, int64_t count, T* to) {
  if (reduce == PutReduce::kAssign) {
    for (const int64_t at : positions) to[at] = *values++;
    return;
  }
  const bool counts = !include_self || reduce == PutReduce::kMean;
  std::vector<int64_t> met(counts ? static_cast<size_t>(count) : 0);
  for (const int64_t at : positions) {
    const bool first = counts && met[static_cast<size_t>(at)]++ == 0 && !include_self;
    to[at] = first ? *values : Combine(reduce, to[at], *values);
    ++values;
  }
  if (reduce != PutReduce::kMean) return;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t terms = met[static_cast<size_t>(i)] + (include_self ? 1 : 0);
    if (met[static_cast<size_t>(i)] == 0) continue;
    if constexpr (std::is_integral_v<T>)
      to[i] = static_cast<T>(static_cast<int64_t>(to[i]) / terms);
    else
      to[i] /= static_cast<T>(terms);
  }
}

void RunPutAlongAxis(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  const Tensor& index = c.Input("Index");
  Tensor& out = c.Output("Result");
  const int axis = AxisOrFirst(c.Attr<int32_t>("Axis"), x.dims());
  const auto positions = AlongAxis(x.dims(), index, axis);
  Tensor values = c.Input("Value");
  if (values.dims() != index.dims()) {
    Tensor repeated;
    repeated.Allocate(index.dims(), values.dtype());
    BroadcastTo(values, repeated, c.threads());
    values = repeated;
  }
  CopyElements(x, out);
  ForTypes<float, double, int32_t, int64_t, uint8_t, int8_t, int16_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Put(positions, values.data<T>(), ReduceOf(c.op()), c.Attr<bool>("Include_self"), x.numel(),
        out.mutable_data<T>());
  });
}

REGISTER_LITE_OP(put_along_axis)
    .Input("Input")
    .Input("Index")
    .Input("Value")
    .Output("Result")
    .Attr<int32_t>("Axis", 0)
    .Attr<std::string>("Reduce", "assign")
    .Attr<bool>("Include_self", true)
    .InferShape(InferPutAlongAxis);
REGISTER_LITE_FUNCTION(put_along_axis, kHost, kAny, kNCHW, RunPutAlongAxis, def);

// Out = numpy.take(X, Index, axis): Index has any rank and counts from the end where it is
// negative. NNAdapter's GATHER; no Paddle operator has this name.
void InferTake(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  RequireIndexType(index.dtype, "Index");
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), x.dims.size(), "axis");
  c.Require(x.dims.size() - 1 + index.dims.size() <= DDim::kMaxRank, "X of shape ", x.dims,
            " and Index of shape ", index.dims, " give too many dimensions");
  DDim out(x.dims.begin(), static_cast<size_t>(axis));
  for (int i = 0; i < index.dims.size(); ++i) out.push_back(index.dims[i]);
  for (int i = axis + 1; i < x.dims.size(); ++i) out.push_back(x.dims[i]);
  c.SetOutput("Out", out, x.dtype);
}

void RunTake(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int rank = x.dims().size();
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), rank, "axis");
  const GatherShape shape{x.dims().Count(0, axis), x.dims()[axis], x.dims().Count(axis + 1, rank),
                          -1};
  const std::vector<int64_t> given = IntValues(c, "Index");
  Tensor index;
  index.Allocate(DDim{static_cast<int64_t>(given.size())}, DataType::kInt64);
  auto* rows = static_cast<int64_t*>(index.raw_data());
  for (size_t i = 0; i < given.size(); ++i) {
    // One that is too far below 0 stays an error that GatherRows names.
    const bool from_end = given[i] < 0 && given[i] >= -shape.rows;
    rows[i] = from_end ? given[i] + shape.rows : given[i];
  }
  GatherRows(x, index, "Index", shape, c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(take).Input("X").Input("Index").Output("Out").Attr<int32_t>("axis", 0).InferShape(
    InferTake);
REGISTER_LITE_FUNCTION(take, kHost, kAny, kNCHW, RunTake, def);

}  // namespace
}  // namespace paddle::lite
