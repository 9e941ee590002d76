#include "lite/kernels/nnadapter/device_block.h"

#include <algorithm>
#include <set>
#include <utility>

#include "lite/core/base/errors.h"
#include "lite/core/fingerprint.h"
#include "lite/kernels/nnadapter/model_builder.h"
#include "lite/kernels/nnadapter/operand_type.h"
#include "lite/kernels/nnadapter/value.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

constexpr int32_t kMaxCandidates = NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS;

// NNAdapter hands these the tensor that was set with the argument.
void* AccessInput(void* memory, NNAdapterOperandType* type, void* device_buffer) {
  const auto* tensor = static_cast<const Tensor*>(memory);
  // A device may ask whether the elements are in its own memory.
  if (device_buffer != nullptr) *static_cast<bool*>(device_buffer) = false;
  const DDim& dims = tensor->dims();
  type->dimensions.count = static_cast<uint32_t>(std::max(dims.size(), 1));
  type->dimensions.data[0] = 1;
  for (int i = 0; i < dims.size(); ++i) type->dimensions.data[i] = static_cast<int32_t>(dims[i]);
  type->dimensions.dynamic_count = 0;
  return const_cast<void*>(tensor->raw_data());
}

void* AccessOutput(void* memory, NNAdapterOperandType* type, void* /*device_buffer*/) {
  auto* tensor = static_cast<Tensor*>(memory);
  try {
    DDim dims;
    for (uint32_t i = 0; i < type->dimensions.count; ++i) dims.push_back(type->dimensions.data[i]);
    tensor->set_layout(DataLayoutType::kNCHW);
    tensor->Allocate(dims, DataTypeOfPrecision(type->precision));
    return tensor->raw_data();
  } catch (const std::exception&) {
    return nullptr;  // the runtime reports it
  }
}

// Type and shape, and the elements of a constant.
void AddTensor(const Tensor& tensor, Fingerprint* fingerprint) {
  fingerprint->Add(static_cast<uint64_t>(tensor.dtype()));
  fingerprint->Add(static_cast<uint64_t>(tensor.dims().size()));
  for (const int64_t dim : tensor.dims()) fingerprint->Add(static_cast<uint64_t>(dim));
  if (tensor.persistable()) fingerprint->Add(tensor.raw_data(), tensor.memory_size());
}

// The runtime's own account of a compilation; nothing where the library has none.
std::optional<RuntimeReport> ReportOf(NNAdapterCompilation* compilation) {
  const auto get = LoadNNAdapter().NNAdapterCompilation_getRecord;
  const NNAdapterCompilationRecord* record = nullptr;
  if (get == nullptr || get(compilation, &record) != NNADAPTER_NO_ERROR) return std::nullopt;
  RuntimeReport report;
  report.cache = static_cast<RuntimeReport::Cache>(record->cache);
  report.cache_text = record->cache_text;
  for (uint32_t i = 0; i < record->program_count; ++i) {
    const NNAdapterProgramRecord& program = record->programs[i];
    report.programs.push_back({program.device,
                               program.create_ms,
                               {program.operations, program.operations + program.operation_count}});
  }
  return report;
}

}  // namespace

DeviceBlock::DeviceBlock(std::shared_ptr<DeviceSession> session, const BlockSource& source,
                         const std::vector<std::string>& devices,
                         const std::vector<const Tensor*>& inputs, bool candidates)
    : session_(std::move(session)),
      source_(source),
      devices_(session_->Describe(devices)),
      candidates_(candidates) {
  try {
    for (const size_t i : *source.data_inputs) {
      metas_.push_back(inputs[i]->meta());
      metas_.back().lod.clear();
      names_.push_back((*source.input_names)[i]);
    }
    FindConstants(inputs);
    Build(inputs);
    CompileModel(devices, inputs);
  } catch (...) {
    Release();
    throw;
  }
}

DeviceBlock::~DeviceBlock() { Release(); }

void DeviceBlock::Release() {
  const NNAdapterApi& api = LoadNNAdapter();
  if (execution_ != nullptr) api.NNAdapterExecution_destroy(execution_);
  if (compilation_ != nullptr) api.NNAdapterCompilation_destroy(compilation_);
  if (model_ != nullptr) api.NNAdapterModel_destroy(model_);
}

// Axes on which the candidates differ from the present shape, or from each other, are unknown.
NNAdapterOperandType DeviceBlock::TypeOfInput(const std::string& name, const Tensor& tensor,
                                              float scale) {
  NNAdapterOperandType type = OperandTypeOf(tensor.dims(), tensor.dtype(), scale);
  const auto found = session_->settings().dynamic_shape_info.find(name);
  if (!candidates_ || found == session_->settings().dynamic_shape_info.end() ||
      found->second.empty())
    return type;
  const auto& candidates = found->second;
  NNAdapterOperandDimensionType& dims = type.dimensions;
  if (candidates.size() > kMaxCandidates)
    throw ConfigError(StrCat("dynamic_shape_info of '", name, "' lists ", candidates.size(),
                             " shapes, at most ", kMaxCandidates, " are possible"));
  for (const std::vector<int64_t>& candidate : candidates) {
    if (candidate.size() != dims.count)
      throw ConfigError(StrCat("dynamic_shape_info of '", name, "' has a shape of ",
                               candidate.size(), " dimensions, the tensor has ", dims.count));
    int32_t* row = dims.dynamic_data[dims.dynamic_count++];
    for (size_t axis = 0; axis < candidate.size(); ++axis) {
      if (candidate[axis] < 1 || candidate[axis] > INT32_MAX)
        throw ConfigError(
            StrCat("dynamic_shape_info of '", name, "' has a dimension of ", candidate[axis]));
      row[axis] = static_cast<int32_t>(candidate[axis]);
      if (row[axis] != tensor.dims()[static_cast<int>(axis)]) dims.data[axis] = NNADAPTER_UNKNOWN;
    }
  }
  dynamic_ = true;
  return type;
}

void DeviceBlock::FindConstants(const std::vector<const Tensor*>& inputs) {
  bool open = false;  // a size is not known when the model is compiled
  for (const auto& [name, candidates] : session_->settings().dynamic_shape_info)
    for (size_t i = 0; candidates_ && i < names_.size(); ++i)
      for (const std::vector<int64_t>& shape : candidates)
        open = open || (names_[i] == name && metas_[i].dims.Vectorize() != shape);
  if (!open) {
    const BlockShapes shapes = ShapesIn(source_, inputs);
    for (const size_t i : *source_.data_outputs)
      if (const Tensor* data = shapes.DataOf((*source_.output_names)[i]))
        constants_[i].CopyDataFrom(*data);
  }
  if (constants_.size() == source_.data_outputs->size()) constants_.clear();
  for (const size_t i : *source_.data_outputs)
    if (constants_.count(i) == 0) model_outputs_.push_back(i);
}

std::vector<bool> DeviceBlock::Needed() const {
  std::set<std::string> read;
  for (const size_t i : model_outputs_) read.insert((*source_.output_names)[i]);
  const std::vector<OpDesc>& ops = source_.block->ops;
  std::vector<bool> needed(ops.size(), constants_.empty());
  for (size_t i = ops.size(); i-- > 0;) {
    for (const auto& [slot, names] : ops[i].outputs)
      for (const std::string& name : names) needed[i] = needed[i] || read.count(name) != 0;
    if (!needed[i]) continue;
    for (const auto& [slot, names] : ops[i].inputs) read.insert(names.begin(), names.end());
  }
  return needed;
}

void DeviceBlock::Build(const std::vector<const Tensor*>& inputs) {
  ConvertOptions options;
  options.check_op_versions = false;
  options.driver_version = session_->lowest_version();
  ModelBuilder builder(options);
  const std::set<size_t> data(source_.data_inputs->begin(), source_.data_inputs->end());
  for (const size_t i : *source_.data_inputs)
    builder.AddInput((*source_.input_names)[i],
                     TypeOfInput((*source_.input_names)[i], *inputs[i], (*source_.input_scales)[i]),
                     !inputs[i]->lod().empty());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (data.count(i) == 0) builder.AddParameter((*source_.input_names)[i], *inputs[i]);
  const std::vector<bool> needed = Needed();
  size_t index = 0;
  for (const OpDesc& op : source_.block->ops) {
    try {
      if (needed[index]) builder.Convert(op);
    } catch (const NotOffloadable& refused) {
      throw DeviceError(StrCat("operator ", index, " (", op.type,
                               ") of the subgraph cannot go to a device: ", refused.reason));
    }
    ++index;
  }
  std::vector<std::string> outputs;
  for (const size_t i : model_outputs_) outputs.push_back((*source_.output_names)[i]);
  builder.Finish(outputs);
  for (const std::string& name : outputs) zero_dim_.push_back(builder.IsZeroDim(name));
  size_t converted = 0;
  for (const bool is_needed : needed)
    operations_.push_back(is_needed ? builder.operations_of()[converted++] : std::vector<int>{});
  for (const std::string& name : builder.inputs()) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    model_inputs_.push_back(static_cast<size_t>(found - names_.begin()));
  }
  model_ = builder.ReleaseModel();
}

std::string DeviceBlock::CacheToken(const std::vector<const Tensor*>& inputs) const {
  const DeviceSettings& settings = session_->settings();
  Fingerprint fingerprint;
  fingerprint.Add(devices_);
  fingerprint.Add(settings.context_properties);
  for (const std::string& name : names_) fingerprint.Add(name);
  for (const OpDesc& op : source_.block->ops) {
    fingerprint.Add(op.type);
    for (const auto* slots : {&op.inputs, &op.outputs})
      for (const auto& [slot, names] : *slots)
        for (const std::string& name : names) fingerprint.Add(StrCat(slot, "=", name));
  }
  for (const Tensor* tensor : inputs) AddTensor(*tensor, &fingerprint);
  for (const auto& [name, shapes] : settings.dynamic_shape_info) {
    if (!candidates_) break;
    fingerprint.Add(name);
    for (const auto& shape : shapes) fingerprint.Add(shape.data(), shape.size() * sizeof(shape[0]));
  }
  return Fingerprint::Hex(fingerprint.low(), fingerprint.high());
}

void DeviceBlock::CompileModel(const std::vector<std::string>& devices,
                               const std::vector<const Tensor*>& inputs) {
  const NNAdapterApi& api = LoadNNAdapter();
  const DeviceSettings& settings = session_->settings();
  NNAdapterContext* context = session_->Context(devices);
  std::string token;
  const std::string* buffer = nullptr;
  const char* folder = nullptr;
  if (session_->KeepsPrograms(devices)) {
    token = CacheToken(inputs);
    const auto found = settings.model_cache_buffers.find(token);
    if (found != settings.model_cache_buffers.end()) buffer = &found->second;
    if (!settings.model_cache_dir.empty()) folder = settings.model_cache_dir.c_str();
  }
  CheckNNAdapter(
      api.NNAdapterCompilation_create(model_, token.empty() ? nullptr : token.c_str(),
                                      buffer ? const_cast<char*>(buffer->data()) : nullptr,
                                      buffer ? static_cast<uint32_t>(buffer->size()) : 0, folder,
                                      context, &compilation_),
      StrCat("prepare a compilation for ", devices_));
  CheckNNAdapter(api.NNAdapterCompilation_finish(compilation_), StrCat("compile for ", devices_));
  runtime_report_ = ReportOf(compilation_);
  CheckNNAdapter(api.NNAdapterExecution_create(compilation_, &execution_), "prepare an execution");
}

bool DeviceBlock::MayTake(const std::vector<const Tensor*>& inputs) const {
  for (size_t i = 0; i < metas_.size(); ++i) {
    const Tensor& tensor = *inputs[(*source_.data_inputs)[i]];
    if (tensor.dtype() != metas_[i].dtype || tensor.dims().size() != metas_[i].dims.size())
      return false;
    if (!dynamic_ && tensor.dims() != metas_[i].dims) return false;
  }
  return true;
}

bool DeviceBlock::Run(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
                      int /*threads*/) {
  const NNAdapterApi& api = LoadNNAdapter();
  for (size_t i = 0; i < model_inputs_.size(); ++i) {
    const Tensor* tensor = inputs[(*source_.data_inputs)[model_inputs_[i]]];
    CheckNNAdapter(api.NNAdapterExecution_setInput(execution_, static_cast<int32_t>(i),
                                                   const_cast<Tensor*>(tensor), &AccessInput),
                   "set an input");
  }
  for (size_t i = 0; i < model_outputs_.size(); ++i)
    CheckNNAdapter(api.NNAdapterExecution_setOutput(execution_, static_cast<int32_t>(i),
                                                    outputs[model_outputs_[i]], &AccessOutput),
                   "set an output");
  const int code = api.NNAdapterExecution_compute(execution_);
  if (code == NNADAPTER_INVALID_DIMENSIONS) return false;
  CheckNNAdapter(code, StrCat("run a subgraph on ", devices_));
  // Some drivers save what they compiled in their first run.
  if (!std::exchange(ran_, true)) runtime_report_ = ReportOf(compilation_);
  for (const auto& [i, value] : constants_) outputs[i]->CopyDataFrom(value);
  const std::vector<LoD> lods = OutputLoDs(source_, inputs);
  for (size_t i = 0; i < lods.size(); ++i) outputs[(*source_.data_outputs)[i]]->set_lod(lods[i]);
  for (size_t i = 0; i < zero_dim_.size(); ++i)
    if (zero_dim_[i]) outputs[model_outputs_[i]]->Resize({});
  return true;
}

}  // namespace paddle::lite::nnadapter_bridge
