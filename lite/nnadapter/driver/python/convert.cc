#include "lite/nnadapter/driver/python/convert.h"

#include <pybind11/stl.h>

#include <stdexcept>
#include <unordered_map>

#include "nnadapter/hal/quant.h"

namespace nnadapter::python {

namespace {

// The numpy element type of an operand's memory.
const char* DtypeName(int32_t precision) {
  switch (precision) {
    case NNADAPTER_BOOL8:
      return "bool";
    case NNADAPTER_INT8:
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
      return "int8";
    case NNADAPTER_UINT8:
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
      return "uint8";
    case NNADAPTER_INT16:
    case NNADAPTER_QUANT_INT16_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
      return "int16";
    case NNADAPTER_UINT16:
    case NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER:
      return "uint16";
    case NNADAPTER_INT32:
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
      return "int32";
    case NNADAPTER_UINT32:
    case NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER:
      return "uint32";
    case NNADAPTER_INT64:
      return "int64";
    case NNADAPTER_UINT64:
      return "uint64";
    case NNADAPTER_FLOAT16:
      return "float16";
    case NNADAPTER_FLOAT32:
      return "float32";
    case NNADAPTER_FLOAT64:
      return "float64";
    default:
      throw std::invalid_argument("precision code " + std::to_string(precision) +
                                  " has no element type");
  }
}

py::tuple DimsTuple(uint32_t count, const int32_t* data) {
  if (count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    throw std::invalid_argument("an operand has " + std::to_string(count) +
                                " dimensions; at most 8 are allowed");
  py::tuple dims(count);
  for (uint32_t i = 0; i < count; ++i)
    dims[i] = data[i] == NNADAPTER_UNKNOWN ? py::object(py::none()) : py::int_(data[i]);
  return dims;
}

py::list DynamicDims(const NNAdapterOperandDimensionType& dims) {
  if (dims.dynamic_count > NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS)
    throw std::invalid_argument("an operand has " + std::to_string(dims.dynamic_count) +
                                " candidate shapes; at most 8 are allowed");
  py::list candidates;
  for (uint32_t i = 0; i < dims.dynamic_count; ++i)
    candidates.append(DimsTuple(dims.count, dims.dynamic_data[i]));
  return candidates;
}

// (scales, zero point, channel axis or None), or None.
py::object Quantisation(const NNAdapterOperandType& type) {
  const bool per_channel = hal::IsSymmPerChannel(type.precision);
  const py::list scales = py::cast(hal::Scales(type));
  if (scales.empty() && !per_channel) return py::none();
  const py::object axis =
      per_channel ? py::object(py::int_(type.symm_per_channel_params.channel_dim)) : py::none();
  return py::make_tuple(scales, hal::ZeroPoint(type), axis);
}

py::object ConstantView(const core::Operand& operand) {
  if (!hal::IsConstant(operand)) return py::none();
  const auto& dims = operand.type.dimensions;
  size_t bytes = hal::PrecisionSize(operand.type.precision);
  for (uint32_t i = 0; i < dims.count; ++i) {
    if (dims.data[i] < 0) throw std::invalid_argument("a constant has an unknown dimension");
    bytes *= static_cast<size_t>(dims.data[i]);
  }
  // An empty list counts one byte at some callers, which have no zero length to give.
  if (bytes > operand.length || (bytes && !operand.buffer))
    throw std::invalid_argument("a constant has " + std::to_string(operand.length) +
                                " bytes where its type needs " + std::to_string(bytes));
  return ReadOnlyView(operand.type.precision, hal::Dims(operand.type), operand.buffer);
}

py::object ShapeValues(const core::Operand& operand) {
  const NNAdapterOperandDimensionType* values = hal::ShapeHint(operand);
  return values ? py::object(DimsTuple(values->count, values->data)) : py::none();
}

}  // namespace

py::array ReadOnlyView(int32_t precision, const std::vector<int32_t>& shape, const void* data) {
  static char nothing[8];
  const std::vector<py::ssize_t> dims(shape.begin(), shape.end());
  // A base keeps numpy from copying; it owns nothing.
  const py::capsule base(&nothing, [](void*) {});
  py::array view(py::dtype(DtypeName(precision)), dims, data ? data : nothing, base);
  py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

py::tuple DescribeType(const NNAdapterOperandType& type) {
  const auto& dims = type.dimensions;
  return py::make_tuple(static_cast<int>(type.precision), static_cast<int>(type.layout),
                        static_cast<int>(type.lifetime), DimsTuple(dims.count, dims.data),
                        DynamicDims(dims), Quantisation(type));
}

py::dict DescribeModel(const core::Model& model) {
  std::unordered_map<const core::Operand*, int> numbers;
  py::list operands, operations;
  for (const core::Operand& operand : model.operands) {
    numbers.emplace(&operand, static_cast<int>(numbers.size()));
    operands.append(
        py::make_tuple(DescribeType(operand.type), ConstantView(operand), ShapeValues(operand)));
  }
  const auto indices = [&](const std::vector<core::Operand*>& list) {
    py::list result;
    for (const core::Operand* operand : list) {
      if (!operand) {
        result.append(py::none());
        continue;
      }
      const auto found = numbers.find(operand);
      if (found == numbers.end())
        throw std::invalid_argument("an operation has an operand that is not in the model");
      result.append(found->second);
    }
    return result;
  };
  for (const core::Operation& operation : model.operations)
    operations.append(py::make_tuple(operation.type, indices(operation.input_operands),
                                     indices(operation.output_operands)));
  py::dict result;
  result["operands"] = operands;
  result["operations"] = operations;
  result["inputs"] = indices(model.input_operands);
  result["outputs"] = indices(model.output_operands);
  return result;
}

}  // namespace nnadapter::python
