#include "lite/nnadapter/runtime/compilation.h"

#include <algorithm>
#include <chrono>
#include <unordered_set>

#include "lite/nnadapter/runtime/fingerprint.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

std::vector<NNAdapterOperandType> TypesOf(const std::vector<core::Operand*>& operands) {
  std::vector<NNAdapterOperandType> types;
  for (const core::Operand* operand : operands)
    types.push_back(operand ? operand->type : NNAdapterOperandType{});
  return types;
}

// What operations read, or is an output: other inputs of a model are nothing to a driver.
std::unordered_set<const core::Operand*> ReadOperands(const core::Model& model) {
  std::unordered_set<const core::Operand*> read(model.output_operands.begin(),
                                                model.output_operands.end());
  for (const core::Operation& operation : model.operations)
    read.insert(operation.input_operands.begin(), operation.input_operands.end());
  return read;
}

// "CONV_2D (2), RELU", for a text.
std::string Counted(const core::Model& model, const std::vector<int>& devices) {
  std::map<std::string, int> counts;
  size_t index = 0;
  for (const core::Operation& operation : model.operations)
    if (devices[index++] < 0) ++counts[OperationName(operation.type)];
  std::string text;
  for (const auto& [name, count] : counts) {
    text += (text.empty() ? "" : ", ") + name;
    if (count > 1) text += " (" + std::to_string(count) + ")";
  }
  return text;
}

// Of a compilation's program: one driver's files are told apart by it. As long as the whole's.
std::string TokenOf(const std::string& token, size_t program) {
  if (program == 0 || token.empty()) return token;
  const std::string number = Text("-", program);
  return token.size() < 32 ? token + number
                           : token.substr(0, token.size() - number.size()) + number;
}

}  // namespace

Program::~Program() {
  if (!handle) return;
  const driver::Device& driver = device->device().driver();
  if (!driver.destroy_program) return;
  const DriverCall now(device->name().c_str(), "destroy_program");
  try {
    driver.destroy_program(handle);
  } catch (...) {
    Log(0, Text("device ", device->name(), ": destroy_program threw"));
  }
}

std::vector<int> AskDevices(const core::Model& model, const Context& context,
                            std::vector<std::string>* refusals) {
  const size_t count = model.operations.size();
  std::vector<int> devices(count, -1);
  std::vector<std::string> reasons;
  if (refusals) refusals->assign(count, "");
  int number = 0;
  for (const auto& device : context.devices()) {
    if (std::find(devices.begin(), devices.end(), -1) == devices.end()) break;
    const auto supported = device->Supported(model, refusals ? &reasons : nullptr);
    if (!supported) {
      Fail(NNADAPTER_FEATURE_NOT_SUPPORTED, "device ", device->name(),
           " cannot be asked which operations it takes (it has no validate_program): name them in ",
           device->name(), ".yaml beside its library or in the property SUPPORTED_OPERATIONS");
    }
    for (size_t i = 0; i < count; ++i) {
      if (devices[i] >= 0) continue;
      if ((*supported)[i]) devices[i] = number;
      if (!refusals) continue;
      std::string& text = (*refusals)[i];
      if (devices[i] >= 0) text.clear();
      if (devices[i] >= 0 || reasons[i].empty()) continue;
      if (!text.empty()) text += "; ";
      text += context.devices().size() > 1 ? device->name() + ": " + reasons[i] : reasons[i];
    }
    ++number;
  }
  return devices;
}

std::vector<int> ChooseDevices(const core::Model& model, const Context& context) {
  if (context.devices().size() == 1) return std::vector<int>(model.operations.size(), 0);
  const std::vector<int> devices = AskDevices(model, context, nullptr);
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
  const bool file = Caching();
  if (file) CachePath(dir_, token_);  // throws for a token that is none
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
  program->cache.token = caching_ && !token_.empty() ? program->token.c_str() : nullptr;
  program->cache.dir = Caching() ? dir_.c_str() : nullptr;
  core::Model* model = from_model ? &program->model->model : nullptr;
  if (from_model && device.device().abi() == LibraryAbi::kOldLists) {
    program->lent = std::make_unique<LentModel>(model);
    model = program->lent->model();
  }
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
  for (size_t i = 0; i < plan.programs.size(); ++i) {
    Program* program = plan.programs[i].get();
    program->token = TokenOf(token_, i);
    for (size_t k = 0; k < program->input_indexes.size(); ++k) {
      const int32_t index = program->input_indexes[k],
                    left = PrecisionOf(program->cache.input_types[k]);
      program->private_inputs.push_back(
          index < 0 ? left != PrecisionOf(plan.input_types[-1 - index]) : IsAsymmetric(left));
    }
    CreateProgram(program, /*from_model=*/false);
  }
  return plan;
}

bool Compilation::LoadFromCaches() {
  const auto try_load = [&](const std::vector<uint8_t>& bytes, const std::string& name) {
    try {
      plan_ = Load(bytes);
      Note(name + ": used");
      return true;
    } catch (const Error& error) {
      cache_refused_ = true;
      Note(name + " is refused: " + error.what());
    }
    return false;
  };
  if (!buffer_.empty() && try_load(buffer_, "the cache in memory")) return true;
  if (!Caching()) return false;
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
  std::vector<std::function<std::unique_ptr<OwnedModel>()>> copies;
  plan.input_types = TypesOf(graph.input_operands);
  plan.output_types = TypesOf(graph.output_operands);
  std::vector<Cluster> clusters;
  const bool whole =
      std::adjacent_find(devices.begin(), devices.end(), std::not_equal_to<>()) == devices.end();
  if (whole) {
    Cluster all;
    all.device = devices.front();
    all.outputs = graph.output_operands;
    for (size_t i = 0; i < devices.size(); ++i) all.operations.push_back(i);
    const auto read = ReadOperands(graph);
    for (size_t i = 0; i < graph.input_operands.size(); ++i) {
      if (!read.count(graph.input_operands[i])) continue;
      all.inputs.push_back(graph.input_operands[i]);
      all.input_indexes.push_back(-1 - static_cast<int32_t>(i));
    }
    for (size_t i = 0; i < all.outputs.size(); ++i)
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
    for (size_t i = 0; i < cluster.outputs.size(); ++i) {
      const int32_t index = cluster.output_indexes[i];
      if (index < 0) continue;
      if (plan.passing_precisions.size() <= static_cast<size_t>(index))
        plan.passing_precisions.resize(static_cast<size_t>(index) + 1, kUnknownPrecision);
      plan.passing_precisions[index] = PrecisionOf(cluster.outputs[i]->type);
    }
    program->token = TokenOf(token_, plan.programs.size());
    // Drivers fold batch norms into weights and transpose matrices where they stand; ours do not.
    const bool foreign = !program->device->device().library().empty();
    const CopiedConstants constants = foreign ? CopiedConstants::kEachUse
                                      : whole ? CopiedConstants::kAll
                                              : CopiedConstants::kSmall;
    const auto copy = [graph = &graph, taken, cluster, constants] {
      return CopyModel(*graph, taken, cluster.inputs, cluster.outputs, constants);
    };
    program->model = copy();
    copies.push_back(copy);
    plan.programs.push_back(std::move(program));
  }
  CheckPlan(plan);
  for (size_t i = 0; i < plan.programs.size(); ++i) MakeProgram(&plan.programs[i], copies[i]);
  return plan;
}

void Compilation::MakeProgram(std::unique_ptr<Program>* slot,
                              const std::function<std::unique_ptr<OwnedModel>()>& copy) {
  const std::vector<NNAdapterOperandType> given = TypesOf((*slot)->model->model.input_operands);
  try {
    CreateProgram(slot->get(), /*from_model=*/true);
  } catch (const Error& error) {
    if (!Caching() || error.code() != NNADAPTER_DEVICE_INTERNAL_ERROR) throw;
    // Saving may be what failed: that costs the cache alone.
    const std::string text = error.what();
    auto again = std::make_unique<Program>((*slot)->device);
    again->input_indexes = (*slot)->input_indexes;
    again->output_indexes = (*slot)->output_indexes;
    again->operations = (*slot)->operations;
    again->model = copy();
    *slot = std::move(again);
    caching_ = false;
    CreateProgram(slot->get(), /*from_model=*/true);
    Note("nothing is cached: with a cache, " + text);
  }
  Program& program = **slot;
  const core::Model& left = program.model->model;
  const auto& inputs = program.lent ? program.lent->input_operands() : left.input_operands;
  const auto& outputs = program.lent ? program.lent->output_operands() : left.output_operands;
  // As the driver left them: what it needs to know when it restores the program.
  program.cache.input_types = TypesOf(inputs);
  program.cache.output_types = TypesOf(outputs);
  for (size_t i = 0; i < given.size(); ++i)
    program.private_inputs.push_back(inputs.size() != given.size() ||
                                     PrecisionOf(program.cache.input_types[i]) !=
                                         PrecisionOf(given[i]));
}

void Compilation::RefuseWrongCaches() {
  if (buffer_.empty() && !Caching()) return;
  for (const auto& device : context_->devices()) {
    if (!device->device().restores_wrongly()) continue;
    caching_ = false;
    buffer_.clear();
    Note("nothing is cached: the public " + device->name() +
         " computes with other weights after it has restored a program");
  }
}

void Compilation::PrepareFolder() {
  if (!Caching()) return;
  try {
    MakeFolder(dir_);
  } catch (const Error& error) {
    caching_ = false;
    Note(Text("nothing is cached: ", error.what()));
  }
}

bool Compilation::AllSaved() const {
  return std::all_of(plan_.programs.begin(), plan_.programs.end(),
                     [](const auto& program) { return !program->cache.buffer.empty(); });
}

void Compilation::Save() {
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
    cache_written_ = true;
    Note(path + ": written");
  } catch (const std::exception& error) {
    Note(Text("no cache is written: ", error.what()));
  }
}

void Compilation::Describe() {
  const bool later = saving_ == Saving::kAfterRun;
  reports_.emplace_back(
      plan_, cache_state(),
      cache_text_ + (later ? "; the device saves its program when it runs first" : ""));
}

NNAdapterCacheState Compilation::cache_state() const {
  if (from_cache_) return NNADAPTER_CACHE_USED;
  if (cache_text_.empty() && saving_ != Saving::kAfterRun) return NNADAPTER_CACHE_NONE;
  if (cache_refused_) return NNADAPTER_CACHE_REFUSED;
  return cache_written_ ? NNADAPTER_CACHE_WRITTEN : NNADAPTER_CACHE_NOT_WRITTEN;
}

const CompilationReport& Compilation::report() const {
  std::lock_guard<Mutex> lock(mutex_);
  return reports_.back();
}

void Compilation::SaveAfterRun() {
  if (saving_ != Saving::kAfterRun) return;
  saving_ = Saving::kDone;
  std::lock_guard<Mutex> lock(mutex_);
  Save();
  FreeBuffers();
  Describe();
}

bool Compilation::RebuildWithoutCache(const std::string& why) {
  if (saving_ != Saving::kAfterRun) return false;
  saving_ = Saving::kDone;
  std::lock_guard<Mutex> lock(mutex_);
  caching_ = false;
  Note("nothing is cached: with a cache, " + why);
  plan_ = Build();
  Describe();
  return true;
}

void Compilation::FreeBuffers() {
  for (const auto& program : plan_.programs) std::vector<uint8_t>().swap(program->cache.buffer);
}

void Compilation::Finish() {
  std::lock_guard<Mutex> lock(mutex_);
  if (finished_) FailParameter("the compilation is already finished");
  cache_text_.clear();
  cache_refused_ = cache_written_ = false;
  caching_ = true;
  RefuseWrongCaches();
  from_cache_ = (!buffer_.empty() || Caching()) && LoadFromCaches();
  if (!from_cache_) {
    if (!model_) FailParameter("no model, and no cache that can be used: ", cache_text_);
    PrepareFolder();
    plan_ = Build();
    if (Caching() && !AllSaved()) {
      saving_ = Saving::kAfterRun;  // some drivers have a program only then
    } else {
      if (Caching()) Save();
      FreeBuffers();
    }
  }
  std::vector<uint8_t>().swap(buffer_);
  public_input_types_ = plan_.input_types;
  public_output_types_ = plan_.output_types;
  Describe();
  finished_ = true;
}

}  // namespace nnadapter::runtime
