#include "lite/sdk/inference/c_api/arrays.h"

namespace {

template <typename Array>
void DestroyArray(Array* array) {
  if (array != nullptr) delete[] array->data;
  delete array;
}

// Of pointers, each of which `destroy` frees.
template <typename T, typename Destroy>
void DestroyAll(T** elements, size_t count, const Destroy& destroy) {
  for (size_t i = 0; elements != nullptr && i < count; ++i) destroy(elements[i]);
  delete[] elements;
}

char* CopyOf(const std::string& text) {
  char* const copy = new char[text.size() + 1];
  std::copy(text.c_str(), text.c_str() + text.size() + 1, copy);
  return copy;
}

}  // namespace

namespace paddle_infer::c_api {

PD_OneDimArrayCstr* TextsOf(const std::vector<std::string>& texts) {
  std::unique_ptr<PD_OneDimArrayCstr, void (*)(PD_OneDimArrayCstr*)> array(
      new PD_OneDimArrayCstr{}, PD_OneDimArrayCstrDestroy);
  array->data = new char*[texts.size()];
  for (const std::string& text : texts) array->data[array->size++] = CopyOf(text);
  return array.release();
}

PD_Cstr* TextOf(const std::string& text) {
  auto made = std::make_unique<PD_Cstr>();
  made->size = text.size() + 1;
  made->data = CopyOf(text);
  return made.release();
}

}  // namespace paddle_infer::c_api

void PD_OneDimArrayInt32Destroy(PD_OneDimArrayInt32* array) { DestroyArray(array); }
void PD_OneDimArrayInt64Destroy(PD_OneDimArrayInt64* array) { DestroyArray(array); }
void PD_OneDimArraySizeDestroy(PD_OneDimArraySize* array) { DestroyArray(array); }
void PD_CstrDestroy(PD_Cstr* text) { DestroyArray(text); }

void PD_OneDimArrayCstrDestroy(PD_OneDimArrayCstr* array) {
  if (array != nullptr) DestroyAll(array->data, array->size, [](char* text) { delete[] text; });
  delete array;
}

void PD_TwoDimArraySizeDestroy(PD_TwoDimArraySize* array) {
  if (array != nullptr) DestroyAll(array->data, array->size, PD_OneDimArraySizeDestroy);
  delete array;
}

void PD_IOInfoDestroy(PD_IOInfo* info) {
  if (info == nullptr) return;
  PD_CstrDestroy(info->name);
  PD_OneDimArrayInt64Destroy(info->shape);
  delete info;
}

void PD_IOInfosDestroy(PD_IOInfos* infos) {
  if (infos != nullptr) DestroyAll(infos->io_info, infos->size, PD_IOInfoDestroy);
  delete infos;
}
