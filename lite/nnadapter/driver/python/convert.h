// Models and tensors as Python sees them: plain tuples and numpy arrays, which
// lite/nnadapter/model.py makes into objects.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "nnadapter/core/types.h"

namespace nnadapter::python {

namespace py = pybind11;

// (precision, layout, lifetime, dims, dynamic dims, quantisation), unknown dimensions being None.
py::tuple DescribeType(const NNAdapterOperandType& type);

// {"operands": [(type, array or None, shape values or None)], "operations": [(code, inputs,
// outputs)], "inputs", "outputs"}: operands are numbered, None is an absent one. The arrays are
// views of the model's memory and must not outlive it. Throws std::invalid_argument where the
// model contradicts itself.
py::dict DescribeModel(const core::Model& model);

// A read-only array over memory that somebody else owns.
py::array ReadOnlyView(int32_t precision, const std::vector<int32_t>& shape, const void* data);

}  // namespace nnadapter::python
