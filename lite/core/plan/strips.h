// Strips: consecutive kernels that take turns, some rows of each at a time, so that what one hands
// to the next does not leave the cache.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "lite/core/plan/draft.h"
#include "lite/core/plan/instruction.h"
#include "lite/core/row_kernel.h"
#include "lite/core/run_recorder.h"

namespace paddle::lite {

// A kernel of a strip.
struct StripLink {
  Instruction* instruction = nullptr;
  const RowKernel* kernel = nullptr;
  RowWindow window;
  int64_t rows = 0, row_floats = 0;  // of an image of its output
  int64_t kept = 0;                  // rows that are kept for the next kernel
  int64_t weight_bytes = 0;
};

class Strip {
 public:
  // At a time so many rows of the last output that what is kept between the kernels fits `bytes`
  // beside the weights; rows() is 0 where too few do.
  Strip(std::vector<StripLink> links, int64_t images, int64_t bytes);

  int64_t rows() const { return rows_; }
  const std::vector<StripLink>& links() const { return links_; }
  // A recorder is told of the links one after the other, with their shares of the time.
  void Run(int threads, RunRecorder* recorder) const;

 private:
  int64_t BytesFor(int64_t rows);
  void RunPart(const std::vector<std::unique_ptr<RowRun>>& runs, int64_t image, int64_t begin,
               int64_t end, int64_t* nanoseconds) const;
  void Record(const std::vector<std::atomic<int64_t>>& took, int64_t start,
              RunRecorder* recorder) const;

  std::vector<StripLink> links_;
  int64_t images_, rows_ = 0;
};

// Kernels are joined where what one writes and only the next one reads would not stay in a cache of
// `l2` bytes.
std::vector<Strip> FindStrips(const PlanDraft& draft, std::deque<Instruction>* instructions,
                              int64_t l2);

}  // namespace paddle::lite
