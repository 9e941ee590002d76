// Linear attention: a state for each head in the place of a cache. LinearAttention of ONNX
// (operator set 27):
//   Query [B, T, q_num_heads * dk], Key [B, T, kv_num_heads * dk], Value [B, T, kv_num_heads * dv],
//   State [B, kv_num_heads, dk, dv], 0 where it is absent,
//   Decay [B, T, kv_num_heads * dk] or [B, T, kv_num_heads], logarithms,
//   Beta [B, T, kv_num_heads] or [B, T, 1]: how far a value replaces what its key finds,
//   Out [B, T, q_num_heads * dv], StateOut like State.
// In each step S = exp(decay) * S, S += k (x) beta * (v - S^T k), without Beta S += k (x) v, and
// the result is scale * S^T q.
#include <algorithm>
#include <cmath>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite {
namespace {

// Columns of a state that are worked on at once: with the rows of 128 keys they stay in L1.
constexpr int64_t kColumns = 32;

struct Sizes {
  int64_t batch, steps, heads, queries, dk, dv;  // queries: heads of them for one of the keys
};

Sizes SizesOf(const OpLite& op, const DDim& query, const DDim& value) {
  const int64_t heads = op.Attr<int>("kv_num_heads"), all = op.Attr<int>("q_num_heads");
  return {query[0], query[1], heads, all / heads, query[2] / all, value[2] / heads};
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
  const Sizes s = SizesOf(c.op(), query, value);
  const DDim state = {s.batch, heads, s.dk, s.dv}, one = {s.batch, s.steps, heads};
  const DDim keys = {s.batch, s.steps, heads * s.dk};
  RequireLike(c, "Key", keys);
  if (c.HasInput("State")) RequireLike(c, "State", state);
  if (c.HasInput("Decay")) RequireLike(c, "Decay", keys, one);
  if (c.HasInput("Beta")) RequireLike(c, "Beta", one, {s.batch, s.steps, 1});
  c.SetOutput("Out", {s.batch, s.steps, all * s.dv}, DataType::kFP32);
  c.SetOutput("StateOut", state, DataType::kFP32);
}

// Some columns of one head's state.
class Columns {
 public:
  Columns(int64_t dk, int64_t width) : dk_(dk), width_(width), state_(dk * kColumns) {}

  void Load(const float* from, int64_t ld) {
    std::fill(state_.begin(), state_.end(), 0.0f);
    if (from == nullptr) return;
    for (int64_t i = 0; i < dk_; ++i) std::copy_n(from + i * ld, width_, Row(i));
  }

  void Store(float* to, int64_t ld) {
    for (int64_t i = 0; i < dk_; ++i) std::copy_n(Row(i), width_, to + i * ld);
  }

  // One factor for each row, or for all of them.
  void Decay(const float* factors, bool each) {
    for (int64_t i = 0; i < dk_; ++i) {
      float* const row = Row(i);
      const float factor = factors[each ? i : 0];
      for (int64_t j = 0; j < kColumns; ++j) row[j] *= factor;
    }
  }

  // What a vector finds.
  void Find(const float* vector, float* found) {
    float sums[kColumns] = {};
    for (int64_t i = 0; i < dk_; ++i) {
      const float* const row = Row(i);
      for (int64_t j = 0; j < kColumns; ++j) sums[j] += vector[i] * row[j];
    }
    std::copy_n(sums, kColumns, found);
  }

  void Add(const float* key, const float* values) {
    for (int64_t i = 0; i < dk_; ++i) {
      float* const row = Row(i);
      for (int64_t j = 0; j < kColumns; ++j) row[j] += key[i] * values[j];
    }
  }

 private:
  float* Row(int64_t i) { return state_.data() + i * kColumns; }

  int64_t dk_, width_;
  std::vector<float> state_;
};

struct Operands {
  const float *query, *key, *value, *state, *factors, *beta;  // the last three may be null
  bool decays_rows, beta_of_heads;
  float scale;
  float *out, *state_out;
};

void RunColumns(const Sizes& s, const Operands& o, int64_t batch, int64_t head, int64_t first) {
  const int64_t width = std::min(kColumns, s.dv - first);
  const int64_t state = (batch * s.heads + head) * s.dk * s.dv + first;
  Columns columns(s.dk, width);
  columns.Load(o.state == nullptr ? nullptr : o.state + state, s.dv);
  for (int64_t step = batch * s.steps; step < (batch + 1) * s.steps; ++step) {
    const int64_t at = step * s.heads + head;
    const float* const key = o.key + at * s.dk;
    if (o.factors != nullptr)
      columns.Decay(o.factors + (o.decays_rows ? at * s.dk : at), o.decays_rows);
    float values[kColumns] = {}, found[kColumns];
    std::copy_n(o.value + at * s.dv + first, width, values);
    if (o.beta != nullptr) {
      const float beta = o.beta[o.beta_of_heads ? at : step];
      columns.Find(key, found);
      for (int64_t j = 0; j < kColumns; ++j) values[j] = beta * (values[j] - found[j]);
    }
    columns.Add(key, values);
    for (int64_t q = at * s.queries; q < (at + 1) * s.queries; ++q) {
      columns.Find(o.query + q * s.dk, found);
      for (int64_t j = 0; j < width; ++j) o.out[q * s.dv + first + j] = o.scale * found[j];
    }
  }
  columns.Store(o.state_out + state, s.dv);
}

std::vector<float> ExponentialsOf(const Tensor& x, int threads) {
  std::vector<float> made(static_cast<size_t>(x.numel()));
  const auto* from = x.data<float>();
  math::ParallelRange(threads, x.numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) made[static_cast<size_t>(i)] = std::exp(from[i]);
  });
  return made;
}

void RunLinearAttention(KernelContext& c) {
  const Tensor &query = c.Input("Query"), &value = c.Input("Value");
  const Sizes s = SizesOf(c.op(), query.dims(), value.dims());
  const auto data = [&](const char* slot) {
    return c.HasInput(slot) ? c.Input(slot).data<float>() : nullptr;
  };
  std::vector<float> factors;
  if (c.HasInput("Decay")) factors = ExponentialsOf(c.Input("Decay"), c.threads());
  Operands o = {query.data<float>(),
                data("Key"),
                value.data<float>(),
                data("State"),
                nullptr,
                data("Beta"),
                false,
                false,
                0,
                nullptr,
                nullptr};
  if (c.HasInput("Decay")) {
    o.factors = factors.data();
    o.decays_rows = c.Input("Decay").dims()[2] != s.heads;
  }
  o.beta_of_heads = o.beta != nullptr && c.Input("Beta").dims()[2] == s.heads;
  const auto scale = c.Attr<float>("scale");
  o.scale = scale != 0 ? scale : 1 / std::sqrt(static_cast<float>(s.dk));
  o.out = c.Output("Out").mutable_data<float>();
  o.state_out = c.Output("StateOut").mutable_data<float>();
  const int64_t parts = (s.dv + kColumns - 1) / kColumns;
  ParallelFor(c.threads(), s.batch * s.heads * parts, [&](int64_t i) {
    const int64_t head = i / parts;
    RunColumns(s, o, head / s.heads, head % s.heads, i % parts * kColumns);
  });
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
