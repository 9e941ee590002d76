#include "lite/kernels/cpu/nms.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace paddle::lite {
namespace {

float CornerArea(const float* box, float pixel) {
  if (box[2] < box[0] || box[3] < box[1]) return 0.0f;
  return (box[2] - box[0] + pixel) * (box[3] - box[1] + pixel);
}

float CornerOverlap(const float* a, const float* b, float pixel) {
  if (b[0] > a[2] || b[2] < a[0] || b[1] > a[3] || b[3] < a[1]) return 0.0f;
  const float width = std::min(a[2], b[2]) - std::max(a[0], b[0]) + pixel;
  const float height = std::min(a[3], b[3]) - std::max(a[1], b[1]) + pixel;
  const float common = width * height;
  return common / (CornerArea(a, pixel) + CornerArea(b, pixel) - common);
}

struct Point {
  double x, y;
};

double Cross(const Point& o, const Point& a, const Point& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// Twice the signed area.
double SignedArea(const std::vector<Point>& polygon) {
  double area = 0;
  for (size_t i = 1; i + 1 < polygon.size(); ++i)
    area += Cross(polygon[0], polygon[i], polygon[i + 1]);
  return area;
}

// The part of a convex polygon that lies left of the line from a to b.
std::vector<Point> ClipLeft(const std::vector<Point>& polygon, const Point& a, const Point& b) {
  std::vector<Point> kept;
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
  std::vector<Point> common(a.begin(), a.end());
  for (size_t i = 0; i < 3 && !common.empty(); ++i) common = ClipLeft(common, b[i], b[(i + 1) % 3]);
  return sign * SignedArea(common);
}

std::vector<Point> ReadPolygon(const float* box, int64_t box_size) {
  std::vector<Point> points;
  for (int64_t i = 0; i + 1 < box_size; i += 2) points.push_back({box[i], box[i + 1]});
  return points;
}

// Simple polygons are signed sums of the triangles that fan out from their first point.
float PolygonOverlap(const float* a, const float* b, int64_t box_size) {
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

float BoxOverlap(const float* a, const float* b, int64_t box_size, bool normalized) {
  return box_size == 4 ? CornerOverlap(a, b, normalized ? 0.0f : 1.0f)
                       : PolygonOverlap(a, b, box_size);
}

std::vector<ScoredBox> Suppress(const std::vector<ScoredBox>& candidates, const float* boxes,
                                int64_t stride, int64_t box_size, const NmsRule& rule) {
  std::vector<ScoredBox> kept;
  float threshold = rule.threshold;
  for (const ScoredBox& candidate : candidates) {
    const float* box = boxes + candidate.index * stride;
    const bool keep = std::all_of(kept.begin(), kept.end(), [&](const ScoredBox& other) {
      return BoxOverlap(box, boxes + other.index * stride, box_size, rule.normalized) <= threshold;
    });
    if (!keep) continue;
    kept.push_back(candidate);
    if (rule.eta < 1 && threshold > 0.5f) threshold *= rule.eta;
  }
  return kept;
}

}  // namespace paddle::lite
