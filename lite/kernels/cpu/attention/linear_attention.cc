// Linear attention: a state for each head in the place of a cache. LinearAttention of ONNX
// (operator set 27):
//   Query [B, T, q_num_heads * dk], Key [B, T, kv_num_heads * dk], Value [B, T, kv_num_heads * dv];
//   q_num_heads may be a divisor of kv_num_heads, and Key have fewer heads: several heads of values
//   beside each other then share one.
//   State [B, kv_num_heads, dk, dv], 0 where it is absent.
//   Decay [B, T, kv_num_heads * dk] or [B, T, kv_num_heads], logarithms.
//   Beta [B, T, kv_num_heads] or [B, T, 1]: how far a value replaces what its key finds.
//   Out [B, T, heads * dv] of the larger number, StateOut like State.
// In each step S = exp(decay) * S, S += k (x) beta * (v - S^T k), without Beta S += k (x) v, and
// the result is scale * S^T q.
#include "lite/kernels/cpu/math/linear_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite {
namespace {

math::LinearAttentionShape ShapeOf(const OpLite& op, const DDim& query, const DDim& key,
                                   const DDim& value) {
  const int64_t all = op.Attr<int>("q_num_heads");
  const auto scale = op.Attr<float>("scale");
  math::LinearAttentionShape s;
  s.batch = query[0], s.steps = query[1];
  s.heads = op.Attr<int>("kv_num_heads");
  s.queries = std::max<int64_t>(all / s.heads, 1);
  s.dk = query[2] / all, s.dv = value[2] / s.heads;
  s.query_shares = std::max<int64_t>(s.heads / all, 1);
  s.key_shares = s.heads / std::max<int64_t>(key[2] / s.dk, 1);
  s.scale = scale != 0 ? scale : 1 / std::sqrt(static_cast<float>(s.dk));
  return s;
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
  c.Require(heads > 0 && all > 0 && (all % heads == 0 || heads % all == 0),
            "attributes q_num_heads and kv_num_heads are ", all, " and ", heads,
            ", expected positive numbers, one of them a multiple of the other");
  const DDim &query = c.Dims("Query"), &key = c.Dims("Key"), &value = c.Dims("Value");
  c.Require(query.size() == 3 && query[2] > 0 && query[2] % all == 0, "input Query has shape ",
            query, ", expected [batch, steps, ", all, " times a size]");
  c.Require(value.size() == 3 && value[0] == query[0] && value[1] == query[1] && value[2] > 0 &&
                value[2] % heads == 0,
            "input Value has shape ", value, ", expected [", query[0], ", ", query[1], ", ", heads,
            " times a size]");
  const int64_t dk = query[2] / all;
  RequireType(c, "Key", {DataType::kFP32});
  c.Require(key.size() == 3 && key[0] == query[0] && key[1] == query[1] && key[2] >= dk &&
                key[2] % dk == 0 && heads % (key[2] / dk) == 0,
            "input Key has shape ", key, ", expected [", query[0], ", ", query[1], ", ", heads * dk,
            "], or the last divided by a divisor of ", heads);
  const math::LinearAttentionShape s = ShapeOf(c.op(), query, key, value);
  const DDim state = {s.batch, heads, s.dk, s.dv}, one = {s.batch, s.steps, heads};
  const DDim keys = {s.batch, s.steps, heads * s.dk};
  if (c.HasInput("State")) RequireLike(c, "State", state);
  if (c.HasInput("Decay")) RequireLike(c, "Decay", keys, one);
  if (c.HasInput("Beta")) RequireLike(c, "Beta", one, {s.batch, s.steps, 1});
  c.SetOutput("Out", {s.batch, s.steps, std::max(all, heads) * s.dv}, DataType::kFP32);
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
  const Tensor &query = c.Input("Query"), &key = c.Input("Key"), &value = c.Input("Value");
  const auto data = [&](const char* slot) {
    return c.HasInput(slot) ? c.Input(slot).data<float>() : nullptr;
  };
  const math::LinearAttentionShape s = ShapeOf(c.op(), query.dims(), key.dims(), value.dims());
  math::LinearAttentionInput x = {query.data<float>(), key.data<float>(), value.data<float>()};
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
