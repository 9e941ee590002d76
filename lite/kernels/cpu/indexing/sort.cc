#include "lite/kernels/cpu/indexing/sort.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/random/random.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// Line o, i of x[outer][size][inner], of which `wanted` numbers are kept.
struct SortedLines {
  int64_t outer, size, inner, wanted;
  Ties ties;
};

// Paddle's CPU kernel turns to nth_element from this share of the elements on.
constexpr int64_t kTopKShare = 64;

template <typename T, bool kDescending>
void Order(const SortedLines& lines, std::vector<Ranked<T>>& line) {
  const auto first = line.begin(), middle = first + lines.wanted, end = line.end();
  const auto precedes = Precedes<T, kDescending>;
  const auto before = Before<T, kDescending>;
  if (lines.ties == Ties::kAsArgsort) {
    std::sort(first, end, precedes);
  } else if (lines.ties == Ties::kAsTopK && lines.wanted * kTopKShare < lines.size) {
    std::partial_sort(first, middle, end, precedes);
  } else if (lines.ties == Ties::kAsTopK) {
    std::nth_element(first, middle - 1, end, precedes);
    std::sort(first, middle - 1, precedes);
  } else if (lines.wanted == 1) {
    std::swap(*first, *std::min_element(first, end, before));
  } else if (lines.wanted < lines.size) {
    std::partial_sort(first, middle, end, before);
  } else {
    std::sort(first, end, before);
  }
}

// Whether one of so many neighbours may come before `worst`, which stands in front of them.
constexpr int64_t kTogether = 16;

template <typename T, bool kDescending>
bool AnyMayPrecede(const T* x, T worst) {
  int found = 0;
  for (int64_t i = 0; i < kTogether; ++i)
    found |= kDescending ? !(x[i] <= worst) : !(x[i] >= worst);
  return found != 0;
}

// The first few of a line in their order, of equals those in front.
template <typename T, bool kDescending>
void BestOf(const T* x, const SortedLines& lines, std::vector<Ranked<T>>& best) {
  const auto before = Before<T, kDescending>;
  const auto first = best.begin(), last = first + lines.wanted - 1;
  for (int64_t k = 0; k < lines.wanted; ++k) best[static_cast<size_t>(k)] = {x[k * lines.inner], k};
  std::sort(first, last + 1, before);
  for (int64_t k = lines.wanted; k < lines.size; ++k) {
    if (lines.inner == 1)
      while (k + kTogether <= lines.size && !AnyMayPrecede<T, kDescending>(x + k, last->value))
        k += kTogether;
    if (k == lines.size) break;
    const Ranked<T> one{x[k * lines.inner], k};
    if (!before(one, *last)) continue;
    auto at = last;
    for (; at != first && before(one, *(at - 1)); --at) *at = *(at - 1);
    *at = one;
  }
}

template <typename T, bool kDescending>
void SortLine(const T* x, const SortedLines& lines, std::vector<Ranked<T>>* line, T* out,
              int64_t* indices) {
  constexpr int64_t kFew = 64, kFewShare = 8;
  if (lines.ties == Ties::kInPlace && lines.wanted <= kFew &&
      lines.wanted * kFewShare <= lines.size) {
    BestOf<T, kDescending>(x, lines, *line);
  } else {
    for (int64_t k = 0; k < lines.size; ++k)
      (*line)[static_cast<size_t>(k)] = {x[k * lines.inner], k};
    Order<T, kDescending>(lines, *line);
  }
  for (int64_t k = 0; k < lines.wanted; ++k) {
    out[k * lines.inner] = (*line)[static_cast<size_t>(k)].value;
    indices[k * lines.inner] = (*line)[static_cast<size_t>(k)].place;
  }
}

template <typename T, bool kDescending>
void SortAll(const T* x, const SortedLines& lines, T* out, int64_t* indices, int threads) {
  const int64_t total = lines.outer * lines.inner;
  if (total == 0 || lines.wanted == 0) return;
  if (total * lines.size < (1 << 14)) threads = 1;
  const int64_t parts = std::min<int64_t>(total, 2 * static_cast<int64_t>(threads));
  ParallelFor(threads, parts, [&](int64_t part) {
    std::vector<Ranked<T>> line(static_cast<size_t>(lines.size));
    for (int64_t i = total * part / parts; i < total * (part + 1) / parts; ++i) {
      const int64_t o = i / lines.inner, column = i % lines.inner;
      const int64_t to = o * lines.wanted * lines.inner + column;
      SortLine<T, kDescending>(x + o * lines.size * lines.inner + column, lines, &line, out + to,
                               indices + to);
    }
  });
}

template <typename T>
void SortAs(const Tensor& x, const SortSpec& spec, Tensor& out, Tensor& indices, int threads) {
  const DDim& dims = x.dims();
  SortedLines lines{1, 1, 1, 1, spec.ties};
  if (!dims.empty())
    lines = {dims.Count(0, spec.axis), dims[spec.axis], dims.Count(spec.axis + 1, dims.size()),
             out.dims()[spec.axis], spec.ties};
  T* values = out.mutable_data<T>();
  auto* places = indices.mutable_data<int64_t>();
  if (spec.descending)
    SortAll<T, true>(x.data<T>(), lines, values, places, threads);
  else
    SortAll<T, false>(x.data<T>(), lines, values, places, threads);
}

}  // namespace

void SortLines(const Tensor& x, const SortSpec& spec, Tensor& out, Tensor& indices, int threads) {
  switch (x.dtype()) {
    case DataType::kFP32:
      return SortAs<float>(x, spec, out, indices, threads);
    case DataType::kFP64:
      return SortAs<double>(x, spec, out, indices, threads);
    case DataType::kInt64:
      return SortAs<int64_t>(x, spec, out, indices, threads);
    case DataType::kInt32:
      return SortAs<int32_t>(x, spec, out, indices, threads);
    case DataType::kInt16:
      return SortAs<int16_t>(x, spec, out, indices, threads);
    case DataType::kInt8:
      return SortAs<int8_t>(x, spec, out, indices, threads);
    case DataType::kUInt8:
      return SortAs<uint8_t>(x, spec, out, indices, threads);
    default:
      throw DataTypeError(StrCat("X is ", Name(x.dtype()), ", which has no order here"));
  }
}

namespace {

void InferArgsort(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  AxisOrFirst(c.Attr<int32_t>("axis"), x.dims);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("Indices", x.dims, DataType::kInt64, x.lod);
}

void RunArgsort(KernelContext& c) {
  const Tensor& x = c.Input("X");
  // PP-DocLayoutV2, for one, sorts a mask and reads on in that order.
  const SortSpec spec{AxisOrFirst(c.Attr<int32_t>("axis"), x.dims()), c.Attr<bool>("descending"),
                      c.Attr<bool>("stable") ? Ties::kInPlace : Ties::kAsArgsort};
  SortLines(x, spec, c.Output("Out"), c.Output("Indices"), c.threads());
}

REGISTER_LITE_OP(argsort)
    .Input("X")
    .Output("Out")
    .Output("Indices")
    .Attr<int32_t>("axis", -1)
    .Attr<bool>("descending", false)
    .Attr<bool>("stable", false)
    .InferShape(InferArgsort);
REGISTER_LITE_FUNCTION(argsort, kHost, kAny, kNCHW, RunArgsort, def);

// How many elements of `size`: none only where that was computed, as by detectors without a find.
int64_t CountOf(const InferContext& c, int64_t size) {
  const int64_t k = IntOf<int32_t>(c, "K", "k");
  c.Require(k >= (c.HasInput("K") ? 0 : 1) && k <= size, "k is ", k, ", but X has shape ",
            c.Input("X").dims, ", of which it takes from ", size, " elements");
  return k;
}

void InferTopK(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t k = CountOf(c, x.dims.empty() ? 0 : x.dims.back());
  DDim out = x.dims;
  out[out.size() - 1] = k;
  c.SetOutput("Out", out, x.dtype, x.lod);
  c.SetOutput("Indices", out, DataType::kInt64, x.lod);
}

void RunTopK(KernelContext& c) {
  const Tensor& x = c.Input("X");
  SortLines(x, {x.dims().size() - 1, true}, c.Output("Out"), c.Output("Indices"), c.threads());
}

REGISTER_LITE_OP(top_k)
    .Input("X")
    .OptionalInput("K")
    .Output("Out")
    .Output("Indices")
    .Attr<int32_t>("k", 1)
    .InferShape(InferTopK);
REGISTER_LITE_FUNCTION(top_k, kHost, kAny, kNCHW, RunTopK, def);

// The attribute `sorted` leaves the order open when false; the result is in order all the same.
void InferTopKV2(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int axis = AxisOrFirst(c.Attr<int32_t>("axis"), x.dims);
  const int64_t k = CountOf(c, x.dims.empty() ? 1 : x.dims[axis]);
  DDim out = x.dims;
  if (!out.empty()) out[axis] = k;
  c.SetOutput("Out", out, x.dtype, x.lod);
  c.SetOutput("Indices", out, DataType::kInt64, x.lod);
}

void RunTopKV2(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const SortSpec spec{AxisOrFirst(c.Attr<int32_t>("axis"), x.dims()), c.Attr<bool>("largest"),
                      c.Attr<bool>("stable") ? Ties::kInPlace : Ties::kAsTopK};
  SortLines(x, spec, c.Output("Out"), c.Output("Indices"), c.threads());
}

REGISTER_LITE_OP(top_k_v2)
    .Input("X")
    .OptionalInput("K")
    .Output("Out")
    .Output("Indices")
    .Attr<int32_t>("k", 1)
    .Attr<int32_t>("axis", -1)
    .Attr<bool>("largest", true)
    .Attr<bool>("stable", false)
    .InferShape(InferTopKV2);
REGISTER_LITE_FUNCTION(top_k_v2, kHost, kAny, kNCHW, RunTopKV2, def);

// One token for each row of probabilities, drawn from the fewest that together reach the row's p;
// those below the row's threshold are left out as long as one remains. Values cannot be Paddle's,
// whose GPU draws others; the same seed gives the same tokens.
void InferTopPSampling(InferContext& c) {
  RequireFloat(c, "x");
  RequireFloat(c, "ps");
  const DDim& x = c.Dims("x");
  c.Require(x.size() == 2 && x[1] > 0, "input x has shape ", x, ", expected [rows, tokens]");
  for (const char* slot : {"ps", "threshold", "topp_seed"})
    if (c.HasInput(slot))
      c.Require(c.Dims(slot).production() == x[0], "input ", slot, " has shape ", c.Dims(slot),
                ", expected one number for each of ", x[0], " rows");
  if (c.HasInput("threshold")) RequireFloat(c, "threshold");
  if (c.HasInput("topp_seed")) RequireType(c, "topp_seed", {DataType::kInt32, DataType::kInt64});
  c.SetOutput("out", DDim{x[0], 1}, DataType::kFP32);
  c.SetOutput("ids", DDim{x[0], 1}, DataType::kInt64);
}

// The place of a drawn token among `order`, the row's tokens in descending order.
size_t Draw(const float* x, const std::vector<int64_t>& order, float p, const float* threshold,
            RandomEngine& engine) {
  size_t kept = 0;
  double sum = 0;
  for (; kept < order.size() && (kept == 0 || sum < static_cast<double>(p)); ++kept) {
    const float value = x[order[kept]];
    if (kept > 0 && threshold != nullptr && value < *threshold) break;
    sum += static_cast<double>(value);
  }
  double left = DrawUniform<double>(engine) * sum;
  for (size_t i = 0; i < kept; ++i) {
    left -= static_cast<double>(x[order[i]]);
    if (left < 0) return i;
  }
  return 0;
}

void RunTopPSampling(KernelContext& c) {
  const DDim& dims = c.Input("x").dims();
  const float *x = c.Input("x").data<float>(), *ps = c.Input("ps").data<float>();
  const float* threshold = c.HasInput("threshold") ? c.Input("threshold").data<float>() : nullptr;
  const std::vector<int64_t> seeds =
      c.HasInput("topp_seed") ? IntValues(c, "topp_seed") : std::vector<int64_t>{};
  const int32_t seed = c.Attr<int32_t>("seed");
  RandomEngine engine = MakeEngine(std::max(seed, 0));
  float* out = c.Output("out").mutable_data<float>();
  int64_t* ids = c.Output("ids").mutable_data<int64_t>();
  std::vector<int64_t> order(static_cast<size_t>(dims[1]));
  for (int64_t row = 0; row < dims[0]; ++row, x += dims[1]) {
    for (int64_t i = 0; i < dims[1]; ++i)
      if (!(x[i] >= 0 && x[i] <= std::numeric_limits<float>::max()))
        throw LiteError(StrCat("input x has ", x[i], " at row ", row, ", column ", i,
                               ", expected probabilities"));
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return x[a] > x[b]; });
    const float* limit = threshold == nullptr ? nullptr : threshold + row;
    if (!seeds.empty()) engine = MakeEngine(seeds[static_cast<size_t>(row)]);
    ids[row] = order[Draw(x, order, ps[row], limit, engine)];
    out[row] = x[ids[row]];
  }
}

REGISTER_LITE_OP(top_p_sampling)
    .Input("x")
    .Input("ps")
    .OptionalInput("threshold")
    .OptionalInput("topp_seed")
    .Output("out")
    .Output("ids")
    .Attr<int32_t>("seed", -1)
    .InferShape(InferTopPSampling)
    .Random();
REGISTER_LITE_FUNCTION(top_p_sampling, kHost, kFloat, kNCHW, RunTopPSampling, def);

// Where each of Values belongs in its sorted line: one line for all, or one for each of Values'.
void InferSearchsorted(InferContext& c) {
  const TensorMeta& lines = c.Input("SortedSequence");
  const TensorMeta& values = c.Input("Values");
  bool fits = !lines.dims.empty();
  if (lines.dims.size() > 1) {
    fits = lines.dims.size() == values.dims.size();
    for (int i = 0; fits && i + 1 < lines.dims.size(); ++i) fits = lines.dims[i] == values.dims[i];
  }
  c.Require(fits, "SortedSequence has shape ", lines.dims, " and Values ", values.dims,
            "; expected one dimension, or the same ones but for the last");
  if (lines.dtype != values.dtype)
    throw DataTypeError(
        StrCat("SortedSequence is ", Name(lines.dtype), ", but Values is ", Name(values.dtype)));
  const bool narrow = c.Attr<bool>("out_int32");
  c.SetOutput("Out", values.dims, narrow ? DataType::kInt32 : DataType::kInt64);
}

// NaN and infinities stand behind everything.
template <typename T>
int64_t Find(const T* line, int64_t size, T value, bool right) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(value) || std::isinf(value)) return size;
  return (right ? std::upper_bound(line, line + size, value)
                : std::lower_bound(line, line + size, value)) -
         line;
}

template <typename T, typename Place>
void Search(KernelContext& c) {
  const Tensor& lines = c.Input("SortedSequence");
  const Tensor& values = c.Input("Values");
  const T* line = lines.data<T>();
  const T* value = values.data<T>();
  auto* to = c.Output("Out").mutable_data<Place>();
  const int64_t size = lines.dims().back(), total = values.numel();
  const int64_t each = lines.dims().size() == 1 || total == 0 ? total : values.dims().back();
  for (int64_t i = 0; i < total; ++i)
    to[i] = static_cast<Place>(Find(line + i / each * size, size, value[i], c.Attr<bool>("right")));
}

void RunSearchsorted(KernelContext& c) {
  const bool narrow = c.Attr<bool>("out_int32");
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("Values").dtype(), [&](auto zero) {
    using T = decltype(zero);
    narrow ? Search<T, int32_t>(c) : Search<T, int64_t>(c);
  });
}

REGISTER_LITE_OP(searchsorted)
    .Input("SortedSequence")
    .Input("Values")
    .Output("Out")
    .Attr<bool>("out_int32", false)
    .Attr<bool>("right", false)
    .InferShape(InferSearchsorted);
REGISTER_LITE_FUNCTION(searchsorted, kHost, kAny, kNCHW, RunSearchsorted, def);

}  // namespace
}  // namespace paddle::lite
