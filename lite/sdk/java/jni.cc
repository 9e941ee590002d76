// The native functions of com.baidu.paddle.lite.Native over the C++ SDK.
//
// LITE_JNI_FULL: linked with the full library, so that there is CxxConfig. Texts go both ways as
// bytes of UTF-8, since JNI's own are of another kind.
#include <jni.h>

#include <stdexcept>

#include "paddle_api.h"

namespace {

using namespace paddle::lite_api;
using Predictor = std::shared_ptr<PaddlePredictor>;

// An exception of Java's is pending: there is nothing to add.
struct Pending {};

void Throw(JNIEnv* env, const char* type, const char* ascii) {
  const jclass found = env->FindClass(type);
  if (found != nullptr) env->ThrowNew(found, ascii);
}

template <typename T>
T Checked(JNIEnv* env, T made) {
  if (made == nullptr || env->ExceptionCheck()) throw Pending();
  return made;
}
void Check(JNIEnv* env) {
  if (env->ExceptionCheck()) throw Pending();
}

jbyteArray Bytes(JNIEnv* env, const std::string& text) {
  const auto size = static_cast<jsize>(text.size());
  const jbyteArray made = Checked(env, env->NewByteArray(size));
  env->SetByteArrayRegion(made, 0, size, reinterpret_cast<const jbyte*>(text.data()));
  return made;
}

std::string Text(JNIEnv* env, jbyteArray bytes) {
  std::string text(static_cast<size_t>(env->GetArrayLength(bytes)), '\0');
  env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text.size()),
                          reinterpret_cast<jbyte*>(&text[0]));
  Check(env);
  return text;
}

void ThrowOurs(JNIEnv* env, const char* text) {
  const jclass type = env->FindClass("com/baidu/paddle/lite/PaddleLiteException");
  if (type == nullptr) return;
  const jmethodID of =
      env->GetStaticMethodID(type, "of", "([B)Lcom/baidu/paddle/lite/PaddleLiteException;");
  if (of == nullptr) return;
  try {
    const jobject made = env->CallStaticObjectMethod(type, of, Bytes(env, text));
    if (made != nullptr && !env->ExceptionCheck()) env->Throw(static_cast<jthrowable>(made));
  } catch (const Pending&) {
  }
}

// What a function throws becomes an exception of Java's.
template <typename Function>
auto Call(JNIEnv* env, Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const Pending&) {
  } catch (const std::bad_alloc&) {
    Throw(env, "java/lang/OutOfMemoryError", "the native library has no memory left");
  } catch (const std::invalid_argument& error) {  // ours, below
    Throw(env, "java/lang/IllegalArgumentException", error.what());
  } catch (const std::exception& error) {
    ThrowOurs(env, error.what());
  } catch (...) {
    ThrowOurs(env, "an exception of unknown type");
  }
  return decltype(function())();
}

Predictor& PredictorOf(jlong pointer) { return *reinterpret_cast<Predictor*>(pointer); }
Tensor& TensorOf(jlong pointer) { return *reinterpret_cast<Tensor*>(pointer); }

jlong Given(Predictor predictor) {
  return reinterpret_cast<jlong>(new Predictor(std::move(predictor)));
}
jlong Given(const Tensor& tensor) { return reinterpret_cast<jlong>(new Tensor(tensor)); }

// What ConfigBase.texts gives.
enum { kModelDir, kModelFile, kParamFile, kPrecision, kProperties, kCacheDir, kDevices };

std::vector<std::string> Texts(JNIEnv* env, jobjectArray array) {
  std::vector<std::string> texts;
  for (jsize i = 0; i < env->GetArrayLength(array); ++i) {
    const auto bytes = static_cast<jbyteArray>(env->GetObjectArrayElement(array, i));
    texts.push_back(Text(env, Checked(env, bytes)));
    env->DeleteLocalRef(bytes);
  }
  return texts;
}

void Set(ConfigBase* config, const std::vector<std::string>& texts, jint threads, jint power_mode) {
  if (!texts[kModelDir].empty()) config->set_model_dir(texts[kModelDir]);
  config->set_precision(texts[kPrecision]);
  config->set_threads(threads);
  config->set_x86_math_num_threads(threads);
  config->set_power_mode(static_cast<PowerMode>(power_mode));
  const std::vector<std::string> devices(texts.begin() + kDevices, texts.end());
  if (!devices.empty()) config->set_nnadapter_device_names(devices);
  if (!texts[kProperties].empty()) config->set_nnadapter_context_properties(texts[kProperties]);
  if (!texts[kCacheDir].empty()) config->set_nnadapter_model_cache_dir(texts[kCacheDir]);
}

int64_t CountOf(const Tensor& tensor) {
  int64_t count = 1;
  for (const int64_t dim : tensor.shape()) count *= dim;
  return count;
}

std::string ShapeText(const Tensor& tensor) {
  std::string text;
  for (const int64_t dim : tensor.shape()) text += (text.empty() ? "" : ",") + std::to_string(dim);
  return "[" + text + "]";
}

void CheckCount(const Tensor& tensor, int64_t given) {
  if (given != CountOf(tensor))
    throw std::invalid_argument(std::to_string(given) + " elements are given, the shape is " +
                                ShapeText(tensor) + ": resize the tensor, or give " +
                                std::to_string(CountOf(tensor)));
}

void CheckType(const Tensor& tensor, std::initializer_list<PrecisionType> types,
               const char* asked) {
  for (const PrecisionType type : types)
    if (type == tensor.precision()) return;
  throw std::invalid_argument("the tensor's elements are " + PrecisionToStr(tensor.precision()) +
                              ", not " + asked);
}

jsize LengthOf(const Tensor& tensor) {
  const int64_t count = CountOf(tensor);
  if (count > std::numeric_limits<jsize>::max())
    throw std::invalid_argument("an array of Java has not so many elements: use buffer()");
  return static_cast<jsize>(count);
}

// Bytes of an element.
size_t SizeOf(const Tensor& tensor) {
  return std::max<size_t>(PrecisionTypeLength(tensor.precision()), 1);
}

template <typename T, typename Array, typename Element>
void SetData(JNIEnv* env, jlong pointer, Array data,
             void (JNIEnv::*get)(Array, jsize, jsize, Element*)) {
  Call(env, [&] {
    static_assert(sizeof(T) == sizeof(Element), "elements are copied as they are");
    const Tensor& tensor = TensorOf(pointer);
    const jsize count = env->GetArrayLength(data);
    CheckCount(tensor, count);
    T* to = tensor.mutable_data<T>();
    if (count > 0) (env->*get)(data, 0, count, reinterpret_cast<Element*>(to));
  });
}

template <typename Array, typename Element>
Array GetData(JNIEnv* env, const Tensor& tensor, Array (JNIEnv::*make)(jsize),
              void (JNIEnv::*set)(Array, jsize, jsize, const Element*)) {
  const jsize count = LengthOf(tensor);
  const void* from = tensor.data<void>();
  const Array made = Checked(env, (env->*make)(count));
  if (count > 0) (env->*set)(made, 0, count, static_cast<const Element*>(from));
  return made;
}

}  // namespace

#define NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_com_baidu_paddle_lite_Native_##name

NATIVE(jlong, createMobile)
(JNIEnv* env, jclass, jobjectArray texts, jbyteArray model, jint threads, jint power_mode) {
  return Call(env, [&]() -> jlong {
    const std::vector<std::string> given = Texts(env, texts);
    MobileConfig config;
    Set(&config, given, threads, power_mode);
    if (model != nullptr) config.set_model_from_buffer(Text(env, model));
    if (!given[kModelFile].empty()) config.set_model_from_file(given[kModelFile]);
    return Given(CreatePaddlePredictor<MobileConfig>(config));
  });
}

NATIVE(jlong, createCxx)
(JNIEnv* env, jclass, jobjectArray texts, jintArray places, jint threads, jint power_mode) {
  return Call(env, [&]() -> jlong {
#ifdef LITE_JNI_FULL
    const std::vector<std::string> given = Texts(env, texts);
    CxxConfig config;
    Set(&config, given, threads, power_mode);
    if (!given[kModelFile].empty()) config.set_model_file(given[kModelFile]);
    if (!given[kParamFile].empty()) config.set_param_file(given[kParamFile]);
    std::vector<jint> numbers(static_cast<size_t>(env->GetArrayLength(places)));
    env->GetIntArrayRegion(places, 0, static_cast<jsize>(numbers.size()), numbers.data());
    Check(env);
    std::vector<Place> valid;
    for (size_t i = 0; i + 3 < numbers.size(); i += 4)
      valid.emplace_back(
          static_cast<TargetType>(numbers[i]), static_cast<PrecisionType>(numbers[i + 1]),
          static_cast<DataLayoutType>(numbers[i + 2]), static_cast<int16_t>(numbers[i + 3]));
    config.set_valid_places(valid);
    return Given(CreatePaddlePredictor<CxxConfig>(config));
#else
    (void)texts, (void)places, (void)threads, (void)power_mode;
    throw std::runtime_error(
        "this jar has the light library, which runs .nb files: a CxxConfig needs the full one");
#endif
  });
}

NATIVE(void, deletePredictor)(JNIEnv*, jclass, jlong predictor) { delete &PredictorOf(predictor); }

NATIVE(jlong, input)(JNIEnv* env, jclass, jlong predictor, jint index) {
  return Call(env, [&] { return Given(*PredictorOf(predictor)->GetInput(index)); });
}

NATIVE(jlong, output)(JNIEnv* env, jclass, jlong predictor, jint index) {
  return Call(env, [&] { return Given(*PredictorOf(predictor)->GetOutput(index)); });
}

NATIVE(jlong, tensor)(JNIEnv* env, jclass, jlong predictor, jbyteArray name) {
  return Call(env, [&]() -> jlong {
    const auto found = PredictorOf(predictor)->GetTensor(Text(env, name));
    return found == nullptr ? 0 : Given(*found);
  });
}

NATIVE(jobjectArray, names)(JNIEnv* env, jclass, jlong predictor, jboolean of_outputs) {
  return Call(env, [&] {
    PaddlePredictor& asked = *PredictorOf(predictor);
    const std::vector<std::string> found =
        of_outputs ? asked.GetOutputNames() : asked.GetInputNames();
    const jclass type = Checked(env, env->FindClass("[B"));
    const auto count = static_cast<jsize>(found.size());
    const jobjectArray made = Checked(env, env->NewObjectArray(count, type, nullptr));
    for (jsize i = 0; i < count; ++i) {
      const jbyteArray name = Bytes(env, found[static_cast<size_t>(i)]);
      env->SetObjectArrayElement(made, i, name);
      env->DeleteLocalRef(name);
    }
    return made;
  });
}

NATIVE(void, run)(JNIEnv* env, jclass, jlong predictor) {
  Call(env, [&] { PredictorOf(predictor)->Run(); });
}

NATIVE(void, cancel)(JNIEnv* env, jclass, jlong predictor) {
  Call(env, [&] { PredictorOf(predictor)->Cancel(); });
}

NATIVE(jlong, copy)(JNIEnv* env, jclass, jlong predictor) {
  return Call(env, [&] { return Given(PredictorOf(predictor)->Clone()); });
}

NATIVE(jbyteArray, version)(JNIEnv* env, jclass, jlong predictor) {
  return Call(env, [&] { return Bytes(env, PredictorOf(predictor)->GetVersion()); });
}

NATIVE(jbyteArray, placement)(JNIEnv* env, jclass, jlong predictor) {
  return Call(env, [&] { return Bytes(env, PredictorOf(predictor)->PlacementJson()); });
}

NATIVE(void, save)(JNIEnv* env, jclass, jlong predictor, jbyteArray path) {
  Call(env, [&] {
    PredictorOf(predictor)->SaveOptimizedModel(Text(env, path), LiteModelType::kNaiveBuffer);
  });
}

NATIVE(void, deleteTensor)(JNIEnv*, jclass, jlong tensor) { delete &TensorOf(tensor); }

NATIVE(void, resize)(JNIEnv* env, jclass, jlong tensor, jlongArray shape) {
  Call(env, [&] {
    shape_t dims(static_cast<size_t>(env->GetArrayLength(shape)));
    static_assert(sizeof(jlong) == sizeof(int64_t), "dimensions are copied as they are");
    env->GetLongArrayRegion(shape, 0, static_cast<jsize>(dims.size()),
                            reinterpret_cast<jlong*>(dims.data()));
    Check(env);
    TensorOf(tensor).Resize(dims);
  });
}

NATIVE(jlongArray, shape)(JNIEnv* env, jclass, jlong tensor) {
  return Call(env, [&] {
    const shape_t dims = TensorOf(tensor).shape();
    const auto count = static_cast<jsize>(dims.size());
    const jlongArray made = Checked(env, env->NewLongArray(count));
    env->SetLongArrayRegion(made, 0, count, reinterpret_cast<const jlong*>(dims.data()));
    return made;
  });
}

NATIVE(jint, precision)(JNIEnv* env, jclass, jlong tensor) {
  return Call(env, [&] { return static_cast<jint>(TensorOf(tensor).precision()); });
}

NATIVE(void, setLod)(JNIEnv* env, jclass, jlong tensor, jobjectArray levels) {
  Call(env, [&] {
    lod_t lod;
    for (jsize i = 0; i < env->GetArrayLength(levels); ++i) {
      const auto level =
          Checked(env, static_cast<jlongArray>(env->GetObjectArrayElement(levels, i)));
      lod.emplace_back(static_cast<size_t>(env->GetArrayLength(level)));
      env->GetLongArrayRegion(level, 0, static_cast<jsize>(lod.back().size()),
                              reinterpret_cast<jlong*>(lod.back().data()));
      Check(env);
      env->DeleteLocalRef(level);
    }
    TensorOf(tensor).SetLoD(lod);
  });
}

NATIVE(jobjectArray, lod)(JNIEnv* env, jclass, jlong tensor) {
  return Call(env, [&] {
    const lod_t lod = TensorOf(tensor).lod();
    const jclass type = Checked(env, env->FindClass("[J"));
    const auto levels = static_cast<jsize>(lod.size());
    const jobjectArray made = Checked(env, env->NewObjectArray(levels, type, nullptr));
    for (jsize i = 0; i < levels; ++i) {
      const auto& level = lod[static_cast<size_t>(i)];
      const auto count = static_cast<jsize>(level.size());
      const jlongArray numbers = Checked(env, env->NewLongArray(count));
      env->SetLongArrayRegion(numbers, 0, count, reinterpret_cast<const jlong*>(level.data()));
      env->SetObjectArrayElement(made, i, numbers);
      env->DeleteLocalRef(numbers);
    }
    return made;
  });
}

NATIVE(void, setFloats)(JNIEnv* env, jclass, jlong tensor, jfloatArray data) {
  SetData<float>(env, tensor, data, &JNIEnv::GetFloatArrayRegion);
}

NATIVE(void, setInts)(JNIEnv* env, jclass, jlong tensor, jintArray data) {
  SetData<int32_t>(env, tensor, data, &JNIEnv::GetIntArrayRegion);
}

NATIVE(void, setLongs)(JNIEnv* env, jclass, jlong tensor, jlongArray data) {
  SetData<int64_t>(env, tensor, data, &JNIEnv::GetLongArrayRegion);
}

NATIVE(void, setBytes)(JNIEnv* env, jclass, jlong tensor, jbyteArray data) {
  switch (TensorOf(tensor).precision()) {
    case PrecisionType::kUInt8:
      return SetData<uint8_t>(env, tensor, data, &JNIEnv::GetByteArrayRegion);
    case PrecisionType::kBool:
      return SetData<bool>(env, tensor, data, &JNIEnv::GetByteArrayRegion);
    default:
      return SetData<int8_t>(env, tensor, data, &JNIEnv::GetByteArrayRegion);
  }
}

NATIVE(jfloatArray, floats)(JNIEnv* env, jclass, jlong tensor) {
  return Call(env, [&] {
    CheckType(TensorOf(tensor), {PrecisionType::kFloat}, "float");
    return GetData(env, TensorOf(tensor), &JNIEnv::NewFloatArray, &JNIEnv::SetFloatArrayRegion);
  });
}

NATIVE(jintArray, ints)(JNIEnv* env, jclass, jlong tensor) {
  return Call(env, [&] {
    CheckType(TensorOf(tensor), {PrecisionType::kInt32}, "int32");
    return GetData(env, TensorOf(tensor), &JNIEnv::NewIntArray, &JNIEnv::SetIntArrayRegion);
  });
}

NATIVE(jlongArray, longs)(JNIEnv* env, jclass, jlong tensor) {
  return Call(env, [&] {
    CheckType(TensorOf(tensor), {PrecisionType::kInt64}, "int64");
    return GetData(env, TensorOf(tensor), &JNIEnv::NewLongArray, &JNIEnv::SetLongArrayRegion);
  });
}

NATIVE(jbyteArray, bytes)(JNIEnv* env, jclass, jlong tensor) {
  return Call(env, [&] {
    CheckType(TensorOf(tensor), {PrecisionType::kInt8, PrecisionType::kUInt8, PrecisionType::kBool},
              "bytes");
    return GetData(env, TensorOf(tensor), &JNIEnv::NewByteArray, &JNIEnv::SetByteArrayRegion);
  });
}

NATIVE(void, share)(JNIEnv* env, jclass, jlong tensor, jobject buffer, jint at, jint bytes) {
  Call(env, [&] {
    auto* data = static_cast<char*>(env->GetDirectBufferAddress(buffer));
    if (data == nullptr) throw std::invalid_argument("the buffer has no address");
    if (reinterpret_cast<uintptr_t>(data + at) % SizeOf(TensorOf(tensor)) != 0)
      throw std::invalid_argument(
          "the buffer begins within an element: its position is no "
          "multiple of an element's size");
    TensorOf(tensor).ShareExternalMemory(data + at, static_cast<size_t>(bytes), TargetType::kHost);
  });
}

NATIVE(jobject, view)(JNIEnv* env, jclass, jlong tensor, jboolean is_input) {
  return Call(env, [&] {
    const Tensor& viewed = TensorOf(tensor);
    void* data = is_input ? viewed.mutable_data<void>() : const_cast<void*>(viewed.data<void>());
    const int64_t bytes = CountOf(viewed) * static_cast<int64_t>(SizeOf(viewed));
    if (bytes > std::numeric_limits<jint>::max())
      throw std::invalid_argument("a buffer of Java has at most 2^31 - 1 bytes");
    static char none;
    return Checked(env, env->NewDirectByteBuffer(bytes > 0 ? data : &none, bytes));
  });
}

NATIVE(jlong, keep)(JNIEnv* env, jclass, jlong tensor) {
  return Call(env, [&] { return Given(TensorOf(tensor)); });
}
