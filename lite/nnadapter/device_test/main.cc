// nnadapter_device_test: the conformance cases on a board without Python.
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <iostream>

#include "lite/nnadapter/device_test/isolate.h"
#include "lite/nnadapter/device_test/report.h"

namespace device_test {
namespace {

constexpr char kUsage[] =
    R"(usage: nnadapter_device_test CASES DEVICE [options]

Runs the cases of a file that `lite device-test --export CASES` wrote on a device.
Ends with 0 where all that the device takes is right, 1 where something is wrong or nothing is
taken, 2 where the file or the device cannot be opened.

  --path DIR         folder to look for lib<device>.so in (repeatable)
  --properties TEXT  for the context: "key=value;key=value"
  --only TEXT        cases whose name contains this text
  --timeout SECONDS  for one case (60)
  --chunk N          cases a process (100)
  --list             print the names of the cases; no device is needed
  --quiet            print failures and totals only
)";

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Flags {
  std::string file, only, path;
  Settings settings;
  bool list = false, quiet = false;
};

int Number(const std::string& name, const std::string& text) {
  char* end = nullptr;
  const long value = strtol(text.c_str(), &end, 10);
  if (text.empty() || *end || value < 1 || value > 1000000)
    throw UsageError(name + " takes a number from 1 to 1000000, not '" + text + "'");
  return static_cast<int>(value);
}

Flags Parse(int count, char** words) {
  Flags flags;
  std::vector<std::string> places;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string {
      if (++i == count) throw UsageError(word + " takes a value");
      return words[i];
    };
    if (word == "--path")
      flags.path += value() + ":";
    else if (word == "--properties")
      flags.settings.properties = value();
    else if (word == "--only")
      flags.only = value();
    else if (word == "--timeout")
      flags.settings.timeout_seconds = Number(word, value());
    else if (word == "--chunk")
      flags.settings.chunk = Number(word, value());
    else if (word == "--list")
      flags.list = true;
    else if (word == "--quiet")
      flags.quiet = true;
    else if (word.rfind("--", 0) == 0)
      throw UsageError("unknown option " + word);
    else
      places.push_back(word);
  }
  if (places.size() != 2 && !(flags.list && places.size() == 1))
    throw UsageError("it takes a file of cases and the name of a device");
  flags.file = places[0];
  flags.settings.device = places.back();
  return flags;
}

// NNADAPTER_DEVICE_PATH with the folders of --path in front.
void Publish(const std::string& path) {
  const char* known = getenv("NNADAPTER_DEVICE_PATH");
  std::string all = path + (known ? known : "");
  if (!known && !all.empty()) all.pop_back();
  if (!path.empty()) setenv("NNADAPTER_DEVICE_PATH", all.c_str(), 1);
}

bool Contains(const std::string& text, const std::string& part) {
  const auto same = [](char a, char b) { return tolower(a) == tolower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

int Main(const Flags& flags) {
  std::vector<Case> cases = ReadCases(flags.file);
  const auto other = [&](const Case& given) { return !Contains(given.name, flags.only); };
  cases.erase(std::remove_if(cases.begin(), cases.end(), other), cases.end());
  if (flags.list) {
    for (const Case& given : cases) std::cout << given.name << "\n";
    return 0;
  }
  if (cases.empty()) throw FileError(flags.file + " has no case of '" + flags.only + "'");
  Publish(flags.path);
  Report report;
  const std::string error = RunIsolated(
      cases, flags.settings,
      [&](const Case& given, const Verdict& verdict) {
        report.Add(given, verdict);
        if (verdict.outcome == Outcome::kFailed)
          std::cout << "FAIL " << given.name << ": " << verdict.why << std::endl;
      },
      [](const std::string& text) { std::cerr << "warning: " << text << std::endl; });
  if (!flags.quiet && !report.empty()) std::cout << report.Table();
  if (!report.empty()) std::cout << report.Totals() << "\n";
  if (!error.empty()) {
    std::cerr << "nnadapter_device_test: device " << flags.settings.device << ": " << error << "\n";
    return report.Count(Outcome::kFailed) ? 1 : 2;
  }
  return report.Count(Outcome::kFailed) || !report.Count(Outcome::kPassed) ? 1 : 0;
}

}  // namespace
}  // namespace device_test

int main(int count, char** words) {
  for (int i = 1; i < count; ++i)
    if (!strcmp(words[i], "--help") || !strcmp(words[i], "-h")) {
      std::cout << device_test::kUsage;
      return 0;
    }
  try {
    return device_test::Main(device_test::Parse(count, words));
  } catch (const device_test::UsageError& error) {
    std::cerr << "nnadapter_device_test: " << error.what() << "\n" << device_test::kUsage;
  } catch (const std::exception& error) {
    std::cerr << "nnadapter_device_test: " << error.what() << "\n";
  }
  return 2;
}
