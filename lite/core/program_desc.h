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
  bool has_tensor = true;  // whether data_type and dims are said at all
  bool persistable = false;
  bool need_check_feed = false;
  int lod_level = 0;  // a hint, too
};

struct OpDesc {
  std::string type;
  std::map<std::string, std::vector<std::string>> inputs, outputs;
  AttributeMap attrs;
  std::vector<std::string> block_attrs;  // attributes whose type says that they name blocks
  bool is_target = false;
};

struct BlockDesc {
  // As the file says; real files with NNAdapter's subgraphs have garbage there.
  int idx = 0, parent_idx = 0, forward_block_idx = -1;
  std::vector<VarDesc> vars;
  std::vector<OpDesc> ops;
};

struct ProgramDesc {
  std::vector<BlockDesc> blocks;
  int64_t version = 0;
  std::map<std::string, int32_t> op_versions;
};

// A parameter: its tensor borrows its memory from the file's bytes or from the caller's arrays.
using ParamTable = std::map<std::string, Tensor>;

}  // namespace paddle::lite
