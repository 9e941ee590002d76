// Which variables of a program hold reals that were rounded to steps of 8 bits, and how.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lite/core/int8_form.h"
#include "lite/core/program_desc.h"

namespace paddle::lite {

// The rounded variable is what rounding `source` gives.
struct Int8Rounding : Int8Form {
  std::string source;
};

class Int8Roundings {
 public:
  Int8Roundings(const ProgramDesc& program, const ParamTable& params);

  void BeginBlock();
  // Operators of a block in their order.
  void Remember(const OpDesc& op);
  // How a variable was rounded, where its source still holds what it held then; null for others.
  const Int8Rounding* Of(const std::string& name) const;

 private:
  struct Known {
    Int8Rounding how;
    int version;  // of the source
  };
  void RememberRounding(const OpDesc& op);
  void RememberAffine(const OpDesc& op);
  void RememberCalib(const OpDesc& op);
  int Version(const std::string& name) const;

  const ParamTable& params_;
  std::set<std::string> written_;  // by any operator
  std::map<std::string, int> versions_;
  std::map<std::string, Known> rounded_, steps_;  // reals, and integers that calib made of reals
};

// The variable of a slot that has one; null for others.
const std::string* OnlyName(const std::map<std::string, std::vector<std::string>>& slots,
                            const char* slot);

// Whether an operator can multiply `weight`, whose output channels lie along `axis`, in integers.
bool MultipliesInt8(const OpDesc& op, const Tensor& weight, int axis);

}  // namespace paddle::lite
