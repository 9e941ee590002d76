// Non-maximum suppression: the parts that the detection operators share.
#pragma once

#include <cstdint>
#include <vector>

namespace paddle::lite {

// What is suppressed when: a box stays while its overlap with every kept one is at most the
// threshold, which shrinks by `eta` (below 1) after each kept box while it is above 0.5.
struct NmsRule {
  float threshold = 0.3f;
  float eta = 1.0f;
  bool normalized = true;  // else a box of equal corners is one pixel wide
  int64_t most = -1;       // so many stay at most; -1: any number
};

struct ScoredBox {
  float score;
  int64_t index;
};

// The boxes with scores[i * stride] above `threshold`, best first, equal scores in their order, at
// most `top_k` (negative: all). NaN is above nothing.
std::vector<ScoredBox> SelectCandidates(const float* scores, int64_t count, int64_t stride,
                                        float threshold, int64_t top_k);

// Boxes of two corners, coordinate by coordinate: compilers make vectors of what is asked of many.
class CornerBoxes {
 public:
  explicit CornerBoxes(bool normalized) : pixel_(normalized ? 0.0f : 1.0f) {}

  void Add(const float* box);
  int64_t size() const { return static_cast<int64_t>(areas_.size()); }
  // BoxOverlap of `box` and boxes [begin, end).
  void OverlapsWith(const float* box, int64_t begin, int64_t end, float* overlaps) const;

 private:
  float pixel_;
  std::vector<float> x1_, y1_, x2_, y2_, areas_;
};

// The overlap of two boxes over their union. `box_size` 4: corners x1, y1, x2, y2; else the corner
// points of a polygon.
float BoxOverlap(const float* a, const float* b, int64_t box_size, bool normalized);

// The candidates that stay, in their order. Box i starts at boxes + i * stride.
std::vector<ScoredBox> Suppress(const std::vector<ScoredBox>& candidates, const float* boxes,
                                int64_t stride, int64_t box_size, const NmsRule& rule);

}  // namespace paddle::lite
