// Plan: how one stretch of a graph is computed on this machine for given shapes. Never saved.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/graph.h"
#include "lite/core/kernel.h"
#include "lite/core/plan/draft.h"
#include "lite/core/plan/instruction.h"
#include "lite/core/plan/strips.h"

namespace paddle::lite {

// Memory for intermediate results, shared by the plans of one predictor.
struct Arena {
  std::shared_ptr<void> memory;
  size_t bytes = 0;
  void Reserve(size_t wanted);
};

class Plan {
 public:
  // Plans the operators from `begin` on for the metas of `environment` (by value id; null where a
  // value does not exist yet). Throws the errors of shape inference.
  // `threads` pack the weights. `force_nhwc` is for tests: every operator that has an NHWC kernel
  // uses it.
  Plan(Graph* graph, int begin, const std::vector<Tensor*>& environment, int threads,
       bool force_nhwc = false);

  // The operators from `begin` up to here are those that the plan runs.
  int end() const { return end_; }
  // Whether the plan fits what is in `environment` now.
  bool Matches(int begin, const std::vector<Tensor*>& environment) const;

  // Reads its inputs from `environment` and puts its results there: borrowed from the arena where
  // `borrow` allows it, else copied.
  void Run(const std::vector<Tensor*>& environment, Arena* arena, int threads, bool borrow);

  // Makes room in the environment for each result.
  template <typename MakeTensor>
  void PrepareOutputs(MakeTensor&& make_tensor) const {
    for (const LiveOut& out : live_out_) make_tensor(out.graph_value);
  }

  size_t arena_bytes() const { return arena_bytes_; }
  // About what keeping it takes; memory of the arena and packed weights are others'.
  size_t bytes() const;

 private:
  void Prepare(PlanDraft* draft, int threads);
  void PlaceTensors(const PlanDraft& draft);
  Tensor* TensorOf(const PlanDraft& draft, ValueId id);
  void FindKeys(const PlanDraft& draft);
  std::vector<const void*> LastReads(const PlanNode& node) const;
  // Bytes freed.
  size_t FreePackedWeights(const PlanNode& node, const KernelContext& context);
  void Rebase(const std::vector<Tensor*>& environment, const Arena& arena);

  struct Key {
    ValueId graph_value;
    TensorMeta meta;
  };
  struct LiveIn {
    ValueId graph_value;
    std::vector<Tensor*> aliases;
  };
  struct LiveOut {
    ValueId graph_value;
    const Tensor* tensor;
    bool in_arena;
  };

  Graph* graph_;
  int begin_ = 0, end_ = 0;
  size_t arena_bytes_ = 0;
  const void* arena_base_ = nullptr;
  std::vector<std::unique_ptr<Tensor>> tensors_;    // by value; null for constants
  std::vector<int64_t> offsets_;                    // by value
  std::vector<std::shared_ptr<Tensor>> constants_;  // computed while planning
  std::vector<Key> keys_;                           // everything whose meta decided something
  std::vector<LiveIn> live_in_;
  std::vector<LiveOut> live_out_;
  std::deque<Instruction> instructions_;
  std::vector<Strip> strips_;      // in the instructions' order
  std::vector<int> packed_reads_;  // by value, while preparing
};

}  // namespace paddle::lite
