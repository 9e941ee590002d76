#include "lite/core/program_builder.h"

#include <algorithm>
#include <set>

#include "lite/core/block_variables.h"
#include "lite/core/kernel.h"
#include "lite/core/quantized_program.h"
#include "lite/core/tensor_list.h"

namespace paddle::lite {
namespace {

bool IsFeedOrFetch(const std::string& type) { return type == "feed" || type == "fetch"; }

// The blocks whose operators a device runs: they need no kernels here.
std::set<size_t> DeviceBlocks(const ProgramDesc& program) {
  std::set<size_t> blocks;
  for (const BlockDesc& block : program.blocks)
    for (const OpDesc& op : block.ops) {
      const auto found = op.attrs.find("sub_block");
      const BlockOpInfo* info = FindBlockOp(op.type);
      if (info == nullptr || info->variables_slot != nullptr || found == op.attrs.end()) continue;
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
      ". Export the model without them, write them in Python with @lite.operator "
      "(docs/custom_operators.md), or add them to the library (docs/add_operator.md)"));
}

// What the builders of a program's blocks share.
struct Shared {
  const ProgramDesc& program;
  const BuildSettings& settings;
  std::set<std::string> lists;    // names of variables that are lists of tensors
  std::shared_ptr<void> session;  // of the operators that want one
};

class Builder {
 public:
  Builder(Shared* shared, int block, ParamTable* params)
      : shared_(*shared),
        block_index_(block),
        block_(shared->program.blocks.at(static_cast<size_t>(block))),
        params_(*params) {
    loaded_.graph->packed_memory.set_precision(shared->settings.precision);
    for (const VarDesc& var : block_.vars) vars_.emplace(var.name, &var);
    for (const BlockDesc& other : shared->program.blocks)
      for (const VarDesc& var : other.vars) vars_.emplace(var.name, &var);
  }

  // The main block, whose feed and fetch operators say what goes in and comes out.
  LoadedProgram Run() {
    AddOps();
    for (const std::string& name : shared_.settings.kept) Keep(name);
    loaded_.graph->inputs = TakeColumns(feeds_, "feed", &loaded_.inputs);
    loaded_.graph->outputs = TakeColumns(fetches_, "fetch", &loaded_.outputs);
    Finish();
    return std::move(loaded_);
  }

  // A block that an operator runs on variables of the blocks around it.
  std::shared_ptr<Graph> RunBody(const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs) {
    for (const std::string& name : inputs) {
      current_[name] = loaded_.graph->AddValue(name);
      loaded_.graph->inputs.push_back(current_[name]);
    }
    AddOps();
    if (!feeds_.empty() || !fetches_.empty())
      throw ModelFormatError(StrCat("block ", block_index_, " has feed or fetch operators, which ",
                                    "only block 0 may have"));
    for (const std::string& name : outputs) loaded_.graph->outputs.push_back(Read(name));
    Finish();
    return loaded_.graph;
  }

 private:
  void AddOps() {
    for (size_t i = 0; i < block_.ops.size(); ++i) {
      const OpDesc& op = block_.ops[i];
      index_ = static_cast<int>(i);
      try {
        if (op.type == "feed")
          AddFeed(op);
        else if (op.type == "fetch")
          AddFetch(op);
        else if (op.type == "assign" && IsListAssignment(op))
          current_[OneName(op.outputs, "Out")] = Read(OneName(op.inputs, "X"));
        else
          AddOp(op);
      } catch (LiteError& error) {
        error.AddContext(StrCat("operator ", index_, " (", op.type, ", block ", block_index_, ")"));
        throw;
      }
    }
  }

  void Finish() {
    ReportMissing();
    loaded_.graph->Finish();
    params_.clear();
  }

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

  // Fetches what the program does not.
  void Keep(const std::string& name) {
    for (const auto& [column, entry] : fetches_)
      if (entry.second.name == name) return;
    const auto found = current_.find(name);
    if (found == current_.end() || shared_.lists.count(name) != 0)
      throw ConfigError(
          StrCat("the tensor to keep, '", name, "', is not computed by the program's main block. ",
                 "The optimizer leaves out what it joins: name it when the model is converted"));
    const int column = fetches_.empty() ? 0 : fetches_.rbegin()->first + 1;
    fetches_[column] = {found->second, Describe(name)};
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
    } else if (shared_.lists.count(name) != 0) {  // a list exists before something is in it
      value = loaded_.graph->AddConstant(name, ListTensor({}));
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
    return current_.count(name) != 0 || params_.count(name) != 0 || shared_.lists.count(name) != 0;
  }

  // A kernel for lists would only do what naming a value twice does.
  bool IsListAssignment(const OpDesc& op) const {
    return shared_.lists.count(OneName(op.inputs, "X")) != 0;
  }

  // The data of a parameter that nothing has written since; null for any other name.
  const Tensor* ParamOf(const std::string& name) const {
    const auto found = current_.find(name);
    if (found != current_.end())
      return loaded_.graph->values[static_cast<size_t>(found->second)].constant.get();
    const auto param = params_.find(name);
    return param == params_.end() ? nullptr : &param->second;
  }

  // `slice` of a list of tensors is another operator than `slice` of a tensor.
  const OpInfo* InfoOf(const OpDesc& op) const {
    const OpInfo* info = OpRegistry::Global().Find(op.type);
    if (shared_.lists.empty()) return info;
    const OpInfo* of_list = OpRegistry::Global().Find(op.type + "_of_list");
    if (of_list == nullptr) return info;
    for (const auto& [slot, names] : op.inputs)
      for (const std::string& name : names)
        if (shared_.lists.count(name) != 0) return of_list;
    return info;
  }

  void AddOp(const OpDesc& given) {
    const BlockOpInfo* block_info = FindBlockOp(given.type);
    std::shared_ptr<Graph> body;
    const bool has_variables = block_info != nullptr && block_info->variables_slot != nullptr;
    OpDesc bound;
    if (has_variables) bound = BindVariables(given, block_info->variables_slot, &body);
    const OpDesc& desc = has_variables ? bound : given;
    const OpInfo* info = InfoOf(desc);
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
      if (slot == info->updated_output() && names.size() == 1)
        inputs[info->before()] = {Read(names[0])};
      auto& values = outputs[slot];
      for (const std::string& name : names) {
        if (first_output.empty()) first_output = name;
        values.push_back(loaded_.graph->AddValue(name));
      }
    }
    OpLite op(info, inputs, outputs, desc.attrs);
    op.SetPlace(block_index_, index_, first_output);
    const BlockOp* block_op = nullptr;
    if (block_info != nullptr)
      block_op = AddBlockOp(*block_info, {desc, shared_.program, nullptr, body});
    loaded_.graph->ops.push_back(std::move(op));
    // After the inputs were read: an operator may write what it reads.
    for (const auto& [slot, names] : desc.outputs)
      for (size_t i = 0; i < names.size(); ++i)
        if (block_op == nullptr || block_op->Writes(names[i]))
          current_[names[i]] = outputs[slot][i];
  }

  const BlockOp* AddBlockOp(const BlockOpInfo& info, BlockOpSource source) {
    if (info.wants_session && shared_.session == nullptr) {
      if (!shared_.settings.make_session)
        throw ConfigError("this block cannot hold an operator for devices");
      shared_.session = shared_.settings.make_session();
    }
    source.session = shared_.session;
    auto& block_op = loaded_.graph->block_ops[static_cast<int>(loaded_.graph->ops.size())];
    block_op = info.make(source);
    return block_op.get();
  }

  // The operator with the variables that its block reads in `slot` and those that it writes in
  // Out, and the block's graph. Parameters go into that graph, which packs them.
  OpDesc BindVariables(const OpDesc& given, const char* slot, std::shared_ptr<Graph>* body) {
    const int block = SubBlockOf(given, shared_.program);
    const BlockVariables variables = VariablesOf(given, shared_.program);
    const std::set<std::string> reads(variables.reads.begin(), variables.reads.end());
    const std::set<std::string> writes(variables.writes.begin(), variables.writes.end());
    OpDesc op = given;
    op.outputs = {{"Out", variables.writes}};
    std::vector<std::string>& inputs = op.inputs[slot];
    inputs.clear();
    ParamTable params;
    const auto bind = [&](const std::string& name) {
      const bool written = writes.count(name) != 0;
      const Tensor* param = written ? nullptr : ParamOf(name);
      if (param != nullptr) {
        params[name].ShareDataWith(*param);
      } else if (IsReadable(name)) {
        inputs.push_back(name);
      } else if (written && reads.count(name) != 0) {
        // An earlier run of the block writes what a later one reads.
        current_[name] = loaded_.graph->AddValue(name);
        inputs.push_back(name);
      }
    };
    for (const std::string& name : variables.reads) bind(name);
    for (const std::string& name : variables.writes)
      if (reads.count(name) == 0) bind(name);
    *body = Builder(&shared_, block, &params).RunBody(inputs, variables.writes);
    return op;
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

  Shared& shared_;
  const int block_index_;
  const BlockDesc& block_;
  ParamTable& params_;
  std::map<std::string, const VarDesc*> vars_;
  std::map<std::string, ValueId> current_;
  std::vector<std::string> missing_params_, unwritten_;
  Columns feeds_, fetches_;
  LoadedProgram loaded_{std::make_shared<Graph>(), {}, {}};
  int index_ = 0;
};

}  // namespace

math::WeightPrecision PrecisionNamed(const std::string& name) {
  if (name == "fp32") return math::WeightPrecision::kFp32;
  if (name == "bf16") return math::WeightPrecision::kBf16;
  if (name == "fp16") return math::WeightPrecision::kFp16;
  if (name == "exact") return math::WeightPrecision::kExact;
  throw ConfigError(
      StrCat("precision '", name, "' is unknown; possible are 'fp32', 'bf16', 'fp16' and 'exact'"));
}

LoadedProgram BuildGraph(const ProgramDesc& program, ParamTable* params,
                         const BuildSettings& settings) {
  if (program.blocks.empty())
    throw ModelFormatError(
        "the program has no block; is the file a PIR program "
        "(inference.json) or empty?");
  const auto build = [&](const ProgramDesc& supported) {
    CheckSupported(supported);
    Shared shared{supported, settings, ListVariables(supported), nullptr};
    return Builder(&shared, 0, params).Run();
  };
  return HasQuantizedOps(program) ? build(RestoreFloats(program, params)) : build(program);
}

}  // namespace paddle::lite
