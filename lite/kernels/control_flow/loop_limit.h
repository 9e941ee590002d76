// The limit on loops: a model whose condition never becomes false must not hang its caller.
#pragma once

#include <cstdint>

namespace paddle::lite {

constexpr int64_t kDefaultLoopLimit = int64_t{1} << 20;

// How often the blocks of a `while` and of the loops inside it may run, all together.
int64_t LoopLimit();
void SetLoopLimit(int64_t iterations);

// Counts the runs; the loops that run inside another on the same thread share its budget.
class LoopBudget {
 public:
  LoopBudget();
  ~LoopBudget();
  LoopBudget(const LoopBudget&) = delete;
  LoopBudget& operator=(const LoopBudget&) = delete;
  // Before each run; throws LiteError above the limit.
  void Spend();
};

}  // namespace paddle::lite
