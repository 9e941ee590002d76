#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/indexing/sort.h"
#include "lite/kernels/cpu/reduce/lines.h"
#include "lite/kernels/cpu/reduce/reduce.h"

namespace paddle::lite {
namespace {

// The middle number over the dims `axis`; of an even number of them the mean of the two middle ones
// (`mode` avg) or the smaller one (min). One NaN makes median NaN; nanmedian leaves them out.
// The second output holds the places of the middle numbers among those reduced, -1 for none.
bool Averages(const OpLite& op) { return op.Attr<std::string>("mode") == "avg"; }

void InferMedian(InferContext& c) {
  const DataType dtype = c.Input(FirstInput(c.op())).dtype;
  const std::string& mode = c.Attr<std::string>("mode");
  if (mode != "avg" && mode != "min")
    throw LiteError(StrCat("attribute mode is \"", mode, "\", expected avg or min"));
  InferReduce(c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64}, dtype);
}

// As InferMedian, and where the places go: two to a number for avg, one for min.
void InferWithPlaces(InferContext& c) {
  InferMedian(c);
  const std::string_view slot = c.op().info().outputs()[1].name;
  if (!c.HasOutput(slot)) return;
  const DDim& x = c.Dims(FirstInput(c.op()));
  const std::vector<bool> reduced = ReducedDims(c, x.size());
  DDim places;
  for (int i = 0; i < x.size(); ++i)
    if (!reduced[static_cast<size_t>(i)] || c.Attr<bool>("keepdim"))
      places.push_back(reduced[static_cast<size_t>(i)] ? 1 : x[i]);
  if (Averages(c.op())) places.push_back(2);
  c.SetOutput(slot, places, DataType::kInt64);
}

// Integers are cut off towards zero.
template <typename T>
T Mean(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>((static_cast<double>(a) + static_cast<double>(b)) / 2);
  } else {
    if ((a < 0) == (b < 0)) return static_cast<T>(a / 2 + b / 2 + (a % 2 + b % 2) / 2);
    return static_cast<T>((a + b) / 2);
  }
}

template <typename T>
struct Middle {
  T value;
  int64_t lower, upper;  // places
};

// Rearranges the numbers.
template <typename T>
Middle<T> MiddleOf(std::vector<Ranked<T>>& line, bool average, bool skip_nan) {
  const auto is_nan = [](const Ranked<T>& r) { return r.value != r.value; };
  const auto nan = std::find_if(line.begin(), line.end(), is_nan);
  if (nan != line.end()) {
    const Middle<T> none{nan->value, skip_nan ? -1 : nan->place, skip_nan ? -1 : nan->place};
    if (!skip_nan) return none;
    line.erase(std::remove_if(nan, line.end(), is_nan), line.end());
    if (line.empty()) return none;
  }
  const auto upper = line.begin() + static_cast<std::ptrdiff_t>(line.size() / 2);
  std::nth_element(line.begin(), upper, line.end(), Before<T, false>);
  if (line.size() % 2 == 1) return {upper->value, upper->place, upper->place};
  const auto lower = std::max_element(line.begin(), upper, Before<T, false>);
  if (!average) return {lower->value, lower->place, lower->place};
  return {Mean(lower->value, upper->value), lower->place, upper->place};
}

template <typename T>
void RunMedianAs(KernelContext& c, bool skip_nan) {
  const Tensor& x = c.Input(FirstInput(c.op()));
  const bool average = Averages(c.op());
  const ReduceView view = MakeReduceView(x, ReducedDims(c, x.dims().size()), c.threads());
  const T* from = static_cast<const T*>(view.data);
  T* values = c.Output(FirstOutput(c.op())).mutable_data<T>();
  Tensor* second = c.OutputOrNull(c.op().info().outputs()[1].name);
  int64_t* places = second == nullptr ? nullptr : second->mutable_data<int64_t>();
  math::ParallelRange(c.threads(), view.outer * view.inner, math::kElementGrain / view.axis + 1,
                      [&](int64_t begin, int64_t end) {
                        std::vector<Ranked<T>> line;
                        for (int64_t i = begin; i < end; ++i) {
                          const T* at =
                              from + i / view.inner * view.axis * view.inner + i % view.inner;
                          line.clear();
                          for (int64_t a = 0; a < view.axis; ++a)
                            line.push_back({at[a * view.inner], a});
                          const Middle<T> middle = MiddleOf(line, average, skip_nan);
                          values[i] = middle.value;
                          if (places == nullptr) continue;
                          places[average ? 2 * i : i] = middle.lower;
                          if (average) places[2 * i + 1] = middle.upper;
                        }
                      });
}

template <bool kSkipNan>
void RunMedian(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input(FirstInput(c.op())).dtype(), [&](auto zero) {
    RunMedianAs<decltype(zero)>(c, kSkipNan);
  });
}

REGISTER_LITE_OP(nanmedian)
    .Input("X")
    .Output("Out")
    .OptionalOutput("MedianIndex")
    .Attr<std::vector<int>>("axis", {})
    .Attr<bool>("keepdim", true)
    .Attr<std::string>("mode", "avg")
    .InferShape(InferWithPlaces);
REGISTER_LITE_FUNCTION(nanmedian, kHost, kAny, kNCHW, RunMedian<true>, def);

REGISTER_LITE_OP(median)
    .Input("x")
    .Output("out")
    .OptionalOutput("medians")
    .Attr<std::vector<int>>("axis", {})
    .Attr<bool>("keepdim", true)
    .Attr<std::string>("mode", "avg")
    .InferShape(InferWithPlaces);
REGISTER_LITE_FUNCTION(median, kHost, kAny, kNCHW, RunMedian<false>, def);

// The most frequent number of each line along an axis, of equally frequent ones the smallest, and
// the last place where it stands.
void InferMode(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  const int axis = AxisOrFirst(c.Attr<int>("axis"), x.dims);
  c.Require(x.dims.empty() || x.dims[axis] > 0, "X of shape ", x.dims, " has no numbers in axis ",
            axis);
  const DDim out = WithoutAxis(x.dims, axis, c.Attr<bool>("keepdim"));
  c.SetOutput("Out", out, x.dtype, LodOfSameRows(x, out));
  c.SetOutput("Indices", out, DataType::kInt64, LodOfSameRows(x, out));
}

// The end of the longest run of equals; NaN equals nothing.
template <typename T>
Ranked<T> MostFrequent(const std::vector<Ranked<T>>& sorted) {
  Ranked<T> best = sorted[0];
  size_t longest = 0, first = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].value != sorted[first].value) first = i;
    if (i + 1 - first > longest) {
      longest = i + 1 - first;
      best = sorted[i];
    }
  }
  return best;
}

template <typename T>
void RunModeAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Lines lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("axis"), x.dims()));
  const T* from = x.data<T>();
  T* values = c.Output("Out").mutable_data<T>();
  auto* places = c.Output("Indices").mutable_data<int64_t>();
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    std::vector<Ranked<T>> line(static_cast<size_t>(lines.size));
    for (int64_t i = begin; i < end; ++i) {
      const T* at = from + lines.Begin(i, lines.size);
      for (int64_t a = 0; a < lines.size; ++a)
        line[static_cast<size_t>(a)] = {at[a * lines.inner], a};
      std::sort(line.begin(), line.end(), Before<T, false>);
      const Ranked<T> found = MostFrequent(line);
      values[i] = found.value;
      places[i] = found.place;
    }
  });
}

void RunMode(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunModeAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(mode)
    .Input("X")
    .Output("Out")
    .Output("Indices")
    .Attr<int>("axis", -1)
    .Attr<bool>("keepdim", false)
    .InferShape(InferMode);
REGISTER_LITE_FUNCTION(mode, kHost, kAny, kNCHW, RunMode, def);

// The k-th smallest number of each line along an axis, and its place.
void InferKthvalue(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  const int axis = AxisOrFirst(c.Attr<int>("axis"), x.dims);
  const int64_t k = c.Attr<int64_t>("k"), size = x.dims.empty() ? 1 : x.dims[axis];
  c.Require(k >= 1 && k <= size, "attribute k is ", k, ", expected 1 to ", size,
            ", the size of axis ", axis, " of X of shape ", x.dims);
  const DDim out = WithoutAxis(x.dims, axis, c.Attr<bool>("keepdim"));
  c.SetOutput("Out", out, x.dtype, LodOfSameRows(x, out));
  c.SetOutput("Indices", out, DataType::kInt64, LodOfSameRows(x, out));
}

template <typename T>
void RunKthvalueAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Lines lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("axis"), x.dims()));
  const T* from = x.data<T>();
  T* values = c.Output("Out").mutable_data<T>();
  auto* places = c.Output("Indices").mutable_data<int64_t>();
  const int64_t k = c.Attr<int64_t>("k") - 1;
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    std::vector<Ranked<T>> line(static_cast<size_t>(lines.size));
    for (int64_t i = begin; i < end; ++i) {
      const T* at = from + lines.Begin(i, lines.size);
      for (int64_t a = 0; a < lines.size; ++a)
        line[static_cast<size_t>(a)] = {at[a * lines.inner], a};
      std::nth_element(line.begin(), line.begin() + k, line.end(), Before<T, false>);
      values[i] = line[static_cast<size_t>(k)].value;
      places[i] = line[static_cast<size_t>(k)].place;
    }
  });
}

void RunKthvalue(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunKthvalueAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(kthvalue)
    .Input("X")
    .Output("Out")
    .Output("Indices")
    .Attr<int64_t>("k", 1)
    .Attr<int>("axis", -1)
    .Attr<bool>("keepdim", false)
    .InferShape(InferKthvalue);
REGISTER_LITE_FUNCTION(kthvalue, kHost, kAny, kNCHW, RunKthvalue, def);

}  // namespace
}  // namespace paddle::lite
