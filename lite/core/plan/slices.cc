#include <algorithm>
#include <limits>

#include "lite/core/plan/draft.h"

namespace paddle::lite {
namespace {

// Joins and divisions along an axis that leave the parts' memory where it is: in NHWC a part of the
// channels lies in each pixel of the whole (kernels must be able to read or write that), and where
// the axis is the first of more than one element a part is one piece.
class Slicer {
 public:
  explicit Slicer(PlanDraft* draft) : draft_(*draft), readers_(draft->values.size()) {
    producer_.assign(draft_.values.size(), -1);
    live_out_.assign(draft_.values.size(), false);
    for (size_t n = 0; n < draft_.nodes.size(); ++n) Index(static_cast<int>(n));
    for (const ValueId id : draft_.live_out_as) live_out_[static_cast<size_t>(id)] = true;
  }

  void Run() {
    // The outermost concat first: the inner ones are parts of it.
    for (size_t n = draft_.nodes.size(); n-- > 0;) Join(static_cast<int>(n));
    for (size_t n = 0; n < draft_.nodes.size(); ++n) Divide(static_cast<int>(n));
    for (PlanNode& node : draft_.nodes)
      for (PlanStep& step : node.steps)
        if (step.operand >= 0) AdaptStep(&step);
  }

 private:
  struct Reader {
    int node;
    int slot;  // kStep: a step's operand
  };
  static constexpr int kStep = -1;
  enum class Kind { kNone, kPixels, kPiece };

  PlanNode& Node(int n) { return draft_.nodes[static_cast<size_t>(n)]; }

  void Index(int n) {
    const PlanNode& node = Node(n);
    for (size_t s = 0; s < node.op.inputs().size(); ++s)
      for (const ValueId id : node.op.inputs()[s])
        readers_[static_cast<size_t>(id)].push_back({n, static_cast<int>(s)});
    for (const PlanStep& step : node.steps)
      if (step.operand >= 0) readers_[static_cast<size_t>(step.operand)].push_back({n, kStep});
    if (node.is_view) return;
    for (const auto& slot : node.op.outputs())
      for (const ValueId id : slot) producer_[static_cast<size_t>(id)] = n;
  }

  // How parts along `axis` lie in a whole.
  Kind KindOf(const PlanNode& node, ValueId whole, int axis) const {
    const PlanValue& value = draft_.value(whole);
    const DDim& dims = value.meta.dims;
    if (dims.production() == 0) return Kind::kNone;
    const bool nhwc = dims.size() == 4 && value.layout == DataLayoutType::kNHWC;
    if (nhwc && axis == 1 && node.layout == DataLayoutType::kNHWC)
      return dims[1] <= std::numeric_limits<int32_t>::max() ? Kind::kPixels : Kind::kNone;
    if (nhwc || value.pixel_stride != 0) return Kind::kNone;
    return dims.Count(0, axis) == 1 ? Kind::kPiece : Kind::kNone;
  }

  const KernelTraits& TraitsOf(const PlanNode& node) const {
    static const KernelTraits none;
    if (node.op.info().compute()) return none;
    for (const auto& slot : node.op.inputs())
      for (const ValueId id : slot)
        if (draft_.value(id).meta.dtype == DataType::kInt8) return none;  // quantised weights
    const KernelInfo* kernel =
        KernelRegistry::Global().Find(node.op.type(), NodePrecision(draft_, node.op), node.layout);
    return kernel == nullptr ? none : kernel->traits;
  }

  bool ReadsSlice(const Reader& reader) {
    const PlanNode& node = Node(reader.node);
    if (node.is_view) return false;
    if (reader.slot == kStep)
      return node.layout == DataLayoutType::kNHWC && TraitsOf(node).fuses &&
             draft_.value(node.op.outputs()[0][0]).meta.dims.size() == 4;
    return reader.slot == 0 && TraitsOf(node).reads_slices;
  }

  // Nobody but `but` needs the value in memory of its own.
  bool MayBePart(ValueId id, Kind kind, int but) {
    const PlanValue& value = draft_.value(id);
    if (value.constant != nullptr || value.same_memory_as >= 0) return false;
    if (live_out_[static_cast<size_t>(id)]) return false;
    if (kind == Kind::kPiece) return true;
    const auto& readers = readers_[static_cast<size_t>(id)];
    return std::all_of(readers.begin(), readers.end(),
                       [&](const Reader& r) { return r.node == but || ReadsSlice(r); });
  }

  bool IsWritten(ValueId id, Kind kind) {
    const int n = producer_[static_cast<size_t>(id)];
    if (n < 0) return false;
    const KernelTraits& traits = TraitsOf(Node(n));
    return kind == Kind::kPixels ? traits.writes_slices : traits.writes_slices || traits.fuses;
  }

  // The part that begins at `begin` of the axis.
  void Place(ValueId part, ValueId whole, Kind kind, int axis, int64_t begin) {
    PlanValue& value = draft_.value(part);
    const PlanValue& in = draft_.value(whole);
    const DDim& dims = in.meta.dims;
    const int64_t stride = kind == Kind::kPixels ? 1 : dims.Count(axis + 1, dims.size());
    value.same_memory_as = whole;
    value.offset = begin * stride * static_cast<int64_t>(SizeOf(in.meta.dtype));
    if (kind == Kind::kPixels)
      value.pixel_stride = in.pixel_stride != 0 ? in.pixel_stride : dims[1];
  }

  // The canonical axis of a concat or split; -1 where a tensor gives it.
  static int AxisOf(const OpLite& op, const DDim& dims) {
    if (!op.Input("AxisTensor").empty()) return -1;
    const int32_t axis = op.Attr<int32_t>("axis");
    return axis < 0 ? axis + dims.size() : axis;
  }

  void Join(int n) {
    PlanNode& node = Node(n);
    if (node.op.type() != "concat") return;
    const ValueId whole = node.op.Output("Out")[0];
    const int axis = AxisOf(node.op, draft_.value(whole).meta.dims);
    const Kind kind = axis < 0 ? Kind::kNone : KindOf(node, whole, axis);
    if (kind == Kind::kNone) return;
    int64_t begin = 0;
    bool all = true;
    for (const ValueId part : node.op.Input("X")) {
      const bool placed = IsWritten(part, kind) && MayBePart(part, kind, n);
      if (placed) Place(part, whole, kind, axis, begin);
      all = all && placed;
      begin += draft_.value(part).meta.dims[axis];
    }
    node.is_view = all;
  }

  bool IsInArena(ValueId id) const {
    const ValueId root = draft_.Root(id);
    return producer_[static_cast<size_t>(root)] >= 0 && draft_.value(root).constant == nullptr;
  }

  // Where a slice operator of one axis and step begins on it; the axis is -1 for any other.
  static int SliceAxis(const OpLite& op, const DDim& dims, const DDim& out, int64_t* begin) {
    const auto& axes = op.Attr<std::vector<int32_t>>("axes");
    const auto& starts = op.Attr<std::vector<int32_t>>("starts");
    for (const char* tensor : {"StartsTensor", "EndsTensor", "StartsTensorList", "EndsTensorList"})
      if (!op.Input(tensor).empty()) return -1;
    if (axes.size() != 1 || starts.size() != 1) return -1;
    const int axis = axes[0] < 0 ? axes[0] + dims.size() : axes[0];
    // Where an axis is dropped, the memory has another shape, but only NHWC would mind.
    if (out.size() != dims.size() && axis != 0) return -1;
    *begin = starts[0] < 0 ? std::max<int64_t>(starts[0] + dims[axis], 0) : starts[0];
    return axis;
  }

  void Divide(int n) {
    PlanNode& node = Node(n);
    const bool split = node.op.type() == "split";
    if (!split && node.op.type() != "slice") return;
    const ValueId whole = node.op.inputs()[0][0];
    const std::vector<ValueId>& parts = node.op.Output("Out");
    const DDim& dims = draft_.value(whole).meta.dims;
    int64_t begin = 0;
    const int axis = split ? AxisOf(node.op, dims)
                           : SliceAxis(node.op, dims, draft_.value(parts[0]).meta.dims, &begin);
    const Kind kind = axis < 0 ? Kind::kNone : KindOf(node, whole, axis);
    if (kind == Kind::kNone || !IsInArena(whole)) return;
    bool all = true;
    for (const ValueId part : parts) {
      const bool placed = draft_.value(part).meta.dims.production() != 0 &&
                          draft_.value(part).layout == draft_.value(whole).layout &&
                          MayBePart(part, kind, -1);
      if (placed) Place(part, whole, kind, axis, begin);
      all = all && placed;
      if (split) begin += draft_.value(part).meta.dims[axis];
    }
    node.is_view = all;
  }

  // Strides over an operand that turned out to be a slice.
  void AdaptStep(PlanStep* step) {
    const PlanValue& operand = draft_.value(step->operand);
    if (operand.pixel_stride == 0) return;
    const DDim& dims = operand.meta.dims;
    if (step->step.row_stride != 0) step->step.row_stride = operand.pixel_stride;
    if (step->step.image_stride != 0)
      step->step.image_stride = dims[2] * dims[3] * operand.pixel_stride;
  }

  PlanDraft& draft_;
  std::vector<std::vector<Reader>> readers_;
  std::vector<int> producer_;  // by value; -1 for views and what the plan does not compute
  std::vector<bool> live_out_;
};

}  // namespace

void PlaceSlices(PlanDraft* draft) { Slicer(draft).Run(); }

}  // namespace paddle::lite
