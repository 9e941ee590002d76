#include "lite/nnadapter/device_test/report.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace device_test {
namespace {

// One line, not too long.
std::string Brief(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  return line.size() > 100 ? line.substr(0, 97) + "..." : line;
}

}  // namespace

void Report::Add(const Case& given, const Verdict& verdict) {
  Row& row = rows_[given.operation];
  ++row.counts[static_cast<int>(verdict.outcome)];
  std::string& first = verdict.outcome == Outcome::kFailed ? row.failure : row.refusal;
  if (verdict.outcome != Outcome::kPassed && first.empty()) first = verdict.why;
}

int Report::Count(Outcome outcome) const {
  int count = 0;
  for (const auto& [name, row] : rows_) count += row.counts[static_cast<int>(outcome)];
  return count;
}

std::string Report::Table() const {
  size_t width = 9;
  for (const auto& [name, row] : rows_) width = std::max(width, name.size());
  const auto left = std::setw(static_cast<int>(width));
  std::ostringstream text;
  text << std::left << left << "operation"
       << "  passed  failed  not taken\n";
  for (const auto& [name, row] : rows_) {
    const std::string why = Brief(row.failure.empty() ? row.refusal : row.failure);
    text << std::left << left << name << std::right << std::setw(8) << row.counts[0] << std::setw(8)
         << row.counts[1] << std::setw(11) << row.counts[2] << (why.empty() ? "" : "  ") << why
         << "\n";
  }
  return text.str();
}

std::string Report::Totals() const {
  std::ostringstream text;
  text << Count(Outcome::kPassed) << " passed, " << Count(Outcome::kFailed) << " failed, "
       << Count(Outcome::kNotTaken) << " not taken";
  return text.str();
}

}  // namespace device_test
