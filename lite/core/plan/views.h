// Where the elements of a value lie in the memory of another.
#pragma once

#include <vector>

#include "lite/core/plan/draft.h"

namespace paddle::lite {

// Element (i, j, ...) of a value is element offset + i * strides[0] + ... of `root`, row-major.
struct View {
  ValueId root = -1;
  int64_t offset = 0;
  DDim dims, strides;
};

// The slot, its first, whose tensor an operator gives another shape or order, or a part of it; null
// for others.
const char* MovedInput(const OpLite& op);

// Finds views through reshapes, transposes, slices and splits.
class Views {
 public:
  explicit Views(const PlanDraft& draft);
  // The value as a view of what it was made of.
  View Of(ValueId id) const;
  // The value as a view of itself.
  View Itself(ValueId id) const;

 private:
  bool Step(const OpLite& op, ValueId id, View* view) const;

  const PlanDraft& draft_;
  std::vector<int> producer_;
};

}  // namespace paddle::lite
