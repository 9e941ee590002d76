#include "lite/kernels/nnadapter/model_builder.h"

#include <algorithm>
#include <limits>
#include <set>

#include "lite/core/base/errors.h"
#include "lite/kernels/nnadapter/converter.h"
#include "lite/kernels/nnadapter/expression.h"
#include "lite/kernels/nnadapter/model_builder_impl.h"
#include "lite/kernels/nnadapter/operand_type.h"
#include "lite/kernels/nnadapter/rule.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

// A refusal's reason starts with a small letter and ends without a full stop.
std::string Sentence(std::string reason) {
  while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n')) reason.pop_back();
  return reason;
}

std::string RangeText(const int* range) {
  return range[1] < 0 ? StrCat(range[0], " and newer") : StrCat(range[0], " to ", range[1]);
}

void CheckVersions(const Rule& rule, const ConvertOptions& options) {
  const auto known = options.op_versions.find(rule.op);
  const int version = known == options.op_versions.end() ? 0 : known->second;
  const auto outside = [](int v, const int* range) {
    return v < range[0] || (range[1] >= 0 && v > range[1]);
  };
  if (options.check_op_versions && outside(version, rule.op_version))
    throw NotOffloadable{StrCat("it has version ", version, "; versions ",
                                RangeText(rule.op_version), " can be converted")};
  if (outside(options.driver_version, rule.driver_version))
    throw NotOffloadable{StrCat("the driver has version ", options.driver_version,
                                "; it needs a driver of version ", RangeText(rule.driver_version))};
}

void CheckConditions(const Rule& rule, Conversion& conversion) {
  Environment& env = conversion.environment();
  for (const auto& [name, node] : rule.let) {
    try {
      env[name] = Evaluate(*node, env, conversion);
    } catch (const NeedsKnown&) {
      env[name] = Value(Unknown{});
    } catch (const NotOffloadable& refused) {
      env[name] = Value(Failed{refused.reason});
    }
  }
  for (const Rule::Condition& condition : rule.unsupported) {
    Value holds = Value(Unknown{});
    try {
      holds = Evaluate(*condition.when, env, conversion);
    } catch (const NeedsKnown&) {
    }
    if (!holds.IsUnknown() && !AsBool(holds)) continue;
    const std::string reason = ToText(Evaluate(*condition.reason, env, conversion));
    throw NotOffloadable{
        holds.IsUnknown() ? StrCat("shapes that decide this are not known: ", reason) : reason};
  }
}

// The operands of one statement; the number of outputs follows from its targets.
std::vector<Value> EvaluateTargets(const Node& node, const RuleStatement& statement,
                                   Conversion& conversion) {
  Environment& env = conversion.environment();
  if (node.kind == NodeKind::kIf)
    return EvaluateTargets(node.child(AsBool(Evaluate(node.child(0), env, conversion)) ? 1 : 2),
                           statement, conversion);
  if (node.kind != NodeKind::kOperation) {
    const Value value = Evaluate(node, env, conversion);
    return statement.targets[0].spread ? AsList(value) : Values{value};
  }
  std::vector<std::pair<std::string, size_t>> outputs;
  for (const RuleStatement::Target& target : statement.targets)
    for (size_t i = 0; i < (target.spread ? conversion.OutputCount(target.name) : 1); ++i)
      outputs.emplace_back(target.name, i);
  conversion.NextOutputsAre(outputs);
  std::vector<Value> values;
  for (Operand* operand : EvaluateOperation(node, outputs.size(), env, conversion))
    values.emplace_back(operand);
  return values;
}

bool IsOutput(const Rule& rule, const std::string& name) {
  return std::any_of(rule.outputs.begin(), rule.outputs.end(),
                     [&](const RuleSlot& slot) { return slot.name == name; });
}

void RunStatement(const RuleStatement& statement, Conversion& conversion) {
  const std::vector<Value> values = EvaluateTargets(*statement.expression, statement, conversion);
  size_t next = 0;
  for (const RuleStatement::Target& target : statement.targets) {
    const size_t count = target.spread ? conversion.OutputCount(target.name) : 1;
    const bool output = IsOutput(conversion.rule(), target.name);
    for (size_t i = 0; i < count; ++i, ++next) {
      if (next >= values.size()) throw NotOffloadable{"it has too many outputs"};
      if (output) conversion.SetOutput(target.name, AsOperand(values[next]), i);
      if (!target.spread) conversion.environment()[target.name] = values[next];
    }
  }
}

void ConvertByRule(const Rule& rule, Conversion& conversion) {
  CheckConditions(rule, conversion);
  try {
    if (!rule.converter.empty())
      FindConverter(rule.converter)(conversion);
    else
      for (const RuleStatement& statement : rule.emit) RunStatement(statement, conversion);
  } catch (const NeedsKnown&) {
    throw NotOffloadable{"it needs dimensions that are known only when the model runs"};
  }
}

}  // namespace

ModelBuilder::Impl::Impl(ConvertOptions given) : api(LoadNNAdapter()), options(std::move(given)) {
  CheckNNAdapter(api.NNAdapterModel_create(&model), "create an NNAdapter model");
}

ModelBuilder::Impl::~Impl() {
  if (model != nullptr) api.NNAdapterModel_destroy(model);
}

Operand* ModelBuilder::Impl::NewOperand(Operand operand) {
  operands_.push_back(std::move(operand));
  return &operands_.back();
}

void ModelBuilder::Impl::AddInput(const std::string& var, const NNAdapterOperandType& type,
                                  bool has_lod) {
  if (Find(var) != nullptr) throw DeviceError(StrCat("variable ", var, " is in the model already"));
  Operand operand;
  operand.name = var;
  operand.type = type;
  operand.type.lifetime = NNADAPTER_MODEL_INPUT;
  operand.is_input = true;
  operand.has_lod = has_lod;
  inputs_.push_back(NewOperand(std::move(operand)));
  variables_[var] = inputs_.back();
}

void ModelBuilder::Impl::AddParameter(const std::string& var, const Tensor& tensor) {
  if (Find(var) != nullptr) throw DeviceError(StrCat("variable ", var, " is in the model already"));
  if (tensor.numel() != 0 && !tensor.has_data())
    throw DeviceError(StrCat("parameter ", var, " has no data any more"));
  Operand operand;
  operand.name = var;
  operand.type = OperandTypeOf(tensor.dims(), tensor.dtype());
  operand.type.lifetime = NNADAPTER_CONSTANT_REFERENCE;
  operand.parameter = &tensor;
  variables_[var] = NewOperand(std::move(operand));
}

Operand* ModelBuilder::Impl::Find(const std::string& var) const {
  const auto found = variables_.find(var);
  return found == variables_.end() ? nullptr : found->second;
}

void ModelBuilder::Impl::Define(const std::string& var, Operand* operand) {
  variables_[var] = operand;
  writers_[var] = operations_of.size() - 1;
}

const NNAdapterOperandType& ModelBuilder::Impl::TypeOf(const Operand* operand) const {
  if (operand->handle == nullptr) return operand->type;
  NNAdapterOperandType* type = nullptr;
  CheckNNAdapter(api.NNAdapterModel_getOperandType(operand->handle, &type),
                 "ask for an operand's type");
  return *type;
}

NNAdapterOperand* ModelBuilder::Impl::HandleOf(Operand* operand) {
  if (operand->handle != nullptr) return operand->handle;
  const Tensor* tensor = operand->parameter;
  NNAdapterOperandType type = operand->type;
  if (tensor != nullptr && type.dimensions.count == 0) {
    type.dimensions.count = 1;  // a scalar parameter
    type.dimensions.data[0] = 1;
  }
  if (tensor != nullptr && tensor->memory_size() == 0)
    throw NotOffloadable{StrCat("its parameter ", operand->name, " has no elements")};
  CheckNNAdapter(api.NNAdapterModel_addOperand(model, &type, &operand->handle),
                 "add an operand to the model");
  if (tensor == nullptr) return operand->handle;
  const size_t bytes = tensor->memory_size();
  if (bytes > std::numeric_limits<uint32_t>::max())
    throw DeviceError(StrCat("parameter ", operand->name, " has 4 GiB or more"));
  const auto length = static_cast<uint32_t>(bytes);
  const bool shares = api.NNAdapterModel_shareOperandValue != nullptr;
  CheckNNAdapter(
      shares ? api.NNAdapterModel_shareOperandValue(operand->handle, tensor->raw_data(), length)
             : api.NNAdapterModel_setOperandValue(
                   operand->handle, const_cast<void*>(tensor->raw_data()), length, false),
      "set a constant of the model");
  return operand->handle;
}

Operand* ModelBuilder::Impl::NewTemporary(const NNAdapterOperandType& type) {
  Operand operand;
  CheckNNAdapter(api.NNAdapterModel_addOperand(model, &type, &operand.handle),
                 "add an operand to the model");
  return NewOperand(std::move(operand));
}

Operand* ModelBuilder::Impl::NewConstant(const NNAdapterOperandType& type, const void* data,
                                         size_t bytes) {
  if (bytes > std::numeric_limits<uint32_t>::max())
    throw DeviceError("a constant of the model has 4 GiB or more");
  Operand* operand = NewTemporary(type);
  CheckNNAdapter(api.NNAdapterModel_setOperandValue(operand->handle, const_cast<void*>(data),
                                                    static_cast<uint32_t>(bytes), true),
                 "set a constant of the model");
  return operand;
}

Operand* ModelBuilder::Impl::QuantizedView(const Operand* parameter,
                                           const std::vector<float>& scales, int axis) {
  std::string key = StrCat(parameter->name, "/", axis);
  for (float scale : scales) key += StrCat("/", scale);
  Operand*& view = views_[key];
  if (view != nullptr) return view;
  Operand operand = *parameter;
  operand.handle = nullptr;
  view = NewOperand(std::move(operand));
  NNAdapterOperandType& type = view->type;
  if (scales.size() == 1) {
    type.precision = NNADAPTER_QUANT_INT8_SYMM_PER_LAYER;
    type.symm_per_layer_params.scale = scales[0];
    return view;
  }
  view->channel_scales = scales;
  type.precision = NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL;
  type.symm_per_channel_params = {static_cast<uint32_t>(axis), static_cast<uint32_t>(scales.size()),
                                  view->channel_scales.data()};
  return view;
}

Operand* ModelBuilder::Impl::ReshapedView(const Operand* parameter,
                                          const std::vector<int64_t>& dims) {
  Operand*& view = reshaped_[{parameter, dims}];
  if (view != nullptr) return view;
  Operand operand = *parameter;
  operand.handle = nullptr;
  operand.type.dimensions.count = static_cast<uint32_t>(dims.size());
  for (size_t i = 0; i < dims.size(); ++i)
    operand.type.dimensions.data[i] = static_cast<int32_t>(dims[i]);
  view = NewOperand(std::move(operand));
  return view;
}

void ModelBuilder::Impl::AddOperation(NNAdapterOperationType type,
                                      const std::vector<Operand*>& inputs,
                                      const std::vector<Operand*>& outputs) {
  const auto handles = [this](const std::vector<Operand*>& operands) {
    std::vector<NNAdapterOperand*> list;
    for (Operand* operand : operands)
      list.push_back(operand == nullptr ? nullptr : HandleOf(operand));
    return list;
  };
  damaged = true;  // until the operation is in
  std::vector<NNAdapterOperand*> from = handles(inputs), to = handles(outputs);
  NNAdapterOperation* operation = nullptr;
  const int code =
      api.NNAdapterModel_addOperation(model, type, static_cast<uint32_t>(from.size()), from.data(),
                                      static_cast<uint32_t>(to.size()), to.data(), &operation);
  if (code == NNADAPTER_INVALID_PARAMETER || code == NNADAPTER_INVALID_DIMENSIONS ||
      code == NNADAPTER_FEATURE_NOT_SUPPORTED)
    throw NotOffloadable{
        Sentence(StrCat("NNAdapter refuses it: ", api.NNAdapter_getLastErrorMessage()))};
  CheckNNAdapter(code, "add an operation to the model");
  damaged = false;
  operations_of.back().push_back(static_cast<int>(operation_types.size()));
  operation_types.push_back(type);
}

void ModelBuilder::Impl::Convert(const OpDesc& op) {
  if (finished_) throw DeviceError("the model is finished; operators cannot be added");
  operations_of.emplace_back();
  const bool was_damaged = damaged;
  const size_t before = operation_types.size();
  try {
    const std::shared_ptr<const Rule> rule = FindRule(op.type);
    if (rule == nullptr)
      throw NotOffloadable{StrCat("no conversion of ", op.type, " to NNAdapter is declared")};
    CheckVersions(*rule, options);
    Conversion conversion(this, *rule, op);
    ConvertByRule(*rule, conversion);
  } catch (const NeedsKnown&) {
    damaged = damaged || was_damaged || operation_types.size() != before;
    throw NotOffloadable{"it needs dimensions that are known only when the model runs"};
  } catch (...) {
    damaged = damaged || was_damaged || operation_types.size() != before;
    throw;
  }
  damaged = was_damaged;
}

std::vector<Operand*> ModelBuilder::Impl::used_inputs() const {
  std::vector<Operand*> used;
  for (Operand* operand : inputs_)
    if (operand->handle != nullptr) used.push_back(operand);
  return used;
}

void ModelBuilder::Impl::Finish(const std::vector<std::string>& outputs) {
  if (damaged)
    throw DeviceError("a refused operator left operations in the model; build it again without it");
  if (finished_) throw DeviceError("the model is finished already");
  std::set<NNAdapterOperand*> taken;
  std::vector<NNAdapterOperand*> from, to;
  for (const std::string& var : outputs) {
    Operand* operand = Find(var);
    if (operand == nullptr)
      throw DeviceError(StrCat("no operator of the model computes its output ", var));
    const NNAdapterOperandLifetimeCode lifetime = TypeOf(operand).lifetime;
    const bool constant =
        lifetime == NNADAPTER_CONSTANT_COPY || lifetime == NNADAPTER_CONSTANT_REFERENCE;
    const bool passes = operand->is_input || operand->handle == nullptr || operand->has_values ||
                        constant || !taken.insert(operand->handle).second;
    if (passes) {
      NNAdapterOperandType type{};
      type.precision = static_cast<NNAdapterOperandPrecisionCode>(NNADAPTER_UNKNOWN);
      Operand* copy = NewTemporary(type);
      copy->zero_dim = operand->zero_dim;
      const auto writer = writers_.find(var);
      operations_of.emplace_back();
      AddOperation(NNADAPTER_ASSIGN, {operand}, {copy});
      const std::vector<int> added = operations_of.back();
      operations_of.pop_back();
      if (writer != writers_.end())
        operations_of[writer->second].insert(operations_of[writer->second].end(), added.begin(),
                                             added.end());
      operand = copy;
      taken.insert(copy->handle);
      variables_[var] = copy;
    }
    to.push_back(operand->handle);
  }
  for (const Operand* operand : used_inputs()) from.push_back(operand->handle);
  CheckNNAdapter(api.NNAdapterModel_identifyInputsAndOutputs(
                     model, static_cast<uint32_t>(from.size()), from.data(),
                     static_cast<uint32_t>(to.size()), to.data()),
                 "name the model's inputs and outputs");
  CheckNNAdapter(api.NNAdapterModel_finish(model), "finish the model");
  finished_ = true;
}

ModelBuilder::ModelBuilder(ConvertOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
ModelBuilder::~ModelBuilder() = default;

void ModelBuilder::AddInput(const std::string& var, const NNAdapterOperandType& type,
                            bool has_lod) {
  impl_->AddInput(var, type, has_lod);
}
void ModelBuilder::AddParameter(const std::string& var, const Tensor& tensor) {
  impl_->AddParameter(var, tensor);
}
void ModelBuilder::Convert(const OpDesc& op) { impl_->Convert(op); }
bool ModelBuilder::damaged() const { return impl_->damaged; }
bool ModelBuilder::Has(const std::string& var) const { return impl_->Find(var) != nullptr; }

const NNAdapterOperandType& ModelBuilder::TypeOf(const std::string& var) const {
  const Operand* operand = impl_->Find(var);
  if (operand == nullptr) throw DeviceError(StrCat("variable ", var, " is not in the model"));
  return impl_->TypeOf(operand);
}

bool ModelBuilder::IsZeroDim(const std::string& var) const {
  const Operand* operand = impl_->Find(var);
  return operand != nullptr && operand->zero_dim;
}

void ModelBuilder::Finish(const std::vector<std::string>& outputs) { impl_->Finish(outputs); }

std::vector<std::string> ModelBuilder::inputs() const {
  std::vector<std::string> names;
  for (const Operand* operand : impl_->used_inputs()) names.push_back(operand->name);
  return names;
}

NNAdapterModel* ModelBuilder::model() const { return impl_->model; }
NNAdapterModel* ModelBuilder::ReleaseModel() { return std::exchange(impl_->model, nullptr); }
int ModelBuilder::operation_count() const {
  return static_cast<int>(impl_->operation_types.size());
}

const std::vector<NNAdapterOperationType>& ModelBuilder::operation_types() const {
  return impl_->operation_types;
}
const std::vector<std::vector<int>>& ModelBuilder::operations_of() const {
  return impl_->operations_of;
}

}  // namespace paddle::lite::nnadapter_bridge
