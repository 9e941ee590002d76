#include <algorithm>
#include <limits>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/random/random.h"

namespace paddle::lite {
namespace {

// Out = X > 0 ? X : Alpha * X with one slope, one per channel or one per element of an image.

// Alpha's dims as they broadcast against X.
DDim SlopeDims(const OpLite& op, const DDim& x) {
  const std::string& mode = op.Attr<std::string>("mode");
  const std::string& format = op.Attr<std::string>("data_format");
  if (mode == "all") return {1};
  DDim dims = x;
  if (mode == "channel") {
    if (x.size() < 2)
      throw ShapeError(StrCat("X has shape ", x, ", expected 2 dims or more for mode channel"));
    if (format != "NCHW" && format != "NHWC")
      throw LiteError(StrCat("attribute data_format is '", format, "', expected NCHW or NHWC"));
    const int channel = format == "NHWC" ? x.size() - 1 : 1;
    for (int i = 0; i < dims.size(); ++i)
      if (i != channel) dims[i] = 1;
  } else if (mode == "element") {
    if (x.empty()) throw ShapeError("X has rank 0, expected 1 dim or more for mode element");
    dims[0] = 1;
  } else {
    throw LiteError(StrCat("attribute mode is '", mode, "', expected all, channel or element"));
  }
  return dims;
}

void InferPrelu(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& alpha = c.Input("Alpha");
  if (x.dtype != alpha.dtype || (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64))
    throw DataTypeError(StrCat("X is ", Name(x.dtype), " and Alpha is ", Name(alpha.dtype),
                               ", expected both float32 or both float64"));
  const DDim slope = SlopeDims(c.op(), x.dims);
  c.Require(alpha.dims.production() == slope.production(), "input Alpha has shape ", alpha.dims,
            ", expected ", slope.production(), " elements for mode ", c.Attr<std::string>("mode"),
            " and X of shape ", x.dims);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RunPreluAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor alpha = c.Input("Alpha");
  Tensor& out = c.Output("Out");
  alpha.set_layout(DataLayoutType::kNCHW);
  alpha.Resize(SlopeDims(c.op(), x.dims()));
  const Broadcast b = MakeBroadcast(x, alpha, &out, -1);
  RunLines(c.threads(), b, x.data<T>(), alpha.data<T>(), out.mutable_data<T>(), [](T v, T slope) {
    // A product in one branch alone would keep loops from vectors.
    const T above = v > T(0) ? v : T(0), below = v > T(0) ? T(0) : v;
    return above + slope * below;
  });
}

void RunPrelu(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunPreluAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(prelu)
    .Input("X")
    .Input("Alpha")
    .Output("Out")
    .Attr<std::string>("mode", "all")
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferPrelu)
    .AsStep(math::EpilogueStep::kPrelu, "Alpha", SlopeDims);
REGISTER_LITE_FUNCTION(prelu, kHost, kAny, kNCHW, RunPrelu, def);
REGISTER_LITE_FUNCTION(prelu, kHost, kFloat, kNHWC, RunPrelu, def);

// x where it is not negative, else a slope times x: the mean of lower and upper in test mode, drawn
// between them for each element otherwise. Noise holds the slopes.
void InferRrelu(InferContext& c) {
  RequireFloating(c, "X");
  const float lower = FiniteAttr(c, "lower"), upper = FiniteAttr(c, "upper");
  c.Require(lower <= upper, "attributes lower and upper are ", lower, " and ", upper,
            ", expected lower not above upper");
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("Noise", x.dims, x.dtype);
}

template <typename T>
void RunRreluAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const T* x = input.data<T>();
  T *out = c.Output("Out").mutable_data<T>(), *noise = OutputOrNull<T>(c, "Noise");
  const auto lower = static_cast<T>(c.Attr<float>("lower"));
  const auto upper = static_cast<T>(c.Attr<float>("upper"));
  const bool test = c.Attr<bool>("is_test");
  RandomEngine engine = MakeEngine(test ? 1 : 0);
  for (int64_t i = 0; i < input.numel(); ++i) {
    T slope = 1;
    if (x[i] < 0)
      slope = test ? (lower + upper) / 2 : lower + (upper - lower) * DrawUniform<T>(engine);
    out[i] = x[i] * slope;
    if (noise != nullptr) noise[i] = slope;
  }
}

void RunRrelu(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunRreluAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(rrelu)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Noise")
    .Attr<bool>("is_test", false)
    .Attr<float>("lower", 0.125f)
    .Attr<float>("upper", 1.0f / 3)
    .InferShape(InferRrelu)
    .Random();
REGISTER_LITE_FUNCTION(rrelu, kHost, kAny, kNCHW, RunRrelu, def);

void InferMaxout(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), x.dims.size(), "axis");
  const int64_t groups = c.Attr<int32_t>("groups");
  c.Require(groups > 1 && x.dims[axis] % groups == 0, "groups ", groups,
            " is not at least 2 or does not divide axis ", axis, " of X of shape ", x.dims);
  DDim out = x.dims;
  out[axis] /= groups;
  c.SetOutput("Out", out, x.dtype);
}

// Element i of the axis is the largest of elements i * groups ... (i + 1) * groups - 1.
template <typename T>
void Maxout(KernelContext& c) {
  const DDim& d = c.Input("X").dims();
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), d.size(), "axis");
  const int64_t groups = c.Attr<int32_t>("groups"), inner = d.Count(axis + 1, d.size());
  const T* x = c.Input("X").data<T>();
  Tensor& output = c.Output("Out");
  T* out = output.mutable_data<T>();
  const int64_t lines = inner == 0 ? 0 : output.numel() / inner;
  for (int64_t line = 0; line < lines; ++line, out += inner) {
    std::fill(out, out + inner, std::numeric_limits<T>::lowest());
    for (int64_t g = 0; g < groups; ++g, x += inner)
      for (int64_t i = 0; i < inner; ++i)
        out[i] = out[i] > x[i] ? out[i] : x[i];  // as Paddle: a NaN stays only if it is the last
  }
}

void RunMaxout(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto type) { Maxout<decltype(type)>(c); });
}

REGISTER_LITE_OP(maxout)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("groups")
    .Attr<int32_t>("axis", 1)
    .InferShape(InferMaxout);
REGISTER_LITE_FUNCTION(maxout, kHost, kAny, kNCHW, RunMaxout, def);

}  // namespace
}  // namespace paddle::lite
