// Every pass leaves what a model computes, does what it promises, and frees exactly what is its
// own.
#include <cstdio>
#include <functional>
#include <string>

#include "reference.h"

using reference::Builder;
using reference::Value;
namespace core = nnadapter::core;
namespace hal = nnadapter::hal;

static int failures = 0;

static void Expect(bool fits, const std::string& test, const std::string& what) {
  if (fits) return;
  ++failures;
  std::printf("FAILED %s: %s\n", test.c_str(), what.c_str());
}

static int Count(const core::Model& model, int type) {
  int count = 0;
  for (const core::Operation& operation : model.operations) count += operation.type == type;
  return count;
}

// Every operand of an operation is in the model; nothing is left that nobody uses.
static bool Consistent(const core::Model& model) {
  std::map<const core::Operand*, int> uses;
  for (const core::Operand& operand : model.operands) uses[&operand] = 0;
  const auto use = [&](const std::vector<core::Operand*>& operands) {
    for (const core::Operand* operand : operands) {
      if (!operand) continue;
      if (!uses.count(operand)) return false;
      ++uses[operand];
    }
    return true;
  };
  bool fits = use(model.input_operands) && use(model.output_operands);
  for (const core::Operation& operation : model.operations)
    fits = fits && use(operation.input_operands) && use(operation.output_operands);
  for (const auto& [operand, count] : uses) fits = fits && count > 0;
  return fits;
}

// Applies a pass, expects `applications` of it and `left` operations afterwards, and equal results.
static void Check(const std::string& name, Builder* builder,
                  const std::function<int(core::Model*)>& pass, int applications, size_t left) {
  const std::vector<Value> inputs = builder->Inputs();
  const std::vector<Value> before = reference::Run(builder->model, inputs);
  const int count = pass(&builder->model);
  Expect(count == applications, name, hal::Text("applied ", count, ", expected ", applications));
  Expect(builder->model.operations.size() == left, name,
         hal::Text(builder->model.operations.size(), " operations left, expected ", left));
  Expect(Consistent(builder->model), name, "operands are dangling or unused");
  const std::vector<Value> after = reference::Run(builder->model, inputs);
  for (size_t i = 0; i < before.size(); ++i) {
    Expect(before[i].dims == after[i].dims, name, "dimensions changed");
    for (size_t k = 0; k < before[i].data.size() && k < after[i].data.size(); ++k) {
      if (std::fabs(before[i].data[k] - after[i].data[k]) <= 1e-4) continue;
      Expect(
          false, name,
          hal::Text("output ", i, "[", k, "]: ", before[i].data[k], " became ", after[i].data[k]));
      break;
    }
  }
}

static core::Operand* Norm(Builder* b, core::Operand* x, int channels) {
  return b->Op(NNADAPTER_BATCH_NORMALIZATION,
               {x, b->Weights({channels}), b->Weights({channels}), b->Weights({channels}),
                b->Weights({channels}, 0.5f, 2.f), b->Weights({1}, 1e-5f, 1e-4f)},
               hal::Dims(x->type));
}

static core::Operand* Binary(Builder* b, int type, core::Operand* x, core::Operand* y,
                             int code = 0) {
  return b->Op(type, {x, y, b->Ints({code})},
               hal::BroadcastDims(hal::Dims(x->type), hal::Dims(y->type)));
}

static void BatchNorm() {
  {
    Builder b;
    core::Operand* x =
        b.Conv(b.Input({2, 4, 5, 5}), b.Weights({6, 2, 3, 3}), b.Weights({6}), 1, 0, 2);
    b.Return(Norm(&b, x, 6));
    Check("conv+bn", &b, hal::FuseConvBatchNorm, 1, 1);
  }
  {
    Builder b;  // no bias; the filter is shared and must stay for the other
    core::Operand *x = b.Input({1, 3, 4, 4}), *f = b.Weights({3, 3, 1, 1});
    core::Operand* y = Norm(&b, b.Conv(x, f, nullptr, 0), 3);
    b.Return(b.Conv(y, f, nullptr, 0));
    Check("conv+bn, shared filter", &b, hal::FuseConvBatchNorm, 1, 2);
  }
  {
    Builder b;  // the convolution is read twice, or is an output, or has an activation
    core::Operand* x = b.Conv(b.Input({1, 3, 4, 4}), b.Weights({3, 3, 1, 1}), nullptr, 0);
    b.Return(Binary(&b, NNADAPTER_ADD, Norm(&b, x, 3), x));
    core::Operand* y = b.Conv(b.Input({1, 3, 4, 4}), b.Weights({3, 3, 1, 1}), nullptr, 0);
    b.Return(y);
    b.Return(Norm(&b, y, 3));
    b.Return(Norm(&b, b.Conv(b.Input({1, 3, 4, 4}), b.Weights({3, 3, 1, 1}), nullptr, 0, 1), 3));
    Check("conv+bn, not", &b, hal::FuseConvBatchNorm, 0, 7);
  }
  {
    Builder b;  // the reader stands before its convolution
    core::Operand* x = b.Conv(b.Input({1, 3, 4, 4}), b.Weights({5, 3, 3, 3}), b.Weights({5}), 1);
    b.Return(Norm(&b, x, 5));
    b.model.operations.splice(b.model.operations.begin(), b.model.operations,
                              std::prev(b.model.operations.end()));
    Check("conv+bn, any order", &b, hal::FuseConvBatchNorm, 1, 1);
  }
}

static void ConvAdd() {
  {
    Builder b;
    core::Operand* x = b.Conv(b.Input({2, 3, 4, 4}), b.Weights({4, 3, 3, 3}), b.Weights({4}), 1);
    x = Binary(&b, NNADAPTER_ADD, b.Weights({1, 4, 1, 1}), x);
    b.Return(Binary(&b, NNADAPTER_ADD, x, b.Weights({4, 1, 1}), NNADAPTER_FUSED_RELU6));
    Check("conv+add+add", &b, hal::FuseConvAdd, 2, 1);
  }
  {
    Builder b;  // along W, of more elements, not constant
    core::Operand* x = b.Conv(b.Input({1, 3, 4, 4}), b.Weights({4, 3, 1, 1}), nullptr, 0);
    b.Return(Binary(&b, NNADAPTER_ADD, x, b.Weights({4})));
    core::Operand* y = b.Conv(b.Input({1, 3, 4, 4}), b.Weights({4, 3, 1, 1}), nullptr, 0);
    b.Return(Binary(&b, NNADAPTER_ADD, y, b.Weights({1, 4, 4, 4})));
    core::Operand* z = b.Conv(b.Input({1, 3, 4, 4}), b.Weights({4, 3, 1, 1}), nullptr, 0);
    b.Return(Binary(&b, NNADAPTER_ADD, z, b.Input({1, 4, 1, 1})));
    core::Operand* v = b.Conv(b.Input({1, 3, 4, 4}), b.Weights({4, 3, 1, 1}), nullptr, 0);
    b.Return(Binary(&b, NNADAPTER_ADD, v, v));
    Check("conv+add, not", &b, hal::FuseConvAdd, 0, 8);
  }
}

static void ConvScale() {
  {
    Builder b;  // behind: a number each, then one for all; its activation goes along
    core::Operand* x =
        b.Conv(b.Input({2, 4, 5, 5}), b.Weights({6, 2, 3, 3}), b.Weights({6}), 1, 0, 2);
    x = Binary(&b, NNADAPTER_MUL, b.Weights({1, 6, 1, 1}), x);
    b.Return(Binary(&b, NNADAPTER_MUL, x, b.Weights({1}), NNADAPTER_FUSED_RELU));
    Check("conv+mul", &b, hal::FuseConvScale, 2, 1);
  }
  {
    Builder b;  // in front of groups; an addition where nothing is padded
    core::Operand* x = Binary(&b, NNADAPTER_MUL, b.Input({2, 4, 5, 5}), b.Weights({4, 1, 1}));
    x = Binary(&b, NNADAPTER_ADD, x, b.Weights({1, 4, 1, 1}));
    b.Return(b.Conv(x, b.Weights({6, 2, 3, 3}), nullptr, 0, NNADAPTER_FUSED_RELU6, 2));
    x = Binary(&b, NNADAPTER_MUL, b.Input({1, 4, 5, 5}), b.Weights({1}));
    b.Return(b.Conv(x, b.Weights({4, 1, 3, 3}), b.Weights({4}), 1, 0, 4));
    Check("affine+conv", &b, hal::FuseConvScale, 3, 2);
  }
  {
    Builder b;  // padded; along W; of two inputs; an activation between; read twice; broadcast
    core::Operand *x = b.Input({1, 3, 4, 4}), *f = b.Weights({3, 3, 3, 3});
    b.Return(b.Conv(Binary(&b, NNADAPTER_ADD, x, b.Weights({1})), f, nullptr, 1));
    b.Return(b.Conv(Binary(&b, NNADAPTER_MUL, x, b.Weights({4})), f, nullptr, 1));
    b.Return(b.Conv(Binary(&b, NNADAPTER_MUL, x, x), f, nullptr, 1));
    b.Return(b.Conv(Binary(&b, NNADAPTER_MUL, x, b.Weights({1}), 1), f, nullptr, 1));
    core::Operand* y = b.Conv(x, f, nullptr, 1);
    b.Return(Binary(&b, NNADAPTER_ADD, Binary(&b, NNADAPTER_MUL, y, b.Weights({1})), y));
    core::Operand* one = b.Input({1, 1, 4, 4});
    b.Return(b.Conv(Binary(&b, NNADAPTER_MUL, one, b.Weights({3, 1, 1})), f, nullptr, 1));
    Check("conv+mul, not", &b, hal::FuseConvScale, 0, 13);
  }
}

static void Activations() {
  {
    Builder b;
    core::Operand* x = b.Conv(b.Input({1, 3, 4, 4}), b.Weights({4, 3, 1, 1}), nullptr, 0);
    x = b.Op(NNADAPTER_RELU, {x}, {1, 4, 4, 4});
    x = b.Conv(x, b.Weights({4, 4, 1, 1}), nullptr, 0);
    x = b.Op(NNADAPTER_CLIP, {x, b.Weights({1}, -1, -1), b.Weights({1}, 1, 1)}, {1, 4, 4, 4});
    x = Binary(&b, NNADAPTER_MUL, x, b.Weights({1}));
    b.Return(b.Op(NNADAPTER_RELU6, {x}, {1, 4, 4, 4}));
    Check("conv+activation", &b, hal::FuseConvActivation, 2, 4);
    Check("unfuse", &b, hal::UnfuseActivation, 2, 6);
    Check(
        "fuse all", &b,
        [](core::Model* m) { return hal::FuseActivation(m, [](int) { return true; }); }, 3, 3);
  }
}

static void MatMul() {
  for (const bool turned : {false, true}) {
    Builder b;
    core::Operand* y = turned ? b.Weights({5, 3}) : b.Weights({3, 5});
    core::Operand* x =
        b.Op(NNADAPTER_MAT_MUL, {b.Input({2, 3}), y, b.Bool(false), b.Bool(turned)}, {2, 5});
    b.Return(Binary(&b, NNADAPTER_ADD, x, b.Weights({5}), NNADAPTER_FUSED_RELU));
    Check("matmul+add", &b, hal::FuseMatMulAdd, 1, 1);
    Expect(Count(b.model, NNADAPTER_FULLY_CONNECTED) == 1, "matmul+add", "no FULLY_CONNECTED");
  }
  Builder b;  // alone; and with an addition that is none of its bias
  core::Operand* x =
      b.Op(NNADAPTER_MAT_MUL, {b.Input({2, 3}), b.Weights({3, 2}), b.Bool(false), b.Bool(false)},
           {2, 2});
  b.Return(Binary(&b, NNADAPTER_ADD, x, b.Weights({2, 1})));
  core::Operand* z = b.Input({2, 3});
  b.Return(b.Op(NNADAPTER_MAT_MUL, {z, b.Input({3, 2}), b.Bool(false), b.Bool(false)}, {2, 2}));
  Check("matmul", &b, hal::FuseMatMulAdd, 1, 3);
}

static core::Operand* Shuffle(Builder* b, core::Operand* x, const std::vector<int>& perm) {
  const auto d = hal::Dims(x->type);
  const std::vector<int> middle{d[0], 2, d[1] / 2, d[2], d[3]};
  core::Operand* y = b->Op(NNADAPTER_RESHAPE, {x, b->Ints(middle)}, middle);
  std::vector<int> dims;
  for (int axis : perm) dims.push_back(middle[axis]);
  y = b->Op(NNADAPTER_TRANSPOSE, {y, b->Ints(perm)}, dims);
  return b->Op(NNADAPTER_RESHAPE, {y, b->Ints(d)}, d);
}

static void ChannelShuffle() {
  Builder b;
  b.Return(Shuffle(&b, b.Input({2, 6, 3, 2}), {0, 2, 1, 3, 4}));
  b.Return(Shuffle(&b, b.Input({2, 6, 2, 2}), {0, 2, 1, 4, 3}));
  Check("channel shuffle", &b, hal::FuseChannelShuffle, 1, 4);
}

static void Identity() {
  Builder b;
  core::Operand* x = b.Input({2, 3});
  core::Operand* y = b.Op(NNADAPTER_ASSIGN, {x}, {2, 3});
  y = b.Op(NNADAPTER_EXP, {y}, {2, 3});
  y = b.Op(NNADAPTER_TRANSPOSE, {y, b.Ints({0, 1})}, {2, 3});
  y = b.Op(NNADAPTER_CONCAT, {y, b.Ints({0})}, {2, 3});
  b.Return(b.Op(NNADAPTER_RESHAPE, {y, b.Ints({2, 3})}, {2, 3}));
  b.Return(b.Op(NNADAPTER_ASSIGN, {x}, {2, 3}));                           // input to output: stays
  b.Return(b.Op(NNADAPTER_ASSIGN, {b.model.output_operands[0]}, {2, 3}));  // output to output
  b.Return(b.Op(NNADAPTER_RESHAPE, {x, b.Ints({3, 2})}, {3, 2}));          // another shape
  Check("identity", &b, hal::RemoveIdentity, 4, 4);
}

static void Folding() {
  Builder b;
  std::vector<float> caller{1.f, 2.f, 3.f, 4.f, 5.f, 6.f};  // a CONSTANT_REFERENCE is not ours
  core::Operand* reference = b.Variable({2, 3});
  reference->type.lifetime = NNADAPTER_CONSTANT_REFERENCE;
  reference->buffer = caller.data();
  reference->length = 24;
  core::Operand* y = b.Op(NNADAPTER_TRANSPOSE, {reference, b.Ints({1, 0})}, {3, 2});
  y = Binary(&b, NNADAPTER_DIV, y, b.Weights({2}, 1, 2), NNADAPTER_FUSED_RELU6);
  y = b.Op(NNADAPTER_EXP, {y}, {3, 2});
  y = b.Op(NNADAPTER_RESHAPE, {y, b.Ints({6, 1})}, {6, 1});
  core::Operand* x = Binary(&b, NNADAPTER_MUL, b.Input({6, 1}), y);
  b.Return(x);
  b.Return(b.Op(NNADAPTER_EXP, {b.Weights({2})}, {2}));  // an output stays computed
  b.model.operations.reverse();
  Check("fold", &b, hal::FoldConstants, 4, 2);
  Expect(caller[5] == 6.f, "fold", "the caller's constant changed");
}

static void Sorting() {
  Builder b;
  core::Operand* x = b.Input({2});
  for (int i = 0; i < 1000; ++i) x = b.Op(NNADAPTER_RELU, {x}, {2});
  b.Return(x);
  b.model.operations.reverse();
  hal::SortOperations(&b.model);
  Expect(b.model.operations.front().input_operands[0] == b.model.input_operands[0], "sort",
         "first");
  Expect(b.model.operations.back().output_operands[0] == x, "sort", "last");
  b.model.operations.front().input_operands[0] = x;
  bool caught = false;
  try {
    hal::SortOperations(&b.model);
  } catch (const hal::InvalidParameter&) {
    caught = true;
  }
  Expect(caught, "sort", "a cycle is not seen");
}

static void Copies() {
  Builder b;
  core::Operand* x = b.Conv(b.Input({2, 4, 5, 5}), b.Weights({6, 2, 3, 3}), nullptr, 1, 0, 2);
  b.Return(Norm(&b, x, 6));
  const std::vector<Value> inputs = b.Inputs();
  const std::vector<Value> expected = reference::Run(b.model, inputs);
  const std::vector<uint8_t> bytes = hal::ModelCopy(b.model).Save();
  hal::ModelCopy copy = hal::ModelCopy::Load(bytes);
  hal::FuseConvBatchNorm(&copy.model());
  const std::vector<Value> found = reference::Run(copy.model(), inputs);
  for (size_t k = 0; k < expected[0].data.size(); ++k)
    Expect(std::fabs(expected[0].data[k] - found[0].data[k]) < 1e-4, "copy", "values");
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {  // damaged bytes: an error or another model, never a crash
    std::vector<uint8_t> damaged = bytes;
    if (i % 2) damaged.resize(random() % bytes.size());
    for (int k = 0; k < 3 && !damaged.empty(); ++k) damaged[random() % damaged.size()] = random();
    try {
      hal::ModelCopy::Load(damaged);
    } catch (const hal::Error&) {
    } catch (const std::bad_alloc&) {
    }
  }
}

// Scales belong to their operand: copying, removing and saving leave no double owner.
static void Scales() {
  Builder b;
  std::vector<float> scales{0.5f, 0.25f};
  auto type = hal::Graph::Type(NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL, {2, 3});
  type.symm_per_channel_params = {0, 2, scales.data()};
  const std::vector<int8_t> values{1, 2, 3, 4, 5, 6};
  core::Operand* x = hal::Graph(&b.model).AddConstant(type, values.data());
  hal::Graph(&b.model).AddConstant(x->type, values.data());
  b.Return(b.Op(NNADAPTER_RESHAPE, {x, b.Ints({2, 3})}, {2, 3}));
  hal::ModelCopy copy = hal::ModelCopy::Load(hal::ModelCopy(b.model).Save());
  core::Operand* first = copy.model().operations.front().input_operands[0];
  Expect(hal::Scales(first->type) == scales, "scales", "copied");
  hal::Graph graph(&copy.model());
  graph.SetInput(&copy.model().operations.front(), 0, graph.AddFloats({1.f}, {1}));
}

static void Quantisation() {
  const int8_t symm[] = {-128, -1, 0, 127};
  uint8_t asymm[4];
  int8_t back[4];
  hal::SymmToAsymm(symm, 4, 128, asymm);
  hal::AsymmToSymm(asymm, 4, 128, back);
  Expect(asymm[0] == 0 && asymm[2] == 128 && asymm[3] == 255, "quant", "asymm");
  Expect(std::equal(symm, symm + 4, back), "quant", "symm");
  Expect(hal::QuantizeValue<int8_t>(0.75f, 0.5f) == 2, "quant", "half goes away from zero");
  Expect(hal::QuantizeValue<int8_t>(-0.75f, 0.5f) == -2, "quant", "half goes away from zero");
  Expect(hal::QuantizeValue<int8_t>(1e9f, 0.5f) == 127, "quant", "saturation");
  Expect(hal::QuantizeValue<uint8_t>(NAN, 0.5f, 7) == 7, "quant", "NaN");
  Builder b;
  core::Operand* x = b.Input({4});
  x->type.precision = NNADAPTER_QUANT_INT8_SYMM_PER_LAYER;
  x->type.symm_per_layer_params.scale = 0.5f;
  auto type = x->type;
  type.lifetime = NNADAPTER_CONSTANT_REFERENCE;
  core::Operand* c = b.Variable({4});
  c->type = type;
  c->buffer = const_cast<int8_t*>(symm);
  c->length = 4;
  core::Operand* sum = Binary(&b, NNADAPTER_ADD, x, c);
  sum->type = x->type;
  core::Operand* out = b.Op(NNADAPTER_SOFTMAX, {sum, b.Ints({0})}, {4});
  out->type = x->type;
  b.Return(out);
  hal::ConvertSymmToAsymm(&b.model);
  Expect(hal::ZeroPoint(x->type) == 128 && hal::ZeroPoint(sum->type) == 128, "quant",
         "zero points");
  Expect(hal::ZeroPoint(out->type) == 0, "quant", "softmax starts at zero");
  Expect(hal::Values<int>(*c) == std::vector<int>({0, 127, 128, 255}), "quant", "constant");
  Expect(symm[0] == -128, "quant", "the caller's constant changed");
}

static void Text() {
  hal::Properties p("A_B=3;C=true;");
  Expect(p.GetInt("A_B", 0) == 3 && p.GetBool("C", false) && p.Get("D", "x") == "x", "text", "get");
  for (const char* bad : {";", "a", "a=", "=b", "a=b=c", "a=b;;c=d"}) {
    bool caught = false;
    try {
      hal::Properties q(bad);
    } catch (const hal::InvalidParameter&) {
      caught = true;
    }
    Expect(caught, "properties", bad);
  }
}

int main() {
  BatchNorm();
  ConvAdd();
  ConvScale();
  Activations();
  MatMul();
  ChannelShuffle();
  Identity();
  Folding();
  Sorting();
  Copies();
  Quantisation();
  Scales();
  Text();
  std::printf("%d failed\n", failures);
  return failures != 0;
}
