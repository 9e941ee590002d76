#include "lite/core/program_builder.h"

#include <algorithm>
#include <set>

#include "lite/core/kernel.h"
#include "lite/core/quantized_program.h"

namespace paddle::lite {
namespace {

bool IsFeedOrFetch(const std::string& type) { return type == "feed" || type == "fetch"; }

// The blocks whose operators a device runs: they need no kernels here.
std::set<size_t> DeviceBlocks(const ProgramDesc& program) {
  std::set<size_t> blocks;
  for (const BlockDesc& block : program.blocks)
    for (const OpDesc& op : block.ops) {
      const auto found = op.attrs.find("sub_block");
      if (FindBlockOp(op.type) == nullptr || found == op.attrs.end()) continue;
      const int32_t* index = std::get_if<int32_t>(&found->second);
      if (index != nullptr && *index > 0) blocks.insert(static_cast<size_t>(*index));
    }
  return blocks;
}

void CheckSupported(const ProgramDesc& program) {
  std::map<std::string, int> missing;
  const std::set<size_t> on_devices = DeviceBlocks(program);
  for (size_t i = 0; i < program.blocks.size(); ++i)
    for (const OpDesc& op : program.blocks[i].ops)
      if (!IsFeedOrFetch(op.type) && OpRegistry::Global().Find(op.type) == nullptr &&
          on_devices.count(i) == 0)
        ++missing[op.type];
  if (missing.empty()) return;
  std::string list;
  for (const auto& [type, count] : missing) {
    list += StrCat(list.empty() ? "" : ", ", type, " (", count, "x");
    const std::string near = NearestOpTypes(type);
    list += near.empty() ? ")" : StrCat("; like: ", near, ")");
  }
  throw UnsupportedOperatorError(StrCat(
      "the program uses ", missing.size(), " operator type(s) that are not implemented: ", list,
      ". Export the model without them, or add the operator (docs/add_operator.md)"));
}

class Builder {
 public:
  Builder(const ProgramDesc& program, ParamTable* params, const DeviceSettings& settings)
      : program_(program), block_(program.blocks.at(0)), params_(*params), settings_(settings) {
    for (const VarDesc& var : block_.vars) vars_.emplace(var.name, &var);
  }

  LoadedProgram Run() {
    loaded_.graph = std::make_shared<Graph>();
    for (size_t i = 0; i < block_.ops.size(); ++i) {
      const OpDesc& op = block_.ops[i];
      index_ = static_cast<int>(i);
      try {
        if (op.type == "feed")
          AddFeed(op);
        else if (op.type == "fetch")
          AddFetch(op);
        else
          AddOp(op);
      } catch (LiteError& error) {
        error.AddContext(StrCat("operator ", index_, " (", op.type, ", block 0)"));
        throw;
      }
    }
    ReportMissing();
    Graph& graph = *loaded_.graph;
    graph.inputs = TakeColumns(feeds_, "feed", &loaded_.inputs);
    graph.outputs = TakeColumns(fetches_, "fetch", &loaded_.outputs);
    graph.Finish();
    params_.clear();
    return std::move(loaded_);
  }

 private:
  using Columns = std::map<int, std::pair<ValueId, VarDesc>>;

  static int Column(const OpDesc& op, const Columns& taken) {
    const auto found = op.attrs.find("col");
    const int32_t* col = found == op.attrs.end() ? nullptr : std::get_if<int32_t>(&found->second);
    const int column = col != nullptr ? *col : 0;
    if (column < 0 || taken.count(column))
      throw ModelFormatError(StrCat("col is ", column, ", expected an unused number from 0 on"));
    return column;
  }

  static const std::string& OneName(const std::map<std::string, std::vector<std::string>>& slots,
                                    const char* slot) {
    const auto found = slots.find(slot);
    if (found == slots.end() || found->second.size() != 1)
      throw ModelFormatError(StrCat("expected one variable in ", slot));
    return found->second[0];
  }

  VarDesc Describe(const std::string& name) const {
    const auto found = vars_.find(name);
    if (found != vars_.end()) return *found->second;
    VarDesc unknown;
    unknown.name = name;
    return unknown;
  }

  void AddFeed(const OpDesc& op) {
    const std::string& name = OneName(op.outputs, "Out");
    const int column = Column(op, feeds_);
    const ValueId value = loaded_.graph->AddValue(name);
    current_[name] = value;
    feeds_[column] = {value, Describe(name)};
  }

  void AddFetch(const OpDesc& op) {
    const std::string& name = OneName(op.inputs, "X");
    const int column = Column(op, fetches_);
    fetches_[column] = {Read(name), Describe(name)};
  }

  static std::vector<ValueId> TakeColumns(const Columns& columns, const char* what,
                                          std::vector<VarDesc>* descs) {
    std::vector<ValueId> values;
    for (const auto& [column, entry] : columns) {
      if (column != static_cast<int>(values.size()))
        throw ModelFormatError(
            StrCat("no ", what, " operator has col ", values.size(), ", but one has ", column));
      values.push_back(entry.first);
      descs->push_back(entry.second);
    }
    return values;
  }

  // The value that a name stands for here; a parameter becomes a constant when it is first read.
  // A name that nobody writes is remembered, all of them are reported together.
  ValueId Read(const std::string& name) {
    const auto found = current_.find(name);
    if (found != current_.end()) return found->second;
    ValueId value;
    const auto param = params_.find(name);
    if (param != params_.end()) {
      value = loaded_.graph->AddConstant(name, std::move(param->second));
      params_.erase(param);
    } else {
      value = loaded_.graph->AddValue(name);
      const auto var = vars_.find(name);
      const bool is_param = var != vars_.end() && var->second->persistable;
      (is_param ? missing_params_ : unwritten_)
          .push_back(StrCat("'", name, "' (read by operator ", index_, ")"));
    }
    current_[name] = value;
    return value;
  }

  bool IsReadable(const std::string& name) const {
    return current_.count(name) != 0 || params_.count(name) != 0;
  }

  void AddOp(const OpDesc& desc) {
    const OpInfo* info = OpRegistry::Global().Find(desc.type);
    OpLite::Slots inputs, outputs;
    for (const auto& [slot, names] : desc.inputs) {
      const int declared = info->FindInput(slot);
      const bool optional = declared >= 0 && info->inputs()[static_cast<size_t>(declared)].optional;
      auto& values = inputs[slot];
      for (const std::string& name : names) {
        // Exporters name optional inputs that nothing writes.
        if ((optional || declared < 0) && !IsReadable(name)) continue;
        values.push_back(Read(name));
      }
    }
    std::string first_output;
    for (const auto& [slot, names] : desc.outputs) {
      auto& values = outputs[slot];
      for (const std::string& name : names) {
        if (first_output.empty()) first_output = name;
        values.push_back(loaded_.graph->AddValue(name));
      }
    }
    OpLite op(info, inputs, outputs, desc.attrs);
    op.SetPlace(0, index_, first_output);
    const BlockOp* block_op = AddBlockOp(desc);
    loaded_.graph->ops.push_back(std::move(op));
    // After the inputs were read: an operator may write what it reads.
    for (const auto& [slot, names] : desc.outputs)
      for (size_t i = 0; i < names.size(); ++i)
        if (block_op == nullptr || block_op->Writes(names[i]))
          current_[names[i]] = outputs[slot][i];
  }

  // Null for an operator that runs no block.
  const BlockOp* AddBlockOp(const OpDesc& desc) {
    const BlockOpInfo* info = FindBlockOp(desc.type);
    if (info == nullptr) return nullptr;
    if (session_ == nullptr) session_ = info->make_session(settings_);
    auto& block_op = loaded_.graph->block_ops[static_cast<int>(loaded_.graph->ops.size())];
    block_op = info->make(desc, program_, session_);
    return block_op.get();
  }

  static std::string Join(const std::vector<std::string>& items) {
    std::string text;
    for (size_t i = 0; i < items.size() && i < 20; ++i) text += (i ? ", " : "") + items[i];
    if (items.size() > 20) text += StrCat(" and ", items.size() - 20, " more");
    return text;
  }

  void ReportMissing() const {
    if (!missing_params_.empty())
      throw ModelFormatError(StrCat(missing_params_.size(),
                                    " parameter(s) are missing: ", Join(missing_params_),
                                    ". The parameters belong to another model, or were cut off"));
    if (!unwritten_.empty())
      throw ModelFormatError(StrCat(unwritten_.size(),
                                    " variable(s) are read before anything "
                                    "writes them: ",
                                    Join(unwritten_)));
  }

  const ProgramDesc& program_;
  const BlockDesc& block_;
  ParamTable& params_;
  std::map<std::string, const VarDesc*> vars_;
  std::map<std::string, ValueId> current_;
  std::vector<std::string> missing_params_, unwritten_;
  const DeviceSettings& settings_;
  std::shared_ptr<void> session_;  // what the operators that run on devices share
  Columns feeds_, fetches_;
  LoadedProgram loaded_;
  int index_ = 0;
};

}  // namespace

LoadedProgram BuildGraph(const ProgramDesc& program, ParamTable* params,
                         const DeviceSettings& settings) {
  if (program.blocks.empty())
    throw ModelFormatError(
        "the program has no block; is the file a PIR program "
        "(inference.json) or empty?");
  if (HasQuantizedOps(program)) {
    const ProgramDesc floats = RestoreFloats(program, params);
    CheckSupported(floats);
    return Builder(floats, params, settings).Run();
  }
  CheckSupported(program);
  return Builder(program, params, settings).Run();
}

}  // namespace paddle::lite
