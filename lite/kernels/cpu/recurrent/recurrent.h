// What gru, lstm and rnn have in common: sequences in step by step order, and activations by name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "lite/core/kernel.h"
#include "lite/kernels/cpu/activation/fused_activation.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {

// The rows of all sequences ordered by time step, within a step the longer sequences first, so
// that the sequences still running at a step are the first ones of the step before.
struct TimeBatches {
  std::vector<uint64_t> order;  // sequences, longest first
  std::vector<int64_t> steps;   // the first batch row of each step, and their number
  std::vector<uint64_t> rows;   // the tensor's row for each batch row

  TimeBatches(const Offsets& offsets, bool reverse) : order(offsets.size() - 1) {
    std::iota(order.begin(), order.end(), uint64_t{0});
    const auto length = [&](uint64_t s) { return offsets[s + 1] - offsets[s]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](uint64_t a, uint64_t b) { return length(a) > length(b); });
    rows.reserve(offsets.back());
    for (uint64_t step = 0; rows.size() < offsets.back(); ++step) {
      steps.push_back(static_cast<int64_t>(rows.size()));
      for (const uint64_t s : order) {
        if (length(s) <= step) break;
        rows.push_back(reverse ? offsets[s + 1] - 1 - step : offsets[s] + step);
      }
    }
    steps.push_back(static_cast<int64_t>(rows.size()));
  }

  int64_t step_count() const { return static_cast<int64_t>(steps.size()) - 1; }
  // The LoD that Paddle gives the batched intermediates.
  LoD lod() const { return {Offsets(steps.begin(), steps.end()), rows, order}; }
};

inline math::Act RecurrentActivation(const std::string& name, const char* attribute) {
  return ActByName(name, attribute, {math::Act::kSigmoid, math::Act::kTanh, math::Act::kRelu});
}

// Activates rows x cols values in place; `stride` is the distance of rows.
inline void Activate(math::Act act, int64_t rows, int64_t cols, float* x, int64_t stride) {
  if (act == math::Act::kNone) return;
  math::EpilogueStep step;
  step.act.kind = act;
  math::RunSteps(rows, cols, x, stride, x, stride, &step, 1, 0);
}

// What adds a product to gate, whose rows are `stride` apart, and activates the sum.
struct OntoGate {
  OntoGate(const float* gate, int64_t stride, math::Act act) {
    steps[0].op = math::EpilogueStep::kAdd;
    steps[0].data = gate;
    steps[0].row_stride = stride;
    steps[0].col_stride = 1;
    steps[1].act.kind = act;
    epilogue.steps = steps;
    epilogue.step_count = act == math::Act::kNone ? 1 : 2;
  }
  OntoGate(const OntoGate&) = delete;
  math::EpilogueStep steps[2];
  math::Epilogue epilogue;
};

// gate = act(gate + h * w), where gate has rows of `stride` and no h means zeros.
inline void AddRecurrent(int threads, int64_t rows, const float* h, const math::PackedMatrix& w,
                         float* gate, int64_t stride, math::Act act) {
  if (h == nullptr) return Activate(act, rows, w.n, gate, stride);
  const OntoGate onto(gate, stride, act);
  math::Gemm(threads, rows, w.n, w.k, h, w.k, w, gate, stride, onto.epilogue);
}

// The memory of an output, or that of `own` where the output is absent.
inline float* OutputOrOwn(KernelContext& c, const char* slot, const DDim& dims, Tensor* own) {
  if (Tensor* output = c.OutputOrNull(slot)) return output->mutable_data<float>();
  own->Allocate(dims, DataType::kFP32);
  return own->mutable_data<float>();
}

// The rows of `from` in the order of `rows`, with `bias` added where it is not null.
inline void GatherRows(const float* from, const std::vector<uint64_t>& rows, int64_t width,
                       const float* bias, float* to) {
  for (const uint64_t row : rows) {
    const float* source = from + static_cast<int64_t>(row) * width;
    for (int64_t i = 0; i < width; ++i) to[i] = bias != nullptr ? source[i] + bias[i] : source[i];
    to += width;
  }
}

inline void ScatterRows(const float* from, const std::vector<uint64_t>& rows, int64_t width,
                        float* to) {
  for (const uint64_t row : rows) {
    std::copy(from, from + width, to + static_cast<int64_t>(row) * width);
    from += width;
  }
}

}  // namespace paddle::lite
