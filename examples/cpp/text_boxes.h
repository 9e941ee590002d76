// Boxes around lines of text, from the map that PP-OCR's detector gives: the probability of each
// pixel to belong to the core of a line (Differentiable Binarization, arXiv:1911.08947).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

struct Point {
  float x, y;
};

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(Point a, float f) { return {a.x * f, a.y * f}; }
inline float Dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline float Cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
inline float Length(Point a) { return std::sqrt(Dot(a, a)); }

// Corners clockwise from the top left.
using TextBox = std::array<Point, 4>;

inline float WidthOf(const TextBox& box) { return Length(box[1] - box[0]); }
inline float HeightOf(const TextBox& box) { return Length(box[3] - box[0]); }

// The corners of the convex hull, in order.
inline std::vector<Point> Hull(std::vector<Point> points) {
  std::sort(points.begin(), points.end(),
            [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Point> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const size_t base = hull.size();
    for (const Point& point : points) {
      while (hull.size() > base + 1 &&
             Cross(hull.back() - hull[hull.size() - 2], point - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(point);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

inline TextBox Clockwise(TextBox box) {
  std::sort(box.begin(), box.end(), [](Point a, Point b) { return a.x < b.x; });
  if (box[0].y > box[1].y) std::swap(box[0], box[1]);
  if (box[2].y > box[3].y) std::swap(box[2], box[3]);
  return {{box[0], box[2], box[3], box[1]}};
}

// The rectangle of least area around the points: one side lies on a side of their hull.
inline TextBox SmallestRectangle(const std::vector<Point>& points) {
  const std::vector<Point> hull = Hull(points);
  TextBox best = {};
  float least = -1;
  for (size_t i = 0; i < hull.size(); ++i) {
    const Point side = hull[(i + 1) % hull.size()] - hull[i];
    const Point u = side * (1 / Length(side)), v = {-u.y, u.x};
    float u0 = Dot(hull[0], u), u1 = u0, v0 = Dot(hull[0], v), v1 = v0;
    for (const Point& point : hull) {
      u0 = std::min(u0, Dot(point, u)), u1 = std::max(u1, Dot(point, u));
      v0 = std::min(v0, Dot(point, v)), v1 = std::max(v1, Dot(point, v));
    }
    if (least >= 0 && (u1 - u0) * (v1 - v0) >= least) continue;
    least = (u1 - u0) * (v1 - v0);
    best = {{u * u0 + v * v0, u * u1 + v * v0, u * u1 + v * v1, u * u0 + v * v1}};
  }
  return Clockwise(best);
}

// Every side moved outwards.
inline TextBox Grow(const TextBox& box, float distance) {
  const Point right = (box[1] - box[0]) * (distance / WidthOf(box));
  const Point down = (box[3] - box[0]) * (distance / HeightOf(box));
  return {
      {box[0] - right - down, box[1] + right - down, box[2] + right + down, box[3] - right + down}};
}

class TextMap {
 public:
  TextMap(const float* probability, int width, int height)
      : probability_(probability),
        width_(width),
        height_(height),
        seen_(static_cast<size_t>(width) * height) {}

  // Boxes in pixels of the map, each row from left to right, from top to bottom.
  std::vector<TextBox> Boxes() {
    std::vector<TextBox> boxes;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        if (IsNewText(x, y)) AddBox(SmallestRectangle(Outline(x, y)), &boxes);
    return ReadingOrder(boxes);
  }

 private:
  static constexpr float kPixel = 0.3f, kBox = 0.5f, kSmallest = 3, kUnclip = 1.8f;

  size_t At(int x, int y) const { return static_cast<size_t>(y) * width_ + x; }
  bool IsNewText(int x, int y) const {
    return x >= 0 && y >= 0 && x < width_ && y < height_ && !seen_[At(x, y)] &&
           probability_[At(x, y)] > kPixel;
  }

  // The corners of the pixels of the component that (x, y) belongs to.
  std::vector<Point> Outline(int x, int y) {
    std::vector<Point> corners;
    std::vector<std::array<int, 2>> open = {{{x, y}}};
    seen_[At(x, y)] = true;
    while (!open.empty()) {
      const std::array<int, 2> at = open.back();
      open.pop_back();
      for (int dy = 0; dy < 2; ++dy)
        for (int dx = 0; dx < 2; ++dx)
          corners.push_back({static_cast<float>(at[0] + dx), static_cast<float>(at[1] + dy)});
      for (int dy = -1; dy < 2; ++dy)
        for (int dx = -1; dx < 2; ++dx)
          if (IsNewText(at[0] + dx, at[1] + dy)) {
            seen_[At(at[0] + dx, at[1] + dy)] = true;
            open.push_back({{at[0] + dx, at[1] + dy}});
          }
    }
    return corners;
  }

  void AddBox(const TextBox& core, std::vector<TextBox>* boxes) const {
    const float width = WidthOf(core), height = HeightOf(core);
    if (std::min(width, height) < kSmallest || MeanInside(core) < kBox) return;
    boxes->push_back(Grow(core, width * height * kUnclip / (2 * (width + height))));
  }

  float MeanInside(const TextBox& box) const {
    const Point right = box[1] - box[0], down = box[3] - box[0];
    float sum = 0;
    int count = 0;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const Point from =
            Point{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f} - box[0];
        const float u = Dot(from, right), v = Dot(from, down);
        if (u < 0 || v < 0 || u > Dot(right, right) || v > Dot(down, down)) continue;
        sum += probability_[At(x, y)];
        ++count;
      }
    return count > 0 ? sum / static_cast<float>(count) : 0;
  }

  static float Middle(const TextBox& box) { return (box[0].y + box[2].y) / 2; }

  static std::vector<TextBox> ReadingOrder(std::vector<TextBox> boxes) {
    std::sort(boxes.begin(), boxes.end(),
              [](const TextBox& a, const TextBox& b) { return Middle(a) < Middle(b); });
    for (size_t begin = 0, end = 0; begin < boxes.size(); begin = end) {
      while (end < boxes.size() && Middle(boxes[end]) - Middle(boxes[begin]) <
                                       std::min(HeightOf(boxes[end]), HeightOf(boxes[begin])) / 2)
        ++end;
      end = std::max(end, begin + 1);
      std::sort(boxes.begin() + static_cast<std::ptrdiff_t>(begin),
                boxes.begin() + static_cast<std::ptrdiff_t>(end),
                [](const TextBox& a, const TextBox& b) { return a[0].x < b[0].x; });
    }
    return boxes;
  }

  const float* probability_;
  const int width_, height_;
  std::vector<bool> seen_;
};
