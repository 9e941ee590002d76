// The child of a fork finds what another thread of its parent was about to find.
#include "lite/core/base/found_once.h"

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/cpp/check.h"

namespace paddle::lite {
namespace {

std::atomic<bool> finding{false}, may_end{false};

int Find() {
  finding = true;
  while (!may_end) std::this_thread::yield();
  return 7;
}

void TestChild() {
  std::thread finder([] { FoundOnce<Find>(); });
  while (!finding) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // it waits for a thread that it does not have
    may_end = true;
    _exit(FoundOnce<Find>() == 7 ? 0 : 1);
  }
  may_end = true;
  finder.join();
  CHECK(&FoundOnce<Find>() == &FoundOnce<Find>());
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace paddle::lite

int main() {
  paddle::lite::TestChild();
  return paddle::lite::testing::g_failures ? 1 : 0;
}
