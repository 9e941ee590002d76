// PlanDraft: what the stages of planning work on, from shapes to memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "lite/core/graph.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

struct PlanValue {
  TensorMeta meta;
  const Tensor* constant = nullptr;  // data known while planning
  const Tensor* outside = nullptr;   // what was there before the stretch
  std::shared_ptr<Tensor> folded;    // owner of a constant that was computed while planning
  DataLayoutType layout = DataLayoutType::kNCHW;
  ValueId same_memory_as = -1;  // a view of that value, or a part of it
  int64_t offset = 0;           // where in it, in bytes
  int64_t pixel_stride = 0;     // a slice of channels, see Tensor::pixel_stride
};

// An elementwise operator folded into a node; `operand` is -1 for activations.
struct PlanStep {
  math::EpilogueStep step;
  ValueId operand = -1;
  std::optional<Int8Form> bytes = {};   // what the operand's bytes stand for
  std::vector<PlanStep> of_input = {};  // the operand is what these make of the node's input
};

struct PlanNode {
  OpLite op;
  DataLayoutType layout = DataLayoutType::kNCHW;
  std::vector<PlanStep> steps;
  bool is_view = false;  // only gives memory another shape: nothing runs
  bool dead = false;     // folded into another node
  // What the bytes of the inputs in the first slot and of the output stand for.
  std::vector<std::optional<Int8Form>> input_bytes = {};
  std::optional<Int8Form> output_bytes = {};
};

struct PlanDraft {
  Graph* graph = nullptr;
  int begin = 0, end = 0;         // operators of the graph that the plan runs
  std::vector<PlanValue> values;  // the graph's values first, then the planner's own
  std::vector<PlanNode> nodes;
  // What the graph needs afterwards: its values, and the (converted) values that hold them here.
  std::vector<ValueId> live_out, live_out_as;

  PlanValue& value(ValueId id) { return values[static_cast<size_t>(id)]; }
  const PlanValue& value(ValueId id) const { return values[static_cast<size_t>(id)]; }
  // The value whose memory this one is, or is a part of.
  ValueId Root(ValueId id) const {
    while (value(id).same_memory_as >= 0) id = value(id).same_memory_as;
    return id;
  }
  ValueId AddValue(const PlanValue& value) {
    values.push_back(value);
    return static_cast<ValueId>(values.size()) - 1;
  }
  // Every value that a node reads, its steps' operands included.
  static void ForEachInput(const PlanNode& node, const std::function<void(ValueId)>& visit);
};

// -- The stages, in order.

// Infers shapes from draft->begin on and computes shape arithmetic, until an operator's shape
// depends on data that is not known; sets `end`, `nodes` and live_out.
void InferStretch(PlanDraft* draft);
// Rounds to the same steps once.
void RoundOnce(PlanDraft* draft);
// Makes one node of scores, mask, softmax and weighted sum, which reads Q, K and V where they lie.
void FuseAttention(PlanDraft* draft);
// Reshapes and transposes that shuffle channels become shuffle_channel, which keeps NHWC.
void FindShuffles(PlanDraft* draft);
// A shuffle of what concat joins reads the parts themselves.
void JoinShuffles(PlanDraft* draft);
// Chooses NHWC or NCHW for every node; `force_nhwc` takes NHWC wherever there is a kernel.
void AssignLayouts(PlanDraft* draft, bool force_nhwc);
// Folds elementwise operators into the epilogue of what produces their input.
void FuseEpilogues(PlanDraft* draft);
// Marks views and inserts the conversions where layouts meet.
void InsertConversions(PlanDraft* draft);
// What concat joins is written to its place in the result, what split divides is read there.
void PlaceSlices(PlanDraft* draft);

// What kernels around products of integers hand to each other stays in bytes.
void KeepBytes(PlanDraft* draft);

// KernelContext::early of each node.
std::vector<bool> EarlyNodes(const PlanDraft& draft);

// Takes nodes away whose results nobody needs.
void RemoveDeadNodes(PlanDraft* draft);

// Where each value lives: an offset in the arena, or elsewhere (a constant, a fed value).
struct MemoryPlan {
  static constexpr int64_t kElsewhere = -1;
  std::vector<int64_t> offset;  // by value, in bytes
  size_t arena_bytes = 0;
};
// Nodes that run by turns. What is between two of them has no memory in the arena.
struct NodeRange {
  int first, last;
};
// Liveness, in-place results and offsets by size (greedy, largest first).
MemoryPlan PlanMemory(const PlanDraft& draft, const std::vector<NodeRange>& by_turns);

// The kernel of a node; throws UnsupportedOperatorError where none takes its types.
const KernelInfo& PickKernel(const PlanDraft& draft, const PlanNode& node);
// Whether the operator's kernel for a layout can do one of the things that kernels are asked for.
bool Asks(const PlanDraft& draft, const OpLite& op, DataLayoutType layout,
          bool (*KernelTraits::*can)(const OpLite&, const MetaOfSlot&));
// The precision that picks a node's kernel: its first input's, else its first output's.
PrecisionType NodePrecision(const PlanDraft& draft, const OpLite& op);

// True where NCHW and NHWC of such a tensor differ in memory: 4-D with C > 1 and H*W > 1.
bool LayoutMatters(const TensorMeta& meta);

// A broadcast operand as the strides of a step over an output, or false where tiles of rows and
// columns cannot express it. `axis` as in Paddle's elementwise operators.
bool StepStrides(const DDim& out, DataLayoutType layout, const DDim& operand, int axis,
                 math::EpilogueStep* step);

}  // namespace paddle::lite
