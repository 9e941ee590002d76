#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/attention/attention.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/random/random.h"
#include "lite/kernels/cpu/sequence/sequence.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// Self-attention with its projection: Input [batch, rows, width] times W [width, 3, heads, dim]
// plus Bias gives queries, keys and values; BiasQK is added to the scores, which alpha scales.
void InferMultiheadMatmul(InferContext& c) {
  for (const char* slot : {"Input", "W", "Bias"}) RequireFloat(c, slot);
  const DDim &x = c.Dims("Input"), &w = c.Dims("W");
  const int64_t heads = c.Attr<int32_t>("head_number");
  c.Require(x.size() == 3, "input Input has shape ", x, ", expected [batch, rows, width]");
  c.Require(heads > 0 && w.size() >= 2 && w[0] == x[2] && w.Count(1, w.size()) % (3 * heads) == 0 &&
                w.Count(1, w.size()) > 0,
            "input W has shape ", w, ", expected [", x[2], ", 3, ", heads, ", dim]");
  c.Require(c.Dims("Bias").production() == w.Count(1, w.size()), "input Bias has shape ",
            c.Dims("Bias"), ", expected ", w.Count(1, w.size()), " elements");
  const bool usual =
      !c.Attr<bool>("transpose_Q") && c.Attr<bool>("transpose_K") && !c.Attr<bool>("transpose_V");
  c.Require(usual,
            "attributes transpose_Q, transpose_K and transpose_V, expected false, true and "
            "false");
  const float alpha = c.Attr<float>("alpha");
  c.Require(std::isfinite(alpha), "attribute alpha is ", alpha, ", expected a finite number");
  if (c.HasInput("BiasQK")) {
    RequireFloat(c, "BiasQK");
    MaskStrides(c.Dims("BiasQK"), DDim{x[0], heads, x[1], x[1]}, "BiasQK");
  }
  c.SetOutput("Out", DDim{x[0], x[1], w.Count(1, w.size()) / 3}, DataType::kFP32);
}

void RunMultiheadMatmul(KernelContext& c) {
  const DDim &x = c.Input("Input").dims(), &w = c.Input("W").dims();
  const int64_t columns = w.Count(1, w.size()), width = columns / 3;
  std::vector<float> made(static_cast<size_t>(x[0] * x[1] * columns));
  math::MatMul mm;
  mm.m = x[0] * x[1], mm.n = columns, mm.k = x[2];
  mm.a = c.Input("Input").data<float>(), mm.lda = x[2];
  mm.b = c.Input("W").data<float>(), mm.ldb = columns;
  mm.c = made.data(), mm.ldc = columns;
  math::Epilogue epilogue;
  epilogue.bias = c.Input("Bias").data<float>();
  math::GemmUnpacked(c.threads(), mm, epilogue);
  Attention a;
  a.batch = x[0], a.heads = a.kv_heads = c.Attr<int32_t>("head_number");
  a.rows = a.keys = x[1], a.dim = a.value_dim = width / a.heads;
  a.q = made.data(), a.k = a.q + width, a.v = a.k + width;
  a.q_strides = a.k_strides = a.v_strides = {x[1] * columns, a.dim, columns};
  a.out_strides = {x[1] * width, a.dim, width};
  if (const Tensor* bias = c.InputOrNull("BiasQK")) {
    a.mask = bias->data<float>();
    a.mask_strides = MaskStrides(bias->dims(), DDim{a.batch, a.heads, a.rows, a.keys}, "BiasQK");
  }
  a.out = c.Output("Out").mutable_data<float>();
  a.scale = c.Attr<float>("alpha");
  RunAttention(a, c.threads());
}

REGISTER_LITE_OP(multihead_matmul)
    .Input("Input")
    .Input("W")
    .Input("Bias")
    .OptionalInput("BiasQK")
    .Output("Out")
    .Attr<bool>("transpose_Q", false)
    .Attr<bool>("transpose_K", true)
    .Attr<bool>("transpose_V", false)
    .Attr<float>("alpha", 1.0f)
    .Attr<int32_t>("head_number", 1)
    .InferShape(InferMultiheadMatmul);
REGISTER_LITE_FUNCTION(multihead_matmul, kHost, kFloat, kNCHW, RunMultiheadMatmul, def);

// q, k and v of [batch, rows, heads, dim] turned by the angle of their row: x * cos + y * sin,
// where y is x with each pair exchanged and the first of it negated. Pairs are neighbours in
// use_neox_rotary_style, else one of either half. Elements behind those of sin and cos stay.
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

// alpha * X + beta * the sines (first half of the columns) and cosines of the rows' places. X is
// [batch, rows, columns], or the rows of its sequences.
void InferAddPositionEncoding(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta& x = c.Input("X");
  const int rank = x.lod.empty() ? 3 : 2;
  c.Require(x.dims.size() == rank, "input X has shape ", x.dims, ", expected rank ", rank,
            x.lod.empty() ? " without LoD" : " with LoD");
  c.Require(x.dims.back() % 2 == 0, "input X has shape ", x.dims,
            ", expected an even number of columns");
  if (!x.lod.empty()) OnlyOffsets(x, "X");
  FiniteAttr(c, "alpha");
  FiniteAttr(c, "beta");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// The place of each row in its batch or sequence.
std::vector<int64_t> Places(const Tensor& x) {
  const int64_t rows = x.dims().Count(0, x.dims().size() - 1);
  std::vector<int64_t> places(static_cast<size_t>(rows));
  if (x.lod().empty()) {
    for (int64_t i = 0; i < rows; ++i) places[static_cast<size_t>(i)] = i % x.dims()[1];
    return places;
  }
  const Offsets& offsets = OnlyOffsets(x.meta(), "X");
  for (size_t s = 0; s + 1 < offsets.size(); ++s)
    for (uint64_t i = offsets[s]; i < offsets[s + 1]; ++i)
      places[i] = static_cast<int64_t>(i - offsets[s]);
  return places;
}

template <typename T>
void RunAddPositionEncodingAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const int64_t cols = input.dims().back(), half = cols / 2;
  const double alpha = c.Attr<float>("alpha"), beta = c.Attr<float>("beta");
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  for (const int64_t place : Places(input)) {
    for (int64_t k = 0; k < half; ++k) {
      const double power = half > 1 ? static_cast<double>(k) / static_cast<double>(half - 1) : 1.0;
      const double angle = static_cast<double>(place) / std::pow(10000.0, power);
      out[k] = static_cast<T>(static_cast<double>(x[k]) * alpha + std::sin(angle) * beta);
      out[half + k] =
          static_cast<T>(static_cast<double>(x[half + k]) * alpha + std::cos(angle) * beta);
    }
    x += cols, out += cols;
  }
}

void RunAddPositionEncoding(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunAddPositionEncodingAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(add_position_encoding)
    .Input("X")
    .Output("Out")
    .Attr<float>("alpha", 1.0f)
    .Attr<float>("beta", 1.0f)
    .InferShape(InferAddPositionEncoding);
REGISTER_LITE_FUNCTION(add_position_encoding, kHost, kAny, kNCHW, RunAddPositionEncoding, def);

}  // namespace
}  // namespace paddle::lite
