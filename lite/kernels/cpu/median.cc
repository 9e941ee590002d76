// The middle number over the dims `axis`; of an even number of them the mean of the two middle ones
// (`mode` avg) or the smaller one (min). One NaN makes median NaN; nanmedian leaves them out.
// The second output holds the places of the middle numbers among those reduced, -1 for none.
#include "lite/kernels/cpu/reduce.h"
#include "lite/kernels/cpu/sort.h"

namespace paddle::lite {
namespace {

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
  const std::vector<bool> reduced = ReducedDims(c.op(), x.size());
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
  const ReduceView view = MakeReduceView(x, ReducedDims(c.op(), x.dims().size()), c.threads());
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

}  // namespace
}  // namespace paddle::lite
