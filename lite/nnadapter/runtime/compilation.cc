#include "lite/nnadapter/runtime/compilation.h"

#include <algorithm>
#include <chrono>

#include "lite/nnadapter/runtime/fingerprint.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

std::vector<NNAdapterOperandType> TypesOf(const std::vector<core::Operand*>& operands) {
  std::vector<NNAdapterOperandType> types;
  for (const core::Operand* operand : operands)
    types.push_back(operand ? operand->type : NNAdapterOperandType{});
  return types;
}

// "CONV_2D (2), RELU", for a text.
std::string Counted(const core::Model& model, const std::vector<int>& devices) {
  std::map<std::string, int> counts;
  size_t index = 0;
  for (const core::Operation& operation : model.operations)
    if (devices[index++] < 0) counts[OperationName(operation.type)]++;
  std::string text;
  for (const auto& [name, count] : counts) {
    text += (text.empty() ? "" : ", ") + name;
    if (count > 1) text += " (" + std::to_string(count) + ")";
  }
  return text;
}

}  // namespace

Program::~Program() {
  if (!handle) return;
  const driver::Device& driver = device->device().driver();
  if (!driver.destroy_program) return;
  try {
    driver.destroy_program(handle);
  } catch (...) {
    Log(0, Text("device ", device->name(), ": destroy_program threw"));
  }
}

std::vector<int> ChooseDevices(const core::Model& model, const Context& context) {
  const size_t count = model.operations.size();
  if (context.devices().size() == 1) return std::vector<int>(count, 0);
  std::vector<int> devices(count, -1);
  int number = 0;
  for (const auto& device : context.devices()) {
    const auto supported = device->Supported(model);
    if (!supported) {
      Fail(NNADAPTER_FEATURE_NOT_SUPPORTED, "device ", device->name(),
           " cannot be asked which operations it takes (it has no validate_program): name them in ",
           device->name(), ".yaml beside its library or in the property SUPPORTED_OPERATIONS");
    }
    for (size_t i = 0; i < count; i++)
      if (devices[i] < 0 && (*supported)[i]) devices[i] = number;
    number++;
  }
  const std::string missing = Counted(model, devices);
  if (!missing.empty()) {
    std::string names;
    for (const auto& device : context.devices())
      names += (names.empty() ? "" : ", ") + device->name();
    Fail(NNADAPTER_FEATURE_NOT_SUPPORTED, "none of the devices ", names, " takes ", missing);
  }
  return devices;
}

Compilation::Compilation(std::shared_ptr<Model> model, std::string token,
                         std::vector<uint8_t> buffer, std::string dir,
                         std::shared_ptr<Context> context)
    : model_(std::move(model)),
      context_(std::move(context)),
      token_(std::move(token)),
      dir_(std::move(dir)),
      buffer_(std::move(buffer)) {
  const bool file = !token_.empty() && !dir_.empty();
  if (file) CachePath(dir_, token_);
  if (model_) {
    if (!model_->finished()) FailParameter("the model is not finished");
  } else if (buffer_.empty() && !file) {
    FailParameter("neither a model nor a cache: a buffer, or a token and a directory");
  }
}

bool Compilation::finished() const {
  std::lock_guard<Mutex> lock(mutex_);
  return finished_;
}

void Compilation::Note(const std::string& text) {
  cache_text_ += (cache_text_.empty() ? "" : "; ") + text;
  Log(1, text);
}

const std::string& Compilation::fingerprint() {
  if (fingerprint_.empty()) fingerprint_ = Fingerprint(model_->graph(), *context_);
  return fingerprint_;
}

void Compilation::CreateProgram(Program* program, bool from_model) {
  const DeviceContext& device = *program->device;
  // A driver that sees neither token nor directory does not serialise its program.
  program->cache.token = token_.empty() ? nullptr : token_.c_str();
  program->cache.dir = dir_.empty() ? nullptr : dir_.c_str();
  core::Model* model = from_model ? &program->model->model : nullptr;
  const auto begin = std::chrono::steady_clock::now();
  const int code = CallDriver(device.name(), "create_program", [&] {
    std::lock_guard<Mutex> lock(device.mutex());
    return device.device().driver().create_program(device.handle(), model, &program->cache,
                                                   &program->handle);
  });
  program->create_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (code != NNADAPTER_NO_ERROR) {
    program->handle = nullptr;
    Fail(code, "device ", device.name(), ": create_program returned ", code, " (",
         ResultCodeName(code), ")", device.device().Reason());
  }
  if (!program->handle) {
    Fail(NNADAPTER_DEVICE_INTERNAL_ERROR, "device ", device.name(),
         ": create_program made no program");
  }
}

Plan Compilation::Load(const std::vector<uint8_t>& bytes) {
  CacheEntries entries = UnpackCache(bytes.data(), bytes.size());
  if (model_) {
    const std::vector<uint8_t>& stored = entries["fingerprint"];
    if (stored.empty()) FailParameter("it has no fingerprint of the model");
    if (std::string(stored.begin(), stored.end()) != fingerprint()) {
      FailParameter("it was made for another model, device or properties");
    }
  }
  Plan plan = DecodePlan(std::move(entries), *context_);
  if (model_) {
    if (plan.input_types.size() != model_->graph().input_operands.size() ||
        plan.output_types.size() != model_->graph().output_operands.size()) {
      FailParameter("its inputs and outputs are not the model's");
    }
    plan.input_types = TypesOf(model_->graph().input_operands);
    plan.output_types = TypesOf(model_->graph().output_operands);
  }
  CheckElementSizes(plan);
  for (const auto& program : plan.programs) CreateProgram(program.get(), /*from_model=*/false);
  return plan;
}

bool Compilation::LoadFromCaches() {
  const auto try_load = [&](const std::vector<uint8_t>& bytes, const std::string& name) {
    try {
      plan_ = Load(bytes);
      Note(name + ": used");
      return true;
    } catch (const Error& error) {
      Note(name + " is refused: " + error.what());
    }
    return false;
  };
  if (!buffer_.empty() && try_load(buffer_, "the cache in memory")) return true;
  if (token_.empty() || dir_.empty()) return false;
  const std::string path = CachePath(dir_, token_);
  std::optional<std::vector<uint8_t>> bytes;
  try {
    bytes = ReadCacheFile(path);
  } catch (const Error& error) {
    Note(error.what());
    return false;
  }
  if (!bytes) {
    Note(path + ": no such file");
    return false;
  }
  return try_load(*bytes, path);
}

Plan Compilation::Build() {
  const core::Model& graph = model_->graph();
  const std::vector<int> devices = ChooseDevices(graph, *context_);
  Plan plan;
  plan.input_types = TypesOf(graph.input_operands);
  plan.output_types = TypesOf(graph.output_operands);
  std::vector<Cluster> clusters;
  const bool whole =
      std::adjacent_find(devices.begin(), devices.end(), std::not_equal_to<>()) == devices.end();
  if (whole) {
    Cluster all;
    all.device = devices.front();
    all.inputs = graph.input_operands;
    all.outputs = graph.output_operands;
    for (size_t i = 0; i < devices.size(); i++) all.operations.push_back(i);
    for (size_t i = 0; i < all.inputs.size(); i++)
      all.input_indexes.push_back(-1 - static_cast<int32_t>(i));
    for (size_t i = 0; i < all.outputs.size(); i++)
      all.output_indexes.push_back(-1 - static_cast<int32_t>(i));
    clusters.push_back(std::move(all));
  } else {
    clusters = Partition(graph, devices);
  }
  for (const Cluster& cluster : clusters) {
    auto program = std::make_unique<Program>(context_->devices()[cluster.device].get());
    program->input_indexes = cluster.input_indexes;
    program->output_indexes = cluster.output_indexes;
    std::vector<bool> taken(devices.size(), false);
    for (size_t operation : cluster.operations) {
      taken[operation] = true;
      program->operations.push_back(model_->added_index()[operation]);
    }
    for (size_t i = 0; i < cluster.outputs.size(); i++) {
      const int32_t index = cluster.output_indexes[i];
      if (index < 0) continue;
      if (plan.passing_element_sizes.size() <= static_cast<size_t>(index))
        plan.passing_element_sizes.resize(static_cast<size_t>(index) + 1, 0);
      plan.passing_element_sizes[index] = PrecisionSize(cluster.outputs[i]->type.precision);
    }
    // Drivers fold batch norms into weights where they stand; ours do not.
    const bool foreign = !program->device->device().library().empty();
    program->model = CopyModel(graph, taken, cluster.inputs, cluster.outputs,
                               foreign ? CopiedConstants::kEverything
                               : whole ? CopiedConstants::kAll
                                       : CopiedConstants::kSmall);
    plan.programs.push_back(std::move(program));
  }
  CheckPlan(plan);
  for (const auto& program : plan.programs) {
    CreateProgram(program.get(), /*from_model=*/true);
    // As the driver left them: what it needs to know when it restores the program.
    program->cache.input_types = TypesOf(program->model->model.input_operands);
    program->cache.output_types = TypesOf(program->model->model.output_operands);
  }
  return plan;
}

void Compilation::Save() {
  if (token_.empty() || dir_.empty()) return;
  for (const auto& program : plan_.programs) {
    if (!program->cache.buffer.empty() &&
        program->cache.input_types.size() == program->input_indexes.size() &&
        program->cache.output_types.size() == program->output_indexes.size()) {
      continue;
    }
    Note("no cache is written: device " + program->device->name() + " does not save its programs");
    return;
  }
  try {
    const std::string path = CachePath(dir_, token_);
    WriteCacheFile(path, PackCache(EncodePlan(plan_, fingerprint())));
    Note(path + ": written");
  } catch (const Error& error) {
    Note(error.what());
  }
}

void Compilation::Finish() {
  std::lock_guard<Mutex> lock(mutex_);
  if (finished_) FailParameter("the compilation is already finished");
  cache_text_.clear();
  const bool caching = !buffer_.empty() || (!token_.empty() && !dir_.empty());
  from_cache_ = caching && LoadFromCaches();
  if (!from_cache_) {
    if (!model_) FailParameter("no model, and no cache that can be used: ", cache_text_);
    plan_ = Build();
    Save();
    for (const auto& program : plan_.programs) std::vector<uint8_t>().swap(program->cache.buffer);
  }
  std::vector<uint8_t>().swap(buffer_);
  public_input_types_ = plan_.input_types;
  public_output_types_ = plan_.output_types;
  report_ = DescribePlan(plan_, from_cache_, cache_text_);
  finished_ = true;
}

}  // namespace nnadapter::runtime
