// A core::Model that owns what its operands point to, in the way drivers do: malloc and free.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_set>
#include <vector>

#include "nnadapter/core/types.h"

namespace nnadapter::runtime {

// Constants of at most so many bytes are copied at once, whatever the caller asks for.
constexpr uint32_t kMaxImmediateBytes = 128;

// A model that a driver may change: it may add and remove operands and operations, and replace
// buffers by others that it made with malloc (lifetime CONSTANT_COPY).
class OwnedModel {
 public:
  OwnedModel() = default;
  ~OwnedModel();
  OwnedModel(const OwnedModel&) = delete;
  OwnedModel& operator=(const OwnedModel&) = delete;

  core::Model model;
};

enum class CopiedConstants {
  // Each use of a constant becomes an operand with memory of its own, of references too: for who
  // may write to them while another operation reads them.
  kEachUse,
  kAll,    // each CONSTANT_COPY gets memory of its own
  kSmall,  // those above kMaxImmediateBytes become references to the original's memory
};

// Copies type (with its scales), constant and hints. `to` is a fresh operand.
void CopyOperand(const core::Operand& from, CopiedConstants constants, core::Operand* to);
// Frees what the operand owns; `freed` keeps two operands that share memory from freeing it twice.
void FreeOperand(core::Operand* operand, std::unordered_set<void*>* freed) noexcept;

// The operations of `from` for which `taken` is set, with their operands; `inputs` and `outputs`
// become the inputs and outputs of the copy.
std::unique_ptr<OwnedModel> CopyModel(const core::Model& from, const std::vector<bool>& taken,
                                      const std::vector<core::Operand*>& inputs,
                                      const std::vector<core::Operand*>& outputs,
                                      CopiedConstants constants);
// All of it.
std::unique_ptr<OwnedModel> CopyModel(const core::Model& from);

}  // namespace nnadapter::runtime
