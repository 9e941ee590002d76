// lite.model.program.Program -> ProgramDesc, without the detour over a file's bytes.
#include "lite/api/bindings/module.h"
#include "lite/core/attr_type.h"

namespace paddle::lite::python {
namespace {

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
Attribute ToTypedAttribute(AttrType kind, const py::handle& value) {
  switch (kind) {
    case AttrType::kInt:
    case AttrType::kBlock:
      return value.cast<int32_t>();
    case AttrType::kFloat:
      return value.cast<float>();
    case AttrType::kString:
      return ToText(value);
    case AttrType::kInts:
      return value.cast<std::vector<int32_t>>();
    case AttrType::kFloats:
      return value.cast<std::vector<float>>();
    case AttrType::kStrings:
      return ToTexts(value);
    case AttrType::kBoolean:
      return value.cast<bool>();
    case AttrType::kBooleans:
      return value.cast<std::vector<bool>>();
    case AttrType::kLong:
      return value.cast<int64_t>();
    case AttrType::kLongs:
      return value.cast<std::vector<int64_t>>();
    case AttrType::kFloat64s:
      return value.cast<std::vector<double>>();
    case AttrType::kFloat64:
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
    op.attrs[ToText(name)] =
        ToTypedAttribute(static_cast<AttrType>(attr.attr("type").cast<int>()), attr.attr("value"));
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
