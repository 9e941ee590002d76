// What the functions of Paddle Inference's C API share: their handles, and that none of them
// throws.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "lite/sdk/include/paddle_inference_api.h"
#include "lite/sdk/include/pd_inference_api.h"

namespace paddle_infer::c_api {

// What was wrong with a call that a later one relies on; "" if nothing was.
class Failure {
 public:
  void Set(const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    text_ = text;
  }
  std::string Get() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return text_;
  }
  // And forgets it.
  std::string Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(text_, "");
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

}  // namespace paddle_infer::c_api

struct PD_Config {
  paddle_infer::Config config;
  paddle_infer::c_api::Failure failure;  // of a setting
};

// `failure` is that of setting an input, since the last run; tensors have their predictor's.
struct PD_Predictor {
  std::unique_ptr<paddle_infer::Predictor> predictor;
  std::shared_ptr<paddle_infer::c_api::Failure> failure =
      std::make_shared<paddle_infer::c_api::Failure>();
};

struct PD_Tensor {
  std::unique_ptr<paddle_infer::Tensor> tensor;
  std::shared_ptr<paddle_infer::c_api::Failure> failure;
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

// One of an array that the caller gave.
template <typename T>
T& Element(T* array, size_t index, const char* what) {
  return (&Given(array, what))[index];
}

inline PD_DataType Known(DataType type) {
  return type <= DataType::INT8 ? static_cast<PD_DataType>(type) : PD_DATA_UNK;
}

// A call that changes what a later one uses, which must know that it failed.
template <typename Body>
void Change(const char* function, Failure* failure, const Body& body) {
  try {
    body();
  } catch (const std::exception& error) {
    failure->Set(std::string(function) + ": " + error.what());
    throw;
  }
}

}  // namespace paddle_infer::c_api
