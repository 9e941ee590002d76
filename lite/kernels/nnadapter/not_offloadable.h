// NotOffloadable: what is thrown for an operator that stays on the CPU.
#pragma once

#include <string>

namespace paddle::lite::nnadapter_bridge {

// An operator that cannot become NNAdapter operations; `reason` is one plain sentence.
struct NotOffloadable {
  std::string reason;
};

}  // namespace paddle::lite::nnadapter_bridge
