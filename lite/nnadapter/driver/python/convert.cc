#include "lite/nnadapter/driver/python/convert.h"

#include <stdexcept>
#include <unordered_map>

namespace nnadapter::python {

namespace {

struct Element {
  const char* name;
  size_t size;
};

Element ElementOf(int32_t precision) {
  switch (precision) {
    case NNADAPTER_BOOL8:
      return {"bool", 1};
    case NNADAPTER_INT8:
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
      return {"int8", 1};
    case NNADAPTER_UINT8:
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
      return {"uint8", 1};
    case NNADAPTER_INT16:
    case NNADAPTER_QUANT_INT16_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
      return {"int16", 2};
    case NNADAPTER_UINT16:
    case NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER:
      return {"uint16", 2};
    case NNADAPTER_INT32:
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
      return {"int32", 4};
    case NNADAPTER_UINT32:
    case NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER:
      return {"uint32", 4};
    case NNADAPTER_INT64:
      return {"int64", 8};
    case NNADAPTER_UINT64:
      return {"uint64", 8};
    case NNADAPTER_FLOAT16:
      return {"float16", 2};
    case NNADAPTER_FLOAT32:
      return {"float32", 4};
    case NNADAPTER_FLOAT64:
      return {"float64", 8};
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
  py::list scales;
  switch (type.precision) {
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT16_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
      scales.append(type.symm_per_layer_params.scale);
      return py::make_tuple(scales, 0, py::none());
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL: {
      const auto& params = type.symm_per_channel_params;
      if (params.scale_count && !params.scales)
        throw std::invalid_argument("the scales of a per-channel operand are null");
      for (uint32_t i = 0; i < params.scale_count; ++i) scales.append(params.scales[i]);
      return py::make_tuple(scales, 0, params.channel_dim);
    }
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
    case NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER:
    case NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER:
      scales.append(type.asymm_per_layer_params.scale);
      return py::make_tuple(scales, type.asymm_per_layer_params.zero_point, py::none());
    default:
      return py::none();
  }
}

py::object ConstantView(const core::Operand& operand) {
  const auto lifetime = operand.type.lifetime;
  if (lifetime != NNADAPTER_CONSTANT_COPY && lifetime != NNADAPTER_CONSTANT_REFERENCE)
    return py::none();
  const auto& dims = operand.type.dimensions;
  size_t bytes = ElementSize(operand.type.precision);
  for (uint32_t i = 0; i < dims.count; ++i) {
    if (dims.data[i] < 0) throw std::invalid_argument("a constant has an unknown dimension");
    bytes *= static_cast<size_t>(dims.data[i]);
  }
  // An empty list counts one byte at some callers, which have no zero length to give.
  if (bytes > operand.length || (bytes && !operand.buffer))
    throw std::invalid_argument("a constant has " + std::to_string(operand.length) +
                                " bytes where its type needs " + std::to_string(bytes));
  return ReadOnlyView(DtypeName(operand.type.precision), DimsTuple(dims.count, dims.data),
                      operand.buffer);
}

py::object ShapeValues(const core::Operand& operand) {
  if (operand.type.lifetime != NNADAPTER_TEMPORARY_SHAPE) return py::none();
  const auto* values = static_cast<const NNAdapterOperandDimensionType*>(
      operand.hints[NNADAPTER_HINT_TEMPORARY_SHAPE].handler);
  if (!values) return py::none();
  return DimsTuple(values->count, values->data);
}

}  // namespace

const char* DtypeName(int32_t precision) { return ElementOf(precision).name; }
size_t ElementSize(int32_t precision) { return ElementOf(precision).size; }

py::array ReadOnlyView(const char* dtype, const py::tuple& shape, const void* data) {
  static char nothing[8];
  std::vector<py::ssize_t> dims;
  for (const auto& dim : shape) dims.push_back(dim.cast<py::ssize_t>());
  // A base keeps numpy from copying; it owns nothing.
  const py::capsule base(&nothing, [](void*) {});
  py::array view(py::dtype(dtype), dims, data ? data : nothing, base);
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
