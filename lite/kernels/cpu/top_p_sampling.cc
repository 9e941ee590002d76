// One token for each row of probabilities, drawn from the fewest that together reach the row's p;
// those below the row's threshold are left out as long as one remains. Values cannot be Paddle's,
// whose GPU draws others; the same seed gives the same tokens.
#include <algorithm>
#include <numeric>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/random.h"

namespace paddle::lite {
namespace {

void InferTopPSampling(InferContext& c) {
  RequireFloat(c, "x");
  RequireFloat(c, "ps");
  const DDim& x = c.Dims("x");
  c.Require(x.size() == 2 && x[1] > 0, "input x has shape ", x, ", expected [rows, tokens]");
  for (const char* slot : {"ps", "threshold", "topp_seed"})
    if (c.HasInput(slot))
      c.Require(c.Dims(slot).production() == x[0], "input ", slot, " has shape ", c.Dims(slot),
                ", expected one number for each of ", x[0], " rows");
  if (c.HasInput("threshold")) RequireFloat(c, "threshold");
  if (c.HasInput("topp_seed")) RequireType(c, "topp_seed", {DataType::kInt32, DataType::kInt64});
  c.SetOutput("out", DDim{x[0], 1}, DataType::kFP32);
  c.SetOutput("ids", DDim{x[0], 1}, DataType::kInt64);
}

// The place of a drawn token among `order`, the row's tokens in descending order.
size_t Draw(const float* x, const std::vector<int64_t>& order, float p, const float* threshold,
            RandomEngine& engine) {
  size_t kept = 0;
  double sum = 0;
  for (; kept < order.size() && (kept == 0 || sum < static_cast<double>(p)); ++kept) {
    const float value = x[order[kept]];
    if (kept > 0 && threshold != nullptr && value < *threshold) break;
    sum += static_cast<double>(value);
  }
  double left = DrawUniform<double>(engine) * sum;
  for (size_t i = 0; i < kept; ++i) {
    left -= static_cast<double>(x[order[i]]);
    if (left < 0) return i;
  }
  return 0;
}

void RunTopPSampling(KernelContext& c) {
  const DDim& dims = c.Input("x").dims();
  const float *x = c.Input("x").data<float>(), *ps = c.Input("ps").data<float>();
  const float* threshold = c.HasInput("threshold") ? c.Input("threshold").data<float>() : nullptr;
  const std::vector<int64_t> seeds =
      c.HasInput("topp_seed") ? IntValues(c, "topp_seed") : std::vector<int64_t>{};
  const int32_t seed = c.Attr<int32_t>("seed");
  RandomEngine engine = MakeEngine(std::max(seed, 0));
  float* out = c.Output("out").mutable_data<float>();
  int64_t* ids = c.Output("ids").mutable_data<int64_t>();
  std::vector<int64_t> order(static_cast<size_t>(dims[1]));
  for (int64_t row = 0; row < dims[0]; ++row, x += dims[1]) {
    for (int64_t i = 0; i < dims[1]; ++i)
      if (!(x[i] >= 0 && x[i] <= std::numeric_limits<float>::max()))
        throw LiteError(StrCat("input x has ", x[i], " at row ", row, ", column ", i,
                               ", expected probabilities"));
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return x[a] > x[b]; });
    const float* limit = threshold == nullptr ? nullptr : threshold + row;
    if (!seeds.empty()) engine = MakeEngine(seeds[static_cast<size_t>(row)]);
    ids[row] = order[Draw(x, order, ps[row], limit, engine)];
    out[row] = x[ids[row]];
  }
}

REGISTER_LITE_OP(top_p_sampling)
    .Input("x")
    .Input("ps")
    .OptionalInput("threshold")
    .OptionalInput("topp_seed")
    .Output("out")
    .Output("ids")
    .Attr<int32_t>("seed", -1)
    .InferShape(InferTopPSampling)
    .Random();
REGISTER_LITE_FUNCTION(top_p_sampling, kHost, kFloat, kNCHW, RunTopPSampling, def);

}  // namespace
}  // namespace paddle::lite
