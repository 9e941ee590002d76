#pragma once

#include <map>
#include <string>

#include "lite/nnadapter/device_test/bench.h"

namespace device_test {

// Verdicts by operation.
class Report {
 public:
  void Add(const Case& given, const Verdict& verdict);
  int Count(Outcome outcome) const;
  bool empty() const { return rows_.empty(); }
  // An operation a row: how many passed, failed and were not taken, and the first reason.
  std::string Table() const;
  std::string Totals() const;

 private:
  struct Row {
    int counts[3] = {};
    std::string failure, refusal;
  };
  std::map<std::string, Row> rows_;
};

}  // namespace device_test
