#include "lite/kernels/cpu/math/linear_attention.h"

#include <algorithm>

#include "lite/core/base/thread_pool.h"

namespace paddle::lite::math {

void LinearAttention(int threads, const LinearAttentionShape& s, const LinearAttentionInput& x,
                     float* out, float* state_out) {
  const LinearAttentionTable& table = LITE_ISA_PICK(kLinearAttentionTable);
  const int64_t parts = (s.dv + table.columns - 1) / table.columns;
  ParallelFor(threads, s.batch * s.heads * parts, [&](int64_t i) {
    const int64_t first = i % parts * table.columns, head = i / parts % s.heads;
    const int64_t step = i / parts / s.heads * s.steps, at = step * s.heads + head;
    StateSteps g;
    g.dk = s.dk, g.steps = s.steps, g.queries = s.queries, g.dv = s.dv, g.scale = s.scale;
    g.width = std::min(table.columns, s.dv - first);
    g.key_step = s.heads / s.key_shares * s.dk;
    g.query_step = s.heads / s.query_shares * s.queries * s.dk;
    g.value_step = s.heads * s.dv, g.out_step = g.value_step * s.queries;
    g.key = x.key + step * g.key_step + head / s.key_shares * s.dk;
    g.query = x.query + step * g.query_step + head / s.query_shares * s.queries * s.dk;
    g.value = x.value + at * s.dv + first;
    g.out = out + at * s.queries * s.dv + first;
    g.factor_rows = x.factor_rows;
    if (x.factors != nullptr) {
      g.factor_step = x.factor_rows ? s.heads * s.dk : s.heads;
      g.factors = x.factors + at * (x.factor_rows ? s.dk : 1);
    }
    if (x.beta != nullptr) {
      g.beta_step = x.beta_heads ? s.heads : 1;
      g.beta = x.beta + (x.beta_heads ? at : step);
    }
    g.state = static_cast<float*>(
        ThreadScratch(static_cast<size_t>(s.dk * table.columns) * sizeof(float)));
    const int64_t place = i / parts * s.dk * s.dv + first;
    for (int64_t row = 0; row < s.dk; ++row) {
      float* const to = g.state + row * table.columns;
      std::fill_n(to, table.columns, 0.0f);
      if (x.state != nullptr) std::copy_n(x.state + place + row * s.dv, g.width, to);
    }
    table.run(g);
    for (int64_t row = 0; row < s.dk; ++row)
      std::copy_n(g.state + row * table.columns, g.width, state_out + place + row * s.dv);
  });
}

}  // namespace paddle::lite::math
