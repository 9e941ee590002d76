// q, k and v of [batch, rows, heads, dim] turned by the angle of their row: x * cos + y * sin,
// where y is x with each pair exchanged and the first of it negated. Pairs are neighbours in
// use_neox_rotary_style, else one of either half. Elements behind those of sin and cos stay.
#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/random.h"

namespace paddle::lite {
namespace {

constexpr const char* kInputs[] = {"q", "k", "v"};
constexpr const char* kOutputs[] = {"out_q", "out_k", "out_v"};

// Rows and columns of sin and cos.
DDim TableDims(const DDim& dims) {
  if (dims.size() == 2) return dims;
  if (dims.size() == 4 && dims[0] == 1 && dims[2] == 1) return {dims[1], dims[3]};
  throw ShapeError(StrCat("inputs sin and cos have shape ", dims,
                          ", expected [rows, dim] or [1, rows, 1, dim]"));
}

void InferTables(InferContext& c, int64_t rows, int64_t dim) {
  c.Require(c.HasInput("sin") == c.HasInput("cos"), "one of the inputs sin and cos is absent");
  if (!c.HasInput("sin")) {
    c.Require(!c.HasInput("position_ids"), "input position_ids goes with sin and cos only");
    c.Require(c.Attr<bool>("use_neox_rotary_style"),
              "attribute use_neox_rotary_style is false, which goes with sin and cos only");
    const float base = FiniteAttr(c, "rotary_emb_base");
    c.Require(base > 0, "attribute rotary_emb_base is ", base, ", expected a positive number");
    return;
  }
  RequireFloat(c, "sin");
  RequireFloat(c, "cos");
  const DDim table = TableDims(c.Dims("sin"));
  c.Require(c.Dims("cos") == c.Dims("sin"), "inputs sin and cos have shapes ", c.Dims("sin"),
            " and ", c.Dims("cos"), ", expected equal ones");
  c.Require(table[1] % 2 == 0 && table[1] <= dim, "input sin has shape ", c.Dims("sin"),
            ", expected an even number of columns, at most ", dim);
  c.Require(c.HasInput("position_ids") || table[0] >= rows, "input sin has ", table[0],
            " rows, expected at least ", rows);
}

void InferFusedRotaryPositionEmbedding(InferContext& c) {
  const bool time_first = c.Attr<bool>("time_major");
  const DDim& q = c.Dims("q");
  c.Require(q.size() == 4 && q[3] % 2 == 0, "input q has shape ", q,
            ", expected [batch, rows, heads, an even dim]");
  for (int i = 0; i < 3; ++i) {
    if (!c.HasInput(kInputs[i])) continue;
    RequireFloat(c, kInputs[i]);
    const DDim& x = c.Dims(kInputs[i]);
    c.Require(x.size() == 4 && x[0] == q[0] && x[1] == q[1] && x[3] == q[3], "input ", kInputs[i],
              " has shape ", x, ", expected that of q, ", q, ", or other heads");
    c.SetOutput(kOutputs[i], x, DataType::kFP32);
  }
  for (int i = 1; i < 3; ++i)
    c.Require(c.HasInput(kInputs[i]) || !c.HasOutput(kOutputs[i]), "input ", kInputs[i],
              " is absent, but ", kOutputs[i], " is asked for");
  const int64_t rows = q[time_first ? 0 : 1], batch = q[time_first ? 1 : 0];
  InferTables(c, rows, q[3]);
  if (!c.HasInput("position_ids")) return;
  RequireType(c, "position_ids", {DataType::kInt32, DataType::kInt64});
  c.Require(c.Dims("position_ids") == (DDim{batch, rows}), "input position_ids has shape ",
            c.Dims("position_ids"), ", expected ", DDim{batch, rows});
}

// sin and cos of each position, [positions, columns].
struct Tables {
  int64_t columns;
  std::vector<float> sin, cos;
};

Tables TablesOf(const KernelContext& c, int64_t rows, int64_t dim) {
  if (c.HasInput("sin")) {
    const float *sin = c.Input("sin").data<float>(), *cos = c.Input("cos").data<float>();
    const int64_t count = c.Input("sin").numel();
    return {TableDims(c.Input("sin").dims())[1], {sin, sin + count}, {cos, cos + count}};
  }
  Tables made{dim, {}, {}};
  const double base = c.Attr<float>("rotary_emb_base");
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < dim; ++i) {
      const double power = static_cast<double>(i / 2 * 2) / static_cast<double>(dim);
      const double angle = static_cast<double>(row) / std::pow(base, power);
      made.sin.push_back(static_cast<float>(std::sin(angle)));
      made.cos.push_back(static_cast<float>(std::cos(angle)));
    }
  return made;
}

// The row of the tables for each row of [outer, inner], which are batch and rows or the reverse.
std::vector<int64_t> Positions(const KernelContext& c, const DDim& x, const Tables& tables) {
  const bool time_first = c.Attr<bool>("time_major");
  const int64_t rows = x[time_first ? 0 : 1];
  const auto known = static_cast<int64_t>(tables.sin.size()) / std::max<int64_t>(tables.columns, 1);
  std::vector<int64_t> given, positions;
  if (c.HasInput("position_ids")) given = IntValues(c, "position_ids");
  for (int64_t i = 0; i < x[0] * x[1]; ++i) {
    const int64_t row = time_first ? i / x[1] : i % x[1], batch = time_first ? i % x[1] : i / x[1];
    const int64_t at = given.empty() ? row : given[static_cast<size_t>(batch * rows + row)];
    if (at < 0 || (at >= known && tables.columns > 0))
      throw ShapeError(StrCat("input position_ids holds ", at, ", expected 0 to ", known - 1));
    positions.push_back(at);
  }
  return positions;
}

void Turn(const float* x, const float* sin, const float* cos, int64_t columns, bool neighbours,
          float* out) {
  const int64_t half = columns / 2;
  for (int64_t i = 0; i < columns; ++i) {
    const bool first = neighbours ? i % 2 == 0 : i < half;
    const int64_t step = neighbours ? 1 : half;
    out[i] = x[i] * cos[i] + (first ? -x[i + step] : x[i - step]) * sin[i];
  }
}

void RunFusedRotaryPositionEmbedding(KernelContext& c) {
  const DDim& q = c.Input("q").dims();
  const Tables tables = TablesOf(c, q[c.Attr<bool>("time_major") ? 0 : 1], q[3]);
  const std::vector<int64_t> positions = Positions(c, q, tables);
  const bool neighbours = c.Attr<bool>("use_neox_rotary_style");
  for (int i = 0; i < 3; ++i) {
    const Tensor* input = c.InputOrNull(kInputs[i]);
    Tensor* output = c.OutputOrNull(kOutputs[i]);
    if (input == nullptr || output == nullptr) continue;
    const int64_t heads = input->dims()[2], dim = input->dims()[3];
    const float* x = input->data<float>();
    float* out = output->mutable_data<float>();
    for (const int64_t position : positions)
      for (int64_t head = 0; head < heads; ++head, x += dim, out += dim) {
        const int64_t at = position * tables.columns;
        Turn(x, tables.sin.data() + at, tables.cos.data() + at, tables.columns, neighbours, out);
        std::copy(x + tables.columns, x + dim, out + tables.columns);
      }
  }
}

REGISTER_LITE_OP(fused_rotary_position_embedding)
    .Input("q")
    .OptionalInput("k")
    .OptionalInput("v")
    .OptionalInput("sin")
    .OptionalInput("cos")
    .OptionalInput("position_ids")
    .Output("out_q")
    .OptionalOutput("out_k")
    .OptionalOutput("out_v")
    .Attr<bool>("use_neox_rotary_style", true)
    .Attr<bool>("time_major", false)
    .Attr<float>("rotary_emb_base", 10000.0f)
    .InferShape(InferFusedRotaryPositionEmbedding);
REGISTER_LITE_FUNCTION(fused_rotary_position_embedding, kHost, kFloat, kNCHW,
                       RunFusedRotaryPositionEmbedding, def);

}  // namespace
}  // namespace paddle::lite
