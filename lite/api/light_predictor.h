// LightPredictor: runs a program that came through the `.nb` door; the only runtime there is.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lite/core/base/core_binding.h"
#include "lite/core/fork_safe_mutex.h"
#include "lite/core/naive_buffer.h"
#include "lite/core/program_builder.h"
#include "lite/core/run_recorder.h"
#include "lite/core/run_scope.h"
#include "lite/core/runtime_program.h"
#include "lite/core/scope.h"
#include "lite/kernels/nnadapter/device_settings.h"
#include "lite/kernels/nnadapter/report.h"

namespace paddle::lite {

// What a model is loaded with.
struct LoadSettings {
  LoadSettings() = default;
  LoadSettings(DeviceSettings devices) : devices(std::move(devices)) {}  // NOLINT: as it stands

  DeviceSettings devices;
  math::WeightPrecision precision = math::WeightPrecision::kFp32;
  bool use_stored = true;         // packed weights beside a `.nb` file
  std::vector<std::string> kept;  // intermediate tensors that are outputs, too
};

// Elements for one input.
struct Feed {
  TensorMeta meta;
  const void* data;
  size_t bytes;
};

// All member functions may be called from several threads at once: they take turns. An operator's
// own function must not call those of the predictor that runs it, nor of its clones: LiteError.
class LightPredictor {
 public:
  // From a `.nb` file. Throws FileError where it cannot be read, ModelFormatError where it is
  // damaged, UnsupportedOperatorError where it needs operators that are missing here,
  // DeviceError where it has subgraphs for devices and `settings` name none.
  static std::shared_ptr<LightPredictor> FromFile(const std::string& path,
                                                  const LoadSettings& settings = {});
  // Packed weights beside the file (StoredWeights) are used; where they cannot be,
  // stored_problem() says why.
  // From the bytes of a `.nb` file, which `holder` keeps alive.
  static std::shared_ptr<LightPredictor> FromBuffer(const uint8_t* data, size_t size,
                                                    std::shared_ptr<void> holder,
                                                    const LoadSettings& settings = {});
  // The same, of memory from AllocateAligned that nobody else reads and that is given back in
  // parts.
  static std::shared_ptr<LightPredictor> FromOwnBuffer(const std::shared_ptr<void>& memory,
                                                       size_t size, const LoadSettings& settings);
  // From the program section alone and parameters given by name.
  static std::shared_ptr<LightPredictor> FromProgram(const uint8_t* data, size_t size,
                                                     ParamTable params,
                                                     const LoadSettings& settings = {});
  // A predictor of its own that shares the weights, packed ones too.
  std::shared_ptr<LightPredictor> Clone() const;

  // Declarations in the order of the feed and fetch operators; dims of -1 are unknown.
  const std::vector<VarDesc>& inputs() const { return inputs_; }
  const std::vector<VarDesc>& outputs() const { return outputs_; }

  // Computes the outputs. Throws LiteError where an input has not been set, CancelledError where
  // `poll` or Cancel() stopped it.
  void Run(const Poll& poll = {});
  // Sets every input, runs and copies every output; no other thread comes between. Large inputs are
  // read where they lie, and are not set any more when it returns. Throws LiteError where `feeds`
  // are not as many as the inputs, and as SetInput and Run do.
  std::vector<Tensor> Run(const std::vector<Feed>& feeds, const Poll& poll = {});
  // Sets every input (no `feeds`: those that are set stay), runs `warmup` times, then `runs` times
  // with every operator recorded. Throws as Run does.
  RunRecorder Profile(const std::vector<Feed>& feeds, int warmup, int runs, const Poll& poll = {});
  // Stops the run that another thread is in, between two operators; it throws CancelledError. Does
  // nothing where there is none. Does not wait.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  // Copies `bytes` of elements into an input and gives it this shape and type. Throws
  // DataTypeError where the model declares another type, ShapeError where the sizes disagree.
  void SetInput(size_t index, const Feed& feed);
  // Gives inputs and outputs the shapes that the model declares (-1 is free) until they are set or
  // computed, as Paddle Lite's CxxPredictor does.
  void ShowDeclaredShapes();
  // Shape, type and LoD that an input or output has now; an input's memory is not touched.
  TensorMeta InputMeta(size_t index) const;
  TensorMeta OutputMeta(size_t index) const;
  void ResizeInput(size_t index, const DDim& dims);
  void SetInputLoD(size_t index, LoD lod);
  // Memory of an input for its present shape, which then counts as set. Throws DataTypeError where
  // the model declares another type. Valid until the input is resized.
  void* MutableInput(size_t index, DataType dtype);
  // The elements where they are; an output's until the next Run. Throw DataTypeError for another
  // type, LiteError before there is anything.
  const void* InputData(size_t index, DataType dtype) const;
  const void* OutputData(size_t index, DataType dtype) const;
  bool HasInput(size_t index) const;
  bool HasOutputs() const;
  // Memory of an output with what the last run left there; throws as OutputData does. Valid until
  // the next Run.
  void* MutableOutput(size_t index, DataType dtype);
  // The type that an input will have; where that is another, its data must be set again. Throws
  // DataTypeError where the model declares another type.
  void SetInputType(size_t index, DataType dtype);
  // Each run reads the input's elements from the caller's memory, until it is resized, set or
  // written. Throws ShapeError where `bytes` are fewer than its shape and type need.
  void ShareInput(size_t index, void* data, size_t bytes);
  // Copies of what is in an input or output; throw LiteError before there is anything.
  Tensor CopyInput(size_t index) const;
  Tensor CopyOutput(size_t index) const;

  // Why the packed weights beside the model's file were not used; empty where they were, or there
  // are none.
  const std::string& stored_problem() const { return stored_problem_; }
  // Runs with `feeds` and writes the weights, as they were packed, for the file that this predictor
  // was loaded from; it should not have run before. Throws FileError and as Run does.
  void SavePacked(const std::string& model_path, const std::string& path,
                  const std::vector<Feed>& feeds, const Poll& poll = {});

  void set_threads(int threads);
  int threads() const;
  // The cores of the next runs; a mode that binds takes no more threads than it has cores. Throws
  // ConfigError for a number that names no mode.
  void set_power_mode(PowerMode mode);
  // Frees plans and intermediate results until the next Run. Outputs stay, in memory of their own.
  void ShrinkMemory();
  // The program's parameters, in alphabetical order.
  const std::vector<std::string>& param_names() const { return *param_names_; }
  // Bytes of the arena that intermediate results need at the largest shapes so far.
  size_t arena_bytes() const;
  // Whether an operator's output shape depends on its input's data (NMS, while, ...): what the
  // outputs' dimensions mean is then not known from the inputs' shapes.
  bool shapes_depend_on_data() const;
  // How the operators that run on devices are doing.
  std::vector<SubgraphReport> DeviceReports() const;

 private:
  using Names = std::shared_ptr<const std::vector<std::string>>;
  static std::shared_ptr<LightPredictor> FromTable(const ProgramDesc& program, ParamTable* params,
                                                   const LoadSettings& settings,
                                                   const std::shared_ptr<FilePages>& pages,
                                                   const std::function<void(Graph*)>& prepare = {});
  // Null, and `*problem`, where there are no packed weights that fit.
  static std::shared_ptr<LightPredictor> FromStored(const std::string& path,
                                                    const LoadSettings& settings,
                                                    std::string* problem);
  LightPredictor(std::shared_ptr<Graph> graph, std::vector<VarDesc> inputs,
                 std::vector<VarDesc> outputs, Names param_names, int threads);
  void CheckInputType(size_t index, DataType dtype) const;
  void CheckFeed(size_t index, const Feed& feed) const;
  void CopyIn(size_t index, const Feed& feed);
  void CopyIn(const std::vector<Feed>& feeds);
  void CheckCount(const std::vector<Feed>& feeds) const;
  bool ReadsInPlace(const Feed& feed) const;
  void Borrow(size_t index, const Feed& feed);
  // The input reads the caller's memory, until TakeBack().
  void BindInput(size_t index, void* data, size_t bytes);
  void GiveBack(const std::vector<Feed>& feeds);
  // The input no longer reads the caller's memory, if it did.
  void TakeBack(size_t index);
  const Tensor& SetInputTensor(size_t index) const;
  const Tensor& ComputedOutput(size_t index) const;
  // Throws LiteError on the thread that is running the graph: it would wait for itself.
  std::unique_lock<ForkSafeMutex> Take() const;
  void RunOnce(const Poll& poll, RunRecorder* recorder = nullptr);
  // "input 0 ('x') has shape [..], but the model declares [..]" for each such input.
  std::string UnlikeDeclared() const;

  mutable ForkSafeMutex mutex_;
  std::vector<VarDesc> inputs_, outputs_;
  Names param_names_;
  Scope scope_;
  std::vector<Tensor>* feed_;
  std::vector<Tensor>* fetch_;
  std::vector<bool> set_;     // which inputs have data
  std::vector<bool> shared_;  // which inputs' data is the caller's
  bool has_run_ = false;
  std::unique_ptr<RuntimeProgram> program_;
  std::atomic<bool> cancelled_{false};
  int threads_ = 1;
  CoreSet cores_;  // empty: where the system likes
  std::string stored_problem_;
};

}  // namespace paddle::lite
