#include "lite/kernels/control_flow/loop_limit.h"

#include <atomic>

#include "lite/core/base/errors.h"

namespace paddle::lite {
namespace {

std::atomic<int64_t> g_limit{kDefaultLoopLimit};

thread_local int depth = 0;
thread_local int64_t spent = 0;

}  // namespace

int64_t LoopLimit() { return g_limit.load(std::memory_order_relaxed); }

void SetLoopLimit(int64_t iterations) { g_limit.store(iterations, std::memory_order_relaxed); }

LoopBudget::LoopBudget() {
  if (depth++ == 0) spent = 0;
}

LoopBudget::~LoopBudget() { --depth; }

void LoopBudget::Spend() {
  const int64_t limit = LoopLimit();
  if (++spent > limit)
    throw LiteError(StrCat("the loop has run its block ", limit,
                           " times, with the loops inside it, and would go on; if that is meant, "
                           "raise the limit with set_loop_limit"));
}

}  // namespace paddle::lite
