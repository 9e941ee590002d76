// Which optimizer passes a configuration of Paddle Inference's programs runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "paddle_place.h"

namespace paddle {

// The list of passes, by the names of this framework. Paddle's `fc_fuse_pass` is its
// `lite_fc_fuse_pass`; names that it does not have are kept in the list and change nothing.
class LITE_API PaddlePassBuilder {
 public:
  PaddlePassBuilder();
  explicit PaddlePassBuilder(const std::vector<std::string>& passes) : passes_(passes) {}

  const std::vector<std::string>& AllPasses() const { return passes_; }
  void SetPasses(const std::vector<std::string>& passes) { passes_ = passes; }
  void AppendPass(const std::string& name) { passes_.push_back(name); }
  // Throw where the list has no such position.
  void InsertPass(size_t index, const std::string& name);
  void DeletePass(size_t index);
  void DeletePass(const std::string& name);
  // The position of a name, or -1 as size_t has it.
  size_t GetPassIndex(const std::string& name);
  void ClearPasses() { passes_.clear(); }
  std::string DebugString();

  // Kept, and change nothing.
  const std::vector<std::string>& AnalysisPasses() const { return analysis_passes_; }
  void AppendAnalysisPass(const std::string& name) { analysis_passes_.push_back(name); }
  void TurnOnDebug();

 private:
  std::vector<std::string> passes_, analysis_passes_;
};

}  // namespace paddle
