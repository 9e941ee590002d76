// A model's programs on the devices of a context, from the model or from a cache.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lite/nnadapter/runtime/cache.h"
#include "lite/nnadapter/runtime/context.h"
#include "lite/nnadapter/runtime/lent_model.h"
#include "lite/nnadapter/runtime/model.h"
#include "lite/nnadapter/runtime/mutex.h"
#include "lite/nnadapter/runtime/partition.h"
#include "nnadapter/extensions.h"

namespace nnadapter::runtime {

// What one device runs. Indexes: partition.h.
struct Program {
  explicit Program(const DeviceContext* on) : device(on) {}
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const DeviceContext* device;
  std::vector<int32_t> input_indexes, output_indexes;
  // Numbers of its operations in the order of addOperation; empty where it comes from a cache.
  std::vector<size_t> operations;
  // The driver's own copy; it lives as long as the program.
  std::unique_ptr<OwnedModel> model;
  // In the way of that copy where the driver knows another std::list.
  std::unique_ptr<LentModel> lent;
  // Inputs of which the driver gets a copy in each run, because it reads them as another type and
  // may convert them where they stand.
  std::vector<bool> private_inputs;
  std::string token;
  core::Cache cache;
  void* handle = nullptr;
  double create_ms = 0;
};

constexpr int32_t kUnknownPrecision = -1;

// All that is needed to run.
struct Plan {
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<NNAdapterOperandType> input_types, output_types;
  // For each tensor that passes between programs; a cache does not tell it.
  std::vector<int32_t> passing_precisions;
};

// A plan as callers get it: which device runs what, and what became of the cache.
class CompilationReport {
 public:
  CompilationReport(const Plan& plan, NNAdapterCacheState cache, std::string cache_text);
  CompilationReport(const CompilationReport&) = delete;
  CompilationReport& operator=(const CompilationReport&) = delete;

  const NNAdapterCompilationRecord& record() const { return record_; }
  const std::string& json() const { return json_; }

 private:
  const int32_t* Keep(std::vector<int32_t> numbers);

  // What the record's pointers lead to.
  std::string cache_text_;
  std::deque<std::string> devices_;
  std::deque<std::vector<int32_t>> numbers_;
  std::vector<NNAdapterProgramRecord> programs_;
  NNAdapterCompilationRecord record_{};
  std::string json_;
};

class Runner;

// No element is larger. A driver may have changed the types that a cache holds.
constexpr size_t kMaxElementSize = 8;

// Throws Error(INVALID_PARAMETER) where a program reads larger elements than callers give.
void CheckElementSizes(const Plan& plan);

// Throws Error(INVALID_PARAMETER) unless every tensor is written once before it is read, and every
// index stands for something.
void CheckPlan(const Plan& plan);

class Compilation {
 public:
  // `model` may be null where there is a cache. An empty token, directory or buffer is none.
  Compilation(std::shared_ptr<Model> model, std::string token, std::vector<uint8_t> buffer,
              std::string dir, std::shared_ptr<Context> context);

  void Finish();
  bool finished() const;
  // Of a finished compilation. The types that callers see are a copy that nothing here reads.
  std::vector<NNAdapterOperandType>& public_input_types() { return public_input_types_; }
  std::vector<NNAdapterOperandType>& public_output_types() { return public_output_types_; }

  // Runs the programs once. Executions of one compilation take turns.
  void Run(const std::vector<core::Argument>& inputs, const std::vector<core::Argument>& outputs);

  const Plan& plan() const { return plan_; }
  // What is now known; one once given stays.
  const CompilationReport& report() const;

 private:
  bool LoadFromCaches();
  Plan Load(const std::vector<uint8_t>& bytes);
  Plan Build();
  // Gives the driver `copy`'s model; where that fails with a cache, tries it without.
  void MakeProgram(std::unique_ptr<Program>* slot,
                   const std::function<std::unique_ptr<OwnedModel>()>& copy);
  void CreateProgram(Program* program, bool from_model);
  // Whether programs are kept in a file.
  bool Caching() const { return caching_ && !token_.empty() && !dir_.empty(); }
  // Of devices whose programs are known to be restored wrongly.
  void RefuseWrongCaches();
  void PrepareFolder();
  bool AllSaved() const;
  void Save();
  void SaveAfterRun();
  // False where there was nothing to do about the cache.
  bool RebuildWithoutCache(const std::string& why);
  void FreeBuffers();
  void Describe();
  NNAdapterCacheState cache_state() const;
  void Note(const std::string& text);
  const std::string& fingerprint();

  const std::shared_ptr<Model> model_;
  const std::shared_ptr<Context> context_;
  const std::string token_, dir_;
  std::vector<uint8_t> buffer_;
  std::string fingerprint_;

  mutable Mutex mutex_;
  Mutex run_mutex_;
  bool finished_ = false;
  bool from_cache_ = false;
  std::string cache_text_;
  bool cache_refused_ = false, cache_written_ = false;
  bool caching_ = true;  // unless it turned out that it cannot be done
  enum class Saving { kDone, kAfterRun } saving_ = Saving::kDone;
  std::deque<CompilationReport> reports_;
  Plan plan_;
  std::shared_ptr<Runner> runner_;
  std::vector<NNAdapterOperandType> public_input_types_, public_output_types_;
};

// The first device that takes each operation, -1 where none does; devices behind those that take
// everything are not asked. `refusals`, unless null: why none does. Throws
// Error(FEATURE_NOT_SUPPORTED) where one has to be asked that cannot be.
std::vector<int> AskDevices(const core::Model& model, const Context& context,
                            std::vector<std::string>* refusals);

// Which device runs each operation; a single one gets all. Throws Error(FEATURE_NOT_SUPPORTED)
// naming what none takes.
std::vector<int> ChooseDevices(const core::Model& model, const Context& context);

// The plan as entries of a cache and back. Loaded programs have no handle yet; their buffers are in
// `cache`.
CacheEntries EncodePlan(const Plan& plan, const std::string& fingerprint);
Plan DecodePlan(CacheEntries entries, const Context& context);

}  // namespace nnadapter::runtime
