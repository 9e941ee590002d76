// What an operand's type says: element sizes, lengths, whether it is well formed.
#pragma once

#include <cstdint>
#include <string>

#include "nnadapter/core/types.h"

namespace nnadapter::runtime {

// Tensors larger than this are taken for garbage.
constexpr int64_t kMaxTensorBytes = int64_t{1} << 36;

// The enums as numbers: a caller's memory may hold any.
int32_t PrecisionOf(const NNAdapterOperandType& type);
int32_t LifetimeOf(const NNAdapterOperandType& type);

bool IsPerChannel(int32_t precision);
// Has a zero point.
bool IsAsymmetric(int32_t precision);
bool IsConstant(const core::Operand& operand);

// Elements of dimensions that are all known; -1 where one is unknown, negative, or the count or the
// product is garbage.
int64_t ElementCount(const NNAdapterOperandDimensionType& dimensions);
// [1, ?, 3]
std::string DimensionsText(const NNAdapterOperandDimensionType& dimensions);
// FLOAT32[1, ?, 3]
std::string TypeText(const NNAdapterOperandType& type);

// Throws INVALID_PARAMETER where a field is out of its range. `scales_readable`: whether the
// pointer of per-channel scales may be looked at.
void CheckType(const NNAdapterOperandType& type, bool scales_readable);

}  // namespace nnadapter::runtime
