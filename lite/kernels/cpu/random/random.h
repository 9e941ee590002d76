// What the operators that draw random numbers share.
#pragma once

#include <cstdint>
#include <random>

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

// A generator of its own for each run of an operator, so that runs need no lock. One seed always
// gives the same numbers; with 0 every run draws others.
using RandomEngine = std::mt19937_64;
RandomEngine MakeEngine(int64_t seed);

// Uniform in [0, 1) and normal with mean 0 and deviation 1. The standard's distributions, in the
// element's type, draw what Paddle draws from the same seed.
template <typename T>
T DrawUniform(RandomEngine& engine) {
  return std::uniform_real_distribution<T>(0, 1)(engine);
}

// The shape from ShapeTensor, ShapeTensorList or the attribute `shape`, checked.
DDim RandomShape(const InferContext& c);

// Throws ShapeError unless the attribute is a finite number.
float FiniteAttr(const InferContext& c, const char* name);

// The attribute `dtype` as one of `types`; throws DataTypeError for others.
DataType RandomType(const InferContext& c, std::initializer_list<DataType> types);

// Elements of any number type as double.
std::vector<double> Doubles(const Tensor& tensor);

// Throws LiteError naming the element unless each is finite and in [low, high].
void RequireRange(const std::vector<double>& values, const char* slot, double low, double high);

}  // namespace paddle::lite
