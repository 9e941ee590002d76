// Runs another program with bytes in and bytes out, whatever the application does with signals,
// threads and its own children.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace paddle::lite::sdk {

struct ChildResult {
  std::string output, errors;  // all of standard output, the last part of standard error
  std::string end;             // "exit status 1", "signal 9"; empty: exit status 0, or not known
  bool timed_out = false;
};

// Starts `command` (a path and arguments), writes `input` to its standard input and reads until it
// ends; one that has not after `limit` is killed with the processes that it started. The child is
// always waited for. Throws LiteError where it cannot be started.
ChildResult RunChild(const std::vector<std::string>& command,
                     const std::vector<std::string_view>& input, std::chrono::milliseconds limit);

}  // namespace paddle::lite::sdk
