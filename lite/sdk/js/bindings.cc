// The light library for engine.js: plain functions over the C++ SDK.
//
// One that fails returns 0 or -1, and lite_error says why.
#include <emscripten/emscripten.h>

#include "paddle_api.h"

namespace {

using namespace paddle::lite_api;
using Predictor = std::shared_ptr<PaddlePredictor>;

std::string text;  // the latest error, or names

template <typename Result, typename Function>
Result Call(Result failed, Function function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    text = "the page has no memory left for this model";
  } catch (const std::exception& error) {
    text = error.what();
  }
  return failed;
}

// Memory of an input for its elements.
void* Written(const Tensor& tensor, PrecisionType precision) {
  switch (precision) {
    case PrecisionType::kFloat:
      return tensor.mutable_data<float>();
    case PrecisionType::kFP64:
      return tensor.mutable_data<double>();
    case PrecisionType::kInt64:
      return tensor.mutable_data<int64_t>();
    case PrecisionType::kInt32:
      return tensor.mutable_data<int32_t>();
    case PrecisionType::kInt16:
      return tensor.mutable_data<int16_t>();
    case PrecisionType::kInt8:
      return tensor.mutable_data<int8_t>();
    case PrecisionType::kUInt8:
      return tensor.mutable_data<uint8_t>();
    case PrecisionType::kBool:
      return tensor.mutable_data<bool>();
    default:
      throw std::runtime_error("no array of JavaScript has such elements");
  }
}

}  // namespace

#define EXPORTED(type, name) extern "C" EMSCRIPTEN_KEEPALIVE type lite_##name

EXPORTED(const char*, error)() { return text.c_str(); }

// A predictor of the bytes of a .nb file, which may be freed then; null: an error.
EXPORTED(Predictor*, create)
(const char* bytes, size_t size, const char* precision, int threads) {
  return Call<Predictor*>(nullptr, [&] {
    MobileConfig config;
    config.set_model_from_buffer(bytes, size);
    config.set_precision(precision);
    config.set_threads(threads);
    return new Predictor(CreatePaddlePredictor<MobileConfig>(config));
  });
}
EXPORTED(void, delete)(Predictor* predictor) { delete predictor; }

// Names behind each other, each with a newline; null: an error.
EXPORTED(const char*, names)(Predictor* predictor, bool of_outputs) {
  return Call<const char*>(nullptr, [&] {
    text.clear();
    PaddlePredictor& asked = **predictor;
    for (const std::string& name : of_outputs ? asked.GetOutputNames() : asked.GetInputNames())
      text += name + "\n";
    return text.c_str();
  });
}

EXPORTED(Tensor*, input)(Predictor* predictor, int index) {
  return Call<Tensor*>(nullptr, [&] { return new Tensor(*(*predictor)->GetInput(index)); });
}
EXPORTED(Tensor*, output)(Predictor* predictor, int index) {
  return Call<Tensor*>(nullptr, [&] { return new Tensor(*(*predictor)->GetOutput(index)); });
}
EXPORTED(void, tensor_delete)(Tensor* tensor) { delete tensor; }

// A PrecisionType; -1: an error.
EXPORTED(int, precision)(Tensor* tensor) {
  return Call(-1, [&] { return static_cast<int>(tensor->precision()); });
}

// How many dimensions; the first `room` of them go to `dims`. -1: an error.
EXPORTED(int, shape)(Tensor* tensor, double* dims, int room) {
  return Call(-1, [&] {
    const shape_t shape = tensor->shape();
    const int rank = static_cast<int>(shape.size());
    for (int i = 0; i < std::min(rank, room); ++i) dims[i] = static_cast<double>(shape[i]);
    return rank;
  });
}

// Where the elements of an input go, which has the shape and type from now on; null: an error.
EXPORTED(void*, write)(Tensor* tensor, const double* dims, int rank, int precision) {
  return Call<void*>(nullptr, [&] {
    shape_t shape;
    for (int i = 0; i < rank; ++i) shape.push_back(static_cast<int64_t>(dims[i]));
    tensor->Resize(shape);
    void* data = Written(*tensor, static_cast<PrecisionType>(precision));
    static char none;
    return data != nullptr ? data : &none;
  });
}

EXPORTED(const void*, read)(Tensor* tensor) {
  return Call<const void*>(nullptr, [&] {
    const void* data = tensor->data<void>();
    static char none;
    return data != nullptr ? data : &none;
  });
}

// Whether it worked.
EXPORTED(bool, run)(Predictor* predictor) {
  return Call(false, [&] {
    (*predictor)->Run();
    return true;
  });
}
