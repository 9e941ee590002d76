// BlockOp: an operator that runs another block of its program (`subgraph`, `while`). It is made
// with the program at hand, and its output shapes are known when it has run.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/program_desc.h"

namespace paddle::lite {

// What the user asked of devices other than the plan's CPU.
struct DeviceSettings {
  // In order of preference.
  std::vector<std::string> device_names;
  // "key=value;key=value", handed to every device.
  std::string context_properties;
  // Devices may ask it for things; see their documentation.
  int (*context_callback)(int event_id, void* user_data) = nullptr;
  // Where compiled subgraphs are kept; empty: nowhere.
  std::string model_cache_dir;
  // Compiled subgraphs by token.
  std::map<std::string, std::string> model_cache_buffers;
  // By input name: the complete shapes that it will have.
  std::map<std::string, std::vector<std::vector<int64_t>>> dynamic_shape_info;
  // A device that cannot compile is an error, not a reason to take the next one.
  bool strict = false;
  // Threads for devices that compute on the CPU.
  int threads = 1;
};

// One attempt to compile a subgraph, and what became of it.
struct CompileAttempt {
  std::vector<std::string> devices;
  std::string error;  // empty where it worked
};

// How compilations of a subgraph ended; those that ended alike are counted together.
struct CompileOutcome {
  std::vector<CompileAttempt> attempts;  // one after the other, until one worked
  // Of the latest program. JSON of the runtime: which device runs which operation, whether a cache
  // was used and why not.
  std::string runtime_report;
  // Of the latest program. By operator of the block: positions of its operations in the model.
  std::vector<std::vector<int>> operations;
  int compilations = 0;
  int runs = 0;
};

// How a subgraph runs, for the placement report.
struct BlockOpReport {
  int block = 0;
  std::vector<CompileOutcome> outcomes;  // the latest used first; those beyond 16 are dropped
  int programs = 0;                      // of all outcomes, also of dropped ones
  int runs = 0;
  double compile_ms = 0, run_ms = 0;          // sums
  int64_t input_bytes = 0, output_bytes = 0;  // of the latest run
};

class BlockOp {
 public:
  virtual ~BlockOp() = default;
  // Tensors by slot, as the operator declares them. Safe to call from several threads.
  virtual void Run(const std::vector<std::vector<const Tensor*>>& inputs,
                   const std::vector<std::vector<Tensor*>>& outputs, int threads) = 0;
  // Whether what Run leaves in this output may be read: a slot can list the block's inner results.
  virtual bool Writes(const std::string& output) const = 0;
  // Adds the reports of itself and of the operators in its block that run on devices.
  virtual void AddReports(std::vector<BlockOpReport>* reports) const = 0;
};

struct Graph;

// What such an operator is made from.
struct BlockOpSource {
  const OpDesc& op;
  const ProgramDesc& program;
  // What all operators of a program share; null where the operator has no make_session.
  std::shared_ptr<void> session;
  // Of an operator with a variables_slot: its block. Inputs and outputs are the variables in that
  // slot and in Out.
  std::shared_ptr<Graph> body;
};

// Registered beside the operator's declaration.
struct BlockOpInfo {
  std::shared_ptr<BlockOp> (*make)(const BlockOpSource& source);
  // Makes, from the settings, what all such operators share; null: nothing.
  std::shared_ptr<void> (*make_session)(const DeviceSettings& settings) = nullptr;
  // The block reads and writes variables of the blocks around it: when the operator is made this
  // input slot holds those that it reads, and Out those that it writes. Null: a device runs the
  // block, and the program's own slots list all that it needs.
  const char* variables_slot = nullptr;
};

bool RegisterBlockOp(const std::string& type, BlockOpInfo info);
// Null for any other operator.
const BlockOpInfo* FindBlockOp(const std::string& type);

}  // namespace paddle::lite
