#include <algorithm>
#include <limits>

#include "lite/core/plan/draft.h"

namespace paddle::lite {
namespace {

constexpr int64_t kValueAlignment = 64;

struct Buffer {
  int64_t bytes = 0;
  int first = -1, last = -1;  // positions of the nodes that write and last read it
  int64_t offset = 0;
};

class MemoryPlanner {
 public:
  MemoryPlanner(const PlanDraft& draft, const std::vector<NodeRange>& by_turns)
      : draft_(draft), root_(draft.values.size()), buffer_(draft.values.size(), -1) {
    for (int n = 0; n < static_cast<int>(draft.nodes.size()); ++n) turns_.push_back({n, n});
    for (const NodeRange& range : by_turns)
      for (int n = range.first; n <= range.last; ++n) turns_[static_cast<size_t>(n)] = range;
    for (size_t v = 0; v < root_.size(); ++v) root_[v] = draft.Root(static_cast<ValueId>(v));
  }

  MemoryPlan Run() {
    FindLastReads();
    for (size_t n = 0; n < draft_.nodes.size(); ++n) PlaceOutputs(static_cast<int>(n));
    AssignOffsets();
    MemoryPlan plan;
    plan.offset.assign(draft_.values.size(), MemoryPlan::kElsewhere);
    for (size_t v = 0; v < root_.size(); ++v) {
      const int buffer = buffer_[static_cast<size_t>(root_[v])];
      if (buffer >= 0)
        plan.offset[v] =
            buffers_[static_cast<size_t>(buffer)].offset + OffsetInRoot(static_cast<ValueId>(v));
    }
    plan.arena_bytes = arena_bytes_;
    return plan;
  }

 private:
  int64_t OffsetInRoot(ValueId id) const {
    int64_t offset = 0;
    for (; draft_.value(id).same_memory_as >= 0; id = draft_.value(id).same_memory_as)
      offset += draft_.value(id).offset;
    return offset;
  }
  // False for a part of a larger value.
  bool IsWhole(ValueId id) const {
    const ValueId root = root_[static_cast<size_t>(id)];
    return draft_.value(id).meta.dims.production() == draft_.value(root).meta.dims.production();
  }
  size_t Root(ValueId id) const { return static_cast<size_t>(root_[static_cast<size_t>(id)]); }

  void FindLastReads() {
    last_read_.assign(draft_.values.size(), -1);
    for (size_t n = 0; n < draft_.nodes.size(); ++n)
      PlanDraft::ForEachInput(draft_.nodes[n],
                              [&](ValueId id) { last_read_[Root(id)] = turns_[n].last; });
    for (const ValueId id : draft_.live_out_as)
      last_read_[Root(id)] = std::numeric_limits<int>::max();
  }

  static int64_t Bytes(const TensorMeta& meta) {
    const int64_t bytes = meta.dims.production() * static_cast<int64_t>(SizeOf(meta.dtype));
    return std::max<int64_t>((bytes + kValueAlignment - 1) / kValueAlignment * kValueAlignment,
                             kValueAlignment);
  }

  void PlaceOutputs(int n) {
    const PlanNode& node = draft_.nodes[static_cast<size_t>(n)];
    if (node.is_view) return;
    for (const auto& slot : node.op.outputs())
      for (const ValueId id : slot) {
        const size_t root = Root(id);
        if (buffer_[root] >= 0 || draft_.value(id).constant != nullptr) continue;
        const NodeRange& turns = turns_[static_cast<size_t>(n)];
        const int last = std::max(last_read_[root], turns.last);
        const int reused = InPlaceBuffer(node, n, id);
        if (reused >= 0) {
          buffers_[static_cast<size_t>(reused)].last = last;
          buffer_[root] = reused;
        } else {
          buffer_[root] = static_cast<int>(buffers_.size());
          const ValueId whole = root_[static_cast<size_t>(id)];
          const int64_t bytes = n < turns.last ? kValueAlignment : Bytes(draft_.value(whole).meta);
          buffers_.push_back({bytes, turns.first, last, 0});
        }
      }
  }

  // The buffer of an elementwise operator's main input where this is its last use.
  int InPlaceBuffer(const PlanNode& node, int n, ValueId out) const {
    const OpInfo& info = node.op.info();
    const bool elementwise =
        info.activation() != nullptr || info.has_operand() || info.type() == "elementwise_chain";
    if (!elementwise) return -1;
    const ValueId x = node.op.Input("X")[0];
    const TensorMeta& x_meta = draft_.value(x).meta;
    const TensorMeta& out_meta = draft_.value(out).meta;
    if (x_meta.dims != out_meta.dims || x_meta.dtype != out_meta.dtype) return -1;
    if (!IsWhole(x) || !IsWhole(out)) return -1;
    const size_t root = Root(x);
    if (buffer_[root] < 0 || last_read_[root] != n) return -1;
    int readers = 0;  // another operand in the same memory would be overwritten before it is read
    PlanDraft::ForEachInput(node, [&](ValueId id) { readers += Root(id) == root; });
    return readers == 1 ? buffer_[root] : -1;
  }

  void AssignOffsets() {
    std::vector<Buffer*> by_size;
    for (Buffer& buffer : buffers_) by_size.push_back(&buffer);
    std::stable_sort(by_size.begin(), by_size.end(),
                     [](const Buffer* a, const Buffer* b) { return a->bytes > b->bytes; });
    std::vector<const Buffer*> placed;  // by offset
    for (Buffer* buffer : by_size) {
      int64_t offset = 0;
      for (const Buffer* other : placed) {
        if (other->last < buffer->first || buffer->last < other->first) continue;
        if (offset + buffer->bytes <= other->offset) break;
        offset = std::max(offset, other->offset + other->bytes);
      }
      buffer->offset = offset;
      arena_bytes_ = std::max(arena_bytes_, static_cast<size_t>(offset + buffer->bytes));
      const auto position =
          std::upper_bound(placed.begin(), placed.end(), offset,
                           [](int64_t at, const Buffer* b) { return at < b->offset; });
      placed.insert(position, buffer);
    }
  }

  const PlanDraft& draft_;
  std::vector<NodeRange> turns_;  // by node
  std::vector<ValueId> root_;
  std::vector<int> buffer_;  // by root; -1 where the memory is not the arena's
  std::vector<int> last_read_;
  std::vector<Buffer> buffers_;
  size_t arena_bytes_ = 0;
};

}  // namespace

MemoryPlan PlanMemory(const PlanDraft& draft, const std::vector<NodeRange>& by_turns) {
  return MemoryPlanner(draft, by_turns).Run();
}

}  // namespace paddle::lite
