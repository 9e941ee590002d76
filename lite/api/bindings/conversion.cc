// Operators' conversion to NNAdapter: rules, and single operators on a device for tests.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "lite/api/bindings/module.h"
#include "lite/core/base/errors.h"
#include "lite/kernels/nnadapter/model_builder.h"
#include "lite/kernels/nnadapter/operand_type.h"
#include "lite/kernels/nnadapter/rule.h"
#include "lite/kernels/nnadapter/value.h"

namespace paddle::lite::python {
namespace {

namespace nna = nnadapter_bridge;
using nna::NNAdapterApi;

using ArrayWithLoD = std::pair<py::array, LoD>;
using Arrays = std::map<std::string, std::vector<ArrayWithLoD>>;

void* FeedTensor(void* memory, NNAdapterOperandType* type, void*) {
  auto* tensor = static_cast<Tensor*>(memory);
  type->dimensions.count = static_cast<uint32_t>(tensor->dims().size());
  type->dimensions.dynamic_count = 0;
  for (int i = 0; i < tensor->dims().size(); ++i)
    type->dimensions.data[i] = static_cast<int32_t>(tensor->dims()[i]);
  return tensor->raw_data();
}

void* FetchTensor(void* memory, NNAdapterOperandType* type, void*) {
  auto* tensor = static_cast<Tensor*>(memory);
  DDim dims;
  for (uint32_t i = 0; i < type->dimensions.count; ++i) dims.push_back(type->dimensions.data[i]);
  tensor->Allocate(dims, nna::DataTypeOfPrecision(type->precision));
  return tensor->raw_data();
}

// The handles of one run, released in the order that they need.
struct Run {
  const NNAdapterApi& api = nna::LoadNNAdapter();
  NNAdapterDevice* device = nullptr;
  NNAdapterContext* context = nullptr;
  NNAdapterCompilation* compilation = nullptr;
  NNAdapterExecution* execution = nullptr;
  ~Run() {
    if (execution != nullptr) api.NNAdapterExecution_destroy(execution);
    if (compilation != nullptr) api.NNAdapterCompilation_destroy(compilation);
    if (context != nullptr) api.NNAdapterContext_destroy(context);
    if (device != nullptr) api.NNAdapterDevice_release(device);
  }
};

struct OneOpModel {
  OpDesc op;
  std::vector<std::string> fed, fetched;
  std::map<std::string, std::unique_ptr<Tensor>> tensors;
};

OneOpModel DescribeOp(const std::string& type, const Arrays& inputs,
                      const std::map<std::string, int>& outputs, const py::dict& attrs,
                      const std::vector<std::string>& params) {
  OneOpModel one;
  one.op.type = type;
  for (const auto& [slot, arrays] : inputs) {
    for (const ArrayWithLoD& array : arrays) {
      const std::string name = StrCat(slot, "_", one.op.inputs[slot].size());
      one.op.inputs[slot].push_back(name);
      auto tensor = std::make_unique<Tensor>();
      tensor->CopyDataFrom(BorrowArray(array.first));
      tensor->set_lod(array.second);
      one.tensors[name] = std::move(tensor);
      // A whole slot is constant, or one of its tensors.
      const auto constant = [&, &slot = slot](const std::string& param) {
        return param == slot || param == name;
      };
      if (std::none_of(params.begin(), params.end(), constant)) one.fed.push_back(name);
    }
  }
  for (const auto& [slot, count] : outputs)
    for (int i = 0; i < count; ++i) {
      const std::string name = StrCat("out_", slot, "_", i);
      one.op.outputs[slot].push_back(name);
      one.fetched.push_back(name);
      one.tensors[name] = std::make_unique<Tensor>();
    }
  for (const auto& [name, value] : attrs)
    one.op.attrs[py::cast<std::string>(name)] = ToAttribute(value);
  return one;
}

void AddVariables(const OneOpModel& one, bool unknown, const std::map<std::string, float>& scales,
                  nna::ModelBuilder* builder) {
  for (const auto& [slot, names] : one.op.inputs)
    for (const std::string& name : names) {
      const Tensor& tensor = *one.tensors.at(name);
      if (IsComplex(tensor.dtype()))
        throw nna::NotOffloadable{StrCat("its input ", slot, " holds complex numbers")};
      if (std::find(one.fed.begin(), one.fed.end(), name) == one.fed.end()) {
        builder->AddParameter(name, tensor);
        continue;
      }
      DDim dims = tensor.dims();
      for (int i = 0; unknown && i < dims.size(); ++i) dims[i] = -1;
      const auto scale = scales.find(slot);
      builder->AddInput(
          name, nna::OperandTypeOf(dims, tensor.dtype(), scale == scales.end() ? 0 : scale->second),
          !tensor.lod().empty());
    }
}

void Execute(const NNAdapterApi& api, OneOpModel* one, const std::vector<std::string>& inputs,
             const std::vector<std::string>& outputs, const std::string& device,
             nna::ModelBuilder* builder) {
  Run run;
  nna::CheckNNAdapter(api.NNAdapterDevice_acquire(device.c_str(), &run.device), "find a device");
  nna::CheckNNAdapter(api.NNAdapterContext_create(&run.device, 1, "", nullptr, &run.context),
                      "create a context");
  nna::CheckNNAdapter(api.NNAdapterCompilation_create(builder->model(), nullptr, nullptr, 0,
                                                      nullptr, run.context, &run.compilation),
                      "create a compilation");
  nna::CheckNNAdapter(api.NNAdapterCompilation_finish(run.compilation), "compile");
  nna::CheckNNAdapter(api.NNAdapterExecution_create(run.compilation, &run.execution),
                      "create an execution");
  for (size_t i = 0; i < inputs.size(); ++i)
    nna::CheckNNAdapter(
        api.NNAdapterExecution_setInput(run.execution, static_cast<int32_t>(i),
                                        one->tensors.at(inputs[i]).get(), FeedTensor),
        "set an input");
  for (size_t i = 0; i < outputs.size(); ++i)
    nna::CheckNNAdapter(
        api.NNAdapterExecution_setOutput(run.execution, static_cast<int32_t>(i),
                                         one->tensors.at(outputs[i]).get(), FetchTensor),
        "set an output");
  nna::CheckNNAdapter(api.NNAdapterExecution_compute(run.execution), "compute");
}

py::dict Types(const nna::ModelBuilder& builder, const std::vector<std::string>& names) {
  py::dict types;
  for (const std::string& name : names) {
    const NNAdapterOperandType& type = builder.TypeOf(name);
    py::list dims;
    for (uint32_t i = 0; i < type.dimensions.count; ++i) dims.append(type.dimensions.data[i]);
    types[py::str(name)] = py::make_tuple(static_cast<int>(type.precision), dims);
  }
  return types;
}

py::dict ConvertOp(const std::string& type, const Arrays& inputs,
                   const std::map<std::string, int>& outputs, const py::dict& attrs,
                   const std::vector<std::string>& params, bool unknown, const std::string& device,
                   const std::map<std::string, float>& scales, int op_version, int driver_version) {
  OneOpModel one = DescribeOp(type, inputs, outputs, attrs, params);
  nna::ConvertOptions options;
  options.op_versions[type] = op_version;
  options.driver_version = driver_version;
  nna::ModelBuilder builder(std::move(options));
  py::dict result;
  try {
    AddVariables(one, unknown, scales, &builder);
    builder.Convert(one.op);
  } catch (const nna::NotOffloadable& refused) {
    result["reason"] = refused.reason;
    result["damaged"] = builder.damaged();
    return result;
  }
  std::vector<std::string> computed;
  for (const std::string& name : one.fetched)
    if (builder.Has(name)) computed.push_back(name);
  builder.Finish(computed);
  result["operations"] = builder.operations_of()[0];
  py::list types;
  for (const int position : builder.operations_of()[0])
    types.append(static_cast<int>(builder.operation_types()[static_cast<size_t>(position)]));
  result["operation_types"] = types;
  result["inputs"] = builder.inputs();
  result["types"] = Types(builder, computed);
  if (device.empty()) return result;
  {
    const GilReleased released;
    Execute(nna::LoadNNAdapter(), &one, builder.inputs(), computed, device, &builder);
  }
  py::dict values;
  for (const auto& [slot, names] : one.op.outputs)
    for (const std::string& name : names) {
      if (!builder.Has(name)) continue;
      const py::str key(slot);
      if (!values.contains(key)) values[key] = py::list();
      Tensor& tensor = *one.tensors.at(name);
      if (builder.IsZeroDim(name)) tensor.Resize({});
      values[key].cast<py::list>().append(py::make_tuple(ToArray(tensor), tensor.lod()));
    }
  result["outputs"] = values;
  return result;
}

}  // namespace

void BindConversion(py::module_& module) {
  module.def("nnadapter_operators", &nna::DeclaredOperators,
             "The operators whose conversion to NNAdapter is declared.");
  module.def(
      "nnadapter_add_rules", &nna::AddRules, py::arg("rules"),
      "Adds rules, each as the rows of a lite.kernels.nnadapter.rule_node.Node, all or none.");
  module.def("nnadapter_reset_rules", &nna::ResetRules, "Forgets the rules that were added.");
  module.def("nnadapter_convert_op", &ConvertOp, py::arg("type"), py::arg("inputs"),
             py::arg("outputs"), py::arg("attrs"), py::arg("params") = std::vector<std::string>{},
             py::arg("unknown") = false, py::arg("device") = "",
             py::arg("scales") = std::map<std::string, float>{}, py::arg("op_version") = 0,
             py::arg("driver_version") = 1,
             "Converts one operator: slot -> [(array, lod)] for inputs, slot -> count for outputs. "
             "'reason' where it cannot be converted; else its operations, the model's inputs and "
             "types, and with a device the outputs. `unknown` hides the inputs' dimensions; "
             "`scales` are those of int8 inputs by slot.");
}

}  // namespace paddle::lite::python
