#include "lite/core/run_scope.h"

#include "lite/core/errors.h"

namespace paddle::lite {
namespace {

constexpr std::chrono::milliseconds kPollInterval{100};

thread_local RunScope* current = nullptr;

}  // namespace

RunScope::RunScope(const void* program, const std::atomic<bool>* cancelled, const Poll* poll)
    : program_(program),
      cancelled_(cancelled),
      poll_(poll != nullptr && *poll ? poll : nullptr),
      outer_(current) {
  if (poll_ != nullptr) next_poll_ = std::chrono::steady_clock::now() + kPollInterval;
  current = this;
}

RunScope::~RunScope() { current = outer_; }

bool RunScope::IsRunning(const void* program) {
  for (const RunScope* scope = current; scope != nullptr; scope = scope->outer_)
    if (scope->program_ == program) return true;
  return false;
}

bool RunScope::MustStop() {
  if (stopped_ || cancelled_->load(std::memory_order_relaxed)) return true;
  if (poll_ == nullptr) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_poll_) return false;
  stopped_ = (*poll_)();
  next_poll_ = std::chrono::steady_clock::now() + kPollInterval;
  return stopped_;
}

void CheckCancelled() {
  for (RunScope* scope = current; scope != nullptr; scope = scope->outer_)
    if (scope->MustStop()) throw CancelledError("the run was cancelled");
}

}  // namespace paddle::lite
