// The operator table, and single operators for tests.
#include <algorithm>
#include <map>

#include "lite/api/bindings/module.h"
#include "lite/core/graph.h"
#include "lite/core/infer_op.h"
#include "lite/core/plan/execute.h"
#include "lite/core/runtime_program.h"
#include "lite/core/truth.h"

namespace paddle::lite::python {
namespace {

using ArrayWithLoD = std::pair<py::array, LoD>;
using Arrays = std::map<std::string, std::vector<ArrayWithLoD>>;

// Without slots that only plans use, whose names begin with @.
py::list Slots(const std::vector<SlotInfo>& slots) {
  py::list list;
  for (const SlotInfo& slot : slots)
    if (slot.name[0] != '@') list.append(py::make_tuple(slot.name, slot.optional, slot.repeated));
  return list;
}

bool IsPure(const OpInfo& info) {
  return !info.random() && !info.side_effect() && !info.whole_variables() && !info.compute() &&
         info.updated_output().empty() && info.before().empty();
}

// 0 where the operator is not elementwise.
int ElementwiseOperands(const OpInfo& info) {
  if (info.has_operand()) return info.is_binary() ? 2 : 0;
  return info.activation() != nullptr ? 1 : 0;
}

py::list OperatorTable() {
  std::map<std::string, py::list> kernels;
  for (const KernelInfo* kernel : KernelRegistry::Global().All())
    kernels[std::string(kernel->op)].append(
        py::make_tuple(static_cast<int>(kernel->target), static_cast<int>(kernel->precision),
                       static_cast<int>(kernel->layout), kernel->alias));
  py::list table;
  for (const OpInfo* info : OpRegistry::Global().All()) {
    py::list attrs;
    for (const AttrInfo& attr : info->attrs())
      attrs.append(py::make_tuple(attr.name, AttributeTypeName(attr.default_value),
                                  FromAttribute(attr.default_value), attr.required));
    py::dict row;
    row["type"] = info->type();
    row["file"] = info->file();
    row["inputs"] = Slots(info->inputs());
    row["outputs"] = Slots(info->outputs());
    row["attrs"] = attrs;
    row["version"] = info->version();
    row["pure"] = IsPure(*info);
    row["elementwise"] = ElementwiseOperands(*info);
    row["kernels"] = kernels[info->type()];
    table.append(row);
  }
  return table;
}

Tensor OwnedTensor(const ArrayWithLoD& given) {
  const Tensor borrowed = BorrowArray(given.first);
  Tensor tensor;
  tensor.CopyDataFrom(borrowed);
  tensor.set_lod(given.second);
  MakePlainTruth(&tensor);
  return tensor;
}

struct OneOp {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  std::vector<std::unique_ptr<Tensor>> fed;
  std::vector<std::pair<std::string, size_t>> output_slots;
};

OneOp BuildOneOp(const std::string& type, const Arrays& inputs,
                 const std::map<std::string, int>& outputs, const py::dict& attrs,
                 const std::vector<std::string>& params) {
  const OpInfo* info = OpRegistry::Global().Find(type);
  if (info == nullptr) {
    const std::string near = NearestOpTypes(type);
    throw UnsupportedOperatorError(StrCat("operator ", type, " is not implemented",
                                          near.empty() ? "" : StrCat("; like: ", near)));
  }
  OneOp one;
  OpLite::Slots input_ids, output_ids;
  for (const auto& [slot, arrays] : inputs) {
    const bool is_param = std::find(params.begin(), params.end(), slot) != params.end();
    for (const ArrayWithLoD& array : arrays) {
      if (is_param) {
        Tensor tensor = WithPlainTruth(BorrowArray(array.first));
        tensor.set_lod(array.second);
        input_ids[slot].push_back(one.graph->AddConstant(slot, std::move(tensor)));
      } else {
        input_ids[slot].push_back(one.graph->AddValue(slot));
        one.graph->inputs.push_back(input_ids[slot].back());
        one.fed.push_back(std::make_unique<Tensor>(OwnedTensor(array)));
      }
    }
  }
  for (const auto& [slot, count] : outputs)
    for (int i = 0; i < count; ++i) {
      output_ids[slot].push_back(one.graph->AddValue(slot));
      one.graph->outputs.push_back(output_ids[slot].back());
      one.output_slots.emplace_back(slot, static_cast<size_t>(i));
    }
  AttributeMap attributes;
  for (const auto& [name, value] : attrs)
    attributes[py::cast<std::string>(name)] = ToAttribute(value);
  one.graph->ops.emplace_back(info, input_ids, output_ids, attributes);
  one.graph->ops.back().SetPlace(0, 0, "");
  one.graph->Finish();
  return one;
}

// Throws where an output would be larger than that many bytes, before it has memory.
void CheckSize(const OpLite& op, const std::vector<std::vector<const Tensor*>>& inputs,
               int64_t most) {
  const auto inferred = InferOutputs(op, [&](size_t slot, size_t i) {
    return KnownInput{&inputs[slot][i]->meta(), inputs[slot][i]};
  });
  if (!inferred) return;
  for (const std::vector<TensorMeta>& slot : *inferred)
    for (const TensorMeta& meta : slot)
      if (meta.dims.production() > most / static_cast<int64_t>(SizeOf(meta.dtype)))
        throw ShapeError(
            StrCat("an output of shape ", meta.dims, " has more than ", most, " bytes"));
}

void RunDirectly(OneOp* one, const std::vector<Tensor*>& results, int threads, int64_t most) {
  const OpLite& op = one->graph->ops[0];
  std::map<ValueId, Tensor*> tensors;
  for (size_t i = 0; i < one->fed.size(); ++i) tensors[one->graph->inputs[i]] = one->fed[i].get();
  for (size_t i = 0; i < results.size(); ++i) tensors[one->graph->outputs[i]] = results[i];
  std::vector<std::vector<const Tensor*>> inputs;
  std::vector<std::vector<Tensor*>> outputs;
  for (const auto& slot : op.inputs()) {
    inputs.emplace_back();
    for (const ValueId id : slot) {
      const Tensor* constant = one->graph->values[static_cast<size_t>(id)].constant.get();
      inputs.back().push_back(constant ? constant : tensors[id]);
    }
  }
  for (const auto& slot : op.outputs()) {
    outputs.emplace_back();
    for (const ValueId id : slot) outputs.back().push_back(tensors[id]);
  }
  if (most >= 0) CheckSize(op, inputs, most);
  InferAndRun(op, inputs, outputs, threads);
}

py::dict RunOp(const std::string& type, const Arrays& inputs,
               const std::map<std::string, int>& outputs, const py::dict& attrs,
               const std::vector<std::string>& params, bool dynamic, const std::string& layout,
               int threads, int64_t most) {
  OneOp one = BuildOneOp(type, inputs, outputs, attrs, params);
  std::vector<std::unique_ptr<Tensor>> owned;
  std::vector<Tensor*> results;
  for (size_t i = 0; i < one.output_slots.size(); ++i) {
    owned.push_back(std::make_unique<Tensor>());
    results.push_back(owned.back().get());
  }
  Scope scope;
  RuntimeProgram program(one.graph, &scope);
  program.set_force_layout(layout == "NHWC");
  {
    const GilReleased released;
    if (dynamic) {
      RunDirectly(&one, results, threads, most);
    } else {
      std::vector<Tensor*> fed;
      for (const auto& tensor : one.fed) fed.push_back(tensor.get());
      program.Run(fed, results, threads);
    }
  }
  py::dict result;
  for (size_t i = 0; i < results.size(); ++i) {
    const py::str slot(one.output_slots[i].first);
    if (!result.contains(slot)) result[slot] = py::list();
    const LoD lod = results[i]->lod();
    py::array array = dynamic ? HandOver(std::move(*results[i])) : ToArray(*results[i]);
    result[slot].cast<py::list>().append(py::make_tuple(std::move(array), lod));
  }
  return result;
}

}  // namespace

py::object FromAttribute(const Attribute& attribute) {
  return std::visit(
      [](const auto& value) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return py::none();
        else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
          return FromText(value);
        else
          return py::cast(value);
      },
      attribute);
}

Attribute ToAttribute(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value)) return value.cast<int64_t>();
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  const auto items = value.cast<py::list>();
  if (items.empty()) return std::vector<int64_t>{};
  if (py::isinstance<py::str>(items[0])) return items.cast<std::vector<std::string>>();
  if (py::isinstance<py::bool_>(items[0])) return items.cast<std::vector<bool>>();
  for (const auto& item : items)
    if (py::isinstance<py::float_>(item)) return items.cast<std::vector<double>>();
  return items.cast<std::vector<int64_t>>();
}

void BindOperators(py::module_& module) {
  module.def("operator_table", &OperatorTable,
             "Each operator's declaration: the file where it stands, slots (name, optional, "
             "repeated), attributes (name, type, default, required), kernels (target, precision, "
             "layout, alias), and whether it is pure: results follow from tensors and attributes.");
  module.def(
      "run_op", &RunOp, py::arg("type"), py::arg("inputs"), py::arg("outputs"), py::arg("attrs"),
      py::arg("params") = std::vector<std::string>{}, py::arg("dynamic") = false,
      py::arg("layout") = "", py::arg("threads") = 1, py::arg("most") = -1,
      "Runs one operator: slot -> [(array, lod)] for inputs and result, slot -> count for "
      "outputs. `params` names the inputs that are constants; `dynamic` runs the row-major "
      "kernel without a plan, and no output larger than `most` bytes, if that is not negative; "
      "layout='NHWC' makes the plan use the NHWC kernel.");
}

}  // namespace paddle::lite::python
