// RunScope: a run of a program on this thread; what may stop it between two operators.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

namespace paddle::lite {

// Asked about ten times a second while a run goes on, between operators; true stops the run.
using Poll = std::function<bool()>;

class RunScope {
 public:
  // `program` tells runs of one program (its graph) from those of others.
  RunScope(const void* program, const std::atomic<bool>* cancelled, const Poll* poll);
  ~RunScope();
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;

  // Whether this thread is inside a run of the program: an operator's function may call anything.
  static bool IsRunning(const void* program);

 private:
  friend void CheckCancelled();
  bool MustStop();

  const void* program_;
  const std::atomic<bool>* cancelled_;
  const Poll* poll_;
  bool stopped_ = false;
  std::chrono::steady_clock::time_point next_poll_;
  RunScope* outer_;
};

// Between two operators: throws CancelledError where the run of this thread is to stop.
void CheckCancelled();

}  // namespace paddle::lite
