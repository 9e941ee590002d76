// The program section of a `.nb` file: ProgramDesc with its blocks, variables and operators.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lite/core/attr_type.h"
#include "lite/core/base/errors.h"
#include "lite/core/naive_buffer_internal.h"

namespace paddle::lite::naive_buffer {
namespace {

using flatbuffer::Table;

// Nested blocks run within each other, so that an endless nest would exhaust the stack.
constexpr int kMaxBlockDepth = 64;
// How many blocks a run may enter, counting a block that several operators share for each.
constexpr uint64_t kMaxBlockVisits = 65536;
constexpr int kSelectedRows = 8;  // VarType.Type

template <typename T>
std::vector<T> CopyScalars(const flatbuffer::ScalarVector<T>& from, ReadBudget* budget) {
  budget->Charge(from.size(), sizeof(T));
  std::vector<T> to(from.size());
  if (!to.empty()) std::memcpy(to.data(), from.bytes(), from.size() * sizeof(T));
  return to;
}

std::string CopyString(std::string_view from, ReadBudget* budget) {
  budget->Charge(from.size() + kNodeOverhead);
  return std::string(from);
}

class ProgramReader {
 public:
  ProgramReader(const flatbuffer::Buffer& buffer, ReadBudget* budget)
      : root_(Table::Root(buffer, "the program")), budget_(budget) {}

  ProgramDesc Read() {
    ProgramDesc program;
    if (auto version = root_.Child(1, "the program's version"))
      program.version = version->Scalar<int64_t>(0, 0);
    if (auto versions = root_.Child(2, "the operators' versions"))
      ReadOpVersions(versions->Tables(0, "the operators' versions"), &program.op_versions);
    const auto blocks = root_.Tables(0, "the list of blocks");
    if (blocks.size() == 0) root_.Fail("the program has no block");
    budget_->Charge(blocks.size(), sizeof(BlockDesc) + sizeof(children_[0]) + kNodeOverhead);
    program.blocks.reserve(blocks.size());
    children_.resize(blocks.size());
    for (block_ = 0; block_ < blocks.size(); ++block_)
      program.blocks.push_back(ReadBlock(blocks[block_]));
    CheckNesting();
    return program;
  }

 private:
  void ReadOpVersions(const flatbuffer::TableVector& pairs, std::map<std::string, int32_t>* to) {
    for (size_t i = 0; i < pairs.size(); ++i) {
      const Table pair = pairs[i];
      std::string type = CopyName(pair.RequiredString(0, "an operator's type"),
                                  "an operator's type", pair, budget_);
      budget_->Charge(sizeof(std::pair<std::string, int32_t>) + kNodeOverhead);
      (*to)[std::move(type)] = pair.RequiredChild(1, "an operator's version").Scalar<int32_t>(0, 0);
    }
  }

  BlockDesc ReadBlock(const Table& table) {
    BlockDesc block;
    block.idx = table.Scalar<int32_t>(0, 0);
    block.parent_idx = table.Scalar<int32_t>(1, 0);
    block.forward_block_idx = table.Scalar<int32_t>(4, -1);
    const auto vars = table.Tables(2, "a block's variables");
    budget_->Charge(vars.size(), sizeof(VarDesc));
    block.vars.reserve(vars.size());
    for (size_t i = 0; i < vars.size(); ++i) {
      try {
        block.vars.push_back(ReadVar(vars[i]));
      } catch (ModelFormatError& error) {
        error.AddContext(StrCat("block ", block_, ", variable ", i));
        throw;
      }
    }
    const auto ops = table.Tables(3, "a block's operators");
    budget_->Charge(ops.size(), sizeof(OpDesc));
    block.ops.reserve(ops.size());
    for (size_t i = 0; i < ops.size(); ++i) {
      OpDesc op;
      try {
        ReadOp(ops[i], &op);
      } catch (ModelFormatError& error) {
        error.AddContext(StrCat("block ", block_, ", operator ", i,
                                op.type.empty() ? "" : " (" + op.type + ")"));
        throw;
      }
      block.ops.push_back(std::move(op));
    }
    return block;
  }

  VarDesc ReadVar(const Table& table) {
    VarDesc var;
    var.name =
        CopyName(table.RequiredString(0, "a variable's name"), "a variable's name", table, budget_);
    const Table type = table.RequiredChild(1, "a variable's type");
    var.type = type.Scalar<int32_t>(0, 0);
    var.persistable = table.Bool(2);
    var.need_check_feed = table.Bool(3);
    var.has_tensor = false;
    if (var.type == kSelectedRows) {
      if (auto rows = type.Child(1, "a variable's rows")) ReadTensor(*rows, &var);
      return var;
    }
    // LoDTensorDesc and LoDTensorArrayDesc look the same.
    auto lod_tensor = type.Child(2, "a variable's tensor description");
    if (!lod_tensor) lod_tensor = type.Child(3, "a variable's tensor array description");
    if (!lod_tensor) return var;
    var.lod_level = lod_tensor->Scalar<int32_t>(1, 0);
    if (auto tensor = lod_tensor->Child(0, "a variable's tensor")) ReadTensor(*tensor, &var);
    return var;
  }

  void ReadTensor(const Table& tensor, VarDesc* var) {
    var->has_tensor = true;
    var->data_type = tensor.Scalar<int32_t>(0, 0);
    var->dims = CopyScalars(tensor.Scalars<int64_t>(1, "a variable's dims"), budget_);
  }

  void ReadOp(const Table& table, OpDesc* op) {
    op->type = CopyName(table.RequiredString(0, "an operator's type"), "an operator's type", table,
                        budget_);
    if (op->type.empty()) table.Fail("an operator's type is empty");
    ReadSlots(table.Tables(1, "an operator's inputs"), "input", &op->inputs);
    ReadSlots(table.Tables(2, "an operator's outputs"), "output", &op->outputs);
    const auto attrs = table.Tables(3, "an operator's attributes");
    for (size_t i = 0; i < attrs.size(); ++i) ReadAttr(attrs[i], op);
    op->is_target = table.Bool(4);
  }

  void ReadSlots(const flatbuffer::TableVector& slots, const char* what,
                 std::map<std::string, std::vector<std::string>>* to) {
    using Slots = std::map<std::string, std::vector<std::string>>;
    for (size_t i = 0; i < slots.size(); ++i) {
      const Table slot = slots[i];
      std::string name =
          CopyName(slot.RequiredString(0, "a slot's name"), "a slot's name", slot, budget_);
      const auto arguments = slot.Strings(1, "a slot's arguments");
      budget_->Charge(sizeof(Slots::value_type) + kNodeOverhead);
      budget_->Charge(arguments.size(), sizeof(std::string));
      std::vector<std::string> names;
      names.reserve(arguments.size());
      for (size_t k = 0; k < arguments.size(); ++k)
        names.push_back(CopyName(arguments[k], "a variable's name", slot, budget_));
      const auto [at, is_new] = to->try_emplace(std::move(name), std::move(names));
      if (!is_new && at->second != names)
        slot.Fail(StrCat("the ", what, " slot ", at->first, " occurs twice, with other variables"));
    }
  }

  void ReadAttr(const Table& table, OpDesc* op) {
    std::string name = CopyName(table.RequiredString(0, "an attribute's name"),
                                "an attribute's name", table, budget_);
    budget_->Charge(sizeof(AttributeMap::value_type) + kNodeOverhead);
    Attribute value;
    try {
      value = ReadValue(table, name);
    } catch (ModelFormatError& error) {
      error.AddContext("attribute " + name);
      throw;
    }
    const auto type = static_cast<AttrType>(table.Scalar<int32_t>(1, 0));
    const auto at = op->attrs.find(name);
    if (at == op->attrs.end()) {
      if (type == AttrType::kBlock || type == AttrType::kBlocks) op->block_attrs.push_back(name);
      op->attrs.emplace(std::move(name), std::move(value));
    } else if (at->second != value)
      table.Fail(StrCat("attribute ", name, " occurs twice, with other values"));
  }

  Attribute ReadValue(const Table& table, const std::string& name) {
    const auto type = table.Scalar<int32_t>(1, 0);
    switch (static_cast<AttrType>(type)) {
      case AttrType::kInt: {
        const auto value = table.Scalar<int32_t>(2, 0);
        // Real files keep a sub-block's position as an INT.
        if (name == "sub_block") Refer(value, table);
        return value;
      }
      case AttrType::kFloat:
        return table.Scalar<float>(3, 0);
      case AttrType::kString:
      case AttrType::kVar:
        return CopyString(table.String(4, "a string"), budget_);
      case AttrType::kInts:
        return CopyScalars(table.Scalars<int32_t>(5, "a list of int"), budget_);
      case AttrType::kFloats:
        return CopyScalars(table.Scalars<float>(6, "a list of float"), budget_);
      case AttrType::kStrings:
      case AttrType::kVars:
        return ReadStrings(table.Strings(7, "a list of strings"));
      case AttrType::kBoolean:
        return table.Bool(8);
      case AttrType::kBooleans: {
        const auto from = table.Scalars<uint8_t>(9, "a list of bool");
        budget_->Charge(from.size() + kNodeOverhead);
        std::vector<bool> to(from.size());
        for (size_t i = 0; i < to.size(); ++i) to[i] = from[i] != 0;
        return to;
      }
      case AttrType::kBlock: {
        const auto value = table.Scalar<int32_t>(10, 0);
        Refer(value, table);
        return value;
      }
      case AttrType::kLong:
        return table.Scalar<int64_t>(11, 0);
      case AttrType::kBlocks: {
        auto values = CopyScalars(table.Scalars<int32_t>(12, "a list of blocks"), budget_);
        for (int32_t value : values) Refer(value, table);
        return values;
      }
      case AttrType::kLongs:
        return CopyScalars(table.Scalars<int64_t>(13, "a list of long"), budget_);
      case AttrType::kFloat64:
        return table.Scalar<double>(14, 0);
      case AttrType::kFloat64s:
        return CopyScalars(table.Scalars<double>(15, "a list of float64"), budget_);
    }
    table.Fail(StrCat("type ", type, " is unknown; known are 0 (INT) to 15 (FLOAT64)"));
  }

  std::vector<std::string> ReadStrings(const flatbuffer::StringVector& from) {
    budget_->Charge(from.size(), sizeof(std::string));
    std::vector<std::string> to;
    to.reserve(from.size());
    for (size_t i = 0; i < from.size(); ++i) to.push_back(CopyString(from[i], budget_));
    return to;
  }

  // Notes that an operator of the current block runs block `child`.
  void Refer(int32_t child, const Table& table) {
    const auto blocks = children_.size();
    if (child <= 0 || static_cast<size_t>(child) >= blocks)
      table.Fail(StrCat("block ", child, " cannot be a sub-block: the program has blocks 0 to ",
                        blocks - 1, ", of which 0 is the main one"));
    budget_->Charge(2 * sizeof(uint32_t));
    children_[block_].push_back(static_cast<uint32_t>(child));
  }

  // Throws where blocks contain themselves or nest so deeply or often that running could not end.
  void CheckNesting() {
    const size_t count = children_.size();
    budget_->Charge(count, 2 * sizeof(Visit) + sizeof(State));
    std::vector<State> states(count);
    std::vector<Visit> path;
    path.reserve(count);
    for (size_t start = 0; start < count; ++start) {
      if (states[start].done) continue;
      path.push_back({start, 0});
      states[start].open = true;
      while (!path.empty()) {
        const size_t block = path.back().block;
        State& state = states[block];
        if (path.back().next == children_[block].size()) {
          state.done = true;
          state.open = false;
          path.pop_back();
          if (!path.empty()) states[path.back().block].Add(state);
          CheckState(state, block);
          continue;
        }
        const size_t child = children_[block][path.back().next++];
        if (states[child].open)
          root_.Fail(StrCat("block ", child, " contains itself, through block ", block));
        if (states[child].done) {
          state.Add(states[child]);
        } else {
          states[child].open = true;
          path.push_back({child, 0});
        }
      }
    }
  }

  struct Visit {
    size_t block;
    size_t next;  // child to look at
  };
  struct State {
    bool open = false, done = false;
    int depth = 1;
    uint64_t visits = 1;  // of blocks when this one runs once
    void Add(const State& child) {
      depth = std::max(depth, child.depth + 1);
      visits = std::min(visits + child.visits, kMaxBlockVisits + 1);
    }
  };

  void CheckState(const State& state, size_t block) const {
    if (state.depth > kMaxBlockDepth)
      root_.Fail(
          StrCat("the blocks within block ", block, " nest more than ", kMaxBlockDepth, " deep"));
    if (state.visits > kMaxBlockVisits)
      root_.Fail(
          StrCat("block ", block, " enters other blocks more than ", kMaxBlockVisits, " times"));
  }

  Table root_;
  ReadBudget* budget_;
  size_t block_ = 0;                             // being read
  std::vector<std::vector<uint32_t>> children_;  // of each block, one entry a reference
};

}  // namespace

ProgramDesc ReadProgram(const flatbuffer::Buffer& buffer, ReadBudget* budget) {
  return ProgramReader(buffer, budget).Read();
}

}  // namespace paddle::lite::naive_buffer
