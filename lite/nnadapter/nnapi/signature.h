// What ANeuralNetworksModel_addOperation checks of an operation against the table.
#pragma once

#include "lite/nnadapter/nnapi/model.h"

namespace nnadapter::nnapi {

// Throws Error(BAD_DATA) where there is no such operation or its operands' types are not its own.
void CheckSignature(const Operation& operation, const std::vector<Operand>& operands);

}  // namespace nnadapter::nnapi
