#include "lite/core/plan/views.h"

#include <algorithm>

namespace paddle::lite {
namespace {

DDim RowMajor(const DDim& dims) {
  DDim strides = dims;
  int64_t size = 1;
  for (int i = dims.size() - 1; i >= 0; --i) {
    strides[i] = size;
    size *= dims[i];
  }
  return strides;
}

int Canonical(int64_t axis, int rank) { return static_cast<int>(axis < 0 ? axis + rank : axis); }

// The same elements in the same order under other dims; false where no strides give that.
bool Reshape(const DDim& dims, View* view) {
  // Dims of the view that lie behind each other as one would.
  DDim sizes, steps;
  for (int i = 0; i < view->dims.size(); ++i) {
    const int64_t size = view->dims[i], step = view->strides[i];
    if (size == 1) continue;
    if (!sizes.empty() && steps.back() == size * step) {
      sizes[sizes.size() - 1] *= size;
      steps[steps.size() - 1] = step;
    } else {
      sizes.push_back(size);
      steps.push_back(step);
    }
  }
  DDim strides = dims;
  int block = sizes.size() - 1;
  int64_t left = block >= 0 ? sizes[block] : 1, step = block >= 0 ? steps[block] : 1;
  for (int i = dims.size() - 1; i >= 0; --i) {
    if (dims[i] == 1) {
      strides[i] = step;
      continue;
    }
    if (left == 1 && block > 0) {
      --block;
      left = sizes[block];
      step = steps[block];
    }
    if (left % dims[i] != 0) return false;
    strides[i] = step;
    step *= dims[i];
    left /= dims[i];
  }
  view->dims = dims;
  view->strides = strides;
  return true;
}

void Transpose(const std::vector<int32_t>& axis, View* view) {
  const View from = *view;
  for (size_t i = 0; i < axis.size(); ++i) {
    const int at = Canonical(axis[i], from.dims.size());
    view->dims[static_cast<int>(i)] = from.dims[at];
    view->strides[static_cast<int>(i)] = from.strides[at];
  }
}

void Slice(const OpLite& op, const DDim& dims, View* view) {
  const auto& axes = op.Attr<std::vector<int32_t>>("axes");
  const auto& starts = op.Attr<std::vector<int32_t>>("starts");
  const auto& ends = op.Attr<std::vector<int32_t>>("ends");
  const int rank = view->dims.size();
  for (size_t i = 0; i < axes.size(); ++i) {
    const int axis = Canonical(axes[i], rank);
    const int64_t size = view->dims[axis];
    const auto position = [size](int64_t at) {
      return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
    };
    view->offset += position(starts[i]) * view->strides[axis];
    view->dims[axis] = position(ends[i]) - position(starts[i]);
  }
  DDim strides;
  std::vector<bool> dropped(static_cast<size_t>(rank));
  for (const int axis : op.Attr<std::vector<int32_t>>("decrease_axis"))
    dropped[static_cast<size_t>(Canonical(axis, rank))] = true;
  for (int i = 0; i < rank; ++i)
    if (!dropped[static_cast<size_t>(i)]) strides.push_back(view->strides[i]);
  view->dims = dims;
  view->strides = strides;
}

size_t InputCount(const OpLite& op) {
  size_t count = 0;
  for (const auto& slot : op.inputs()) count += slot.size();
  return count;
}

}  // namespace

const char* MovedInput(const OpLite& op) {
  if (op.info().is_view()) return op.info().view_input().c_str();
  if (op.type() == "transpose" || op.type() == "transpose2" || op.type() == "unbind") return "X";
  if (op.type() == "split" && InputCount(op) == 1) return "X";
  if (op.type() == "slice" && InputCount(op) == 1) return "Input";
  return nullptr;
}

Views::Views(const PlanDraft& draft) : draft_(draft), producer_(draft.values.size(), -1) {
  for (size_t n = 0; n < draft.nodes.size(); ++n)
    for (const auto& slot : draft.nodes[n].op.outputs())
      for (const ValueId id : slot) producer_[static_cast<size_t>(id)] = static_cast<int>(n);
}

View Views::Itself(ValueId id) const {
  const DDim& dims = draft_.value(id).meta.dims;
  return {id, 0, dims, RowMajor(dims)};
}

View Views::Of(ValueId id) const {
  // From the value back to what is no view, then forward again.
  std::vector<ValueId> path{id};
  while (true) {
    const int n = producer_[static_cast<size_t>(path.back())];
    if (n < 0) break;
    const OpLite& op = draft_.nodes[static_cast<size_t>(n)].op;
    const char* input = MovedInput(op);
    if (input == nullptr) break;
    const ValueId from = op.Input(input)[0];
    const PlanValue &value = draft_.value(from), &made = draft_.value(path.back());
    if (value.meta.dtype != made.meta.dtype || made.meta.dims.production() == 0) break;
    path.push_back(from);
  }
  View view = Itself(path.back());
  for (size_t i = path.size() - 1; i-- > 0;) {
    const int n = producer_[static_cast<size_t>(path[i])];
    if (!Step(draft_.nodes[static_cast<size_t>(n)].op, path[i], &view)) view = Itself(path[i]);
  }
  return view;
}

// The view of an operator's input becomes that of its output `id`.
bool Views::Step(const OpLite& op, ValueId id, View* view) const {
  const DDim& dims = draft_.value(id).meta.dims;
  if (op.info().is_view()) return Reshape(dims, view);
  if (op.type() == "slice") {
    Slice(op, dims, view);
  } else if (op.type() == "split" || op.type() == "unbind") {
    const int axis = Canonical(op.Attr<int32_t>("axis"), view->dims.size());
    const bool drops = op.type() == "unbind";
    for (const ValueId part : op.Output("Out")) {
      if (part == id) break;
      view->offset += view->strides[axis] * (drops ? 1 : draft_.value(part).meta.dims[axis]);
    }
    DDim strides;
    for (int i = 0; i < view->dims.size(); ++i)
      if (!drops || i != axis) strides.push_back(view->strides[i]);
    view->dims = dims;
    view->strides = strides;
  } else {
    Transpose(op.Attr<std::vector<int32_t>>("axis"), view);
  }
  return true;
}

}  // namespace paddle::lite
