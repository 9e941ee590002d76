#include "lite/api/light_predictor.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "lite/kernels/nnadapter/engine.h"

namespace paddle::lite {
namespace {

constexpr int kMaxThreads = 256;

std::string Position(const char* what, size_t index, const std::vector<VarDesc>& descs) {
  return StrCat(what, " ", index, " ('", descs[index].name, "')");
}

// "[?, 3, 224, 224]"
std::string DeclaredShape(const std::vector<int64_t>& dims) {
  std::string text;
  for (const int64_t dim : dims)
    text += StrCat(text.empty() ? "[" : ", ", dim < 0 ? "?" : std::to_string(dim));
  return text + "]";
}

const void* ElementsAs(const Tensor& tensor, DataType dtype) {
  if (tensor.dtype() != dtype)
    throw DataTypeError(StrCat("a tensor of shape ", tensor.dims(), " holds ", Name(tensor.dtype()),
                               ", not ", Name(dtype)));
  return tensor.raw_data();
}

// Throws where nobody has said yet which shape a free dimension makes.
void RequireWholeShape(const std::string& where, const DDim& dims) {
  for (int i = 0; i < dims.size(); ++i)
    if (dims[i] < 0)
      throw ShapeError(StrCat(where, " has the declared shape ", dims,
                              ", of which -1 is free; call Resize() first"));
}

// Offsets must start at 0, never fall, and end at the number of what they divide.
void CheckLoD(const std::string& where, const TensorMeta& meta) {
  for (size_t level = 0; level < meta.lod.size(); ++level) {
    const std::vector<uint64_t>& offsets = meta.lod[level];
    const bool last = level + 1 == meta.lod.size();
    const auto rows = static_cast<uint64_t>(meta.dims.empty() ? 1 : meta.dims[0]);
    const uint64_t end = last ? rows : meta.lod[level + 1].size() - 1;
    if (offsets.empty() || offsets[0] != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
        offsets.back() != end)
      throw ShapeError(StrCat(where, " has shape ", meta.dims, ", but level ", level,
                              " of its LoD does not rise from 0 to ", end));
  }
}

// Devices are looked for when the program has a subgraph for one.
BuildSettings BuildSettingsOf(const LoadSettings& settings) {
  return {
      [&settings] { return std::make_shared<nnadapter_bridge::DeviceSession>(settings.devices); },
      settings.precision, settings.kept};
}

}  // namespace

std::shared_ptr<LightPredictor> LightPredictor::FromTable(
    const ProgramDesc& program, ParamTable* params, const LoadSettings& settings,
    const std::shared_ptr<FilePages>& pages, const std::function<void(Graph*)>& prepare) {
  std::vector<std::string> names;
  for (const auto& entry : *params) names.push_back(entry.first);
  LoadedProgram loaded = BuildGraph(program, params, BuildSettingsOf(settings));
  loaded.graph->pages = pages;
  if (prepare) prepare(loaded.graph.get());
  return std::shared_ptr<LightPredictor>(new LightPredictor(
      std::move(loaded.graph), std::move(loaded.inputs), std::move(loaded.outputs),
      std::make_shared<const std::vector<std::string>>(std::move(names)), 1));
}

std::shared_ptr<LightPredictor> LightPredictor::FromFile(const std::string& path,
                                                         const LoadSettings& settings) {
  std::string problem;
  if (settings.use_stored)
    if (auto predictor = FromStored(path, settings, &problem)) return predictor;
  NaiveBufferModel model = ReadNaiveBufferFile(path);
  try {
    auto predictor = FromTable(model.program, &model.params, settings, model.pages);
    predictor->stored_problem_ = std::move(problem);
    return predictor;
  } catch (LiteError& error) {
    error.AddContext(path);
    throw;
  }
}

std::shared_ptr<LightPredictor> LightPredictor::FromBuffer(const uint8_t* data, size_t size,
                                                           std::shared_ptr<void> holder,
                                                           const LoadSettings& settings) {
  NaiveBufferModel model = ReadNaiveBuffer(data, size, std::move(holder), "the model buffer");
  return FromTable(model.program, &model.params, settings, nullptr);
}

std::shared_ptr<LightPredictor> LightPredictor::FromOwnBuffer(const std::shared_ptr<void>& memory,
                                                              size_t size,
                                                              const LoadSettings& settings) {
  NaiveBufferModel model = ReadOwnNaiveBuffer(memory, size, "the model buffer");
  return FromTable(model.program, &model.params, settings, model.pages);
}

std::shared_ptr<LightPredictor> LightPredictor::FromProgram(const uint8_t* data, size_t size,
                                                            ParamTable params,
                                                            const LoadSettings& settings) {
  return FromTable(ReadProgramDesc(data, size, "the program"), &params, settings, nullptr);
}

LightPredictor::LightPredictor(std::shared_ptr<Graph> graph, std::vector<VarDesc> inputs,
                               std::vector<VarDesc> outputs, Names param_names, int threads)
    : inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      param_names_(std::move(param_names)),
      threads_(threads) {
  feed_ = scope_.Var("feed")->GetMutable<std::vector<Tensor>>();
  fetch_ = scope_.Var("fetch")->GetMutable<std::vector<Tensor>>();
  feed_->resize(inputs_.size());
  fetch_->resize(outputs_.size());
  set_.resize(inputs_.size());
  shared_.resize(inputs_.size());
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (IsDataType(inputs_[i].data_type))
      (*feed_)[i].set_dtype(static_cast<DataType>(inputs_[i].data_type));
  program_ = std::make_unique<RuntimeProgram>(std::move(graph), &scope_.NewScope());
}

std::shared_ptr<LightPredictor> LightPredictor::Clone() const {
  const auto lock = Take();
  std::shared_ptr<LightPredictor> clone(
      new LightPredictor(program_->shared_graph(), inputs_, outputs_, param_names_, threads_));
  clone->cores_ = cores_;
  return clone;
}

std::unique_lock<ForkSafeMutex> LightPredictor::Take() const {
  if (RunScope::IsRunning(&program_->graph()))
    throw LiteError(
        "an operator's function uses the predictor that is running it, or a clone; it would wait "
        "for itself");
  return std::unique_lock<ForkSafeMutex>(mutex_);
}

void LightPredictor::Run(const Poll& poll) {
  const auto lock = Take();
  cancelled_.store(false, std::memory_order_relaxed);
  RunOnce(poll);
}

RunRecorder LightPredictor::Profile(const std::vector<Feed>& feeds, int warmup, int runs,
                                    const Poll& poll) {
  if (warmup < 0 || runs < 1)
    throw ConfigError(StrCat("warm-up runs are ", warmup, " and recorded ones ", runs,
                             ", expected 0 and 1 or more"));
  const auto lock = Take();
  if (!feeds.empty()) CopyIn(feeds);
  cancelled_.store(false, std::memory_order_relaxed);
  for (int i = 0; i < warmup; ++i) RunOnce(poll);
  RunRecorder recorder;
  for (int i = 0; i < runs; ++i) {
    Observation observation(&recorder);
    RunOnce(poll, &recorder);
    observation.Done(OperatorRecord::Kind::kRun);
  }
  return recorder;
}

std::vector<Tensor> LightPredictor::Run(const std::vector<Feed>& feeds, const Poll& poll) {
  const auto lock = Take();
  CheckCount(feeds);
  const std::shared_ptr<void> borrowing(
      this, [&feeds](void* held) { static_cast<LightPredictor*>(held)->GiveBack(feeds); });
  for (size_t i = 0; i < feeds.size(); ++i)
    ReadsInPlace(feeds[i]) ? Borrow(i, feeds[i]) : CopyIn(i, feeds[i]);
  cancelled_.store(false, std::memory_order_relaxed);
  RunOnce(poll);
  std::vector<Tensor> outputs(fetch_->size());
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i].CopyDataFrom((*fetch_)[i]);
  return outputs;
}

void LightPredictor::RunOnce(const Poll& poll, RunRecorder* recorder) {
  std::vector<Tensor*> inputs, outputs;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (!set_[i])
      throw LiteError(StrCat(Position("input", i, inputs_),
                             " has not been set; give it data "
                             "before run()"));
    CheckLoD(Position("input", i, inputs_), (*feed_)[i].meta());
    inputs.push_back(&(*feed_)[i]);
  }
  for (Tensor& tensor : *fetch_) outputs.push_back(&tensor);
  has_run_ = false;
  const RunScope scope(&program_->graph(), &cancelled_, &poll, recorder);
  try {
    const CoreBinding binding(cores_);
    const int cores = static_cast<int>(binding.cores().count());
    program_->Run(inputs, outputs, cores == 0 ? threads_ : std::min(threads_, cores));
  } catch (ShapeError& error) {
    // A declaration is a hint: only a run that failed is compared with it.
    const std::string unlike = UnlikeDeclared();
    if (!unlike.empty()) error.AddContext(unlike);
    throw;
  } catch (const DeviceError&) {
    CheckCancelled();  // a device that computes here was stopped, and says so in its own way
    throw;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i]->list() != nullptr)
      throw DataTypeError(StrCat(Position("output", i, outputs_),
                                 " is a list of tensors; stack or concat it in the model"));
    if (!outputs[i]->has_value())
      throw LiteError(StrCat(Position("output", i, outputs_),
                             " has no value: no branch that writes it was taken"));
  }
  has_run_ = true;
}

std::string LightPredictor::UnlikeDeclared() const {
  std::string text;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const std::vector<int64_t>& declared = inputs_[i].dims;
    const std::vector<int64_t> given = (*feed_)[i].dims().Vectorize();
    if (declared.empty()) continue;
    const bool alike =
        std::equal(declared.begin(), declared.end(), given.begin(), given.end(),
                   [](int64_t wanted, int64_t got) { return wanted < 0 || wanted == got; });
    if (!alike)
      text += StrCat(text.empty() ? "" : "; ", Position("input", i, inputs_), " has shape ",
                     (*feed_)[i].dims(), ", but the model declares ", DeclaredShape(declared));
  }
  return text;
}

void LightPredictor::ShowDeclaredShapes() {
  const auto lock = Take();
  const auto show = [](const std::vector<VarDesc>& descs, std::vector<Tensor>* tensors) {
    for (size_t i = 0; i < descs.size(); ++i) {
      if (descs[i].dims.size() > static_cast<size_t>(DDim::kMaxRank)) continue;
      (*tensors)[i].Resize(DDim(descs[i].dims));
      if (IsDataType(descs[i].data_type))
        (*tensors)[i].set_dtype(static_cast<DataType>(descs[i].data_type));
    }
  };
  show(inputs_, feed_);
  show(outputs_, fetch_);
}

void LightPredictor::SetInput(size_t index, const Feed& feed) {
  const auto lock = Take();
  CopyIn(index, feed);
}

void LightPredictor::CheckInputType(size_t index, DataType dtype) const {
  const int declared = inputs_.at(index).data_type;
  if (IsDataType(declared) && static_cast<DataType>(declared) != dtype)
    throw DataTypeError(StrCat(Position("input", index, inputs_), " takes ",
                               Name(static_cast<DataType>(declared)), ", but got ", Name(dtype),
                               "; convert the array first"));
}

void LightPredictor::CheckCount(const std::vector<Feed>& feeds) const {
  if (feeds.size() != inputs_.size())
    throw LiteError(StrCat(feeds.size(), " inputs given, the model takes ", inputs_.size()));
}

void LightPredictor::CopyIn(const std::vector<Feed>& feeds) {
  CheckCount(feeds);
  for (size_t i = 0; i < feeds.size(); ++i) CopyIn(i, feeds[i]);
}

void LightPredictor::CheckFeed(size_t index, const Feed& feed) const {
  CheckInputType(index, feed.meta.dtype);
  const size_t needed = Tensor(feed.meta).memory_size();
  if (needed != feed.bytes)
    throw ShapeError(StrCat(Position("input", index, inputs_), " of shape ", feed.meta.dims,
                            " needs ", needed, " bytes of data, but got ", feed.bytes));
}

void LightPredictor::CopyIn(size_t index, const Feed& from) {
  const auto& [meta, data, bytes] = from;
  CheckFeed(index, from);
  Tensor& feed = (*feed_)[index];
  TakeBack(index);
  set_[index] = false;
  feed.set_meta(meta);
  void* to = feed.MutableRaw(meta.dtype);
  if (bytes) std::memcpy(to, data, bytes);
  set_[index] = true;
}

// Large floats, by our own kernels: a driver might write to its inputs, and what is checked and
// then used as an index must not change in between.
bool LightPredictor::ReadsInPlace(const Feed& feed) const {
  constexpr size_t kLarge = 64 * 1024;
  return feed.meta.dtype == DataType::kFP32 && feed.bytes >= kLarge &&
         reinterpret_cast<uintptr_t>(feed.data) % sizeof(float) == 0 &&
         program_->graph().block_ops.empty();
}

void LightPredictor::Borrow(size_t index, const Feed& from) {
  CheckFeed(index, from);
  (*feed_)[index].set_meta(from.meta);
  BindInput(index, const_cast<void*>(from.data), from.bytes);
}

void LightPredictor::BindInput(size_t index, void* data, size_t bytes) {
  Tensor& feed = (*feed_)[index];
  feed.ReleaseData();
  feed.Bind(data, bytes);
  shared_[index] = true;
  set_[index] = true;
}

// What was borrowed for a run; an output that lies in it is forgotten, too.
void LightPredictor::GiveBack(const std::vector<Feed>& feeds) {
  const std::less_equal<const void*> before;
  for (size_t i = 0; i < feeds.size(); ++i) {
    if (!shared_[i]) continue;
    TakeBack(i);
    const char* const begin = static_cast<const char*>(feeds[i].data);
    for (Tensor& output : *fetch_) {
      if (!output.has_data() || !before(begin, output.raw_data()) ||
          before(begin + feeds[i].bytes, output.raw_data()))
        continue;
      output.ReleaseData();
      has_run_ = false;
    }
  }
}

TensorMeta LightPredictor::InputMeta(size_t index) const {
  const auto lock = Take();
  return feed_->at(index).meta();
}

TensorMeta LightPredictor::OutputMeta(size_t index) const {
  const auto lock = Take();
  return fetch_->at(index).meta();
}

void LightPredictor::ResizeInput(size_t index, const DDim& dims) {
  const auto lock = Take();
  Tensor& feed = feed_->at(index);
  Tensor resized(feed.meta());
  resized.Resize(dims);
  (void)resized.memory_size();  // throws for negative dims and sizes beyond 2^63
  TakeBack(index);
  if (dims == feed.dims()) return;
  set_[index] = false;
  feed.Resize(dims);
}

void LightPredictor::SetInputLoD(size_t index, LoD lod) {
  const auto lock = Take();
  feed_->at(index).set_lod(std::move(lod));
}

void* LightPredictor::MutableInput(size_t index, DataType dtype) {
  const auto lock = Take();
  CheckInputType(index, dtype);
  RequireWholeShape(Position("input", index, inputs_), (*feed_)[index].dims());
  TakeBack(index);
  void* data = (*feed_)[index].MutableRaw(dtype);
  set_[index] = true;
  return data;
}

void LightPredictor::TakeBack(size_t index) {
  if (!shared_[index]) return;
  shared_[index] = false;
  set_[index] = false;
  (*feed_)[index].ReleaseData();
}

void LightPredictor::SetInputType(size_t index, DataType dtype) {
  const auto lock = Take();
  CheckInputType(index, dtype);
  TakeBack(index);
  Tensor& feed = feed_->at(index);
  if (feed.dtype() == dtype) return;
  set_[index] = false;
  feed.set_dtype(dtype);
}

void LightPredictor::ShareInput(size_t index, void* data, size_t bytes) {
  const auto lock = Take();
  Tensor& feed = feed_->at(index);
  RequireWholeShape(Position("input", index, inputs_), feed.dims());
  if (data == nullptr)
    throw ConfigError(StrCat(Position("input", index, inputs_), " cannot share a null pointer"));
  if (feed.memory_size() > bytes)
    throw ShapeError(StrCat(Position("input", index, inputs_), " of shape ", feed.dims(), " needs ",
                            feed.memory_size(), " bytes of data, but got ", bytes));
  if (reinterpret_cast<uintptr_t>(data) % SizeOf(feed.dtype()) != 0)
    throw ConfigError(StrCat(Position("input", index, inputs_), " of type ", Name(feed.dtype()),
                             " needs memory aligned to ", SizeOf(feed.dtype()), " bytes"));
  BindInput(index, data, bytes);
}

const Tensor& LightPredictor::SetInputTensor(size_t index) const {
  if (!set_.at(index))
    throw LiteError(StrCat(Position("input", index, inputs_), " has not been set yet"));
  return (*feed_)[index];
}

const Tensor& LightPredictor::ComputedOutput(size_t index) const {
  const Tensor& tensor = fetch_->at(index);
  if (!has_run_)
    throw LiteError(StrCat(Position("output", index, outputs_),
                           " has no data: call run() first (the last run failed, or there was "
                           "none)"));
  return tensor;
}

const void* LightPredictor::InputData(size_t index, DataType dtype) const {
  const auto lock = Take();
  return ElementsAs(SetInputTensor(index), dtype);
}

const void* LightPredictor::OutputData(size_t index, DataType dtype) const {
  const auto lock = Take();
  return ElementsAs(ComputedOutput(index), dtype);
}

void* LightPredictor::MutableOutput(size_t index, DataType dtype) {
  const auto lock = Take();
  Tensor& tensor = const_cast<Tensor&>(ComputedOutput(index));
  (void)ElementsAs(tensor, dtype);
  // A weight that is an output as it is: the model's stays.
  if (tensor.persistable()) tensor.CopyDataFrom(tensor);
  return tensor.raw_data();
}

void LightPredictor::ShrinkMemory() {
  const auto lock = Take();
  for (Tensor& tensor : *fetch_)
    if (tensor.has_data() && !tensor.persistable()) tensor.CopyDataFrom(tensor);
  program_->Shrink();
}

bool LightPredictor::HasInput(size_t index) const {
  const auto lock = Take();
  return set_.at(index);
}

bool LightPredictor::HasOutputs() const {
  const auto lock = Take();
  return has_run_;
}

Tensor LightPredictor::CopyInput(size_t index) const {
  const auto lock = Take();
  Tensor copy;
  copy.CopyDataFrom(SetInputTensor(index));
  return copy;
}

Tensor LightPredictor::CopyOutput(size_t index) const {
  const auto lock = Take();
  Tensor copy;
  copy.CopyDataFrom(ComputedOutput(index));
  return copy;
}

void LightPredictor::set_threads(int threads) {
  if (threads < 1 || threads > kMaxThreads)
    throw ConfigError(StrCat("threads is ", threads, ", expected 1 to ", kMaxThreads));
  const auto lock = Take();
  threads_ = threads;
}

void LightPredictor::set_power_mode(PowerMode mode) {
  if (mode < PowerMode::kHigh || mode > PowerMode::kRandLow)
    throw ConfigError(StrCat("power mode is ", static_cast<int>(mode), ", expected 0 to 5"));
  const auto lock = Take();
  cores_ = CoresOf(mode, ReadCores(CpuFolder()));
}

std::vector<SubgraphReport> LightPredictor::DeviceReports() const {
  std::vector<SubgraphReport> reports;
  const auto add = [&](const BlockOp& op) {
    if (const auto* engine = dynamic_cast<const nnadapter_bridge::Engine*>(&op))
      reports.push_back(engine->Report());
  };
  for (const auto& [index, op] : program_->graph().block_ops) op->ForEach(add);
  return reports;
}

int LightPredictor::threads() const {
  const auto lock = Take();
  return threads_;
}

size_t LightPredictor::arena_bytes() const {
  const auto lock = Take();
  return program_->arena_bytes();
}

bool LightPredictor::shapes_depend_on_data() const {
  const std::vector<OpLite>& ops = program_->graph().ops;
  return std::any_of(ops.begin(), ops.end(),
                     [](const OpLite& op) { return op.info().data_dependent(); });
}

}  // namespace paddle::lite
