#include "lite/kernels/cpu/detection/nms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

float CornerArea(const float* box, float pixel) {
  if (box[2] < box[0] || box[3] < box[1]) return 0.0f;
  return (box[2] - box[0] + pixel) * (box[3] - box[1] + pixel);
}

// Of a box with one of these corners and this area. No branches.
float CornerOverlap(const float* a, float area, float x1, float y1, float x2, float y2,
                    float other_area, float pixel) {
  const bool apart = (x1 > a[2]) | (x2 < a[0]) | (y1 > a[3]) | (y2 < a[1]);
  const float width = std::min(a[2], x2) - std::max(a[0], x1) + pixel;
  const float height = std::min(a[3], y2) - std::max(a[1], y1) + pixel;
  const float common = width * height;
  const float overlap = common / (area + other_area - common);
  return apart ? 0.0f : overlap;
}

// Whether a box overlaps with at most `threshold` with each of those.
bool Stays(const float* box, const CornerBoxes& kept, float threshold) {
  constexpr int64_t kTogether = 64;
  float overlaps[kTogether];
  for (int64_t begin = 0; begin < kept.size(); begin += kTogether) {
    const int64_t end = std::min(begin + kTogether, kept.size());
    kept.OverlapsWith(box, begin, end, overlaps);
    int exceeding = 0;
    for (int64_t i = 0; i < end - begin; ++i) exceeding += !(overlaps[i] <= threshold);
    if (exceeding > 0) return false;
  }
  return true;
}

struct Point {
  double x, y;
};

double Cross(const Point& o, const Point& a, const Point& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// Twice the signed area.
template <typename Points>
double SignedArea(const Points& polygon) {
  double area = 0;
  for (size_t i = 1; i + 1 < polygon.size(); ++i)
    area += Cross(polygon[0], polygon[i], polygon[i + 1]);
  return area;
}

// A triangle, or what three lines leave of one: each leaves at most twice as many points.
class Clipped {
 public:
  void push_back(const Point& point) { points_[size_++] = point; }
  size_t size() const { return size_; }
  const Point& operator[](size_t i) const { return points_[i]; }

 private:
  Point points_[24];
  size_t size_ = 0;
};

// The part of a convex polygon that lies left of the line from a to b.
Clipped ClipLeft(const Clipped& polygon, const Point& a, const Point& b) {
  Clipped kept;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Point& p = polygon[i];
    const Point& q = polygon[(i + 1) % polygon.size()];
    const double at_p = Cross(a, b, p), at_q = Cross(a, b, q);
    if (at_p >= 0) kept.push_back(p);
    if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0)) {
      const double t = at_p / (at_p - at_q);
      kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    }
  }
  return kept;
}

using Corners = std::array<Point, 3>;

// Twice the common area of two triangles, negative where their orientations differ.
double TriangleOverlap(Corners a, Corners b) {
  double sign = 1;
  for (Corners* t : {&a, &b}) {
    if (Cross((*t)[0], (*t)[1], (*t)[2]) >= 0) continue;
    std::swap((*t)[1], (*t)[2]);
    sign = -sign;
  }
  Clipped common;
  for (const Point& point : a) common.push_back(point);
  for (size_t i = 0; i < 3 && common.size() > 0; ++i)
    common = ClipLeft(common, b[i], b[(i + 1) % 3]);
  return sign * SignedArea(common);
}

std::vector<Point> ReadPolygon(const float* box, int64_t box_size) {
  std::vector<Point> points;
  for (int64_t i = 0; i + 1 < box_size; i += 2) points.push_back({box[i], box[i + 1]});
  return points;
}

// Whether an axis has all of one polygon before all of the other.
bool Apart(const float* a, const float* b, int64_t box_size) {
  for (int64_t axis = 0; axis < 2; ++axis) {
    float low_a = a[axis], high_a = low_a, low_b = b[axis], high_b = low_b;
    for (int64_t i = axis; i < box_size; i += 2) {
      low_a = std::min(low_a, a[i]), high_a = std::max(high_a, a[i]);
      low_b = std::min(low_b, b[i]), high_b = std::max(high_b, b[i]);
    }
    if (high_a < low_b || high_b < low_a) return true;
  }
  return false;
}

// Simple polygons are signed sums of the triangles that fan out from their first point.
float PolygonOverlap(const float* a, const float* b, int64_t box_size) {
  if (Apart(a, b, box_size)) return 0.0f;
  const std::vector<Point> p = ReadPolygon(a, box_size), q = ReadPolygon(b, box_size);
  const double area_p = std::fabs(SignedArea(p)), area_q = std::fabs(SignedArea(q));
  double common = 0;
  for (size_t i = 1; i + 1 < p.size(); ++i)
    for (size_t j = 1; j + 1 < q.size(); ++j)
      common += TriangleOverlap({p[0], p[i], p[i + 1]}, {q[0], q[j], q[j + 1]});
  common = std::fabs(common);
  if (area_p == 0 || area_q == 0 || common == 0) return 0.0f;
  return static_cast<float>(common / (area_p + area_q - common));
}

}  // namespace

std::vector<ScoredBox> SelectCandidates(const float* scores, int64_t count, int64_t stride,
                                        float threshold, int64_t top_k) {
  std::vector<ScoredBox> candidates;
  for (int64_t i = 0; i < count; ++i)
    if (scores[i * stride] > threshold) candidates.push_back({scores[i * stride], i});
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const ScoredBox& a, const ScoredBox& b) { return a.score > b.score; });
  if (top_k >= 0 && top_k < static_cast<int64_t>(candidates.size()))
    candidates.resize(static_cast<size_t>(top_k));
  return candidates;
}

void CornerBoxes::Add(const float* box) {
  x1_.push_back(box[0]);
  y1_.push_back(box[1]);
  x2_.push_back(box[2]);
  y2_.push_back(box[3]);
  areas_.push_back(CornerArea(box, pixel_));
}

void CornerBoxes::OverlapsWith(const float* box, int64_t begin, int64_t end,
                               float* overlaps) const {
  const float area = CornerArea(box, pixel_);
  const float *x1 = x1_.data() + begin, *y1 = y1_.data() + begin, *x2 = x2_.data() + begin;
  const float *y2 = y2_.data() + begin, *areas = areas_.data() + begin;
  float* __restrict to = overlaps;
  for (int64_t i = 0; i < end - begin; ++i)
    to[i] = CornerOverlap(box, area, x1[i], y1[i], x2[i], y2[i], areas[i], pixel_);
}

float BoxOverlap(const float* a, const float* b, int64_t box_size, bool normalized) {
  if (box_size != 4) return PolygonOverlap(a, b, box_size);
  const float pixel = normalized ? 0.0f : 1.0f;
  return CornerOverlap(a, CornerArea(a, pixel), b[0], b[1], b[2], b[3], CornerArea(b, pixel),
                       pixel);
}

std::vector<ScoredBox> Suppress(const std::vector<ScoredBox>& candidates, const float* boxes,
                                int64_t stride, int64_t box_size, const NmsRule& rule) {
  std::vector<ScoredBox> kept;
  CornerBoxes corners(rule.normalized);
  float threshold = rule.threshold;
  for (const ScoredBox& candidate : candidates) {
    if (static_cast<int64_t>(kept.size()) == rule.most) break;
    const float* box = boxes + candidate.index * stride;
    const bool keep =
        box_size == 4
            ? Stays(box, corners, threshold)
            : std::all_of(kept.begin(), kept.end(), [&](const ScoredBox& other) {
                return PolygonOverlap(box, boxes + other.index * stride, box_size) <= threshold;
              });
    if (!keep) continue;
    kept.push_back(candidate);
    if (box_size == 4) corners.Add(box);
    if (rule.eta < 1 && threshold > 0.5f) threshold *= rule.eta;
  }
  return kept;
}

namespace {

// nms: which boxes, sorted by score, stay. The detection operators' own rules are in nms.h.
void InferNmsOfBoxes(InferContext& c) {
  const TensorMeta& boxes = c.Input("Boxes");
  c.Require(boxes.dims.size() == 2 && boxes.dims[1] == 4, "input Boxes has shape ", boxes.dims,
            ", expected [boxes, 4]");
  if (boxes.dtype != DataType::kFP32 && boxes.dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("input Boxes is ", Name(boxes.dtype), ", expected float32 or float64"));
}

// The common area over the union. Corners may be in any order: areas keep their sign, as in Paddle.
template <typename T>
bool Overlaps(const T* a, const T* b, float threshold) {
  const T width = std::max(std::min(a[2], b[2]) - std::max(a[0], b[0]), T{0});
  const T height = std::max(std::min(a[3], b[3]) - std::max(a[1], b[1]), T{0});
  const T common = width * height;
  const T both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]);
  return common / (both - common) > static_cast<T>(threshold);
}

template <typename T>
void SelectBoxes(KernelContext& c) {
  const Tensor& boxes = c.Input("Boxes");
  const T* box = boxes.data<T>();
  const float threshold = c.Attr<float>("iou_threshold");
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < boxes.dims()[0]; ++i)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](int64_t k) { return Overlaps(box + k * 4, box + i * 4, threshold); }))
      kept.push_back(i);
  Tensor& out = c.Output("KeepBoxesIdxs");
  out.Allocate({static_cast<int64_t>(kept.size())}, DataType::kInt64);
  std::copy(kept.begin(), kept.end(), out.mutable_data<int64_t>());
}

void RunNmsOfBoxes(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("Boxes").dtype(),
                          [&](auto type) { SelectBoxes<decltype(type)>(c); });
}

REGISTER_LITE_OP(nms)
    .Input("Boxes")
    .Output("KeepBoxesIdxs")
    .Attr<float>("iou_threshold", 1.0f)
    .InferShape(InferNmsOfBoxes)
    .DataDependent();
REGISTER_LITE_FUNCTION(nms, kHost, kAny, kNCHW, RunNmsOfBoxes, def);

// A row for each column, no row twice: the pair of the greatest distance first. With match_type
// per_prediction columns that are left take their greatest distance from dist_threshold on. The
// rows are those of X's sequences, or of one.
void InferBipartiteMatch(InferContext& c) {
  RequireFloating(c, "DistMat");
  const TensorMeta& x = c.Input("DistMat");
  c.Require(x.dims.size() == 2, "input DistMat has shape ", x.dims, ", expected [rows, columns]");
  const auto& type = c.Attr<std::string>("match_type");
  if (type != "bipartite" && type != "per_prediction")
    throw LiteError(
        StrCat("attribute match_type is \"", type, "\", expected bipartite or per_prediction"));
  const int64_t count = x.lod.empty() ? 1 : SequenceCount(OnlyOffsets(x, "DistMat"));
  c.SetOutput("ColToRowMatchIndices", DDim{count, x.dims[1]}, DataType::kInt32);
  c.SetOutput("ColToRowMatchDist", DDim{count, x.dims[1]}, x.dtype);
}

constexpr double kLeast = 1e-6;  // nothing matches below

template <typename T>
void Match(const T* dist, int64_t rows, int64_t cols, int32_t* indices, T* matched) {
  std::vector<int64_t> pairs(static_cast<size_t>(rows * cols));
  std::iota(pairs.begin(), pairs.end(), int64_t{0});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](int64_t a, int64_t b) { return dist[a] > dist[b]; });
  std::vector<bool> taken(static_cast<size_t>(rows), false);
  for (const int64_t pair : pairs) {
    const int64_t row = pair / cols, col = pair % cols;
    if (!(static_cast<double>(dist[pair]) >= kLeast)) break;
    if (taken[static_cast<size_t>(row)] || indices[col] != -1) continue;
    taken[static_cast<size_t>(row)] = true;
    indices[col] = static_cast<int32_t>(row);
    matched[col] = dist[pair];
  }
}

template <typename T>
void MatchRest(const T* dist, int64_t rows, int64_t cols, float threshold, int32_t* indices,
               T* matched) {
  for (int64_t col = 0; col < cols; ++col) {
    if (indices[col] != -1) continue;
    int64_t best = -1;
    for (int64_t row = 0; row < rows; ++row) {
      const T value = dist[row * cols + col];
      if (value < static_cast<T>(kLeast) || value < static_cast<T>(threshold)) continue;
      if (best < 0 || value > dist[best * cols + col]) best = row;
    }
    if (best < 0) continue;
    indices[col] = static_cast<int32_t>(best);
    matched[col] = dist[best * cols + col];
  }
}

template <typename T>
void RunBipartiteMatchAs(KernelContext& c) {
  const Tensor& x = c.Input("DistMat");
  const int64_t cols = x.dims()[1];
  const Offsets offsets =
      x.lod().empty() ? Offsets{0, static_cast<uint64_t>(x.dims()[0])} : x.lod()[0];
  Tensor& out = c.Output("ColToRowMatchIndices");
  int32_t* indices = out.mutable_data<int32_t>();
  T* matched = c.Output("ColToRowMatchDist").mutable_data<T>();
  std::fill(indices, indices + out.numel(), -1);
  std::fill(matched, matched + out.numel(), T{0});
  for (size_t i = 0; i + 1 < offsets.size(); ++i, indices += cols, matched += cols) {
    const T* dist = x.data<T>() + static_cast<int64_t>(offsets[i]) * cols;
    const auto rows = static_cast<int64_t>(offsets[i + 1] - offsets[i]);
    for (int64_t k = 0; k < rows * cols; ++k)
      if (dist[k] != dist[k])
        throw LiteError(StrCat("input DistMat has NaN at row ", k / cols, " of sequence ", i,
                               ", column ", k % cols, ", expected numbers"));
    Match(dist, rows, cols, indices, matched);
    if (c.Attr<std::string>("match_type") == "per_prediction")
      MatchRest(dist, rows, cols, c.Attr<float>("dist_threshold"), indices, matched);
  }
}

void RunBipartiteMatch(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("DistMat").dtype(),
                          [&](auto zero) { RunBipartiteMatchAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(bipartite_match)
    .Input("DistMat")
    .Output("ColToRowMatchIndices")
    .Output("ColToRowMatchDist")
    .Attr<std::string>("match_type", "bipartite")
    .Attr<float>("dist_threshold", 0.5f)
    .InferShape(InferBipartiteMatch);
REGISTER_LITE_FUNCTION(bipartite_match, kHost, kAny, kNCHW, RunBipartiteMatch, def);

}  // namespace
}  // namespace paddle::lite
