// The C++ helpers that Paddle Lite's libnnadapter.so exports beside its C API, by their public
// names and signatures: HALs that were linked against that library import them. Nothing here is
// for new HALs; those have the kit (nnadapter/hal/hal.h), which most of this is made of.
#pragma once

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "nnadapter/core/types.h"

#pragma GCC visibility push(default)

namespace nnadapter {

namespace logging {

// A line on stderr, written when the object goes.
class LogMessage {
 public:
  LogMessage(const char* file, const char* function, int line, const char* level = "I");
  ~LogMessage();
  std::ostream& stream() { return stream_; }

 protected:
  std::stringstream stream_;
  std::string level_;
};

// Throws its line. Drivers make it by LogMessage's constructor: theirs is inline.
class LogMessageFatal : public LogMessage {
 public:
  LogMessageFatal(const char* file, const char* function, int line, const char* level = "F")
      : LogMessage(file, function, line, level) {}
  ~LogMessageFatal() noexcept(false);
};

// A line on stderr where the environment's GLOG_v is at least `level`.
class VLogMessage {
 public:
  VLogMessage(const char* file, const char* function, int line, const int32_t level = 0);
  ~VLogMessage();
  std::ostream& stream() { return stream_; }

 protected:
  std::stringstream stream_;
  int32_t wanted_;
  int32_t level_;
};

static_assert(sizeof(LogMessage) == 424 && sizeof(LogMessageFatal) == 424, "ABI");
static_assert(sizeof(VLogMessage) == 400, "ABI");

}  // namespace logging

// Text
std::string Visualize(core::Model* model);  // DOT
std::string OperationTypeToString(NNAdapterOperationType type);
std::string ResultCodeToString(NNAdapterResultCode code);
std::string DeviceCodeToString(NNAdapterDeviceCode code);
std::string FuseCodeToString(NNAdapterFuseCode code);
std::string AutoPadCodeToString(NNAdapterAutoPadCode code);
std::string OperandPrecisionCodeToString(NNAdapterOperandPrecisionCode code);
std::string OperandLayoutCodeToString(NNAdapterOperandLayoutCode code);
std::string OperandLifetimeCodeToString(NNAdapterOperandLifetimeCode code);
std::string DimensionsToString(const int32_t* dimensions, uint32_t count);
std::string OperandTypeToString(NNAdapterOperandType* type);
std::string OperandToString(core::Operand* operand);
std::string OperandIdToString(core::Operand* operand);
std::string OperandValueToString(core::Operand* operand);
std::string OperationIdToString(core::Operation* operation);
std::string string_format(const std::string format, ...);  // as printf

// Properties, environment, files
std::map<std::string, std::string> GetKeyValues(const char* properties,
                                                const std::string& delimiter = ";",
                                                const std::string& assignment = "=");
std::string GetStringFromEnv(const std::string& name, const std::string& absent = "");
bool GetBoolFromEnv(const std::string& name, bool absent = false);
int GetIntFromEnv(const std::string& name, int absent = 0);
double GetDoubleFromEnv(const std::string& name, double absent = 0.0);
uint64_t GetUInt64FromEnv(const std::string& name, uint64_t absent = 0);
bool ReadFile(const std::string& path, std::vector<uint8_t>* buffer);
bool WriteFile(const std::string& path, const std::vector<uint8_t>& buffer);
std::vector<std::string> ReadLines(const std::string& path);
void WriteLines(const std::vector<std::string>& lines, const std::string& path);
std::string GetRealPath(const char* path);
bool IsAllZeros(void* buffer, size_t length);

// Types
bool IsPerLayerQuantType(NNAdapterOperandPrecisionCode type);
bool IsPerChannelQuantType(NNAdapterOperandPrecisionCode type);
bool IsAsymmetricQuantType(NNAdapterOperandPrecisionCode type);
bool IsSymmetricQuantType(NNAdapterOperandPrecisionCode type);
bool IsAsymmPerLayerQuantType(NNAdapterOperandPrecisionCode type);
bool IsSymmPerLayerQuantType(NNAdapterOperandPrecisionCode type);
bool IsSymmPerChannelQuantType(NNAdapterOperandPrecisionCode type);
bool IsUInt8AsymmPerLayerQuantType(NNAdapterOperandPrecisionCode type);
bool IsInt8SymmPerLayerQuantType(NNAdapterOperandPrecisionCode type);
bool IsInt8SymmPerChannelQuantType(NNAdapterOperandPrecisionCode type);
bool IsUInt16AsymmPerLayerQuantType(NNAdapterOperandPrecisionCode type);
bool IsInt16SymmPerLayerQuantType(NNAdapterOperandPrecisionCode type);
bool IsInt16SymmPerChannelQuantType(NNAdapterOperandPrecisionCode type);
bool IsUInt32AsymmPerLayerQuantType(NNAdapterOperandPrecisionCode type);
bool IsInt32SymmPerLayerQuantType(NNAdapterOperandPrecisionCode type);
bool IsInt32SymmPerChannelQuantType(NNAdapterOperandPrecisionCode type);
bool IsConstantOperandType(const NNAdapterOperandType& type);
bool IsModelInputOperandType(const NNAdapterOperandType& type);
bool IsModelOutputOperandType(const NNAdapterOperandType& type);
bool IsDynamicShapeOperandType(const NNAdapterOperandType& type);
int64_t GetOperandPrecisionDataLength(NNAdapterOperandPrecisionCode type);  // bytes
int64_t GetOperandTypeBufferLength(const NNAdapterOperandType& type);       // bytes
void CopyOperandType(NNAdapterOperandType* to, const NNAdapterOperandType& from);
void Symm2AsymmData(const int8_t* from, size_t count, int32_t zero_point, uint8_t* to);
void Asymm2SymmData(const uint8_t* from, size_t count, int32_t zero_point, int8_t* to);
bool CalcAsymmQuantParams(float min, float max, float* scale, int* zero_point);
bool CalcSymmQuantParams(float min, float max, float* scale);

// Dimensions
int64_t ProductionOfDimensions(const int32_t* dimensions, uint32_t count);
int64_t ProductionOfDimensions(const uint32_t* dimensions, uint32_t count);
int64_t ProductionOfDimensions(const std::vector<int32_t>& dimensions);
int64_t ProductionOfDimensions(const std::vector<uint32_t>& dimensions);
bool MatchDimensions(const int32_t* target, uint32_t target_count, const int32_t* reference,
                     uint32_t reference_count);
void TransposeDimensions(int32_t* dimensions, const std::vector<int32_t>& permutation,
                         int32_t* output = nullptr);
std::vector<int32_t> IdentityPermutation(size_t rank);
std::vector<int32_t> InversePermutation(const std::vector<int32_t>& permutation);
std::vector<int32_t> MultiplyPermutation(const std::vector<int32_t>& permutation,
                                         const std::vector<int32_t>& multiplier);
bool IsIdentityPermutation(const std::vector<int32_t>& permutation);
int32_t TransposeAxis(int32_t axis, const std::vector<int32_t>& permutation);
// The numbers of a TEMPORARY_SHAPE, or null.
NNAdapterOperandDimensionType* GetTemporaryShape(core::Operand* operand);

// A model
bool IsConstantOperand(core::Operand* operand);
bool IsTemporaryShapeOperand(core::Operand* operand);
bool IsModelInputOperand(core::Operand* operand);
bool IsModelOutputOperand(core::Operand* operand);
bool IsOperandWithDynamicShape(core::Operand* operand);
bool IsOperationWithAllInputConstantOperands(core::Operation* operation);
core::Operand* AddOperand(core::Model* model);
core::Operation* AddOperation(core::Model* model);
void RemoveOperand(core::Model* model, core::Operand* operand);
void RemoveOperation(core::Model* model, core::Operation* operation);
void ClearModel(core::Model* model);
core::Operand* AddBool8ConstantOperand(core::Model* model, bool value);
core::Operand* AddInt32ConstantOperand(core::Model* model, int32_t value);
core::Operand* AddInt32ConstantOperand(core::Model* model, std::vector<int32_t> values);
core::Operand* AddInt32ConstantOperand(core::Model* model, int32_t* values,
                                       const std::vector<int32_t>& dimensions, bool copy = true);
core::Operand* AddFloat32ConstantOperand(core::Model* model, float value);
core::Operand* AddFloat32ConstantOperand(core::Model* model, std::vector<float> values);
core::Operand* AddFloat32ConstantOperand(core::Model* model, float* values,
                                         const std::vector<int32_t>& dimensions, bool copy = true);
void TransposeOperand(core::Operand* operand, std::vector<int32_t> permutation);
bool UpdateOperationInputOperands(std::vector<core::Operation*> operations, core::Operand* from,
                                  core::Operand* to);
bool UpdateOperationOutputOperands(core::Operation* operation, core::Operand* from,
                                   core::Operand* to);
bool UpdateModelInputOperands(core::Model* model, core::Operand* from, core::Operand* to);
bool UpdateModelOutputOperands(core::Model* model, core::Operand* from, core::Operand* to);
std::vector<core::Operation*> GetOperandConsumers(core::Model* model, core::Operand* operand);
core::Operation* GetOperandProducer(core::Model* model, core::Operand* operand);
int GetModelInputOperandIndex(core::Model* model, core::Operand* operand);
int GetModelOutputOperandIndex(core::Model* model, core::Operand* operand);
// Append: the operation reads the operand, its result is returned. Insert: it writes the operand,
// what it reads is returned. Who else uses the operand stays as it is.
core::Operand* AppendTransposeOperation(core::Model* model, core::Operand* input,
                                        std::vector<int32_t> permutation);
core::Operand* InsertTransposeOperation(core::Model* model, core::Operand* output,
                                        std::vector<int32_t> permutation);
core::Operand* AppendReshapeOperation(core::Model* model, core::Operand* input,
                                      std::vector<int32_t> shape);
core::Operand* InsertReshapeOperation(core::Model* model, core::Operand* output,
                                      const NNAdapterOperandDimensionType& input_dimensions,
                                      std::vector<int32_t> shape = {});
core::Operand* AppendUnaryOperation(core::Model* model, core::Operand* input,
                                    NNAdapterOperationType type);
core::Operand* InsertUnaryOperation(core::Model* model, core::Operand* output,
                                    NNAdapterOperationType type);
core::Operand* AppendDummyAddOperation(core::Model* model, core::Operand* input);
core::Operand* InsertDummyAddOperation(core::Model* model, core::Operand* output);
// `quant_params` is the member of NNAdapterOperandType that belongs to the operand's precision.
core::Operand* AppendRequantOperation(core::Model* model, core::Operand* input, void* quant_params);
core::Operand* InsertRequantOperation(core::Model* model, core::Operand* output,
                                      void* quant_params);
std::vector<core::Operation*> SortOperationsInTopologicalOrder(core::Model* model);
std::vector<const core::Operation*> SortOperationsInTopologicalOrder(const core::Model* model);
bool SerializeModel(core::Model* model, std::vector<uint8_t>* buffer);
bool DeserializeModel(void* buffer, uint64_t size, core::Model** model);

// Passes
void FuseConv2DBatchNormIntoConv2D(core::Model* model, double max_scale_deviation = -1);
void FuseConv2DAddIntoConv2D(core::Model* model);
void FuseConv2DActivationIntoConv2D(core::Model* model);
void FuseMatMulAddIntoFullyConnected(core::Model* model, bool restrict_2d_input = false);
void FuseMatMulDequantAddIntoFullyConnectedDequant(core::Model* model,
                                                   bool restrict_2d_input = false);
void FuseReshapeTransposeReshapeIntoChannelShuffle(core::Model* model);
void FuseSigmoidMulIntoSwish(core::Model* model);
void ConvertAdaptivePool2dIntoPool2d(core::Model* model);
void ConvertQuantizationSymmToAsymm(core::Model* model);
// Pictures, and what is computed from them, get their channels last; a model's inputs and outputs
// stay. Filters: [C_out, H, W, C_in], [1, H, W, C_out] of depthwise convolutions.
void ConvertDataLayoutNCHWToNHWC(core::Model* model);
void ConstantFoldOperations(core::Model* model);

namespace operation {

// SAME and VALID become numbers; SAME sets the dilation to 1.
void UpdateConv2DPadAndDilation(int32_t input_size, int32_t kernel, NNAdapterAutoPadCode auto_pad,
                                int32_t* pad_before, int32_t* pad_after, int32_t stride,
                                int32_t* dilation);
void GetConv2DFilterDims(const core::Operand* filter, int32_t* c_out, int32_t* c_in,
                         int32_t* height, int32_t* width, bool is_depthwise);
void GetConv2DTransposeFilterDims(const core::Operand* filter, int32_t* c_out, int32_t* c_in,
                                  int32_t* height, int32_t* width);
void UpdateExpandInferOutputShape(int32_t* input_dimensions, uint32_t input_count,
                                  int32_t* output_dimensions, uint32_t shape_count, int32_t* shape);

}  // namespace operation

// Named values in the container of .nnc files.
class Cache {
 public:
  void Clear();
  bool Set(const std::string& key, const std::vector<uint8_t>& value);
  bool Set(const std::string& key, const void* value, uint64_t size);
  bool Set(const std::string& key, const std::string& value);
  bool Get(const std::string& key, std::vector<uint8_t>* value);
  bool Get(const std::string& key, void* value, uint64_t size);
  bool Get(const std::string& key, std::string* value);
  uint64_t GetSerializedSize();
  bool Serialize(void* buffer, uint64_t size);
  bool Deserialize(void* buffer, uint64_t size);

 private:
  std::map<std::string, std::vector<uint8_t>> entries_;
};

static_assert(sizeof(Cache) == 48, "ABI");

}  // namespace nnadapter

#pragma GCC visibility pop
