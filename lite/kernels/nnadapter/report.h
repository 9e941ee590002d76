// How a subgraph was compiled and runs, for the placement report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace paddle::lite {

// What one device runs of a subgraph.
struct DeviceProgram {
  std::string device;
  double create_ms = 0;
  std::vector<int> operations;  // positions in the model; empty where it comes from a cache
};

// The runtime's own account of a compilation.
struct RuntimeReport {
  // As NNAdapterCacheState.
  enum class Cache { kNone, kUsed, kWritten, kNotWritten, kRefused };
  Cache cache = Cache::kNone;
  std::string cache_text;               // why; empty where there is no cache
  std::vector<DeviceProgram> programs;  // in the order in which they run
};

// One attempt to compile a subgraph, and what became of it.
struct CompileAttempt {
  std::vector<std::string> devices;
  std::string error;  // empty where it worked
};

// How compilations of a subgraph ended; those that ended alike are counted together.
struct CompileOutcome {
  std::vector<CompileAttempt> attempts;  // one after the other, until one worked
  // Of the latest program; nothing where the library gives no report.
  std::optional<RuntimeReport> runtime;
  // Of the latest program. By operator of the block: positions of its operations in the model.
  std::vector<std::vector<int>> operations;
  int compilations = 0;
  int runs = 0;
};

struct SubgraphReport {
  int block = 0;
  std::vector<CompileOutcome> outcomes;  // the latest used first; those beyond 16 are dropped
  int programs = 0;                      // of all outcomes, also of dropped ones
  int runs = 0;
  int padded_runs = 0;                        // of them
  double padding = 0;                         // of the latest padded run: its share of the inputs
  double compile_ms = 0, run_ms = 0;          // sums
  int64_t input_bytes = 0, output_bytes = 0;  // of the latest run
};

}  // namespace paddle::lite
