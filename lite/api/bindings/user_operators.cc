// Operators that a user writes in Python (lite/api/operators.py checks what goes in and out).
#include <cstring>

#include "lite/api/bindings/module.h"
#include "lite/api/bindings/python_error.h"
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/core/truth.h"

namespace paddle::lite::python {
namespace {

// (name, may be absent, may hold more than one)
using SlotTuple = std::tuple<std::string, bool, bool>;
// (name, type, default, required)
using AttrTuple = std::tuple<std::string, std::string, py::object, bool>;

// A callable that any thread may let go of.
using Callable = std::shared_ptr<py::object>;

py::dict Attributes(const OpLite& op) {
  py::dict attrs;
  for (const AttrInfo& attr : op.info().attrs())
    attrs[py::str(attr.name)] = FromAttribute(op.AttributeOf(attr.name));
  return attrs;
}

// Calls with the lock held; what is raised becomes a LiteError that remembers it.
template <typename Call>
void Guarded(Call&& call) {
  const GilAcquired gil;
  try {
    call();
  } catch (py::error_already_set& error) {
    throw PythonError(error);
  } catch (const py::cast_error& error) {
    throw LiteError(StrCat("Python returned something unexpected: ", error.what()));
  }
}

// Elements as a read-only array: of a constant where they are, of anything else a copy, for its
// memory is used again.
py::array ToView(const Tensor& tensor) {
  py::array array;
  if (tensor.persistable() && tensor.has_data()) {
    auto* owner = new Tensor;
    owner->ShareDataWith(tensor);
    py::capsule capsule(owner, [](void* held) { delete static_cast<Tensor*>(held); });
    array =
        py::array(ToNumpy(tensor.dtype()), tensor.dims().Vectorize(), tensor.raw_data(), capsule);
  } else {
    array = ToArray(tensor);
  }
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::list OutputCounts(const OpLite& op) {
  py::list counts;
  for (const auto& slot : op.outputs()) counts.append(slot.size());
  return counts;
}

void RunInfer(const Callable& infer, InferContext& c) {
  Guarded([&] {
    const OpInfo& info = c.op().info();
    py::list slots;
    for (const SlotInfo& slot : info.inputs()) {
      py::list metas;
      for (size_t i = 0; i < c.InputCount(slot.name); ++i) {
        const TensorMeta& meta = c.Input(slot.name, i);
        metas.append(py::make_tuple(py::tuple(py::cast(meta.dims.Vectorize())), Name(meta.dtype)));
      }
      slots.append(metas);
    }
    using Result = std::vector<std::vector<std::pair<std::vector<int64_t>, std::string>>>;
    const auto result =
        CallPython(*infer, slots, Attributes(c.op()), OutputCounts(c.op())).cast<Result>();
    for (size_t s = 0; s < info.outputs().size(); ++s)
      for (size_t i = 0; i < c.OutputCount(info.outputs()[s].name); ++i) {
        const auto& [dims, dtype] = result.at(s).at(i);
        TensorMeta meta = MetaOf(py::array(py::dtype(dtype), std::vector<py::ssize_t>{0}));
        c.SetOutput(info.outputs()[s].name, i, DDim(dims), meta.dtype, {});
      }
  });
}

void CopyOut(const py::array& array, bool allocate, const std::string& what, Tensor* to) {
  const TensorMeta meta = MetaOf(array);
  if (allocate) {
    to->set_lod({});
    to->Allocate(meta.dims, meta.dtype);
  } else if (meta.dims != to->dims()) {
    throw ShapeError(
        StrCat(what, " has shape ", meta.dims, ", but the shape function said ", to->dims()));
  } else if (meta.dtype != to->dtype()) {
    throw DataTypeError(StrCat(what, " is ", Name(meta.dtype), ", but the shape function said ",
                               Name(to->dtype())));
  }
  if (const size_t bytes = to->memory_size())
    std::memcpy(to->MutableRaw(meta.dtype), array.data(), bytes);
  MakePlainTruth(to);
}

void RunCompute(const Callable& compute, KernelContext& c) {
  Guarded([&] {
    const OpInfo& info = c.op().info();
    py::list slots;
    for (const auto& slot : c.inputs()) {
      py::list arrays;
      for (const Tensor* tensor : slot) arrays.append(ToView(*tensor));
      slots.append(arrays);
    }
    using Result = std::vector<std::vector<py::array>>;
    const auto result =
        CallPython(*compute, slots, Attributes(c.op()), OutputCounts(c.op())).cast<Result>();
    for (size_t s = 0; s < c.outputs().size(); ++s)
      for (size_t i = 0; i < c.outputs()[s].size(); ++i) {
        const auto array = py::array::ensure(result.at(s).at(i), py::array::c_style);
        if (!array) throw py::error_already_set();
        CopyOut(array, info.data_dependent(), StrCat("output ", info.outputs()[s].name),
                c.outputs()[s][i]);
      }
  });
}

Attribute Default(const std::string& type, const py::object& value) {
  if (type == "bool") return value.is_none() ? false : value.cast<bool>();
  if (type == "int") return value.is_none() ? 0 : value.cast<int64_t>();
  if (type == "float") return value.is_none() ? 0.0 : value.cast<double>();
  if (type == "str") return value.is_none() ? std::string() : value.cast<std::string>();
  const py::object list = value.is_none() ? py::object(py::list()) : value;
  if (type == "list[bool]") return list.cast<std::vector<bool>>();
  if (type == "list[int]") return list.cast<std::vector<int64_t>>();
  if (type == "list[float]") return list.cast<std::vector<double>>();
  if (type == "list[str]") return list.cast<std::vector<std::string>>();
  throw ConfigError(StrCat("unknown attribute type ", type));
}

void AddAttribute(OpInfo* info, const AttrTuple& attr) {
  const auto& [name, type, value, required] = attr;
  std::visit(
      [&, &name = name, &required = required](auto like) {
        if constexpr (!std::is_same_v<decltype(like), std::monostate>) {
          if (required)
            info->RequiredAttr<decltype(like)>(name.c_str());
          else
            info->Attr(name.c_str(), std::move(like));
        }
      },
      Default(type, value));
}

void AddOperator(const std::string& type, const std::vector<SlotTuple>& inputs,
                 const std::vector<SlotTuple>& outputs, const std::vector<AttrTuple>& attrs,
                 const py::object& compute, const py::object& infer) {
  auto info = std::make_unique<OpInfo>(type);
  for (const auto& [name, optional, repeated] : inputs) info->AddInput({name, optional, repeated});
  for (const auto& [name, optional, repeated] : outputs)
    info->AddOutput({name, optional, repeated});
  for (const AttrTuple& attr : attrs) AddAttribute(info.get(), attr);
  info->Compute([callable = KeepObject(compute)](KernelContext& c) { RunCompute(callable, c); });
  if (infer.is_none())
    info->DataDependent();
  else
    info->InferShape([callable = KeepObject(infer)](InferContext& c) { RunInfer(callable, c); });
  OpRegistry::Global().Add(std::move(info));
}

}  // namespace

void BindUserOperators(py::module_& module) {
  module.def("add_operator", &AddOperator, py::arg("type"), py::arg("inputs"), py::arg("outputs"),
             py::arg("attrs"), py::arg("compute"), py::arg("infer"),
             "Adds an operator: slots (name, optional, repeated), attributes (name, type, default, "
             "required), compute(arrays by slot, attrs, output counts) -> arrays by slot, and "
             "infer(metas by slot, attrs, output counts) -> metas by slot, or None.");
  module.def(
      "remove_operator", [](const std::string& type) { return OpRegistry::Global().Remove(type); },
      py::arg("type"), "Takes away an operator that was added; False where there is none.");
}

}  // namespace paddle::lite::python
