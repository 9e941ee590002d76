// The optimizer's default passes, in order: made of lite/core/optimizer/pass_list.py.
#pragma once

#include <string>
#include <vector>

namespace paddle {

const std::vector<std::string>& DefaultPasses();

}  // namespace paddle
