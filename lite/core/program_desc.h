// ProgramDesc and its parts as the runtime reads them from a `.nb` file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lite/core/attribute.h"
#include "lite/core/tensor.h"

namespace paddle::lite {

struct VarDesc {
  std::string name;
  int type = 7;       // VarType.Type; 7 is LOD_TENSOR
  int data_type = 5;  // a hint: types are inferred
  std::vector<int64_t> dims;
  bool persistable = false;
};

struct OpDesc {
  std::string type;
  std::map<std::string, std::vector<std::string>> inputs, outputs;
  AttributeMap attrs;
};

struct BlockDesc {
  std::vector<VarDesc> vars;
  std::vector<OpDesc> ops;
};

struct ProgramDesc {
  std::vector<BlockDesc> blocks;
  int64_t version = 0;
};

// A parameter: its tensor borrows its memory from the file's bytes or from the caller's arrays.
using ParamTable = std::map<std::string, Tensor>;

}  // namespace paddle::lite
