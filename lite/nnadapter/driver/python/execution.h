// Runs an execution of the C API on numpy arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

namespace nnadapter::python {

namespace py = pybind11;

// Computes the execution at `handle` on contiguous arrays: (the function that failed or "", its
// code, what was wrong with an output or "", the outputs, None being one that nobody computed).
// What the runtime calls while it computes is C++: a callback of Python's cannot have the lock
// while Python ends, and crashes there.
py::tuple Compute(uintptr_t handle, const std::vector<py::array>& inputs,
                  const std::vector<py::dtype>& outputs);

}  // namespace nnadapter::python
