// A core::Model as bytes, for the cache of a device that has no format of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nnadapter/core/types.h"

namespace nnadapter::builtin_device {

// A model with the memory that its operands point to.
struct OwnedModel {
  core::Model model;
  std::vector<uint8_t> bytes;
  std::vector<std::vector<float>> scales;
  OwnedModel() = default;
  OwnedModel(const OwnedModel&) = delete;
  OwnedModel& operator=(const OwnedModel&) = delete;
  ~OwnedModel();
};

std::vector<uint8_t> SaveModel(const core::Model& model);
// Throws Error(INVALID_PARAMETER) where the bytes are not a model that SaveModel wrote.
std::unique_ptr<OwnedModel> LoadModel(const uint8_t* data, size_t size);

}  // namespace nnadapter::builtin_device
