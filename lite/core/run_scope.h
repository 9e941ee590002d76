// RunScope: a run of a program on this thread; what may stop it between two operators and
// who is told of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace paddle::lite {

class RunRecorder;

// Asked about ten times a second while a run goes on, between operators; true stops the run.
using Poll = std::function<bool()>;

class RunScope {
 public:
  // `program` tells runs of one program (its graph) from those of others.
  // `recorder` (null: none) is told of every operator.
  RunScope(const void* program, const std::atomic<bool>* cancelled, const Poll* poll,
           RunRecorder* recorder = nullptr);
  ~RunScope();
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;

  // Whether this thread is inside a run of the program: an operator's function may call anything.
  static bool IsRunning(const void* program);
  // The recorder of this thread's run; null where nobody wants to know.
  static RunRecorder* Recorder();

 private:
  friend class CancelCheck;
  bool MustStop() {
    if (stopped_ || cancelled_->load(std::memory_order_relaxed)) return true;
    return poll_ != nullptr && Ask();
  }
  bool Ask();

  const void* program_;
  const std::atomic<bool>* cancelled_;
  const Poll* poll_;
  RunRecorder* recorder_;
  bool stopped_ = false;
  int64_t next_poll_ = 0;  // in milliseconds of a clock that costs little to read
  RunScope* outer_;
};

// Called between two operators: throws CancelledError where the run of this thread is to stop. Made
// once for a loop over operators.
class CancelCheck {
 public:
  CancelCheck();
  void operator()() const {
    for (RunScope* scope = scope_; scope != nullptr; scope = scope->outer_)
      if (scope->MustStop()) Throw();
  }

 private:
  [[noreturn]] static void Throw();
  RunScope* scope_;
};

// The same once.
inline void CheckCancelled() { CancelCheck()(); }

}  // namespace paddle::lite
