#include "lite/api/bindings/module.h"

#include <cstring>

#include "lite/api/bindings/signals.h"
#include "lite/core/base/int8_limits.h"
#include "lite/core/memory.h"
#include "lite/kernels/control_flow/loop_limit.h"
#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::python {

TensorMeta MetaOf(const py::array& array) {
  TensorMeta meta;
  const py::dtype dtype = array.dtype();
  if (!dtype.attr("isnative").cast<bool>())
    throw DataTypeError(StrCat("arrays of dtype ", std::string(py::str(py::handle(dtype))),
                               " have the byte order of another machine; convert them with "
                               "array.astype(array.dtype.newbyteorder('='))"));
  const char kind = dtype.kind();
  const auto size = dtype.itemsize();
  if (kind == 'f' && size == 4)
    meta.dtype = DataType::kFP32;
  else if (kind == 'f' && size == 8)
    meta.dtype = DataType::kFP64;
  else if (kind == 'f' && size == 2)
    meta.dtype = DataType::kFP16;
  else if (kind == 'i' && size == 8)
    meta.dtype = DataType::kInt64;
  else if (kind == 'i' && size == 4)
    meta.dtype = DataType::kInt32;
  else if (kind == 'i' && size == 2)
    meta.dtype = DataType::kInt16;
  else if (kind == 'i' && size == 1)
    meta.dtype = DataType::kInt8;
  else if (kind == 'u' && size == 1)
    meta.dtype = DataType::kUInt8;
  else if (kind == 'c' && size == 8)
    meta.dtype = DataType::kComplex64;
  else if (kind == 'c' && size == 16)
    meta.dtype = DataType::kComplex128;
  else if (kind == 'b')
    meta.dtype = DataType::kBool;
  else
    throw DataTypeError(StrCat("arrays of dtype ", std::string(py::str(py::handle(dtype))),
                               " cannot be tensors; use bool, int8, int16, int32, int64, uint8, "
                               "float16, float32, float64, complex64 or complex128"));
  for (py::ssize_t i = 0; i < array.ndim(); ++i) meta.dims.push_back(array.shape(i));
  return meta;
}

Feed ToFeed(py::array* array, const LoD& lod) {
  *array = py::array::ensure(*array, py::array::c_style);
  if (!*array) throw py::error_already_set();
  TensorMeta meta = MetaOf(*array);
  meta.lod = lod;
  return {std::move(meta), array->data(), static_cast<size_t>(array->nbytes())};
}

py::dtype ToNumpy(DataType dtype) { return py::dtype(Name(dtype)); }

py::array ToArray(const Tensor& tensor) {
  py::array array(ToNumpy(tensor.dtype()), tensor.dims().Vectorize());
  if (const size_t bytes = tensor.memory_size())
    std::memcpy(array.mutable_data(), tensor.raw_data(), bytes);
  return array;
}

py::array HandOver(Tensor tensor) {
  auto* owner = new Tensor(std::move(tensor));
  py::capsule capsule(owner, [](void* held) { delete static_cast<Tensor*>(held); });
  return py::array(ToNumpy(owner->dtype()), owner->dims().Vectorize(), owner->raw_data(), capsule);
}

Tensor BorrowArray(py::array array) {
  array = py::array::ensure(array, py::array::c_style | py::detail::npy_api::NPY_ARRAY_ALIGNED_);
  if (!array) throw py::error_already_set();
  Tensor tensor(MetaOf(array));
  void* data = const_cast<void*>(array.data());
  const size_t bytes = tensor.memory_size();
  tensor.Bind(data, bytes, KeepAlive(std::move(array)));
  return tensor;
}

std::shared_ptr<void> KeepAlive(py::object object) {
  // The last reference may go away on a thread that does not hold the GIL.
  return {new py::object(std::move(object)), [](void* held) {
            if (!Py_IsInitialized()) return;
            const GilAcquired gil;
            delete static_cast<py::object*>(held);
          }};
}

}  // namespace paddle::lite::python

LITE_PYTHON_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace paddle::lite;  // NOLINT: the module's own glue
  module.doc() = "The C++ runtime: predictors, operators and kernels.";
  python::FindNumpy();
  python::FindMainThread();
  python::BindErrors(module);
  python::BindPredictor(module);
  python::BindProfile(module);
  python::BindOperators(module);
  python::BindConversion(module);
  python::BindDevices(module);
  python::BindNaiveBuffer(module);
  python::BindUserOperators(module);
  module.def(
      "isa_name", [] { return std::string(math::IsaName()); },
      "The instruction set that the kernels use: baseline, avx2 or avx512; on Arm neon or "
      "dotprod.");
  module.def("set_loop_limit", &SetLoopLimit, py::arg("iterations"),
             "How often a while and the loops inside it may run their blocks.");
  module.def("loop_limit", &LoopLimit,
             "How often a while and the loops inside it may run their blocks.");
  module.attr("DEFAULT_LOOP_LIMIT") = kDefaultLoopLimit;
  module.attr("MAX_INT8_SUMMANDS") = math::kMaxInt8Summands;
  module.def("set_memory_limit", &SetMemoryLimit, py::arg("bytes"),
             "The largest single allocation in bytes; 0 restores 80 % of what is available.");
  module.def("fits_memory_limit", &FitsMemoryLimit, py::arg("bytes"),
             "Whether an array of so many bytes does.");
  module.def("memory_limit", &MemoryLimit, "The largest single allocation in bytes.");
}
