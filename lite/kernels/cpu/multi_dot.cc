// Out = the product of all matrices of X, in the order of multiplications that takes the fewest.
#include <limits>
#include <vector>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/matmul.h"
#include "lite/kernels/cpu/product.h"

namespace paddle::lite {
namespace {

constexpr size_t kMaxMatrices = 256;  // the search for the order is cubic

// Rows of each matrix and the columns of the last one; vectors at the ends are a row and a column.
std::vector<int64_t> Sizes(const std::vector<DDim>& x) {
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < x.size(); ++i) {
    const bool is_first = i == 0, is_last = i + 1 == x.size();
    const bool vector = x[i].size() == 1 && (is_first || is_last);
    if (x[i].size() != 2 && !vector)
      throw ShapeError(StrCat("input X[", i, "] has shape ", x[i],
                              ", expected rank 2 (or 1 for the first and the last)"));
    const int64_t rows = vector && is_first ? 1 : x[i][0];
    const int64_t columns = vector ? (is_first ? x[i][0] : 1) : x[i][1];
    if (is_first) sizes.push_back(rows);
    if (rows != sizes.back())
      throw ShapeError(StrCat("input X[", i, "] of shape ", x[i], " has ", rows,
                              " rows, but the matrix before it has ", sizes.back(), " columns"));
    sizes.push_back(columns);
  }
  return sizes;
}

void InferMultiDot(InferContext& c) {
  const size_t count = c.InputCount("X");
  c.Require(count >= 2 && count <= kMaxMatrices, "input X has ", count, " matrices, expected 2 to ",
            kMaxMatrices);
  RequireMatMulTypes(c, "X", "X");
  std::vector<DDim> dims;
  for (size_t i = 0; i < count; ++i) {
    dims.push_back(c.Dims("X", i));
    if (c.Input("X", i).dtype != c.Input("X").dtype)
      throw DataTypeError(StrCat("input X[", i, "] is ", Name(c.Input("X", i).dtype),
                                 ", but the first is ", Name(c.Input("X").dtype)));
  }
  const std::vector<int64_t> sizes = Sizes(dims);
  DDim out;
  if (dims.front().size() == 2) out.push_back(sizes.front());
  if (dims.back().size() == 2) out.push_back(sizes.back());
  c.SetOutput("Out", out, c.Input("X").dtype);
}

// best[i * n + j]: where the product of the matrices i...j is split.
std::vector<size_t> BestSplits(const std::vector<int64_t>& sizes) {
  const size_t n = sizes.size() - 1;
  std::vector<double> cost(n * n, 0);
  std::vector<size_t> best(n * n, 0);
  const auto size = [&](size_t i) { return static_cast<double>(sizes[i]); };
  for (size_t length = 1; length < n; ++length)
    for (size_t i = 0; i + length < n; ++i) {
      const size_t j = i + length;
      double lowest = std::numeric_limits<double>::infinity();
      for (size_t k = i; k < j; ++k) {
        const double total =
            cost[i * n + k] + cost[(k + 1) * n + j] + size(i) * size(k + 1) * size(j + 1);
        if (total >= lowest) continue;
        lowest = total;
        best[i * n + j] = k;
      }
      cost[i * n + j] = lowest;
    }
  return best;
}

template <typename T>
class Chain {
 public:
  Chain(KernelContext& c, const std::vector<int64_t>& sizes)
      : c_(c), sizes_(sizes), best_(BestSplits(sizes)) {}

  // The product of the matrices first...last, in `storage` where it had to be computed.
  const T* Compute(size_t first, size_t last, Tensor* storage) const {
    if (first == last) return c_.Input("X", first).data<T>();
    const size_t split = best_[first * (sizes_.size() - 1) + last];
    Tensor left, right;
    const T* x = Compute(first, split, &left);
    const T* y = Compute(split + 1, last, &right);
    Product p;
    p.m = sizes_[first], p.k = sizes_[split + 1], p.n = sizes_[last + 1];
    T* out = last - first + 2 == sizes_.size() ? c_.Output("Out").mutable_data<T>()
                                               : Memory(storage, DDim{p.m, p.n});
    Multiply(c_.threads(), p, x, y, out);
    return out;
  }

 private:
  static T* Memory(Tensor* storage, const DDim& dims) {
    storage->Resize(dims);
    return storage->mutable_data<T>();
  }

  KernelContext& c_;
  const std::vector<int64_t>& sizes_;
  std::vector<size_t> best_;
};

void RunMultiDot(KernelContext& c) {
  std::vector<DDim> dims;
  for (size_t i = 0; i < c.InputCount("X"); ++i) dims.push_back(c.Input("X", i).dims());
  const std::vector<int64_t> sizes = Sizes(dims);
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) {
    Chain<decltype(zero)>(c, sizes).Compute(0, dims.size() - 1, nullptr);
  });
}

REGISTER_LITE_OP(multi_dot).Inputs("X").Output("Out").InferShape(InferMultiDot);
REGISTER_LITE_FUNCTION(multi_dot, kHost, kAny, kNCHW, RunMultiDot, def);

}  // namespace
}  // namespace paddle::lite
