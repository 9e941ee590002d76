// Operands of NNAPI: types, values, and what the types are called.
#pragma once

#include <android/NeuralNetworksTypes.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nnadapter::nnapi {

class Memory;
class Model;

// A dimension 0 is unknown.
using Dims = std::vector<uint32_t>;

struct OperandType {
  int32_t code = ANEURALNETWORKS_FLOAT32;
  // Of a tensor without any the rank is unknown; a scalar has none.
  Dims dims;
  float scale = 0;
  int32_t zero_point = 0;
  // TENSOR_QUANT8_SYMM_PER_CHANNEL, once they were set.
  uint32_t channel_dim = 0;
  std::vector<float> channel_scales;
};

enum class Lifetime {
  kTemporary,  // an operation's result, or not known yet
  kInput,
  kOutput,
  kConstant,
  kLeftOut,  // an optional operand that the client does not give
  kModel     // what IF or WHILE runs
};

struct Operand {
  OperandType type;
  Lifetime lifetime = Lifetime::kTemporary;
  // A constant's bytes: the client's until the model is finished, then `own` or `memory`.
  const uint8_t* data = nullptr;
  size_t length = 0;
  std::vector<uint8_t> own;
  std::shared_ptr<Memory> memory;
  size_t memory_offset = 0;
  std::shared_ptr<const Model> model;
};

// Facts of the table about an operand code; see IsOperandCode.
bool IsOperandCode(int32_t code);
bool IsTensor(int32_t code);
size_t ElementSize(int32_t code);
const char* OperandCodeName(int32_t code);

// Whether rank and dimensions are known; a scalar's are.
bool IsShapeKnown(const OperandType& type);
// Elements of a known shape; 1 for a scalar. Dimensions were checked: it does not overflow.
size_t ElementCount(const OperandType& type);
inline size_t ByteSize(const OperandType& type) {
  return ElementCount(type) * ElementSize(type.code);
}
// "TENSOR_FLOAT32 [1, ?, 3]".
std::string TypeText(const OperandType& type);

float HalfToFloat(uint16_t half);
uint16_t FloatToHalf(float number);

}  // namespace nnadapter::nnapi
