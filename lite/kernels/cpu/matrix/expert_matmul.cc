// Products of rows with the matrices of their experts, as layers that are a mixture of these have
// them: MoE and QMoE of ONNX Runtime (docs/ContribOperators.md there), ggml's mul_mat_id.
//   X [rows, K], Index: the experts of each row in turn, the same number for all,
//   Y [experts, N, K], or integers of `bits` in blocks [experts, N, blocks, bytes of a block] with
//   Scales, ZeroPoints [experts, blocks, N] and accuracy_level as matmul_nbits has them; Bias
//   [experts, N],
//   Out [elements of Index, N].
#include <algorithm>
#include <memory>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/quantised/weight_groups.h"

namespace paddle::lite {
namespace {

struct ExpertWeights {  // one of the two, of each expert
  std::vector<math::PackedMatrix> floats;
  std::vector<math::PackedGroups> groups;
};

void InferExpertMatMul(InferContext& c) {
  const TensorMeta &x = c.Input("X"), &y = c.Input("Y"), &index = c.Input("Index");
  c.Require(x.dims.size() == 2 && x.dims[1] > 0, "input X has shape ", x.dims,
            ", expected [rows, columns] with at least one column");
  RequireInput(c, "X", DataType::kFP32, x.dims);
  RequireInput(c, "Index", DataType::kInt64, index.dims);
  const int64_t rows = x.dims[0], k = x.dims[1], count = index.dims.production();
  c.Require(rows > 0 ? count % rows == 0 : count == 0, "input Index has ", count,
            " elements, expected as many for each of the ", rows, " rows of X");
  if (y.dtype == DataType::kFP32) {
    c.Require(y.dims.size() == 3 && y.dims[0] > 0 && y.dims[1] > 0 && y.dims[2] == k,
              "input Y has shape ", y.dims, ", expected [experts, columns, ", k, "]");
  } else {
    RequireWeightGroups(c, k, true);
  }
  if (c.HasInput("Bias")) RequireInput(c, "Bias", DataType::kFP32, {y.dims[0], y.dims[1]});
  c.SetOutput("Out", {count, y.dims[1]}, DataType::kFP32);
}

// Places in Index by their expert, in order; those of expert e are [starts[e], starts[e + 1]).
struct Routes {
  std::vector<int64_t> places, starts;
};

Routes RoutesOf(const Tensor& index, int64_t experts) {
  const int64_t count = index.numel();
  const int64_t* const of = index.data<int64_t>();
  Routes routes;
  routes.starts.assign(static_cast<size_t>(experts) + 1, 0);
  for (int64_t i = 0; i < count; ++i) {
    if (of[i] < 0 || of[i] >= experts)
      throw ShapeError(
          StrCat("Index[", i, "] is ", of[i], ", expected an expert of 0 to ", experts - 1));
    ++routes.starts[static_cast<size_t>(of[i]) + 1];
  }
  for (size_t e = 0; e < static_cast<size_t>(experts); ++e)
    routes.starts[e + 1] += routes.starts[e];
  std::vector<int64_t> next = routes.starts;
  routes.places.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    routes.places[static_cast<size_t>(next[static_cast<size_t>(of[i])]++)] = i;
  return routes;
}

class ExpertMatMul : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override {
    weights_ = PackedWeightGroups<ExpertWeights>(c, "experts", [&](const Tensor& y) {
      ExpertWeights all;
      for (int64_t e = 0; e < y.dims()[0]; ++e) Pack(c, e, &all);
      return all;
    });
  }

  void Run(KernelContext& c) override {
    const Tensor &x = c.Input("X"), &y = c.Input("Y");
    const int64_t experts = y.dims()[0], n = y.dims()[1], k = x.dims()[1];
    float* const out = c.Output("Out").mutable_data<float>();
    const Routes routes = RoutesOf(c.Input("Index"), experts);
    const int64_t count = static_cast<int64_t>(routes.places.size());
    if (count == 0) return;
    const int64_t each = count / x.dims()[0];
    int64_t most = 0;
    for (size_t e = 0; e < static_cast<size_t>(experts); ++e)
      most = std::max(most, routes.starts[e + 1] - routes.starts[e]);
    // Rows that an expert shares stand side by side; one alone is read and written in its place.
    std::vector<float> from(most > 1 ? static_cast<size_t>(most * k) : 0);
    std::vector<float> to(most > 1 ? static_cast<size_t>(most * n) : 0);
    const float* const rows = x.data<float>();
    for (int64_t e = 0; e < experts; ++e) {
      const int64_t* const places = routes.places.data() + routes.starts[static_cast<size_t>(e)];
      const int64_t m =
          routes.starts[static_cast<size_t>(e) + 1] - routes.starts[static_cast<size_t>(e)];
      if (m == 0) continue;
      if (m == 1) {
        Multiply(c, e, 1, rows + places[0] / each * k, out + places[0] * n);
        continue;
      }
      for (int64_t i = 0; i < m; ++i)
        std::copy_n(rows + places[i] / each * k, k, from.data() + i * k);
      Multiply(c, e, m, from.data(), to.data());
      for (int64_t i = 0; i < m; ++i) std::copy_n(to.data() + i * n, n, out + places[i] * n);
    }
  }

 private:
  void Multiply(KernelContext& c, int64_t e, int64_t m, const float* x, float* out) const {
    const DDim& dims = c.Input("Y").dims();
    const int64_t n = dims[1], k = c.Input("X").dims()[1];
    math::Epilogue epilogue;
    if (c.HasInput("Bias")) epilogue.bias = c.Input("Bias").data<float>() + e * n;
    ExpertWeights now;  // of one that is not constant
    if (weights_ == nullptr) Pack(c, e, &now);
    const ExpertWeights& weights = weights_ != nullptr ? *weights_ : now;
    const size_t at = weights_ != nullptr ? static_cast<size_t>(e) : 0;
    if (!weights.floats.empty())
      math::Gemm(c.threads(), m, n, k, x, k, weights.floats[at], out, n, epilogue);
    else
      MultiplyWeightGroups(c, m, k, x, weights.groups[at], out, epilogue);
  }

  static void Pack(const KernelContext& c, int64_t e, ExpertWeights* to) {
    const Tensor& y = c.Input("Y");
    if (y.dtype() != DataType::kFP32) {
      to->groups.push_back(PackWeightGroups(c, e));
      return;
    }
    const int64_t n = y.dims()[1], k = y.dims()[2];
    const float* const matrix = y.data<float>() + e * n * k;
    to->floats.push_back(math::PackB(k, n, matrix, k, true, c.threads()));
  }

  std::shared_ptr<const ExpertWeights> weights_;  // null where something is not constant
};

REGISTER_LITE_OP(expert_matmul)
    .Input("X")
    .Input("Index")
    .Input("Y")
    .OptionalInput("Scales")
    .OptionalInput("ZeroPoints")
    .OptionalInput("Bias")
    .Output("Out")
    .Attr<int>("bits", 4)
    .Attr<int>("block_size", 32)
    .Attr<int>("accuracy_level", 0)
    .InferShape(InferExpertMatMul);
REGISTER_LITE_KERNEL(expert_matmul, kHost, kFloat, kNCHW, ExpertMatMul, def);

}  // namespace
}  // namespace paddle::lite
