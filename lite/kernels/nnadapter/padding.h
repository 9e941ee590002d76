// Padding: inputs with zeros at their ends, as large as a shape that is compiled for, and outputs
// cut to what the inputs give.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "lite/core/tensor.h"
#include "lite/kernels/nnadapter/compiled_block.h"
#include "lite/kernels/nnadapter/device_settings.h"

namespace paddle::lite::nnadapter_bridge {

// Inputs of some shapes in a larger one.
struct PaddedShapes {
  std::vector<DDim> larger;  // of the data inputs
  std::vector<DDim> cut;     // of the data outputs, without the padding
  double waste = 0;          // the share of the inputs' elements that are padding
};

class Padding {
 public:
  using Run = std::function<void(const std::vector<const Tensor*>&, const std::vector<Tensor*>&)>;

  // Both must outlive this.
  Padding(const DeviceSettings& settings, const BlockSource& source)
      : settings_(settings), source_(source) {}

  // Null where the inputs are run as they are: they have a declared shape, or none that is larger
  // along the padded axes alone; or what to cut does not follow from the shapes.
  const PaddedShapes* Find(const std::vector<const Tensor*>& inputs);
  // Runs padded inputs and cuts the outputs. Throws DeviceError for outputs of other shapes.
  void RunIn(const PaddedShapes& shapes, const std::vector<const Tensor*>& inputs,
             const std::vector<Tensor*>& outputs, const Run& run);

 private:
  using Shapes = std::vector<DDim>;  // of the data inputs, or outputs

  std::optional<Shapes> SmallestThatHolds(const Shapes& given) const;
  bool Holds(const Shapes& larger, const Shapes& given) const;
  bool IsPadded(size_t input, int axis) const;
  // The outputs' shapes; nothing where they do not follow.
  std::optional<Shapes> OutputsOf(const std::vector<const Tensor*>& inputs,
                                  const Shapes& shapes) const;
  // Whether each axis of the outputs that padding changes depends on one axis of the inputs: one
  // that others were merged into is not cut by its end.
  bool CanBeCut(const std::vector<const Tensor*>& inputs, const Shapes& given, const Shapes& larger,
                const Shapes& cut, const Shapes& padded) const;

  static constexpr size_t kMaxKnown = 64;
  const DeviceSettings& settings_;
  const BlockSource& source_;
  std::map<std::vector<int64_t>, std::optional<PaddedShapes>> known_;  // by all dimensions
  std::vector<Tensor> inputs_,
      outputs_;  // of a padded run: the data ones, in memory for all shapes
};

}  // namespace paddle::lite::nnadapter_bridge
