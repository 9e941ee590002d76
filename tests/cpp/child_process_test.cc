// Child processes of the full library: what they say, how they fail, that none is left.
#include "lite/sdk/full/child_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "lite/core/base/errors.h"
#include "lite/sdk/full/fields.h"
#include "tests/cpp/check.h"

namespace paddle::lite::sdk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ChildResult Shell(const std::string& script, const std::vector<std::string_view>& input = {},
                  milliseconds limit = seconds(60)) {
  return RunChild({"/bin/sh", "-c", script}, input, limit);
}

bool HasChildren() { return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

void TestTalk() {
  const ChildResult result = Shell("echo said >&2; cat; echo; exit 3", {"a", "", "bc"});
  CHECK(result.output == "abc\n" && result.errors == "said\n" && !result.timed_out);
  CHECK(result.end == "exit status 3");
  CHECK(Shell("kill -9 $$").end == "signal 9");
  CHECK(Shell("exit 0").end.empty());
  CHECK_THROWS(LiteError, RunChild({"/nonexistent"}, {}, seconds(1)), "cannot run /nonexistent");
  CHECK(!HasChildren());
}

// More than any pipe holds, both ways; an input that nobody reads; errors without end.
void TestMuch() {
  const std::string big(50'000'000, 'x');
  CHECK(Shell("cat", {big, "end"}).output == big + "end");
  CHECK(Shell("echo no", {big}).output == "no\n");
  const ChildResult result = Shell("yes error | head -c 1000000 >&2; echo last >&2");
  CHECK(result.errors.size() <= 65536 && result.errors.find("last\n") != std::string::npos);
}

void TestTimeLimit() {
  const auto begin = std::chrono::steady_clock::now();
  for (const char* script : {"sleep 100", "exec >&-; sleep 100", "sleep 100 & sleep 100"})
    CHECK(Shell(script, {}, milliseconds(200)).timed_out);
  CHECK(std::chrono::steady_clock::now() - begin < seconds(30));
  // A process that the child leaves behind keeps standard error open.
  CHECK(!Shell("sleep 2 > /dev/null & echo done").timed_out);
  CHECK(!HasChildren());
}

void TestThreads() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([i] {
      const std::string text = std::to_string(i) + std::string(300'000, 'y');
      CHECK(Shell("cat", {text}).output == text);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(!HasChildren());
}

// Applications ignore signals, reap all children, or run without standard streams.
void TestOddApplications() {
  std::signal(SIGCHLD, SIG_IGN);
  CHECK(Shell("echo yes").output == "yes\n");
  std::signal(SIGCHLD, SIG_DFL);
  std::signal(SIGTERM, SIG_IGN);
  CHECK(Shell("kill -TERM $$; echo alive").output.empty());
  std::signal(SIGTERM, SIG_DFL);
  const int in = dup(0), out = dup(1);
  close(0);
  close(1);
  const ChildResult result = Shell("cat", {"through"});
  dup2(in, 0);
  dup2(out, 1);
  close(in);
  close(out);
  CHECK(result.output == "through");
}

void TestFields() {
  FieldWriter writer;
  const std::string value("a\0b\n", 4);
  writer.Add("one", value);
  writer.AddText("two words", "");
  std::string message;
  for (const std::string_view part : writer.Finish()) message += part;
  Fields fields;
  CHECK(ParseFields(message, &fields) && fields.size() == 2);
  CHECK(FieldValue(fields, "one") == value && FieldValue(fields, "three").empty());
  for (size_t cut = 0; cut < message.size(); ++cut) {
    Fields some;
    CHECK(!ParseFields(std::string_view(message).substr(0, cut), &some));
  }
  for (const char* bad :
       {"x -1\nend 0\n", "x 99999999999999999999\nend 0\n", "x 5\nend 0\n", "x\n"})
    CHECK(!ParseFields(bad, &fields));
}

}  // namespace
}  // namespace paddle::lite::sdk

int main() {
  paddle::lite::sdk::TestTalk();
  paddle::lite::sdk::TestMuch();
  paddle::lite::sdk::TestTimeLimit();
  paddle::lite::sdk::TestThreads();
  paddle::lite::sdk::TestOddApplications();
  paddle::lite::sdk::TestFields();
  return paddle::lite::testing::g_failures ? 1 : 0;
}
