#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/reduce/lines.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

void InferCumsum(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (c.Attr<bool>("flatten")) return c.SetOutput("Out", {x.dims.production()}, x.dtype);
  AxisOrFirst(c.Attr<int32_t>("axis"), x.dims);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// Sums over `size` rows of `inner` numbers, in the rows' order or its reverse.
template <typename T>
void SumRows(const T* x, T* out, int64_t size, int64_t inner, bool exclusive, bool reverse) {
  const int64_t step = reverse ? -inner : inner;
  if (reverse) {
    x += (size - 1) * inner;
    out += (size - 1) * inner;
  }
  if (inner == 1) {  // a sum in a register
    T sum{};
    if (exclusive)
      for (int64_t k = 0; k < size; ++k, x += step, out += step) {
        *out = sum;
        sum = WrapAdd(sum, *x);
      }
    else
      for (int64_t k = 0; k < size; ++k, x += step, out += step) *out = sum = WrapAdd(sum, *x);
    return;
  }
  if (exclusive)
    std::fill_n(out, inner, T{});
  else
    std::copy_n(x, inner, out);
  for (int64_t k = 1; k < size; ++k) {
    const T* const before = out;
    const T* const added = exclusive ? x : x + step;
    out += step;
    x += step;
    for (int64_t i = 0; i < inner; ++i) out[i] = WrapAdd(before[i], added[i]);
  }
}

template <typename T>
void RunCumsumAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DDim& dims = x.dims();
  int64_t outer = 1, size = dims.production(), inner = 1;
  if (!dims.empty() && !c.Attr<bool>("flatten")) {
    const int axis = AxisOrFirst(c.Attr<int32_t>("axis"), dims);
    outer = dims.Count(0, axis);
    size = dims[axis];
    inner = dims.Count(axis + 1, dims.size());
  }
  const T* from = x.data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  if (size * inner == 0) return;
  const bool exclusive = c.Attr<bool>("exclusive") && !dims.empty();  // a number is its own sum
  const bool reverse = c.Attr<bool>("reverse");
  const int threads = outer * size * inner < (1 << 16) ? 1 : c.threads();
  const int64_t parts = std::min<int64_t>(outer, 2 * static_cast<int64_t>(threads));
  ParallelFor(threads, parts, [&](int64_t part) {
    for (int64_t o = outer * part / parts; o < outer * (part + 1) / parts; ++o)
      SumRows(from + o * size * inner, to + o * size * inner, size, inner, exclusive, reverse);
  });
}

REGISTER_LITE_OP(cumsum)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("axis", -1)
    .Attr<bool>("flatten", false)
    .Attr<bool>("exclusive", false)
    .Attr<bool>("reverse", false)
    .InferShape(InferCumsum);
REGISTER_LITE_FUNCTION(cumsum, kHost, kFloat, kNCHW, RunCumsumAs<float>, def);
REGISTER_LITE_FUNCTION(cumsum, kHost, kFP64, kNCHW, RunCumsumAs<double>, def);
REGISTER_LITE_FUNCTION(cumsum, kHost, kInt32, kNCHW, RunCumsumAs<int32_t>, def);
REGISTER_LITE_FUNCTION(cumsum, kHost, kInt64, kNCHW, RunCumsumAs<int64_t>, def);

// Products of each line along the axis `dim`, from its beginning to every number.
void InferCumprod(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  CanonicalAxis(c.Attr<int>("dim"), std::max(x.dims.size(), 1), "attribute dim");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RunCumprodAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Lines lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("dim"), x.dims()));
  const bool exclusive = c.Attr<bool>("exclusive"), reverse = c.Attr<bool>("reverse");
  const T* from = x.data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t start = lines.Begin(i, lines.size);
      T product(1);
      for (int64_t k = 0; k < lines.size; ++k) {
        const int64_t at = start + (reverse ? lines.size - 1 - k : k) * lines.inner;
        const T next = WrapMul(product, from[at]);
        to[at] = exclusive ? product : next;
        product = next;
      }
    }
  });
}

void RunCumprod(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunCumprodAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(cumprod)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int>("dim")
    .Attr<bool>("exclusive", false)
    .Attr<bool>("reverse", false)
    .InferShape(InferCumprod);
REGISTER_LITE_FUNCTION(cumprod, kHost, kAny, kNCHW, RunCumprod, def);

// The largest (cummax) or smallest (cummin) number of each line so far, and its place: of equals
// the last one. NaN wins over all numbers.
void InferCummax(InferContext& c) {
  const TensorMeta& x = c.Input("x");
  RequireType(c, "x", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  const DataType places = DataTypeFrom(c.Attr<int>("dtype"), "dtype");
  if (places != DataType::kInt32 && places != DataType::kInt64)
    throw DataTypeError(StrCat("attribute dtype is ", Name(places), ", expected int32 or int64"));
  const int axis = AxisOrFirst(c.Attr<int>("axis"), x.dims);
  c.Require(places == DataType::kInt64 || x.dims.empty() ||
                x.dims[axis] <= std::numeric_limits<int32_t>::max(),
            "the places along axis ", axis, " of x of shape ", x.dims, " do not fit in int32");
  c.SetOutput("out", x.dims, x.dtype, x.lod);
  c.SetOutput("indices", x.dims, places, x.lod);
}

template <bool kMax, typename T, typename Index>
void Scan(KernelContext& c, const Lines& lines) {
  const T* from = c.Input("x").data<T>();
  T* values = c.Output("out").mutable_data<T>();
  Index* places = c.Output("indices").mutable_data<Index>();
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t at = lines.Begin(i, lines.size);
      T best{};
      Index place = 0;
      for (int64_t k = 0; k < lines.size; ++k, at += lines.inner) {
        const T v = from[at];
        const bool better = kMax ? v >= best : v <= best;
        if (k == 0 || v != v || better) {  // against a NaN no number is better
          best = v;
          place = static_cast<Index>(k);
        }
        values[at] = best;
        places[at] = place;
      }
    }
  });
}

template <bool kMax>
void RunCummax(KernelContext& c) {
  const Tensor& x = c.Input("x");
  const Lines lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("axis"), x.dims()));
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if (c.Output("indices").dtype() == DataType::kInt32)
      Scan<kMax, T, int32_t>(c, lines);
    else
      Scan<kMax, T, int64_t>(c, lines);
  });
}

REGISTER_LITE_OP(cummax)
    .Input("x")
    .Output("out")
    .Output("indices")
    .Attr<int>("axis", -1)
    .Attr<int>("dtype", 3)
    .InferShape(InferCummax);
REGISTER_LITE_FUNCTION(cummax, kHost, kAny, kNCHW, RunCummax<true>, def);
REGISTER_LITE_OP(cummin)
    .Input("x")
    .Output("out")
    .Output("indices")
    .Attr<int>("axis", -1)
    .Attr<int>("dtype", 3)
    .InferShape(InferCummax);
REGISTER_LITE_FUNCTION(cummin, kHost, kAny, kNCHW, RunCummax<false>, def);

// log(sum(exp(x))) from the beginning of each line to every number, without overflow. The sum of
// nothing is the type's lowest number, as in Paddle, and nothing is below it.
void InferLogcumsumexp(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64});
  if (c.Attr<bool>("flatten")) return c.SetOutput("Out", {x.dims.production()}, x.dtype);
  AxisOrFirst(c.Attr<int>("axis"), x.dims);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

double LogAddExp(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  const double larger = std::max(a, b), smaller = std::min(a, b);
  if (std::isinf(larger)) return larger;
  return larger + std::log1p(std::exp(smaller - larger));
}

template <typename T>
void RunLogcumsumexpAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Lines lines;
  if (c.Attr<bool>("flatten"))
    lines.size = x.numel();
  else
    lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("axis"), x.dims()));
  const bool exclusive = c.Attr<bool>("exclusive"), reverse = c.Attr<bool>("reverse");
  const T* from = x.data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t start = lines.Begin(i, lines.size);
      double sum = static_cast<double>(std::numeric_limits<T>::lowest());
      for (int64_t k = 0; k < lines.size; ++k) {
        const int64_t at = start + (reverse ? lines.size - 1 - k : k) * lines.inner;
        const double next = LogAddExp(sum, static_cast<double>(from[at]));
        to[at] = static_cast<T>(exclusive ? sum : next);
        sum = next;
      }
    }
  });
}

void RunLogcumsumexp(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunLogcumsumexpAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(logcumsumexp)
    .Input("X")
    .Output("Out")
    .Attr<int>("axis", -1)
    .Attr<bool>("flatten", false)
    .Attr<bool>("exclusive", false)
    .Attr<bool>("reverse", false)
    .InferShape(InferLogcumsumexp);
REGISTER_LITE_FUNCTION(logcumsumexp, kHost, kAny, kNCHW, RunLogcumsumexp, def);

}  // namespace
}  // namespace paddle::lite
