#include "lite/kernels/cpu/linear_algebra/decompositions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lite/kernels/cpu/normalisation/normalize.h"

namespace paddle::lite {
namespace {

constexpr int kSweeps = 60;  // Jacobi's methods need about ten
constexpr double kTiny = 1e-15;

// The rotation that makes the off-diagonal element of [[p, r], [r, q]] zero.
struct Rotation {
  double cosine, sine, tangent;
};

Rotation RotationOf(double p, double q, double r) {
  const double half = (q - p) / (2 * r);
  const double t = std::copysign(1.0, half) / (std::abs(half) + std::sqrt(half * half + 1));
  const double cosine = 1 / std::sqrt(t * t + 1);
  return {cosine, t * cosine, t};
}

// Columns p and q of a matrix of `rows` x `cols`, rotated.
void RotateColumns(Matrix* a, int64_t rows, int64_t cols, int64_t p, int64_t q, const Rotation& r) {
  for (int64_t i = 0; i < rows; ++i) {
    double &x = (*a)[MatrixIndex(i, p, cols)], &y = (*a)[MatrixIndex(i, q, cols)];
    const double kept = x;
    x = r.cosine * kept - r.sine * y;
    y = r.sine * kept + r.cosine * y;
  }
}

Matrix Identity(int64_t n) {
  Matrix a(static_cast<size_t>(n * n), 0);
  for (int64_t i = 0; i < n; ++i) a[MatrixIndex(i, i, n)] = 1;
  return a;
}

Matrix Transposed(const Matrix& a, int64_t m, int64_t n) {
  Matrix t(a.size());
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) t[MatrixIndex(j, i, m)] = a[MatrixIndex(i, j, n)];
  return t;
}

// The columns of a matrix of rows x order.size(), in that order.
Matrix Reordered(const Matrix& a, int64_t rows, const std::vector<int64_t>& order) {
  const auto cols = static_cast<int64_t>(order.size());
  Matrix made(a.size());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      made[MatrixIndex(i, j, cols)] = a[MatrixIndex(i, order[static_cast<size_t>(j)], cols)];
  return made;
}

// One-sided Jacobi rotations make w's columns orthogonal: w * v^T stays. m >= n.
void Orthogonalize(Matrix* w, Matrix* v, int64_t m, int64_t n) {
  bool changed = true;
  for (int sweep = 0; sweep < kSweeps && changed; ++sweep) {
    changed = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        double pp = 0, qq = 0, pq = 0;
        for (int64_t i = 0; i < m; ++i) {
          const double x = (*w)[MatrixIndex(i, p, n)], y = (*w)[MatrixIndex(i, q, n)];
          pp += x * x, qq += y * y, pq += x * y;
        }
        if (std::abs(pq) <= kTiny * std::sqrt(pp * qq) || pq == 0) continue;
        const Rotation r = RotationOf(pp, qq, pq);
        RotateColumns(w, m, n, p, q, r);
        RotateColumns(v, n, n, p, q, r);
        changed = true;
      }
  }
}

}  // namespace

void RequireMatrices(const InferContext& c, const char* slot) {
  RequireFloating(c, slot);
  c.Require(c.Dims(slot).size() >= 2, "input ", slot, " has shape ", c.Dims(slot),
            ", expected matrices [..., m, n]");
}

void RequireFinite(const Matrix& a, int64_t index) {
  for (const double value : a)
    if (!std::isfinite(value))
      throw LiteError(StrCat("matrix ", index, " holds ", value, ", expected finite numbers"));
}

DDim BatchDims(const DDim& dims, std::initializer_list<int64_t> last) {
  DDim made(dims.begin(), static_cast<size_t>(dims.size() - 2));
  for (const int64_t dim : last) made.push_back(dim);
  return made;
}

std::vector<double> SymmetricEigen(Matrix a, int64_t n, bool upper, Matrix* vectors) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < i; ++j) {
      double &low = a[MatrixIndex(i, j, n)], &high = a[MatrixIndex(j, i, n)];
      (upper ? low : high) = upper ? high : low;
    }
  Matrix v = vectors == nullptr ? Matrix{} : Identity(n);
  bool changed = true;
  for (int sweep = 0; sweep < kSweeps && changed; ++sweep) {
    changed = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        const double off = a[MatrixIndex(p, q, n)];
        const double size = std::abs(a[MatrixIndex(p, p, n)]) + std::abs(a[MatrixIndex(q, q, n)]);
        if (off == 0 || (sweep > 3 && std::abs(off) <= 1e-3 * kTiny * size)) continue;
        const Rotation r = RotationOf(a[MatrixIndex(p, p, n)], a[MatrixIndex(q, q, n)], off);
        RotateColumns(&a, n, n, p, q, r);
        for (int64_t k = 0; k < n; ++k) {  // and the rows alike
          double &x = a[MatrixIndex(p, k, n)], &y = a[MatrixIndex(q, k, n)];
          const double kept = x;
          x = r.cosine * kept - r.sine * y;
          y = r.sine * kept + r.cosine * y;
        }
        a[MatrixIndex(p, q, n)] = a[MatrixIndex(q, p, n)] = 0;
        if (vectors != nullptr) RotateColumns(&v, n, n, p, q, r);
        changed = true;
      }
  }
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    return a[MatrixIndex(i, i, n)] < a[MatrixIndex(j, j, n)];
  });
  std::vector<double> values;
  for (const int64_t i : order) values.push_back(a[MatrixIndex(i, i, n)]);
  if (vectors != nullptr) *vectors = Reordered(v, n, order);
  return values;
}

Singular SingularValues(const Matrix& a, int64_t m, int64_t n) {
  if (m < n) {
    Singular turned = SingularValues(Transposed(a, m, n), n, m);
    std::swap(turned.u, turned.v);
    return turned;
  }
  Matrix w = a, v = Identity(n);
  Orthogonalize(&w, &v, m, n);
  std::vector<double> lengths(static_cast<size_t>(n), 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      lengths[static_cast<size_t>(j)] += w[MatrixIndex(i, j, n)] * w[MatrixIndex(i, j, n)];
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    return lengths[static_cast<size_t>(i)] > lengths[static_cast<size_t>(j)];
  });
  Singular result;
  for (const int64_t j : order) result.s.push_back(std::sqrt(lengths[static_cast<size_t>(j)]));
  result.u = Reordered(w, m, order);
  result.v = Reordered(v, n, order);
  // Columns that are nothing but rounding are replaced by any that are orthogonal.
  int64_t rank = 0;
  while (rank < n && result.s[static_cast<size_t>(rank)] > 1e-14 * result.s[0]) ++rank;
  Matrix kept(static_cast<size_t>(m * rank));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < rank; ++j)
      kept[MatrixIndex(i, j, rank)] =
          result.u[MatrixIndex(i, j, n)] / result.s[static_cast<size_t>(j)];
  result.u = WithMoreColumns(kept, m, rank, n);
  return result;
}

Matrix WithMoreColumns(const Matrix& a, int64_t rows, int64_t have, int64_t want) {
  Matrix made(static_cast<size_t>(rows * want), 0);
  for (int64_t i = 0; i < rows; ++i)
    std::copy_n(a.begin() + i * have, have, made.begin() + i * want);
  for (int64_t col = have; col < want; ++col) {
    // The unit vector that the columns cover least, made orthogonal to them twice.
    int64_t best = 0;
    double least = 2;
    for (int64_t i = 0; i < rows; ++i) {
      double covered = 0;
      for (int64_t j = 0; j < col; ++j)
        covered += made[MatrixIndex(i, j, want)] * made[MatrixIndex(i, j, want)];
      if (covered < least) least = covered, best = i;
    }
    made[MatrixIndex(best, col, want)] = 1;
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t j = 0; j < col; ++j) {
        double dot = 0;
        for (int64_t i = 0; i < rows; ++i)
          dot += made[MatrixIndex(i, j, want)] * made[MatrixIndex(i, col, want)];
        for (int64_t i = 0; i < rows; ++i)
          made[MatrixIndex(i, col, want)] -= dot * made[MatrixIndex(i, j, want)];
      }
      double length = 0;
      for (int64_t i = 0; i < rows; ++i)
        length += made[MatrixIndex(i, col, want)] * made[MatrixIndex(i, col, want)];
      for (int64_t i = 0; i < rows; ++i) made[MatrixIndex(i, col, want)] /= std::sqrt(length);
    }
  }
  return made;
}

Matrix FactorQr(Matrix* matrix, int64_t m, int64_t n, int64_t columns) {
  Matrix& a = *matrix;
  const int64_t steps = std::min(m, n);
  std::vector<std::vector<double>> reflections;
  const auto reflect = [&](Matrix* to, int64_t cols, int64_t k, int64_t from) {
    const std::vector<double>& v = reflections[static_cast<size_t>(k)];
    for (int64_t j = from; j < cols && !v.empty(); ++j) {
      double dot = 0;
      for (int64_t i = k; i < m; ++i)
        dot += v[static_cast<size_t>(i - k)] * (*to)[MatrixIndex(i, j, cols)];
      for (int64_t i = k; i < m; ++i)
        (*to)[MatrixIndex(i, j, cols)] -= 2 * dot * v[static_cast<size_t>(i - k)];
    }
  };
  for (int64_t k = 0; k < steps; ++k) {
    double below = 0;
    for (int64_t i = k + 1; i < m; ++i) below += a[MatrixIndex(i, k, n)] * a[MatrixIndex(i, k, n)];
    reflections.emplace_back();
    if (below == 0) continue;  // already so: LAPACK keeps the sign then
    const double head = a[MatrixIndex(k, k, n)], length = std::sqrt(head * head + below);
    const double turned = head > 0 ? -length : length;
    std::vector<double>& v = reflections.back();
    for (int64_t i = k; i < m; ++i) v.push_back(a[MatrixIndex(i, k, n)]);
    v[0] -= turned;
    const double size = std::sqrt(v[0] * v[0] + below);
    for (double& x : v) x /= size;
    reflect(&a, n, k, k);
    a[MatrixIndex(k, k, n)] = turned;
    for (int64_t i = k + 1; i < m; ++i) a[MatrixIndex(i, k, n)] = 0;
  }
  Matrix q(static_cast<size_t>(m * columns), 0);
  for (int64_t i = 0; i < std::min(m, columns); ++i) q[MatrixIndex(i, i, columns)] = 1;
  for (int64_t k = steps - 1; k >= 0 && columns > 0; --k) reflect(&q, columns, k, 0);
  return q;
}

int32_t FactorLu(Matrix* matrix, int64_t m, int64_t n, int32_t* pivots) {
  Matrix& a = *matrix;
  int32_t first_zero = 0;
  for (int64_t k = 0; k < std::min(m, n); ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < m; ++i)
      if (std::abs(a[MatrixIndex(i, k, n)]) > std::abs(a[MatrixIndex(pivot, k, n)])) pivot = i;
    pivots[k] = static_cast<int32_t>(pivot + 1);
    if (pivot != k)
      std::swap_ranges(a.begin() + k * n, a.begin() + (k + 1) * n, a.begin() + pivot * n);
    const double head = a[MatrixIndex(k, k, n)];
    if (head == 0) {
      if (first_zero == 0) first_zero = static_cast<int32_t>(k + 1);
      continue;
    }
    for (int64_t i = k + 1; i < m; ++i) {
      const double factor = a[MatrixIndex(i, k, n)] /= head;
      for (int64_t j = k + 1; j < n; ++j)
        a[MatrixIndex(i, j, n)] -= factor * a[MatrixIndex(k, j, n)];
    }
  }
  return first_zero;
}

}  // namespace paddle::lite
