// Inputs and outputs of Paddle Inference's C++ programs; see paddle_inference_api.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "paddle_place.h"

namespace paddle {
namespace lite_api {
struct Tensor;
}  // namespace lite_api
}  // namespace paddle

namespace paddle_infer {

using Strings = std::vector<std::string>;
using CallbackFunc = void (*)(void*);

enum DataType { FLOAT32, INT64, INT32, UINT8, INT8, FLOAT16, BOOL, FLOAT64, BFLOAT16 };
enum class PlaceType { kUNK = -1, kCPU, kGPU, kXPU, kIPU, kCUSTOM };
enum class DataLayout { kUNK = -1, kAny, kNHWC, kNCHW };

// An input or output of a predictor, which it keeps alive. T is float, double, int8_t, uint8_t,
// int32_t, int64_t or bool, and must be the tensor's type: others throw. The memory is the CPU's,
// whatever place is named.
class LITE_API Tensor {
 public:
  Tensor(const std::string& name, std::unique_ptr<paddle::lite_api::Tensor> tensor);
  Tensor(Tensor&& other) noexcept;
  ~Tensor();

  // Gives an input a shape; its data must be written again.
  void Reshape(const std::vector<int>& shape);
  // Memory for all elements of an input, valid until the next Reshape.
  template <typename T>
  T* mutable_data(PlaceType place);
  // The elements, of an output until the next run; their place and number.
  template <typename T>
  T* data(PlaceType* place, int* size) const;

  // Copies as many elements as the shape has. Integers of 32 and 64 bits are converted to those
  // that the model takes, and throw where they do not fit.
  template <typename T>
  void CopyFromCpu(const T* data);
  template <typename T>
  void CopyToCpu(T* data) const;
  // The same: they have copied when they return. The callback is called then.
  template <typename T>
  void CopyToCpuAsync(T* data, void* exec_stream) const;
  template <typename T>
  void CopyToCpuAsync(T* data, CallbackFunc callback, void* parameter) const;
  // Runs read the caller's memory, until the next Reshape.
  template <typename T>
  void ShareExternalData(const T* data, const std::vector<int>& shape,
                         PlaceType place = PlaceType::kCPU, DataLayout layout = DataLayout::kNCHW);
  // Throw: models that take texts are not run.
  void ReshapeStrings(const size_t& shape);
  void CopyStringsFromCpu(const Strings* data);

  std::vector<int> shape() const;
  DataType type() const;
  PlaceType place() const { return PlaceType::kCPU; }
  const std::string& name() const { return name_; }
  // Offsets of the sequences, e.g. {{0, 3, 5}}.
  std::vector<std::vector<size_t>> lod() const;
  void SetLoD(const std::vector<std::vector<size_t>>& lod);

 private:
  std::string name_;
  std::unique_ptr<paddle::lite_api::Tensor> tensor_;
};

}  // namespace paddle_infer
