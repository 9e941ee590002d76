#include "lite/core/block_variables.h"

#include <algorithm>

#include "lite/core/base/errors.h"
#include "lite/core/block_op.h"
#include "lite/core/op_registry.h"

namespace paddle::lite {
namespace {

constexpr int kLodTensorArray = 13;  // VarType.LOD_TENSOR_ARRAY

class UniqueNames {
 public:
  void Add(const std::string& name) {
    if (seen_.insert(name).second) names_.push_back(name);
  }
  bool Has(const std::string& name) const { return seen_.count(name) != 0; }
  std::vector<std::string> Take() { return std::move(names_); }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> names_;
};

bool RunsABlockHere(const OpDesc& op) {
  const BlockOpInfo* info = FindBlockOp(op.type);
  return info != nullptr && info->variables_slot != nullptr;
}

}  // namespace

int SubBlockOf(const OpDesc& op, const ProgramDesc& program) {
  const auto found = op.attrs.find("sub_block");
  const int32_t* block = found == op.attrs.end() ? nullptr : std::get_if<int32_t>(&found->second);
  if (block == nullptr || *block < 1 || static_cast<size_t>(*block) >= program.blocks.size())
    throw ModelFormatError(StrCat("sub_block of ", op.type, " is ", block == nullptr ? -1 : *block,
                                  ", the program has ", program.blocks.size(), " blocks"));
  return *block;
}

BlockVariables VariablesOf(const OpDesc& op, const ProgramDesc& program) {
  const BlockDesc& block = program.blocks[static_cast<size_t>(SubBlockOf(op, program))];
  std::set<std::string> own;
  for (const VarDesc& var : block.vars) own.insert(var.name);
  for (const auto& [slot, names] : op.outputs)
    for (const std::string& name : names) own.erase(name);

  UniqueNames reads, writes;
  std::set<std::string> written;
  const auto read = [&](const std::string& name) {
    if (written.count(name) == 0) reads.Add(name);
  };
  const auto write = [&](const std::string& name) {
    if (own.count(name) == 0) writes.Add(name);
  };
  for (const OpDesc& inner : block.ops) {
    for (const auto& [slot, names] : inner.inputs)
      if (!RunsABlockHere(inner) || slot == "Condition" || slot == "Cond")
        for (const std::string& name : names) read(name);
    if (RunsABlockHere(inner)) {
      const BlockVariables deeper = VariablesOf(inner, program);
      for (const std::string& name : deeper.reads) read(name);
      // It may run no time at all: what was there before may still be read.
      for (const std::string& name : deeper.writes) {
        read(name);
        write(name);
      }
      for (const std::string& name : deeper.writes) written.insert(name);
      continue;
    }
    const OpInfo* info = OpRegistry::Global().Find(inner.type);
    for (const auto& [slot, names] : inner.outputs)
      for (const std::string& name : names) {
        if (info != nullptr && info->updated_output() == slot) read(name);
        write(name);
        written.insert(name);
      }
  }
  return {reads.Take(), writes.Take()};
}

std::set<std::string> ListVariables(const ProgramDesc& program) {
  std::set<std::string> lists;
  for (const BlockDesc& block : program.blocks) {
    for (const VarDesc& var : block.vars)
      if (var.type == kLodTensorArray) lists.insert(var.name);
    for (const OpDesc& op : block.ops)
      if (op.type == "write_to_array")
        for (const auto& [slot, names] : op.outputs) lists.insert(names.begin(), names.end());
  }
  return lists;
}

}  // namespace paddle::lite
