// Linear attention: a state for each head in the place of a cache. LinearAttention of ONNX
// (operator set 27):
//   Query [B, T, q_num_heads * dk], Key [B, T, kv_num_heads * dk], Value [B, T, kv_num_heads * dv],
//   State [B, kv_num_heads, dk, dv], 0 where it is absent,
//   Decay [B, T, kv_num_heads * dk] or [B, T, kv_num_heads], logarithms,
//   Beta [B, T, kv_num_heads] or [B, T, 1]: how far a value replaces what its key finds,
//   Out [B, T, q_num_heads * dv], StateOut like State.
// In each step S = exp(decay) * S, S += k (x) beta * (v - S^T k), without Beta S += k (x) v, and
// the result is scale * S^T q.
#include "lite/kernels/cpu/math/linear_attention.h"

#include <cmath>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite {
namespace {

math::LinearAttentionShape ShapeOf(const OpLite& op, const DDim& query, const DDim& value) {
  const int64_t heads = op.Attr<int>("kv_num_heads"), all = op.Attr<int>("q_num_heads");
  const int64_t dk = query[2] / all;
  const auto scale = op.Attr<float>("scale");
  return {query[0],
          query[1],
          heads,
          all / heads,
          dk,
          value[2] / heads,
          scale != 0 ? scale : 1 / std::sqrt(static_cast<float>(dk))};
}

void RequireLike(const InferContext& c, const char* slot, const DDim& expected,
                 const DDim& other = {}) {
  RequireType(c, slot, {DataType::kFP32});
  const DDim& dims = c.Dims(slot);
  if (other.empty() || dims != other)
    c.Require(dims == expected, "input ", slot, " has shape ", dims, ", expected ", expected,
              other.empty() ? "" : StrCat(" or ", other));
}

void InferLinearAttention(InferContext& c) {
  RequireType(c, "Query", {DataType::kFP32});
  RequireType(c, "Value", {DataType::kFP32});
  const int64_t heads = c.Attr<int>("kv_num_heads"), all = c.Attr<int>("q_num_heads");
  c.Require(heads > 0 && all > 0 && all % heads == 0,
            "attributes q_num_heads and kv_num_heads are ", all, " and ", heads,
            ", expected a multiple of a positive number");
  const DDim &query = c.Dims("Query"), &value = c.Dims("Value");
  c.Require(query.size() == 3 && query[2] > 0 && query[2] % all == 0, "input Query has shape ",
            query, ", expected [batch, steps, ", all, " times a size]");
  c.Require(value.size() == 3 && value[0] == query[0] && value[1] == query[1] && value[2] > 0 &&
                value[2] % heads == 0,
            "input Value has shape ", value, ", expected [", query[0], ", ", query[1], ", ", heads,
            " times a size]");
  const math::LinearAttentionShape s = ShapeOf(c.op(), query, value);
  const DDim state = {s.batch, heads, s.dk, s.dv}, one = {s.batch, s.steps, heads};
  const DDim keys = {s.batch, s.steps, heads * s.dk};
  RequireLike(c, "Key", keys);
  if (c.HasInput("State")) RequireLike(c, "State", state);
  if (c.HasInput("Decay")) RequireLike(c, "Decay", keys, one);
  if (c.HasInput("Beta")) RequireLike(c, "Beta", one, {s.batch, s.steps, 1});
  c.SetOutput("Out", {s.batch, s.steps, all * s.dv}, DataType::kFP32);
  c.SetOutput("StateOut", state, DataType::kFP32);
}

std::vector<float> ExponentialsOf(const Tensor& x, int threads) {
  std::vector<float> made(static_cast<size_t>(x.numel()));
  math::EpilogueStep step;
  step.act.kind = math::Act::kExp;
  math::ParallelRange(threads, x.numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
    const int64_t count = end - begin;
    math::RunSteps(1, count, x.data<float>() + begin, count, made.data() + begin, count, &step, 1,
                   0);
  });
  return made;
}

void RunLinearAttention(KernelContext& c) {
  const Tensor &query = c.Input("Query"), &value = c.Input("Value");
  const auto data = [&](const char* slot) {
    return c.HasInput(slot) ? c.Input(slot).data<float>() : nullptr;
  };
  const math::LinearAttentionShape s = ShapeOf(c.op(), query.dims(), value.dims());
  math::LinearAttentionInput x = {query.data<float>(), data("Key"), value.data<float>()};
  x.state = data("State");
  std::vector<float> factors;
  if (c.HasInput("Decay")) {
    factors = ExponentialsOf(c.Input("Decay"), c.threads());
    x.factors = factors.data();
    x.factor_rows = c.Input("Decay").dims()[2] != s.heads;
  }
  x.beta = data("Beta");
  x.beta_heads = x.beta != nullptr && c.Input("Beta").dims()[2] == s.heads;
  math::LinearAttention(c.threads(), s, x, c.Output("Out").mutable_data<float>(),
                        c.Output("StateOut").mutable_data<float>());
}

REGISTER_LITE_OP(linear_attention)
    .Input("Query")
    .Input("Key")
    .Input("Value")
    .OptionalInput("State")
    .OptionalInput("Decay")
    .OptionalInput("Beta")
    .Output("Out")
    .Output("StateOut")
    .RequiredAttr<int>("q_num_heads")
    .RequiredAttr<int>("kv_num_heads")
    .Attr<float>("scale", 0.0f)  // 0: 1 / sqrt(dk)
    .InferShape(InferLinearAttention);
REGISTER_LITE_FUNCTION(linear_attention, kHost, kFloat, kNCHW, RunLinearAttention, def);

}  // namespace
}  // namespace paddle::lite
