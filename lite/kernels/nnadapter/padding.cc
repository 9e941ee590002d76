#include "lite/kernels/nnadapter/padding.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "lite/core/base/errors.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

// The elements at indices that both tensors have.
void CopyCorner(const Tensor& from, Tensor* to) {
  const DDim &a = from.dims(), &b = to->dims();
  const size_t element = SizeOf(from.dtype());
  const int last = a.size() - 1;
  if (from.numel() == 0 || to->numel() == 0) return;
  const size_t bytes = element * static_cast<size_t>(last < 0 ? 1 : std::min(a[last], b[last]));
  DDim index = a;
  std::fill_n(&index[0], std::max(last, 0), 0);
  while (true) {
    int64_t p = 0, q = 0;
    for (int axis = 0; axis < last; ++axis) {
      p = (p + index[axis]) * a[axis + 1];
      q = (q + index[axis]) * b[axis + 1];
    }
    std::memcpy(static_cast<char*>(to->raw_data()) + static_cast<size_t>(q) * element,
                static_cast<const char*>(from.raw_data()) + static_cast<size_t>(p) * element,
                bytes);
    int axis = last - 1;
    while (axis >= 0 && ++index[axis] == std::min(a[axis], b[axis])) index[axis--] = 0;
    if (axis < 0) return;
  }
}

int64_t Elements(const std::vector<DDim>& shapes) {
  int64_t sum = 0;
  for (const DDim& dims : shapes) sum += dims.production();
  return sum;
}

}  // namespace

bool Padding::IsPadded(size_t input, int axis) const {
  const auto axes = settings_.padded_axes.find((*source_.input_names)[input]);
  return axes != settings_.padded_axes.end() &&
         std::count(axes->second.begin(), axes->second.end(), axis) > 0;
}

bool Padding::Holds(const Shapes& larger, const Shapes& given) const {
  for (size_t i = 0; i < given.size(); ++i) {
    if (larger[i].size() != given[i].size()) return false;
    for (int axis = 0; axis < given[i].size(); ++axis) {
      const int64_t more = larger[i][axis] - given[i][axis];
      if (more < 0 || (more > 0 && !IsPadded((*source_.data_inputs)[i], axis))) return false;
    }
  }
  return true;
}

std::optional<Padding::Shapes> Padding::SmallestThatHolds(const Shapes& given) const {
  size_t count = 0;
  for (const auto& [name, shapes] : settings_.dynamic_shape_info)
    count = std::max(count, shapes.size());
  std::optional<Shapes> best;
  for (size_t k = 0; k < count; ++k) {
    Shapes declared = given;
    for (size_t i = 0; i < given.size(); ++i) {
      const auto found =
          settings_.dynamic_shape_info.find((*source_.input_names)[(*source_.data_inputs)[i]]);
      if (found == settings_.dynamic_shape_info.end() || found->second.empty()) continue;
      const std::vector<int64_t>& shape = found->second[std::min(k, found->second.size() - 1)];
      declared[i] = shape.size() > DDim::kMaxRank ? DDim() : DDim(shape);
    }
    if (Holds(declared, given) && (!best || Elements(declared) < Elements(*best))) best = declared;
  }
  return best;
}

std::optional<Padding::Shapes> Padding::OutputsOf(const std::vector<const Tensor*>& inputs,
                                                  const Shapes& shapes) const {
  const BlockShapes inferred = ShapesIn(source_, inputs, &shapes);
  Shapes outputs;
  for (const size_t i : *source_.data_outputs) {
    const TensorMeta* meta = inferred.Find((*source_.output_names)[i]);
    if (meta == nullptr) return std::nullopt;
    outputs.push_back(meta->dims);
  }
  return outputs;
}

bool Padding::CanBeCut(const std::vector<const Tensor*>& inputs, const Shapes& given,
                       const Shapes& larger, const Shapes& cut, const Shapes& padded) const {
  for (size_t o = 0; o < cut.size(); ++o) {
    if (cut[o].size() != padded[o].size()) return false;
    for (int k = 0; k < cut[o].size(); ++k)
      if (cut[o][k] > padded[o][k]) return false;
  }
  // Axes of several inputs that are one axis of the model: of one number, and padded alike.
  std::map<std::array<int64_t, 3>, std::vector<size_t>> axes;
  for (size_t i = 0; i < given.size(); ++i)
    for (int axis = 0; axis < given[i].size(); ++axis)
      axes[{axis, given[i][axis], larger[i][axis]}].push_back(i);
  std::vector<DDim> changes = cut;  // how many axes of the inputs change an axis of an output
  for (DDim& dims : changes) std::fill_n(&dims[0], dims.size(), 0);
  for (const auto& [key, owners] : axes) {
    const auto [axis, now, then] = key;
    Shapes other = given;
    for (const size_t i : owners) other[i][static_cast<int>(axis)] = then > now ? then : 2 * now;
    const std::optional<Shapes> outputs = OutputsOf(inputs, other);
    if (!outputs && then > now) return false;
    if (!outputs) continue;  // the model fixes this axis
    for (size_t o = 0; o < cut.size(); ++o) {
      if ((*outputs)[o].size() != cut[o].size()) return false;
      for (int k = 0; k < cut[o].size(); ++k) {
        changes[o][k] += (*outputs)[o][k] != cut[o][k];
        if (cut[o][k] != padded[o][k] && changes[o][k] > 1) return false;
      }
    }
  }
  return true;
}

const PaddedShapes* Padding::Find(const std::vector<const Tensor*>& inputs) {
  if (settings_.padded_axes.empty() || settings_.dynamic_shape_info.empty()) return nullptr;
  Shapes given;
  std::vector<int64_t> key;
  for (const size_t i : *source_.data_inputs) {
    if (!inputs[i]->lod().empty()) return nullptr;
    given.push_back(inputs[i]->dims());
    key.push_back(given.back().size());
    key.insert(key.end(), given.back().begin(), given.back().end());
  }
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second ? &*known->second : nullptr;
  if (known_.size() == kMaxKnown) known_.clear();
  std::optional<PaddedShapes>& made = known_[key];
  const std::optional<Shapes> larger = SmallestThatHolds(given);
  if (!larger || *larger == given) return nullptr;
  const std::optional<Shapes> cut = OutputsOf(inputs, given), padded = OutputsOf(inputs, *larger);
  if (!cut || !padded || !CanBeCut(inputs, given, *larger, *cut, *padded)) return nullptr;
  const double share =
      static_cast<double>(Elements(given)) / static_cast<double>(Elements(*larger));
  made = PaddedShapes{*larger, *cut, 1 - share};
  return &*made;
}

void Padding::RunIn(const PaddedShapes& shapes, const std::vector<const Tensor*>& inputs,
                    const std::vector<Tensor*>& outputs, const Run& run) {
  inputs_.resize(shapes.larger.size());
  outputs_.resize(shapes.cut.size());
  std::vector<const Tensor*> padded = inputs;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const size_t at = (*source_.data_inputs)[i];
    inputs_[i].Allocate(shapes.larger[i], inputs[at]->dtype());
    if (const size_t bytes = inputs_[i].memory_size()) std::memset(inputs_[i].raw_data(), 0, bytes);
    CopyCorner(*inputs[at], &inputs_[i]);
    padded[at] = &inputs_[i];
  }
  std::vector<Tensor*> results = outputs;
  for (size_t i = 0; i < outputs_.size(); ++i) results[(*source_.data_outputs)[i]] = &outputs_[i];
  run(padded, results);
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const size_t at = (*source_.data_outputs)[i];
    const Tensor& result = outputs_[i];
    const DDim& cut = shapes.cut[i];
    bool fits = cut.size() == result.dims().size();
    for (int axis = 0; fits && axis < cut.size(); ++axis) fits = cut[axis] <= result.dims()[axis];
    if (!fits)
      throw DeviceError(StrCat("output '", (*source_.output_names)[at], "' has shape ",
                               result.dims().str(), " where at least ", cut.str(),
                               " was to be cut from it"));
    outputs[at]->Allocate(cut, result.dtype());
    CopyCorner(result, outputs[at]);
  }
}

}  // namespace paddle::lite::nnadapter_bridge
