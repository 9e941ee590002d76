// A row for each column, no row twice: the pair of the greatest distance first. With match_type
// per_prediction columns that are left take their greatest distance from dist_threshold on. The
// rows are those of X's sequences, or of one.
#include <algorithm>
#include <numeric>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

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
