// A `.nb` file as plain Python data, of which lite/model/naive_buffer/reader.py makes a Program.
#include "lite/core/naive_buffer.h"

#include "lite/api/bindings/module.h"
#include "lite/core/attr_type.h"
#include "lite/core/sniff.h"

namespace paddle::lite::python {
namespace {

py::list FromTexts(const std::vector<std::string>& texts) {
  py::list list;
  for (const std::string& text : texts) list.append(FromText(text));
  return list;
}

py::dict FromSlots(const std::map<std::string, std::vector<std::string>>& slots) {
  py::dict dict;
  for (const auto& [slot, names] : slots) dict[FromText(slot)] = FromTexts(names);
  return dict;
}

// The type of an attribute that does not name blocks, by what it holds.
AttrType TypeOf(const Attribute& attribute) {
  static constexpr AttrType kTypes[] = {AttrType::kInt,    AttrType::kBoolean,  AttrType::kInt,
                                        AttrType::kLong,   AttrType::kFloat,    AttrType::kFloat64,
                                        AttrType::kString, AttrType::kBooleans, AttrType::kInts,
                                        AttrType::kLongs,  AttrType::kFloats,   AttrType::kFloat64s,
                                        AttrType::kStrings};
  static_assert(std::size(kTypes) == std::variant_size_v<Attribute>);
  return kTypes[attribute.index()];
}

// {name: (type, value)}
py::dict FromAttributes(const OpDesc& op) {
  std::map<std::string, AttrType, std::less<>> types;
  for (const std::string& name : op.block_attrs)
    types[name] =
        std::holds_alternative<int32_t>(op.attrs.at(name)) ? AttrType::kBlock : AttrType::kBlocks;
  py::dict dict;
  for (const auto& [name, attribute] : op.attrs) {
    const auto* texts = std::get_if<std::vector<std::string>>(&attribute);
    const auto at = types.find(name);
    dict[FromText(name)] =
        py::make_tuple(static_cast<int>(at == types.end() ? TypeOf(attribute) : at->second),
                       texts ? py::object(FromTexts(*texts)) : FromAttribute(attribute));
  }
  return dict;
}

py::tuple FromVar(const VarDesc& var) {
  return py::make_tuple(FromText(var.name), var.type,
                        var.has_tensor ? py::object(py::int_(var.data_type)) : py::none(),
                        py::tuple(py::cast(var.dims)), var.lod_level, var.persistable,
                        var.need_check_feed);
}

py::tuple FromOp(const OpDesc& op) {
  return py::make_tuple(FromText(op.type), FromSlots(op.inputs), FromSlots(op.outputs),
                        FromAttributes(op), op.is_target);
}

py::list FromBlocks(const ProgramDesc& program) {
  py::list blocks;
  for (const BlockDesc& block : program.blocks) {
    py::list vars, ops;
    for (const VarDesc& var : block.vars) vars.append(FromVar(var));
    for (const OpDesc& op : block.ops) ops.append(FromOp(op));
    blocks.append(py::make_tuple(block.idx, block.parent_idx, block.forward_block_idx, vars, ops));
  }
  return blocks;
}

py::tuple FromModel(NaiveBufferModel model) {
  py::dict op_versions, params;
  for (const auto& [type, version] : model.program.op_versions)
    op_versions[FromText(type)] = version;
  for (auto& [name, tensor] : model.params) {
    py::array array = HandOver(std::move(tensor));
    // The file's bytes, or the caller's.
    array.attr("setflags")(py::arg("write") = false);
    params[FromText(name)] = py::make_tuple(array, model.param_offsets.at(name));
  }
  return py::make_tuple(model.program.version, op_versions, FromBlocks(model.program), params);
}

py::tuple ReadFile(const std::string& path) {
  NaiveBufferModel model;
  {
    const GilReleased released;
    model = ReadNaiveBufferFile(path, ParamForm::kAsStored);
  }
  return FromModel(std::move(model));
}

py::tuple ReadBytes(const py::bytes& file, const std::string& name) {
  const std::string_view bytes = file;
  std::shared_ptr<void> holder = KeepAlive(file);
  NaiveBufferModel model;
  {
    const GilReleased released;
    model = ReadNaiveBuffer(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), holder,
                            name, ParamForm::kAsStored);
  }
  return FromModel(std::move(model));
}

py::tuple SniffBytes(const py::bytes& head) {
  static constexpr const char* kNames[] = {"unknown", "nb", "program", "pir", "onnx", "no model"};
  const std::string_view bytes = head;
  const Sniffed found = Sniff(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return py::make_tuple(kNames[static_cast<size_t>(found.kind)], found.text);
}

}  // namespace

void BindNaiveBuffer(py::module_& module) {
  module.def("read_nb_file", &ReadFile, py::arg("path"),
             "(version, {operator: version}, blocks, {parameter: (array, offset)}) of a `.nb` "
             "file; arrays are views of one buffer where they can be, and cannot be written.");
  module.def("read_nb_bytes", &ReadBytes, py::arg("file"), py::arg("name"),
             "The same of a file's bytes, which the arrays keep alive.");
  module.def("sniff", &SniffBytes, py::arg("head"),
             "(kind, text or None): what a file is that begins so.");
  module.attr("SNIFFED_BYTES") = kSniffedBytes;
}

}  // namespace paddle::lite::python
