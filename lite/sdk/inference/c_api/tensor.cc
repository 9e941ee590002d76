#include <limits>

#include "lite/sdk/inference/c_api/arrays.h"
#include "lite/sdk/inference/c_api/call.h"

using paddle_infer::PlaceType;
using paddle_infer::c_api::ArrayOf;
using paddle_infer::c_api::Call;
using paddle_infer::c_api::Change;
using paddle_infer::c_api::Element;
using paddle_infer::c_api::Given;
using paddle_infer::c_api::Known;

namespace {

paddle_infer::Tensor& Of(PD_Tensor* tensor) { return *Given(tensor, "the tensor").tensor; }

// Where it fails, the next run does.
template <typename Body>
void ChangeInput(const char* function, PD_Tensor* tensor, const Body& body) {
  paddle_infer::Tensor& of = Of(tensor);
  Change(function, tensor->failure.get(), [&] { body(of); });
}

PlaceType PlaceOf(PD_PlaceType place) {
  if (place < PD_PLACE_UNK || place > PD_PLACE_CUSTOM)
    throw std::invalid_argument("there is no place " + std::to_string(place));
  return place == PD_PLACE_CUSTOM ? PlaceType::kCUSTOM : static_cast<PlaceType>(place);
}

template <typename T>
T* MutableData(const char* function, PD_Tensor* tensor, PD_PlaceType place) {
  return Call(function, [&] {
    T* data = nullptr;
    ChangeInput(function, tensor,
                [&](auto& input) { data = input.template mutable_data<T>(PlaceOf(place)); });
    return data;
  });
}

template <typename T>
T* Data(const char* function, PD_Tensor* tensor, PD_PlaceType* place, int32_t* size) {
  return Call(function, [&] {
    PlaceType where = PlaceType::kUNK;
    int count = 0;
    T* const data = Of(tensor).data<T>(&where, &count);
    if (place != nullptr) *place = static_cast<PD_PlaceType>(where);
    if (size != nullptr) *size = count;
    return data;
  });
}

}  // namespace

void PD_TensorDestroy(PD_Tensor* tensor) { delete tensor; }

void PD_TensorReshape(PD_Tensor* tensor, size_t shape_size, int32_t* shape) {
  Call(__func__, [&] {
    ChangeInput("PD_TensorReshape", tensor, [&](auto& input) {
      if (shape_size != 0) (void)Given(shape, "the shape");
      input.Reshape({shape, shape + shape_size});
    });
  });
}

#define PD_DEFINE(Name, T)                                                                       \
  T* PD_TensorMutableData##Name(PD_Tensor* tensor, PD_PlaceType place) {                         \
    return MutableData<T>(__func__, tensor, place);                                              \
  }                                                                                              \
  T* PD_TensorData##Name(PD_Tensor* tensor, PD_PlaceType* place, int32_t* size) {                \
    return Data<T>(__func__, tensor, place, size);                                               \
  }                                                                                              \
  void PD_TensorCopyFromCpu##Name(PD_Tensor* tensor, const T* data) {                            \
    const char* const function = __func__;                                                       \
    Call(function,                                                                               \
         [&] { ChangeInput(function, tensor, [&](auto& input) { input.CopyFromCpu(data); }); }); \
  }                                                                                              \
  void PD_TensorCopyToCpu##Name(PD_Tensor* tensor, T* data) {                                    \
    Call(__func__, [&] { Of(tensor).CopyToCpu(data); });                                         \
  }
PD_TENSOR_TYPES(PD_DEFINE)
#undef PD_DEFINE

PD_OneDimArrayInt32* PD_TensorGetShape(PD_Tensor* tensor) {
  return Call(__func__, [&] { return ArrayOf<PD_OneDimArrayInt32>(Of(tensor).shape()).release(); });
}

PD_DataType PD_TensorGetDataType(PD_Tensor* tensor) {
  PD_DataType type = PD_DATA_UNK;
  Call(__func__, [&] { type = Known(Of(tensor).type()); });
  return type;
}

const char* PD_TensorGetName(PD_Tensor* tensor) {
  return Call(__func__, [&] { return Of(tensor).name().c_str(); });
}

void PD_TensorSetLod(PD_Tensor* tensor, PD_TwoDimArraySize* lod) {
  Call(__func__, [&] {
    ChangeInput("PD_TensorSetLod", tensor, [&](auto& input) {
      std::vector<std::vector<size_t>> levels;
      for (size_t i = 0; i < Given(lod, "the LoD").size; ++i) {
        const PD_OneDimArraySize& level = Given(Element(lod->data, i, "the LoD's data"), "a level");
        if (level.size != 0) (void)Given(level.data, "a level's data");
        levels.emplace_back(level.data, level.data + level.size);
      }
      input.SetLoD(levels);
    });
  });
}

PD_TwoDimArraySize* PD_TensorGetLod(PD_Tensor* tensor) {
  return Call(__func__, [&] {
    const auto levels = Of(tensor).lod();
    std::unique_ptr<PD_TwoDimArraySize, void (*)(PD_TwoDimArraySize*)> lod(
        new PD_TwoDimArraySize{}, PD_TwoDimArraySizeDestroy);
    lod->data = new PD_OneDimArraySize*[levels.size()];
    for (const auto& level : levels)
      lod->data[lod->size++] = ArrayOf<PD_OneDimArraySize>(level).release();
    return lod.release();
  });
}
