// BlockOp: an operator that runs another block of its program (`subgraph`). It is made with the
// program at hand, and its output shapes are known when it has run.
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

// How a subgraph runs, for the placement report.
struct BlockOpReport {
  int op_index = 0;
  int block = 0;
  std::vector<CompileAttempt> attempts;  // of the latest program
  // JSON of the runtime: which device runs which operation, whether a cache was used and why not.
  std::string runtime_report;
  // By operator of the block: positions of its operations in the model.
  std::vector<std::vector<int>> operations;
  int programs = 0;
  int runs = 0;
  double compile_ms = 0, run_ms = 0;          // sums
  int64_t input_bytes = 0, output_bytes = 0;  // of the latest run
};

class BlockOp {
 public:
  virtual ~BlockOp() = default;
  // Tensors in the order of the operator's slots. Safe to call from several threads.
  virtual void Run(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
                   int threads) = 0;
  // Whether what Run leaves in this output may be read: a slot can list the block's inner results.
  virtual bool Writes(const std::string& output) const = 0;
  virtual BlockOpReport Report() const = 0;
};

using BlockOpFactory = std::shared_ptr<BlockOp> (*)(const OpDesc& op, const ProgramDesc& program,
                                                    const std::shared_ptr<void>& session);

// Registered beside the operator's declaration. `make_session` makes what all operators of a
// program share, from the settings; it is called once, where the program has such an operator.
struct BlockOpInfo {
  std::shared_ptr<void> (*make_session)(const DeviceSettings& settings);
  BlockOpFactory make;
};

bool RegisterBlockOp(const std::string& type, BlockOpInfo info);
// Null for any other operator.
const BlockOpInfo* FindBlockOp(const std::string& type);

}  // namespace paddle::lite
