#include <cmath>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/normalisation/normalize.h"

namespace paddle::lite {
namespace {

// out = silu(x) * y; without y the last dim of x holds both, one after the other.
void InferSwiglu(InferContext& c) {
  RequireFloating(c, "x");
  const TensorMeta& x = c.Input("x");
  if (c.HasInput("y")) {
    c.Require(c.Dims("y") == x.dims, "input y has shape ", c.Dims("y"), ", expected ", x.dims,
              " like x");
    if (c.Input("y").dtype != x.dtype)
      throw DataTypeError(
          StrCat("input y is ", Name(c.Input("y").dtype), ", expected ", Name(x.dtype), " like x"));
    return c.SetOutput("out", x.dims, x.dtype, x.lod);
  }
  c.Require(!x.dims.empty() && x.dims.back() % 2 == 0, "input x has shape ", x.dims,
            ", expected an even last dim where y is absent");
  DDim out = x.dims;
  out[out.size() - 1] /= 2;
  c.SetOutput("out", out, x.dtype, x.lod);
}

template <typename T>
void RunSwigluAs(KernelContext& c) {
  Tensor& out = c.Output("out");
  T* to = out.mutable_data<T>();
  const T* x = c.Input("x").data<T>();
  const Tensor* other = c.InputOrNull("y");
  const int64_t cols = other != nullptr ? out.numel() : out.dims().back();
  const int64_t step = other != nullptr ? cols : 2 * cols;
  const T* y = other != nullptr ? other->data<T>() : x + cols;
  math::ParallelRange(c.threads(), out.numel(), math::kElementGrain / 4,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          const int64_t at = i / cols * step + i % cols;
                          to[i] = x[at] / (1 + std::exp(-x[at])) * y[at];
                        }
                      });
}

void RunSwiglu(KernelContext& c) {
  if (c.Input("x").dtype() == DataType::kFP64) return RunSwigluAs<double>(c);
  RunSwigluAs<float>(c);
}

REGISTER_LITE_OP(swiglu).Input("x").OptionalInput("y").Output("out").InferShape(InferSwiglu);
REGISTER_LITE_FUNCTION(swiglu, kHost, kAny, kNCHW, RunSwiglu, def);

// out = an activation of x + bias. Of geglu and swiglu the last dim holds two halves: the
// activation of the first times the second.
bool IsGated(const OpLite& op) {
  const auto& method = op.Attr<std::string>("act_method");
  return method == "geglu" || method == "swiglu";
}

void InferFusedBiasAct(InferContext& c) {
  const TensorMeta& x = c.Input("x");
  for (const char* slot : {"dequant_scales", "shift", "smooth"})
    c.Require(!c.HasInput(slot), "input ", slot, " is not supported");
  const auto& method = c.Attr<std::string>("act_method");
  if (!IsGated(c.op()) && method != "gelu" && method != "relu")
    throw LiteError(
        StrCat("attribute act_method is \"", method, "\", expected gelu, relu, geglu or swiglu"));
  if (c.Attr<float>("quant_scale") > 0)
    throw LiteError(StrCat("attribute quant_scale is ", c.Attr<float>("quant_scale"),
                           ": an int8 output is not supported, expected -1"));
  if (x.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input x is ", Name(x.dtype), ", expected float32"));
  c.Require(!x.dims.empty(), "input x is 0-D, expected at least one dimension");
  if (c.HasInput("bias")) {
    c.Require(c.Dims("bias").production() == x.dims.back(), "input bias has shape ", c.Dims("bias"),
              ", expected ", x.dims.back(), " elements for x of shape ", x.dims);
    if (c.Input("bias").dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input bias is ", Name(c.Input("bias").dtype), ", expected float32"));
  }
  DDim out = x.dims;
  if (IsGated(c.op())) {
    c.Require(out.back() % 2 == 0, "input x has shape ", out, ", expected an even last dim for ",
              method);
    out[out.size() - 1] /= 2;
  }
  c.SetOutput("out", out, x.dtype, x.lod);
}

float Gelu(float x) { return 0.5f * x * (1 + std::erf(x * 0.70710678f)); }
float Silu(float x) { return x / (1 + std::exp(-x)); }
float Relu(float x) { return x > 0 ? x : 0; }

void RunFusedBiasAct(KernelContext& c) {
  const Tensor& out = c.Output("out");
  const auto& method = c.Attr<std::string>("act_method");
  const auto act = method == "relu" ? Relu : method == "swiglu" ? Silu : Gelu;
  const bool gated = IsGated(c.op());
  const int64_t cols = out.dims().back(), step = gated ? 2 * cols : cols;
  const float *x = c.Input("x").data<float>(), *bias = DataOrNull<float>(c, "bias");
  float* to = c.Output("out").mutable_data<float>();
  math::ParallelRange(c.threads(), out.numel(), math::kElementGrain / 8,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          const int64_t col = i % cols, at = i / cols * step + col;
                          const auto value = [&](int64_t from) {
                            return x[at + from] + (bias == nullptr ? 0 : bias[col + from]);
                          };
                          to[i] = act(value(0)) * (gated ? value(cols) : 1);
                        }
                      });
}

REGISTER_LITE_OP(fused_bias_act)
    .Input("x")
    .OptionalInput("bias")
    .OptionalInput("dequant_scales")
    .OptionalInput("shift")
    .OptionalInput("smooth")
    .Output("out")
    .Attr<std::string>("act_method", "gelu")
    .Attr<float>("quant_scale", -1.0f)
    .InferShape(InferFusedBiasAct);
REGISTER_LITE_FUNCTION(fused_bias_act, kHost, kFloat, kNCHW, RunFusedBiasAct, def);

}  // namespace
}  // namespace paddle::lite
