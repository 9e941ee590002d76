// DDim: a shape, held in place (no allocation), at most Paddle's nine dimensions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "lite/core/base/errors.h"

namespace paddle::lite {

class DDim {
 public:
  static constexpr int kMaxRank = 9;

  DDim() = default;
  DDim(std::initializer_list<int64_t> dims) : DDim(dims.begin(), dims.size()) {}
  explicit DDim(const std::vector<int64_t>& dims) : DDim(dims.data(), dims.size()) {}
  DDim(const int64_t* dims, size_t rank) {
    for (size_t i = 0; i < rank; ++i) push_back(dims[i]);
  }

  int size() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  int64_t operator[](int i) const { return dims_[static_cast<size_t>(i)]; }
  int64_t& operator[](int i) { return dims_[static_cast<size_t>(i)]; }
  const int64_t* begin() const { return dims_.data(); }
  const int64_t* end() const { return dims_.data() + rank_; }
  int64_t back() const { return dims_[static_cast<size_t>(rank_ - 1)]; }
  void push_back(int64_t dim) {
    if (rank_ == kMaxRank) throw ShapeError("a tensor has more than 9 dimensions");
    dims_[static_cast<size_t>(rank_++)] = dim;
  }
  void pop_back() { --rank_; }
  std::vector<int64_t> Vectorize() const { return {begin(), end()}; }

  // The number of elements: 1 for rank 0. Throws ShapeError for negative dims or overflow.
  int64_t production() const { return Count(0, rank_); }
  // The product of the dims in [first, last).
  int64_t Count(int first, int last) const;
  std::string str() const;

  bool operator==(const DDim& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }
  bool operator!=(const DDim& other) const { return !(*this == other); }

 private:
  std::array<int64_t, kMaxRank> dims_{};
  int rank_ = 0;
};

inline std::ostream& operator<<(std::ostream& out, const DDim& dims) { return out << dims.str(); }

}  // namespace paddle::lite
