// Each helper of libnnadapter_compat.so alone, against what its public namesake does.
#include "lite/nnadapter/compat/compat.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "../hal/reference.h"

using namespace nnadapter;
using reference::Builder;
using reference::Value;
using Ints = std::vector<int32_t>;

static int failures = 0;

static void Expect(bool fits, const char* what, int line) {
  if (fits) return;
  ++failures;
  std::printf("FAILED line %d: %s\n", line, what);
}
#define EXPECT(condition) Expect(condition, #condition, __LINE__)

template <typename Body>
static bool Throws(Body body) {
  try {
    body();
  } catch (const std::exception&) {
    return true;
  }
  return false;
}

static Ints Dims(const core::Operand* operand) { return hal::Dims(operand->type); }

static core::Operand Typed(NNAdapterOperandPrecisionCode precision, const Ints& dims) {
  core::Operand operand;
  operand.type = hal::Graph::Type(precision, dims);
  return operand;
}

static void Logging() {
  EXPECT(Throws([] { logging::LogMessageFatal("a/b.cc", "f", 3).stream() << "broken"; }));
  setenv("GLOG_v", "2", 1);
  logging::LogMessage("a/b.cc", "f", 3, "W").stream() << "a warning";
  logging::VLogMessage("a/b.cc", "f", 3, 2).stream() << "shown";
  logging::VLogMessage("a/b.cc", "f", 3, 3).stream() << "hidden";
}

static void Text() {
  EXPECT(OperationTypeToString(NNADAPTER_CONV_2D) == "CONV_2D");
  EXPECT(OperationTypeToString(-7) == "UNKNOWN" && OperationTypeToString(4711) == "UNKNOWN");
  EXPECT(OperandPrecisionCodeToString(NNADAPTER_FLOAT32) == "FLOAT32");
  EXPECT(OperandLayoutCodeToString(NNADAPTER_NHWC) == "NHWC");
  EXPECT(OperandLifetimeCodeToString(NNADAPTER_MODEL_INPUT) == "MODEL_INPUT");
  EXPECT(AutoPadCodeToString(NNADAPTER_AUTO_PAD_SAME) == "AUTO_PAD_SAME");
  EXPECT(ResultCodeToString(NNADAPTER_OUT_OF_MEMORY) == "OUT_OF_MEMORY");
  EXPECT(DeviceCodeToString(NNADAPTER_GPU) == "GPU");
  EXPECT(FuseCodeToString(NNADAPTER_FUSED_RELU6) == "FUSED_RELU6");
  const int32_t dims[] = {1, 2};
  EXPECT(DimensionsToString(dims, 2) == "[1,2]");
  EXPECT(string_format("%d-%s-%.1f", 7, "x", 0.5) == "7-x-0.5");
  EXPECT(string_format("") == "");
  EXPECT(OperandToString(nullptr) == "NULL" && OperandIdToString(nullptr) == "NULL");
  Builder b;
  core::Operand* y = b.Op(NNADAPTER_RELU, {b.Input({2, 3}), nullptr}, {2, 3});
  EXPECT(OperandToString(y).find("FLOAT32[2,3]") != std::string::npos);
  EXPECT(OperandTypeToString(&y->type).find("NCHW") != std::string::npos);
  EXPECT(OperandValueToString(b.Ints({4, 5})).find("{4,5}") != std::string::npos);
  EXPECT(OperationIdToString(&b.model.operations.front()).find("0x") == 0);
  const std::string dot = Visualize(&b.model);
  EXPECT(dot.find("digraph") == 0 && dot.find("RELU") != std::string::npos);
}

static void Environment() {
  const auto values = GetKeyValues("a=1;b=two");
  EXPECT(values.size() == 2 && values.at("b") == "two" && GetKeyValues("").empty());
  EXPECT(GetKeyValues(nullptr).empty() && GetKeyValues("a:1,b:2", ",", ":").at("b") == "2");
  for (const char* bad : {"a", "a=", "=1", "a=1=2", "a=1;;b=2"})
    EXPECT(Throws([&] { GetKeyValues(bad); }));
  setenv("COMPAT_TEXT", "True", 1), setenv("COMPAT_NUMBER", "12", 1);
  EXPECT(GetStringFromEnv("COMPAT_TEXT") == "True" && GetStringFromEnv("COMPAT_NO", "x") == "x");
  EXPECT(GetBoolFromEnv("COMPAT_TEXT") && !GetBoolFromEnv("COMPAT_NUMBER", true));
  EXPECT(GetBoolFromEnv("COMPAT_NO", true) && GetIntFromEnv("COMPAT_NUMBER") == 12);
  EXPECT(GetIntFromEnv("COMPAT_NO", -3) == -3 && GetDoubleFromEnv("COMPAT_NUMBER") == 12.0);
  EXPECT(GetUInt64FromEnv("COMPAT_NUMBER", 1) == 12);
  EXPECT(Throws([] { GetIntFromEnv("COMPAT_TEXT"); }));
  const std::string path = GetStringFromEnv("COMPAT_FOLDER") + "/file";
  std::vector<uint8_t> bytes{1, 0, 255, 10, 2}, read;
  EXPECT(WriteFile(path, bytes) && ReadFile(path, &read) && read == bytes);
  EXPECT(!ReadFile(path + ".none", &read) && !WriteFile("/none/of/this", bytes));
  WriteLines({"one", "two"}, path);
  EXPECT(ReadLines(path) == (std::vector<std::string>{"one", "two"}));
  EXPECT(Throws([&] { ReadLines(path + ".none"); }));
  EXPECT(GetRealPath(path.c_str()).back() == 'e' && GetRealPath("/none/of/this").empty());
  uint8_t zeros[4] = {};
  EXPECT(IsAllZeros(zeros, 4));
  zeros[3] = 1;
  EXPECT(!IsAllZeros(zeros, 4) && IsAllZeros(zeros, 3));
}

static void Types() {
  EXPECT(IsUInt8AsymmPerLayerQuantType(NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER));
  EXPECT(!IsUInt8AsymmPerLayerQuantType(NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER));
  EXPECT(IsAsymmPerLayerQuantType(NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER));
  EXPECT(IsSymmPerChannelQuantType(NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL));
  EXPECT(IsInt32SymmPerLayerQuantType(NNADAPTER_QUANT_INT32_SYMM_PER_LAYER));
  EXPECT(IsInt32SymmPerChannelQuantType(NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL));
  EXPECT(!IsSymmetricQuantType(NNADAPTER_FLOAT32) && !IsPerLayerQuantType(NNADAPTER_INT8));
  EXPECT(GetOperandPrecisionDataLength(NNADAPTER_INT64) == 8);
  core::Operand x = Typed(NNADAPTER_FLOAT32, {2, 3});
  EXPECT(GetOperandTypeBufferLength(x.type) == 24 && !IsOperandWithDynamicShape(&x));
  for (auto lifetime : {NNADAPTER_CONSTANT_COPY, NNADAPTER_CONSTANT_REFERENCE}) {
    x.type.lifetime = lifetime;
    EXPECT(IsConstantOperand(&x) && IsConstantOperandType(x.type) && !IsModelInputOperand(&x));
  }
  x.type.lifetime = NNADAPTER_MODEL_INPUT;
  EXPECT(IsModelInputOperand(&x) && IsModelInputOperandType(x.type) && !IsConstantOperand(&x));
  x.type.lifetime = NNADAPTER_MODEL_OUTPUT;
  EXPECT(IsModelOutputOperand(&x) && IsModelOutputOperandType(x.type));
  x.type.lifetime = NNADAPTER_TEMPORARY_SHAPE;
  EXPECT(IsTemporaryShapeOperand(&x) && !GetTemporaryShape(&x));
  NNAdapterOperandDimensionType shape{};
  x.hints[NNADAPTER_HINT_TEMPORARY_SHAPE].handler = &shape;
  EXPECT(GetTemporaryShape(&x) == &shape);
  x.type.dimensions.data[0] = NNADAPTER_UNKNOWN;
  EXPECT(IsDynamicShapeOperandType(x.type));

  const float scales[] = {0.5f, 0.25f};
  NNAdapterOperandType type = hal::Graph::Type(NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL, {2});
  type.symm_per_channel_params = {0, 2, scales};
  NNAdapterOperandType copy{};
  CopyOperandType(&copy, type);
  EXPECT(copy.symm_per_channel_params.scales != scales);
  EXPECT(copy.symm_per_channel_params.scales[1] == 0.25f);
  std::free(const_cast<float*>(copy.symm_per_channel_params.scales));

  int8_t symm[] = {-128, -1, 0, 127};
  uint8_t asymm[4];
  Symm2AsymmData(symm, 4, 128, asymm);
  EXPECT(asymm[0] == 0 && asymm[1] == 127 && asymm[2] == 128 && asymm[3] == 255);
  Symm2AsymmData(symm, 4, 0, asymm);
  EXPECT(asymm[0] == 0 && asymm[1] == 0 && asymm[3] == 127);
  auto* same = reinterpret_cast<int8_t*>(asymm);  // from and to may be one buffer
  Asymm2SymmData(asymm, 4, 128, same);
  EXPECT(same[0] == -128 && same[3] == -1);
  float scale;
  int zero;
  EXPECT(CalcAsymmQuantParams(-1, 1, &scale, &zero) && std::fabs(scale - 2 / 255.f) < 1e-7f);
  EXPECT((zero == 127 || zero == 128) && !CalcAsymmQuantParams(1, -1, &scale, &zero));
  EXPECT(CalcAsymmQuantParams(2, 5, &scale, &zero) && zero == 0);
  EXPECT(CalcSymmQuantParams(-2, 1, &scale) && std::fabs(scale - 2 / 127.f) < 1e-7f);
}

static void Dimensions() {
  const int32_t dims[] = {2, 3, 4}, other[] = {2, 3, 5};
  EXPECT(ProductionOfDimensions(dims, 3) == 24 && ProductionOfDimensions(dims, 0) == 1);
  EXPECT(ProductionOfDimensions(Ints{2, 0}) == 0);
  EXPECT(ProductionOfDimensions(std::vector<uint32_t>{2, 5}) == 10);
  EXPECT(Throws([] { ProductionOfDimensions(Ints{2, NNADAPTER_UNKNOWN}); }));
  EXPECT(MatchDimensions(dims, 3, dims, 3) && !MatchDimensions(dims, 3, other, 3));
  EXPECT(!MatchDimensions(dims, 3, dims, 2));
  EXPECT(InversePermutation({0, 2, 3, 1}) == (Ints{0, 3, 1, 2}));
  EXPECT(MultiplyPermutation({0, 2, 3, 1}, {0, 3, 1, 2}) == IdentityPermutation(4));
  EXPECT(IsIdentityPermutation({0, 1, 2}) && !IsIdentityPermutation({1, 0}));
  EXPECT(TransposeAxis(1, {0, 2, 3, 1}) == 3 && TransposeAxis(-1, {0, 2, 3, 1}) == 2);
  EXPECT(Throws([] { TransposeAxis(4, {0, 1}); }));
  int32_t moved[] = {2, 3, 4};
  TransposeDimensions(moved, {2, 0, 1});
  EXPECT((Ints(moved, moved + 3) == Ints{4, 2, 3}));

  int32_t before = 9, after = 9, dilation = 2;
  operation::UpdateConv2DPadAndDilation(7, 3, NNADAPTER_AUTO_PAD_NONE, &before, &after, 2,
                                        &dilation);
  EXPECT(before == 9 && after == 9 && dilation == 2);
  operation::UpdateConv2DPadAndDilation(8, 3, NNADAPTER_AUTO_PAD_SAME, &before, &after, 2,
                                        &dilation);
  EXPECT(before == 0 && after == 1 && dilation == 1);
  operation::UpdateConv2DPadAndDilation(8, 3, NNADAPTER_AUTO_PAD_VALID, &before, &after, 2,
                                        &dilation);
  EXPECT(before == 0 && after == 0);
  EXPECT(Throws([&] {
    operation::UpdateConv2DPadAndDilation(-1, 3, NNADAPTER_AUTO_PAD_SAME, &before, &after, 2,
                                          &dilation);
  }));
  core::Operand filter = Typed(NNADAPTER_FLOAT32, {8, 4, 3, 5});
  int32_t out, in, h, w;
  const auto is = [&](int32_t a, int32_t b, int32_t c, int32_t d) {
    return out == a && in == b && h == c && w == d;
  };
  operation::GetConv2DFilterDims(&filter, &out, &in, &h, &w, false);
  EXPECT(is(8, 4, 3, 5));
  operation::GetConv2DTransposeFilterDims(&filter, &out, &in, &h, &w);
  EXPECT(is(4, 8, 3, 5));
  filter.type.layout = NNADAPTER_NHWC;
  operation::GetConv2DFilterDims(&filter, &out, &in, &h, &w, false);
  EXPECT(is(8, 5, 4, 3));
  operation::GetConv2DFilterDims(&filter, &out, &in, &h, &w, true);
  EXPECT(is(5, 8, 4, 3));
  int32_t input[] = {3, 1}, shape[] = {2, -1, 4}, result[3];
  operation::UpdateExpandInferOutputShape(input, 2, result, 3, shape);
  EXPECT((Ints(result, result + 3) == Ints{2, 3, 4}));
  EXPECT(Throws([&] { operation::UpdateExpandInferOutputShape(input, 2, result, 1, shape); }));
}

static void Editing() {
  Builder b;
  core::Model* model = &b.model;
  core::Operand* x = b.Input({2, 3});
  core::Operand* y = b.Op(NNADAPTER_RELU, {x}, {2, 3});
  b.Return(y);
  core::Operation* relu = &model->operations.front();
  EXPECT(GetOperandProducer(model, y) == relu && !GetOperandProducer(model, x));
  EXPECT(GetOperandConsumers(model, x) == std::vector<core::Operation*>{relu});
  EXPECT(GetOperandConsumers(model, nullptr).empty() && GetOperandConsumers(model, y).empty());
  EXPECT(GetModelInputOperandIndex(model, x) == 0 && GetModelInputOperandIndex(model, y) == -1);
  EXPECT(GetModelOutputOperandIndex(model, y) == 0);

  core::Operand* turned = AppendTransposeOperation(model, y, {1, 0});
  EXPECT(Dims(turned) == (Ints{3, 2}) && turned->type.lifetime == NNADAPTER_TEMPORARY_VARIABLE);
  EXPECT(UpdateModelOutputOperands(model, y, turned) && IsModelOutputOperand(turned));
  EXPECT(y->type.lifetime == NNADAPTER_TEMPORARY_VARIABLE && model->output_operands[0] == turned);
  EXPECT(!UpdateModelOutputOperands(model, y, turned));
  const std::vector<Value> inputs = b.Inputs();
  const Value before = reference::Run(*model, inputs)[0];
  core::Operation* transpose = GetOperandProducer(model, turned);
  core::Operand* unused =
      InsertReshapeOperation(model, turned, hal::Graph::Type(NNADAPTER_FLOAT32, {6}).dimensions);
  core::Operation* reshape = &model->operations.back();
  EXPECT(Dims(unused) == Ints{6} && reshape->type == NNADAPTER_RESHAPE);
  core::Operand* between = b.Variable({3, 2});
  EXPECT(UpdateOperationOutputOperands(transpose, turned, between));
  core::Operand* flat = AppendReshapeOperation(model, between, {-1});
  EXPECT(Dims(flat) == Ints{6} && Dims(AppendReshapeOperation(model, y, {0, 1, -1}))[2] == 3);
  RemoveOperation(model, &model->operations.back());
  EXPECT(UpdateOperationInputOperands({reshape, transpose}, unused, flat));
  EXPECT(!UpdateOperationInputOperands({reshape}, unused, flat));
  RemoveOperand(model, unused);
  const Value after = reference::Run(*model, inputs)[0];
  EXPECT(before.dims == after.dims && before.data == after.data);

  core::Operand* added = AppendDummyAddOperation(model, turned);
  UpdateModelOutputOperands(model, turned, added);
  core::Operand* in = InsertDummyAddOperation(model, x);
  EXPECT(UpdateModelInputOperands(model, x, in) && IsModelInputOperand(in));
  EXPECT(reference::Run(*model, inputs)[0].data == before.data);
  const std::vector<core::Operation*> sorted = SortOperationsInTopologicalOrder(model);
  EXPECT(sorted.size() == model->operations.size());
  EXPECT(sorted.front()->input_operands[0] == in && sorted.back()->output_operands[0] == added);
  const core::Model* constant = model;
  EXPECT(SortOperationsInTopologicalOrder(constant).size() == sorted.size());
  EXPECT(Dims(AppendUnaryOperation(model, x, NNADAPTER_EXP)) == (Ints{2, 3}));
  EXPECT(Dims(InsertTransposeOperation(model, turned, {1, 0})) == (Ints{2, 3}));
  EXPECT(Dims(InsertUnaryOperation(model, turned, NNADAPTER_EXP)) == (Ints{3, 2}));
  EXPECT(Throws([&] { AppendTransposeOperation(model, x, {0, 1, 2}); }));

  core::Operand* matrix = b.Weights({2, 3});
  const auto old = hal::Values<float>(*matrix);
  TransposeOperand(matrix, {1, 0});
  EXPECT(Dims(matrix) == (Ints{3, 2}) && hal::Values<float>(*matrix)[1] == old[3]);
  float kept[] = {1, 2};
  core::Operand* reference = AddFloat32ConstantOperand(model, kept, {2}, false);
  EXPECT(reference->buffer == kept && reference->type.lifetime == NNADAPTER_CONSTANT_REFERENCE);
  TransposeOperand(reference, {0});
  EXPECT(reference->buffer != kept && reference->type.lifetime == NNADAPTER_CONSTANT_COPY);
  int32_t ints[] = {5, 6};
  EXPECT(hal::Values<int>(*AddInt32ConstantOperand(model, ints, {2})) == (Ints{5, 6}));
  EXPECT(hal::Scalar<int>(*AddInt32ConstantOperand(model, 8)) == 8);
  EXPECT(Dims(AddInt32ConstantOperand(model, Ints{1, 2, 3})) == Ints{3});
  EXPECT(hal::Scalar<float>(*AddFloat32ConstantOperand(model, 0.5f)) == 0.5f);
  EXPECT(Dims(AddFloat32ConstantOperand(model, std::vector<float>(4))) == Ints{4});
  core::Operand* flag = AddBool8ConstantOperand(model, true);
  EXPECT(hal::Scalar<bool>(*flag));
  EXPECT(IsOperationWithAllInputConstantOperands(AddOperation(model)));

  NNAdapterAsymmPerLayerQuantParams params{0.25f, 3};
  core::Model quantised;
  core::Operand* levels = AddOperand(&quantised);
  levels->type = hal::Graph::Type(NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER, {4});
  levels->type.asymm_per_layer_params = {0.5f, 7};
  core::Operand* out = AppendRequantOperation(&quantised, levels, &params);
  EXPECT(out->type.asymm_per_layer_params.scale == 0.25f);
  core::Operand* zero = quantised.operations.front().input_operands[1];
  EXPECT(hal::Scalar<int>(*zero) == 7 && zero->type.asymm_per_layer_params.scale == 0.5f);
  core::Operand* from = InsertRequantOperation(&quantised, levels, &params);
  EXPECT(from->type.asymm_per_layer_params.zero_point == 3);

  std::vector<uint8_t> bytes;
  core::Model* loaded = nullptr;
  EXPECT(SerializeModel(&quantised, &bytes) &&
         DeserializeModel(bytes.data(), bytes.size(), &loaded));
  EXPECT(loaded->operations.size() == 2 && loaded->operands.size() == quantised.operands.size());
  ClearModel(loaded);
  EXPECT(loaded->operands.empty());
  delete loaded;
  EXPECT(!DeserializeModel(bytes.data(), bytes.size() - 1, &loaded));
  ClearModel(&quantised);
}

// Applies a pass; the model must compute the same with `left` operations of `type` and no other.
static void Pass(Builder* b, const std::function<void(core::Model*)>& pass, int type, size_t left) {
  const std::vector<Value> inputs = b->Inputs();
  const Value before = reference::Run(b->model, inputs)[0];
  pass(&b->model);
  EXPECT(b->model.operations.size() == left);
  EXPECT(b->model.operations.front().type == type);
  const Value after = reference::Run(b->model, inputs)[0];
  EXPECT(before.dims == after.dims);
  for (size_t i = 0; i < before.data.size(); ++i)
    EXPECT(std::fabs(before.data[i] - after.data[i]) < 1e-4);
}

static void Passes() {
  {
    Builder b;
    core::Operand* y = b.Conv(b.Input({1, 2, 4, 4}), b.Weights({3, 2, 3, 3}), b.Weights({3}), 1);
    y = b.Op(NNADAPTER_BATCH_NORMALIZATION,
             {y, b.Weights({3}), b.Weights({3}), b.Weights({3}), b.Weights({3}, 0.5f, 1),
              AddFloat32ConstantOperand(&b.model, 1e-3f)},
             {1, 3, 4, 4});
    y = b.Op(NNADAPTER_ADD, {y, b.Weights({1, 3, 1, 1}), b.Ints({0})}, {1, 3, 4, 4});
    b.Return(b.Op(NNADAPTER_RELU6, {y}, {1, 3, 4, 4}));
    const auto all = [](core::Model* model) {
      FuseConv2DBatchNormIntoConv2D(model);
      FuseConv2DAddIntoConv2D(model);
      FuseConv2DActivationIntoConv2D(model);
    };
    Pass(&b, all, NNADAPTER_CONV_2D, 1);
  }
  {
    Builder b;
    core::Operand* y =
        b.Op(NNADAPTER_MAT_MUL, {b.Input({2, 3}), b.Weights({3, 4}), b.Bool(false), b.Bool(false)},
             {2, 4});
    b.Return(b.Op(NNADAPTER_ADD, {y, b.Weights({4}), b.Ints({1})}, {2, 4}));
    Pass(
        &b, [](core::Model* m) { FuseMatMulAddIntoFullyConnected(m, true); },
        NNADAPTER_FULLY_CONNECTED, 1);
  }
  {
    Builder b;
    core::Operand* y =
        b.Op(NNADAPTER_RESHAPE, {b.Input({1, 4, 2, 2}), b.Ints({1, 2, 2, 2, 2})}, {1, 2, 2, 2, 2});
    y = b.Op(NNADAPTER_TRANSPOSE, {y, b.Ints({0, 2, 1, 3, 4})}, {1, 2, 2, 2, 2});
    b.Return(b.Op(NNADAPTER_RESHAPE, {y, b.Ints({1, 4, 2, 2})}, {1, 4, 2, 2}));
    Pass(&b, FuseReshapeTransposeReshapeIntoChannelShuffle, NNADAPTER_CHANNEL_SHUFFLE, 1);
  }
  {
    Builder b;
    core::Operand* sum = b.Op(NNADAPTER_ADD, {b.Weights({3}), b.Weights({3}), b.Ints({0})}, {3});
    b.Return(b.Op(NNADAPTER_MUL, {b.Input({2, 3}), sum, b.Ints({0})}, {2, 3}));
    Pass(&b, ConstantFoldOperations, NNADAPTER_MUL, 1);
  }
  {
    Builder b;
    core::Operand* x = b.Input({2, 3});
    core::Operand* y = b.Op(NNADAPTER_SIGMOID, {x}, {2, 3});
    b.Return(b.Op(NNADAPTER_MUL, {y, x, b.Ints({0})}, {2, 3}));
    FuseSigmoidMulIntoSwish(&b.model);
    EXPECT(b.model.operations.size() == 1 && b.model.operations.front().type == NNADAPTER_SWISH);
    EXPECT(b.model.operations.front().input_operands[0] == x);
  }
  for (int type : {NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D, NNADAPTER_ADAPTIVE_MAX_POOL_2D}) {
    const bool average = type == NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D;
    for (int size : {2, 4}) {  // windows of 6 / 2 are equal, those of 6 / 4 are not
      Builder b;
      core::Operand* x = b.Input({1, 2, 6, 6});
      std::vector<core::Operand*> inputs{x, b.Ints({size, size})};
      if (!average) inputs.insert(inputs.end(), {b.Bool(false), b.Ints({NNADAPTER_INT32})});
      b.Return(b.Op(type, inputs, {1, 2, size, size}));
      ConvertAdaptivePool2dIntoPool2d(&b.model);
      const core::Operation& pool = b.model.operations.front();
      const int expected = size == 4 ? type
                           : average ? +NNADAPTER_AVERAGE_POOL_2D
                                     : +NNADAPTER_MAX_POOL_2D;
      EXPECT(pool.type == expected);
      if (size == 2) EXPECT((hal::Values<int>(pool, hal::MaxPool2D::kKernelShape) == Ints{3, 3}));
      if (size == 2) EXPECT(pool.input_operands.size() == (average ? 8u : 9u));
    }
  }
  {
    Builder b;
    core::Operand* x = b.Input({2, 3});
    x->type.precision = NNADAPTER_QUANT_INT8_SYMM_PER_LAYER;
    x->type.symm_per_layer_params.scale = 0.5f;
    core::Operand* y = b.Op(NNADAPTER_SOFTMAX, {x, b.Ints({1})}, {2, 3});
    y->type.precision = x->type.precision;
    y->type.symm_per_layer_params.scale = 1 / 127.f;
    b.Return(y);
    ConvertQuantizationSymmToAsymm(&b.model);
    EXPECT(x->type.precision == NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER);
    EXPECT(x->type.asymm_per_layer_params.zero_point == 128);
    EXPECT(y->type.asymm_per_layer_params.zero_point == 0);
  }
}

static void QuantisedMatMul() {
  Builder b;
  const auto quantised = [](core::Operand* operand, NNAdapterOperandPrecisionCode code,
                            float scale) {
    operand->type.precision = code;
    operand->type.symm_per_layer_params.scale = scale;
    return operand;
  };
  core::Operand* x = quantised(b.Input({1, 2}), NNADAPTER_QUANT_INT8_SYMM_PER_LAYER, 0.5f);
  NNAdapterOperandType type = hal::Graph::Type(NNADAPTER_QUANT_INT8_SYMM_PER_LAYER, {2, 3});
  type.symm_per_layer_params.scale = 0.25f;
  const int8_t weight[] = {1, 2, 3, 4, 5, 6};
  core::Operand* w = hal::Graph(&b.model).AddConstant(type, weight);
  core::Operand* levels =
      quantised(b.Op(NNADAPTER_MAT_MUL, {x, w, b.Bool(false), b.Bool(false)}, {1, 3}),
                NNADAPTER_QUANT_INT32_SYMM_PER_LAYER, 0.125f);
  core::Operand* floats = b.Op(NNADAPTER_DEQUANTIZE, {levels}, {1, 3});
  core::Operand* bias = AddFloat32ConstantOperand(&b.model, std::vector<float>{1, -2, 0.5f});
  b.Return(b.Op(NNADAPTER_ADD, {floats, bias, b.Ints({0})}, {1, 3}));
  FuseMatMulDequantAddIntoFullyConnectedDequant(&b.model);
  EXPECT(b.model.operations.size() == 2);
  const core::Operation& full = b.model.operations.front();
  EXPECT(full.type == NNADAPTER_FULLY_CONNECTED);
  EXPECT(hal::Values<int>(full, hal::FullyConnected::kWeight) == (Ints{1, 4, 2, 5, 3, 6}));
  EXPECT(hal::Values<int>(full, hal::FullyConnected::kBias) == (Ints{8, -16, 4}));
  EXPECT(b.model.operations.back().type == NNADAPTER_DEQUANTIZE);
}

static void Caches() {
  Cache cache, other;
  int number = 7, read = 0;
  EXPECT(cache.Set("number", &number, sizeof(number)) && cache.Set("text", std::string("abc")));
  EXPECT(cache.Set("bytes", std::vector<uint8_t>{1, 2}));
  std::vector<uint8_t> buffer(cache.GetSerializedSize()), bytes;
  EXPECT(cache.Serialize(buffer.data(), buffer.size()));
  EXPECT(!cache.Serialize(buffer.data(), buffer.size() - 1));
  EXPECT(other.Deserialize(buffer.data(), buffer.size()));
  std::string text;
  EXPECT(other.Get("number", &read, sizeof(read)) && read == 7);
  EXPECT(!other.Get("number", &read, 2) && !other.Get("none", &bytes));
  EXPECT(other.Get("text", &text) && text == "abc" && other.Get("bytes", &bytes) && bytes[1] == 2);
  buffer.back() ^= 1;
  EXPECT(!other.Deserialize(buffer.data(), buffer.size()) && !other.Get("text", &text));
}

int main() {
  Logging();
  Text();
  Environment();
  Types();
  Dimensions();
  Editing();
  Passes();
  QuantisedMatMul();
  Caches();
  std::printf("%d failures\n", failures);
  return failures != 0;
}
