// What the C API gives to its callers.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "lite/sdk/include/pd_utils.h"

namespace paddle_infer::c_api {

// An array of a pd_types.h type, whose elements are `values` converted.
template <typename Array, typename Value>
std::unique_ptr<Array> ArrayOf(const std::vector<Value>& values) {
  auto array = std::make_unique<Array>();
  array->size = values.size();
  array->data = new std::remove_reference_t<decltype(*array->data)>[values.size()];
  std::copy(values.begin(), values.end(), array->data);
  return array;
}

PD_OneDimArrayCstr* TextsOf(const std::vector<std::string>& texts);
PD_Cstr* TextOf(const std::string& text);

}  // namespace paddle_infer::c_api
