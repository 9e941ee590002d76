// BlockOp: an operator that runs another block of its program (`subgraph`, `while`). It is made
// with the program at hand, and its output shapes are known when it has run.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/program_desc.h"

namespace paddle::lite {

class BlockOp {
 public:
  virtual ~BlockOp() = default;
  // Tensors by slot, as the operator declares them. Safe to call from several threads.
  virtual void Run(const std::vector<std::vector<const Tensor*>>& inputs,
                   const std::vector<std::vector<Tensor*>>& outputs, int threads) = 0;
  // Whether what Run leaves in this output may be read: a slot can list the block's inner results.
  virtual bool Writes(const std::string& output) const = 0;
  // Calls `visit` for itself and for those in its block.
  virtual void ForEach(const std::function<void(const BlockOp&)>& visit) const { visit(*this); }
};

struct Graph;

// What such an operator is made from.
struct BlockOpSource {
  const OpDesc& op;
  const ProgramDesc& program;
  // What all operators of a program share; null where the operator wants no session.
  std::shared_ptr<void> session;
  // Of an operator with a variables_slot: its block. Inputs and outputs are the variables in that
  // slot and in Out.
  std::shared_ptr<Graph> body;
};

// Makes what the operators of a program share that want a session (devices); called at most once.
using SessionMaker = std::function<std::shared_ptr<void>()>;

// Registered beside the operator's declaration.
struct BlockOpInfo {
  std::shared_ptr<BlockOp> (*make)(const BlockOpSource& source);
  // Whether such operators share something that the loader of the program makes.
  bool wants_session = false;
  // The block reads and writes variables of the blocks around it: when the operator is made this
  // input slot holds those that it reads, and Out those that it writes. Null: a device runs the
  // block, and the program's own slots list all that it needs.
  const char* variables_slot = nullptr;
};

bool RegisterBlockOp(const std::string& type, BlockOpInfo info);
// Null for any other operator.
const BlockOpInfo* FindBlockOp(const std::string& type);

}  // namespace paddle::lite
