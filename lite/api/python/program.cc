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

// Names that are no UTF-8 in the file stand as surrogates in Python.
std::string ToText(const py::handle& text) {
  const py::object bytes = py::reinterpret_steal<py::object>(
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!bytes) throw py::error_already_set();
  return bytes.cast<std::string>();
}

std::vector<std::string> ToTexts(const py::handle& list) {
  std::vector<std::string> texts;
  for (const auto& text : list) texts.push_back(ToText(text));
  return texts;
}

std::map<std::string, std::vector<std::string>> ToSlots(const py::handle& slots) {
  std::map<std::string, std::vector<std::string>> result;
  for (const auto& [slot, names] : slots.cast<py::dict>()) result[ToText(slot)] = ToTexts(names);
  return result;
}

// What operators here do not read has no value.
Attribute ToTypedAttribute(int kind, const py::handle& value) {
  switch (kind) {
    case kInt:
    case kBlock:
      return value.cast<int32_t>();
    case kFloat:
      return value.cast<float>();
    case kString:
      return ToText(value);
    case kInts:
      return value.cast<std::vector<int32_t>>();
    case kFloats:
      return value.cast<std::vector<float>>();
    case kStrings:
      return ToTexts(value);
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
  OpDesc op;
  op.type = ToText(from.attr("type"));
  op.inputs = ToSlots(from.attr("inputs"));
  op.outputs = ToSlots(from.attr("outputs"));
  for (const auto& [name, attr] : from.attr("attrs").cast<py::dict>())
    op.attrs[ToText(name)] = ToTypedAttribute(attr.attr("type").cast<int>(), attr.attr("value"));
  return op;
}

VarDesc ToVar(const py::handle& from) {
  VarDesc var;
  var.name = ToText(from.attr("name"));
  var.type = from.attr("type").cast<int>();
  const py::object dtype = from.attr("dtype");
  var.data_type = dtype.is_none() ? -1 : dtype.cast<int>();
  var.dims = from.attr("shape").cast<std::vector<int64_t>>();
  var.persistable = from.attr("persistable").cast<bool>();
  return var;
}

}  // namespace

py::str FromText(const std::string& text) {
  PyObject* decoded =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

ProgramDesc ToProgramDesc(const py::handle& program) try {
  ProgramDesc desc;
  for (const auto& from : program.attr("blocks")) {
    BlockDesc& block = desc.blocks.emplace_back();
    for (const auto& [name, var] : from.attr("vars").cast<py::dict>())
      block.vars.push_back(ToVar(var));
    for (const auto& op : from.attr("ops")) block.ops.push_back(ToOp(op));
  }
  return desc;
} catch (const py::cast_error& error) {
  throw ModelFormatError(StrCat("the program holds a value of another type: ", error.what()));
}

ParamTable ToParams(const py::dict& arrays) {
  ParamTable params;
  for (const auto& [name, array] : arrays)
    params.emplace(ToText(name), BorrowArray(py::cast<py::array>(array)));
  return params;
}

}  // namespace paddle::lite::python
