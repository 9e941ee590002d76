// The child of a fork finds the mutexes of its parent open, and each of them still excludes, though
// several of its threads lock one for the first time together.
#include "lite/core/fork_safe_mutex.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/cpp/check.h"

namespace paddle::lite {
namespace {

constexpr int kMutexes = 200000, kThreads = 4;

// How often two threads were inside at once.
int Intrusions(std::vector<ForkSafeMutex>* mutexes) {
  std::vector<std::atomic<int>> inside(mutexes->size()), arrived(mutexes->size());
  std::atomic<int> intrusions{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (size_t m = 0; m < mutexes->size(); ++m) {
        ++arrived[m];
        for (int spin = 0; spin < 1000 && arrived[m] < 2; ++spin) {
        }
        (*mutexes)[m].lock();
        if (++inside[m] != 1) ++intrusions;
        for (int spin = 0; spin < 20; ++spin) inside[m].load();
        --inside[m];
        (*mutexes)[m].unlock();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return intrusions;
}

void TestChild() {
  std::vector<ForkSafeMutex> mutexes(kMutexes);
  for (size_t i = 0; i < mutexes.size(); i += 2) mutexes[i].lock();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // a mutex that stays locked
    _exit(Intrusions(&mutexes) == 0 ? 0 : 1);
  }
  for (size_t i = 0; i < mutexes.size(); i += 2) mutexes[i].unlock();
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(Intrusions(&mutexes) == 0);
}

}  // namespace
}  // namespace paddle::lite

int main() {
  paddle::lite::TestChild();
  return paddle::lite::testing::g_failures ? 1 : 0;
}
