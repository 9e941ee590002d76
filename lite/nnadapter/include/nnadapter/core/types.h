// What a HAL library sees of a model. Layouts: 64-bit, libstdc++'s new ABI.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "nnadapter/nnadapter.h"

namespace nnadapter {
namespace core {

// Something that the runtime or a driver attached to an operand; `deleter` frees it and sets the
// handler to null.
struct Hint {
  void* handler = nullptr;
  void (*deleter)(void** handler) = nullptr;
};

struct Operand {
  NNAdapterOperandType type{};
  // A constant's elements, made with malloc where the lifetime is CONSTANT_COPY.
  void* buffer = nullptr;
  uint32_t length = 0;
  Hint hints[NNADAPTER_MAX_SIZE_OF_HINTS];
};

// An input or output of a program that is executed; see NNAdapterExecution_setInput.
struct Argument {
  int index = -1;
  void* memory = nullptr;
  void* (*access)(void* memory, NNAdapterOperandType* type, void* device_buffer) = nullptr;
};

struct Operation {
  NNAdapterOperationType type = 0;
  // An optional operand that is absent is null.
  std::vector<Operand*> input_operands;
  std::vector<Operand*> output_operands;
};

// What a program is restored from, or saved to: the driver fills `buffer`.
struct Cache {
  const char* token = nullptr;
  const char* dir = nullptr;
  std::vector<NNAdapterOperandType> input_types;
  std::vector<NNAdapterOperandType> output_types;
  std::vector<uint8_t> buffer;
};

// A driver's program may change its model.
struct Model {
  std::list<Operand> operands;
  std::list<Operation> operations;
  std::vector<Operand*> input_operands;
  std::vector<Operand*> output_operands;
};

static_assert(sizeof(NNAdapterOperandDimensionType) == 296, "ABI");
static_assert(sizeof(NNAdapterOperandType) == 328, "ABI");
static_assert(sizeof(Operand) == 472, "ABI");
static_assert(sizeof(Argument) == 24, "ABI");
static_assert(sizeof(Operation) == 56, "ABI");
static_assert(sizeof(Cache) == 88, "ABI");

}  // namespace core
}  // namespace nnadapter
