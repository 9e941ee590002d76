// Messages along the edges of a graph: graph_send_recv sends rows of X from Src_index and reduces
// what arrives at each Dst_index, graph_send_ue_recv combines them with a row of Y for each edge
// first, graph_send_uv gives that of both ends for each edge.
#include <algorithm>

#include "lite/core/memory.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

const std::vector<DataType> kTypes = {DataType::kFP32, DataType::kFP64, DataType::kInt32,
                                      DataType::kInt64};

DDim RowOf(const DDim& dims) {
  return DDim(dims.begin() + 1, static_cast<size_t>(dims.size() - 1));
}

DDim WithRows(int64_t rows, const DDim& row) {
  DDim dims{rows};
  for (const int64_t dim : row) dims.push_back(dim);
  return dims;
}

void RequireRows(const InferContext& c, const char* slot) {
  RequireType(c, slot, kTypes);
  c.Require(!c.Dims(slot).empty(), "input ", slot, " is 0-D, expected at least one dimension");
}

void RequireEdges(const InferContext& c, const char* source, const char* target) {
  for (const char* slot : {source, target}) {
    RequireType(c, slot, {DataType::kInt32, DataType::kInt64});
    const DDim& dims = c.Dims(slot);
    c.Require(dims.size() == 1 || (dims.size() == 2 && dims[1] == 1), "input ", slot, " has shape ",
              dims, ", expected [edges]");
  }
  c.Require(c.Dims(source)[0] == c.Dims(target)[0], "inputs ", source, " and ", target,
            " have shapes ", c.Dims(source), " and ", c.Dims(target), ", expected equal ones");
}

void RequireWord(const InferContext& c, const char* name, const std::vector<std::string>& words) {
  const auto& word = c.Attr<std::string>(name);
  std::string expected;
  for (const std::string& known : words) expected += (expected.empty() ? "" : ", ") + known;
  if (std::find(words.begin(), words.end(), word) == words.end())
    throw LiteError(StrCat("attribute ", name, " is \"", word, "\", expected ", expected));
}

// Indexes from 0 to `rows`.
std::vector<int64_t> Indexes(const KernelContext& c, const char* slot, int64_t rows) {
  std::vector<int64_t> indexes = IntValues(c, slot);
  for (size_t i = 0; i < indexes.size(); ++i)
    if (indexes[i] < 0 || indexes[i] >= rows)
      throw ShapeError(StrCat("element ", i, " of ", slot, " is ", indexes[i],
                              ", expected an index from 0 to ", rows - 1));
  return indexes;
}

// Where each element of a row that is broadcast comes from.
std::vector<int64_t> Places(const DDim& row, const DDim& out) {
  std::vector<int64_t> places(static_cast<size_t>(out.production()), 0);
  const int added = out.size() - row.size();
  const DDim strides = RowMajorStrides(row), to = RowMajorStrides(out);
  for (size_t i = 0; i < places.size(); ++i)
    for (int d = 0; d < row.size(); ++d)
      if (row[d] != 1)
        places[i] += static_cast<int64_t>(i) / to[d + added] % out[d + added] * strides[d];
  return places;
}

// -- Reduction at the targets.

enum class Reduce { kSum, kMean, kMax, kMin };

Reduce ReductionOf(const OpLite& op) {
  const auto& word = op.Attr<std::string>("reduce_op");
  return word == "SUM"    ? Reduce::kSum
         : word == "MEAN" ? Reduce::kMean
         : word == "MAX"  ? Reduce::kMax
                          : Reduce::kMin;
}

void InferReceive(InferContext& c, const DDim& row) {
  RequireEdges(c, "Src_index", "Dst_index");
  RequireWord(c, "reduce_op", {"SUM", "MEAN", "MAX", "MIN"});
  const auto sizes = IntsOf<int64_t>(c, "", "Out_size", "out_size");
  c.Require(sizes.size() <= 1, "the output's size has ", sizes.size(), " numbers, expected one");
  const int64_t rows = sizes.empty() || sizes[0] <= 0 ? c.Dims("X")[0] : sizes[0];
  c.SetOutput("Out", WithRows(rows, row), c.Input("X").dtype);
  c.SetOutput("Dst_count", DDim{rows}, DataType::kInt32);
}

template <typename T, typename Message>
void Receive(KernelContext& c, int64_t width, Message message) {
  Tensor& out = c.Output("Out");
  const int64_t rows = out.dims()[0];
  const auto from = Indexes(c, "Src_index", c.Input("X").dims()[0]);
  const auto to = Indexes(c, "Dst_index", rows);
  const Reduce reduce = ReductionOf(c.op());
  T* result = out.mutable_data<T>();
  std::fill(result, result + out.numel(), T{0});
  CheckMemoryLimit(static_cast<size_t>(rows) * sizeof(int32_t), "the counts of a graph's messages");
  std::vector<int32_t> counts(static_cast<size_t>(rows), 0);
  for (size_t edge = 0; edge < from.size(); ++edge) {
    T* row = result + to[edge] * width;
    const bool first = counts[static_cast<size_t>(to[edge])]++ == 0;
    for (int64_t i = 0; i < width; ++i) {
      const T value = message(static_cast<int64_t>(edge), from[edge], i);
      if (first || reduce == Reduce::kSum || reduce == Reduce::kMean)
        row[i] = first ? value : WrapAdd(row[i], value);
      else
        row[i] = reduce == Reduce::kMax ? std::max(row[i], value) : std::min(row[i], value);
    }
  }
  for (int64_t r = 0; reduce == Reduce::kMean && r < rows; ++r) {
    const int32_t count = std::max(counts[static_cast<size_t>(r)], 1);
    for (int64_t i = 0; i < width; ++i) result[r * width + i] /= static_cast<T>(count);
  }
  if (Tensor* count = c.OutputOrNull("Dst_count"))
    std::copy(counts.begin(), counts.end(), count->mutable_data<int32_t>());
}

void InferSend(InferContext& c) {
  RequireRows(c, "X");
  InferReceive(c, RowOf(c.Dims("X")));
}

void RunSend(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int64_t width = x.dims().Count(1, x.dims().size());
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* rows = x.data<T>();
    Receive<T>(c, width, [&](int64_t, int64_t row, int64_t i) { return rows[row * width + i]; });
  });
}

REGISTER_LITE_OP(graph_send_recv)
    .Input("X")
    .Input("Src_index")
    .Input("Dst_index")
    .OptionalInput("Out_size")
    .Output("Out")
    .OptionalOutput("Dst_count")
    .Attr<std::string>("reduce_op", "SUM")
    .Attr<std::vector<int64_t>>("out_size", {0})
    .InferShape(InferSend);
REGISTER_LITE_FUNCTION(graph_send_recv, kHost, kAny, kNCHW, RunSend, def);

// -- With a message for each edge.

// The elements of a row that two tensors make.
struct Pair {
  DDim row;
  std::vector<int64_t> first, second;
  int64_t first_width = 1, second_width = 1;
};

Pair PairOf(const DDim& x, const DDim& y) {
  Pair pair;
  const DDim a = RowOf(x), b = RowOf(y);
  pair.row = BroadcastDims(a, b, -1);
  pair.first = Places(a, pair.row), pair.second = Places(b, pair.row);
  pair.first_width = a.production(), pair.second_width = b.production();
  return pair;
}

void RequirePair(const InferContext& c, const char* x, const char* y) {
  RequireRows(c, x);
  RequireRows(c, y);
  RequireWord(c, "message_op", {"ADD", "MUL"});
  if (c.Input(x).dtype != c.Input(y).dtype)
    throw DataTypeError(StrCat("input ", y, " is ", Name(c.Input(y).dtype), ", but ", x, " is ",
                               Name(c.Input(x).dtype)));
}

bool Adds(const OpLite& op) { return op.Attr<std::string>("message_op") == "ADD"; }

void InferSendEdges(InferContext& c) {
  RequirePair(c, "X", "Y");
  c.Require(c.Dims("Y")[0] == c.Dims("Src_index").production(), "input Y has shape ", c.Dims("Y"),
            ", expected a row for each of ", c.Dims("Src_index").production(), " edges");
  InferReceive(c, BroadcastDims(RowOf(c.Dims("X")), RowOf(c.Dims("Y")), -1));
}

void RunSendEdges(KernelContext& c) {
  const Pair p = PairOf(c.Input("X").dims(), c.Input("Y").dims());
  const bool add = Adds(c.op());
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
    Receive<T>(c, p.row.production(), [&](int64_t edge, int64_t row, int64_t i) {
      const T a = x[row * p.first_width + p.first[static_cast<size_t>(i)]];
      const T b = y[edge * p.second_width + p.second[static_cast<size_t>(i)]];
      return add ? WrapAdd(a, b) : WrapMul(a, b);
    });
  });
}

REGISTER_LITE_OP(graph_send_ue_recv)
    .Input("X")
    .Input("Y")
    .Input("Src_index")
    .Input("Dst_index")
    .OptionalInput("Out_size")
    .Output("Out")
    .OptionalOutput("Dst_count")
    .Attr<std::string>("message_op", "ADD")
    .Attr<std::string>("reduce_op", "SUM")
    .Attr<std::vector<int64_t>>("out_size", {0})
    .InferShape(InferSendEdges);
REGISTER_LITE_FUNCTION(graph_send_ue_recv, kHost, kAny, kNCHW, RunSendEdges, def);

// -- For each edge.

void InferEdges(InferContext& c) {
  RequirePair(c, "x", "y");
  RequireEdges(c, "src_index", "dst_index");
  const DDim row = BroadcastDims(RowOf(c.Dims("x")), RowOf(c.Dims("y")), -1);
  c.SetOutput("out", WithRows(c.Dims("src_index")[0], row), c.Input("x").dtype);
}

void RunEdges(KernelContext& c) {
  const Tensor &first = c.Input("x"), &second = c.Input("y");
  const Pair p = PairOf(first.dims(), second.dims());
  const auto from = Indexes(c, "src_index", first.dims()[0]);
  const auto to = Indexes(c, "dst_index", second.dims()[0]);
  const bool add = Adds(c.op());
  ForTypes<float, double, int32_t, int64_t>(c, first.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *x = first.data<T>(), *y = second.data<T>();
    T* out = c.Output("out").mutable_data<T>();
    for (size_t edge = 0; edge < from.size(); ++edge)
      for (size_t i = 0; i < p.first.size(); ++i) {
        const T a = x[from[edge] * p.first_width + p.first[i]];
        const T b = y[to[edge] * p.second_width + p.second[i]];
        *out++ = add ? WrapAdd(a, b) : WrapMul(a, b);
      }
  });
}

REGISTER_LITE_OP(graph_send_uv)
    .Input("x")
    .Input("y")
    .Input("src_index")
    .Input("dst_index")
    .Output("out")
    .Attr<std::string>("message_op", "ADD")
    .InferShape(InferEdges);
REGISTER_LITE_FUNCTION(graph_send_uv, kHost, kAny, kNCHW, RunEdges, def);

}  // namespace
}  // namespace paddle::lite
