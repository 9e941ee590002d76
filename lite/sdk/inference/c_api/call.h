// What the functions of Paddle Inference's C API share: their handles, and that none of them
// throws.
#pragma once

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lite/sdk/include/paddle_inference_api.h"
#include "lite/sdk/include/pd_inference_api.h"

// `failed` is what was wrong with a setting, "" if nothing was.
struct PD_Config {
  paddle_infer::Config config;
  std::string failed;
};

// `failed` is what was wrong with setting an input, since the last run.
struct PD_Predictor {
  std::unique_ptr<paddle_infer::Predictor> predictor;
  std::shared_ptr<std::string> failed = std::make_shared<std::string>();
};

struct PD_Tensor {
  std::unique_ptr<paddle_infer::Tensor> tensor;
  std::shared_ptr<std::string> failed;  // the predictor's
};

namespace paddle_infer::c_api {

// For PD_GetLastError(), and to stderr.
void Say(const char* function, const char* what) noexcept;

// What the body gives, or 0 where it throws.
template <typename Body>
auto Call(const char* function, const Body& body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception& error) {
    Say(function, error.what());
  } catch (...) {
    Say(function, "an exception of an unknown type");
  }
  if constexpr (!std::is_void_v<decltype(body())>) return {};
}

template <typename T>
T& Given(T* pointer, const char* what) {
  if (pointer == nullptr) throw std::invalid_argument(std::string(what) + " is null");
  return *pointer;
}

inline PD_DataType Known(DataType type) {
  return type <= DataType::INT8 ? static_cast<PD_DataType>(type) : PD_DATA_UNK;
}

// A call that changes what a later one uses, which must know that it failed.
template <typename Body>
void Change(const char* function, std::string* failed, const Body& body) {
  try {
    body();
  } catch (const std::exception& error) {
    *failed = std::string(function) + ": " + error.what();
    throw;
  }
}

}  // namespace paddle_infer::c_api
