// lite.model.program.Program -> ProgramDesc, without the detour over a file's bytes.
#include "lite/api/python/module.h"

namespace paddle::lite::python {
namespace {

// AttrType of lite/model/program.py.
enum AttrKind {
  kInt = 0,
  kFloat = 1,
  kString = 2,
  kInts = 3,
  kFloats = 4,
  kStrings = 5,
  kBoolean = 6,
  kBooleans = 7,
  kBlock = 8,
  kLong = 9,
  kLongs = 11,
  kFloat64s = 12,
  kFloat64 = 15,
};

// What operators here do not read has no value.
Attribute ToTypedAttribute(int kind, const py::handle& value) {
  switch (kind) {
    case kInt:
    case kBlock:
      return value.cast<int32_t>();
    case kFloat:
      return value.cast<float>();
    case kString:
      return value.cast<std::string>();
    case kInts:
      return value.cast<std::vector<int32_t>>();
    case kFloats:
      return value.cast<std::vector<float>>();
    case kStrings:
      return value.cast<std::vector<std::string>>();
    case kBoolean:
      return value.cast<bool>();
    case kBooleans:
      return value.cast<std::vector<bool>>();
    case kLong:
      return value.cast<int64_t>();
    case kLongs:
      return value.cast<std::vector<int64_t>>();
    case kFloat64s:
      return value.cast<std::vector<double>>();
    case kFloat64:
      return value.cast<double>();
    default:
      return {};
  }
}

OpDesc ToOp(const py::handle& from) {
  using Slots = std::map<std::string, std::vector<std::string>>;
  OpDesc op;
  op.type = from.attr("type").cast<std::string>();
  op.inputs = from.attr("inputs").cast<Slots>();
  op.outputs = from.attr("outputs").cast<Slots>();
  for (const auto& [name, attr] : from.attr("attrs").cast<py::dict>())
    op.attrs[name.cast<std::string>()] =
        ToTypedAttribute(attr.attr("type").cast<int>(), attr.attr("value"));
  return op;
}

VarDesc ToVar(const py::handle& from) {
  VarDesc var;
  var.name = from.attr("name").cast<std::string>();
  var.type = from.attr("type").cast<int>();
  const py::object dtype = from.attr("dtype");
  var.data_type = dtype.is_none() ? -1 : dtype.cast<int>();
  var.dims = from.attr("shape").cast<std::vector<int64_t>>();
  var.persistable = from.attr("persistable").cast<bool>();
  return var;
}

}  // namespace

ProgramDesc ToProgramDesc(const py::handle& program) {
  ProgramDesc desc;
  for (const auto& from : program.attr("blocks")) {
    BlockDesc& block = desc.blocks.emplace_back();
    for (const auto& [name, var] : from.attr("vars").cast<py::dict>())
      block.vars.push_back(ToVar(var));
    for (const auto& op : from.attr("ops")) block.ops.push_back(ToOp(op));
  }
  return desc;
}

}  // namespace paddle::lite::python
