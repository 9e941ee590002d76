// Translation: operations of NNAPI -> one NNAdapter model, for complete shapes of the inputs. What
// can be translated is what the converters in operations/ translate: the support check is the
// conversion itself.
//
// Inside of NNAdapter, float16 and quantised numbers of 16 bits are FLOAT32, and
// TENSOR_QUANT8_ASYMM_SIGNED is QUANT_UINT8_ASYMM_PER_LAYER with a zero point that is larger by
// 128; scalars are tensors [1].
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lite/nnadapter/nnapi/model.h"
#include "nnadapter/nnadapter.h"

namespace nnadapter::nnapi {

// Throws NNAPI's code for a status of NNAdapter's that is not NNADAPTER_NO_ERROR.
void Require(int code);

// An operation that has no counterpart in NNAdapter; `reason` is one plain sentence.
struct Refused {
  std::string reason;
};

// A conversion needs the numbers of an operand that is an input: translate again with them.
struct NeedsValue {
  uint32_t operand;
};

// Dimensions, axes and other lists of numbers. Clients give any ranks: a converter that reads what
// is not there refuses the operation.
class Shape : public std::vector<int32_t> {
 public:
  using std::vector<int32_t>::vector;
  Shape(std::vector<int32_t> list) : std::vector<int32_t>(std::move(list)) {}  // NOLINT: one is one
  int32_t& operator[](size_t i) { return Checked(i), std::vector<int32_t>::operator[](i); }
  int32_t operator[](size_t i) const { return Checked(i), std::vector<int32_t>::operator[](i); }

 private:
  void Checked(size_t i) const {
    if (i >= size()) throw Refused{"the rank of a tensor, or a list, is too short for it"};
  }
};

// Dimensions of NHWC by those of NCHW, and the other way round.
inline const Shape kToImage = {0, 3, 1, 2}, kFromImage = {0, 2, 3, 1};

struct Tensor {
  NNAdapterOperandPrecisionCode precision = NNADAPTER_FLOAT32;
  Shape dims;
  // Of a quantised tensor: one scale, or one for each channel.
  float scale = 0;
  int32_t zero_point = 0;
  uint32_t channel_dim = 0;
  std::vector<float> channel_scales;
  // A constant's elements.
  const void* data = nullptr;
  // Constants have one once an operation reads them.
  NNAdapterOperand* operand = nullptr;

  bool constant() const { return data != nullptr; }
  bool quantised() const { return precision >= NNADAPTER_QUANT_INT8_SYMM_PER_LAYER; }
  size_t count() const;
};
// Lives as long as the translation. Null is an absent operand: a converter that follows it refuses
// the operation.
class Value {
 public:
  Value(const Tensor* tensor = nullptr) : tensor_(tensor) {}  // NOLINT: it is a pointer
  const Tensor* get() const { return tensor_; }
  const Tensor& operator*() const { return *Checked(); }
  const Tensor* operator->() const { return Checked(); }
  explicit operator bool() const { return tensor_ != nullptr; }
  friend bool operator==(Value a, Value b) { return a.tensor_ == b.tensor_; }
  friend bool operator!=(Value a, Value b) { return a.tensor_ != b.tensor_; }
  friend bool operator<(Value a, Value b) { return a.tensor_ < b.tensor_; }

 private:
  const Tensor* Checked() const {
    if (!tensor_) throw Refused{"an operand that it needs is left out"};
    return tensor_;
  }
  const Tensor* tensor_;
};

struct InputShape {
  uint32_t operand;
  Dims dims;                                          // complete; of a scalar empty
  std::shared_ptr<const std::vector<uint8_t>> known;  // its bytes, where a conversion needs them
  bool left_out = false;                              // an optional input that is not given
};

// What became of an output: a result of the model, or a constant.
struct OutputSource {
  int index = -1;              // among the NNAdapter model's outputs; -1: constant
  std::vector<uint8_t> bytes;  // as NNAdapter stores them
  OperandType type;            // as NNAPI has it, with complete dimensions
};

struct Translated {
  Translated() = default;
  ~Translated();
  Translated(Translated&& other) noexcept;
  Translated& operator=(Translated&&) = delete;

  NNAdapterModel* model = nullptr;  // null where every output is a constant
  std::vector<uint32_t> inputs;     // which of the inputs the model reads, in its order
  std::vector<OutputSource> outputs;
  size_t operations = 0;                       // how many the model has
  std::deque<std::vector<uint8_t>> constants;  // that the model refers to
};

class Translation {
 public:
  // Operands are those of `model`, which must outlive what is made. `inputs`: the operands whose
  // values come from outside. Throws Error(OP_FAILED) where NNAdapter fails.
  Translation(const Model& model, const std::vector<InputShape>& inputs);
  ~Translation();
  Translation(const Translation&) = delete;
  Translation& operator=(const Translation&) = delete;

  // Throws Refused or NeedsValue.
  void Convert(const Operation& operation);
  // The operands that are wanted outside, which must be known by now.
  Translated Finish(const std::vector<uint32_t>& outputs);

  // -- For converters. i and o count the inputs and outputs of the operation at hand.

  int32_t code() const { return operation_->code; }
  size_t inputs() const { return operation_->inputs.size(); }
  size_t outputs() const { return operation_->outputs.size(); }
  // Given and not left out.
  bool Has(size_t i) const;
  // NNAPI's types; an input's dimensions are not complete there, a Value's are.
  const OperandType& Type(size_t i) const;
  const OperandType& OutputType(size_t o) const;

  // Numbers of constants. Throw NeedsValue where input i is an input from outside, Refused where it
  // is computed.
  bool IsKnown(size_t i) const;
  const uint8_t* Bytes(size_t i);
  bool Bool(size_t i);
  int32_t Int(size_t i);
  // Of a scalar FLOAT32, FLOAT16 or INT32.
  float Float(size_t i);
  Shape Ints(size_t i);
  std::vector<float> Floats(size_t i);

  // Input i as NNAPI has it, and as an image in NCHW. Both forms are remembered: a pair of
  // transpositions that meet is none.
  Value Input(size_t i);
  Value Image(size_t i, bool nchw);
  // The image in NCHW if that is how input i was made, else null.
  Value ImageOrNull(size_t i);
  // `v` as FLOAT32: itself, or DEQUANTIZE.
  Value Real(Value v);
  // `v` in the storage of `like`: itself, or quantised anew. Dimensions of `like` are not read.
  Value StoredAs(Value v, const Tensor& like);

  Value Int32(int32_t number) { return Int32s({number}); }
  Value Int32s(const Shape& numbers);
  Value Float32(float number) { return Float32s({number}); }
  Value Float32s(const std::vector<float>& numbers);
  Value Bool8(bool truth);
  // One number of v's type: FLOAT32, INT32, or quantised as v is.
  Value ScalarLike(Value v, double number);
  // A constant of the type and shape of `like` (data is not read); bytes are copied.
  Value Constant(const Tensor& like, const void* bytes);

  // An operation and its result, whose type NNAdapter infers. Throws Refused where NNAdapter does.
  Value Emit(NNAdapterOperationType type, const std::vector<Value>& inputs);
  std::vector<Value> EmitMany(NNAdapterOperationType type, const std::vector<Value>& inputs,
                              size_t results);
  // The result has the precision and quantisation of output o.
  Value EmitAs(size_t o, NNAdapterOperationType type, const std::vector<Value>& inputs);
  // ... of `like`, whose dimensions are not read.
  Value EmitLike(const Tensor& like, NNAdapterOperationType type, const std::vector<Value>& inputs);
  // Of constants they are computed here.
  Value Transposed(Value v, const Shape& permutation);
  Value Reshaped(Value v, const Shape& dims);

  // The result of the operation at hand. A value that is quantised otherwise than output o is
  // quantised anew.
  void SetOutput(size_t o, Value v);
  void SetImage(size_t o, Value v, bool nchw);

  // Precision and quantisation that an operand of this type has in NNAdapter.
  static Tensor Stored(const OperandType& type);

  [[noreturn]] static void Refuse(const std::string& reason) { throw Refused{reason}; }

 private:
  struct Slot {
    Value plain = nullptr, image = nullptr;
    const InputShape* outside = nullptr;
  };

  uint32_t InputIndex(size_t i) const;
  Slot& SlotOf(uint32_t operand);
  Value Plain(uint32_t operand);
  Value ConstantOperand(uint32_t operand, const Dims& dims, const uint8_t* data);
  Tensor* NewTensor(const Tensor& like);
  const std::vector<uint8_t>& Keep(const void* bytes, size_t size);
  NNAdapterOperand* AddOperand(const Tensor& tensor, bool known_shape, bool inferred);
  NNAdapterOperand* Handle(Value v);
  std::vector<Value> EmitTyped(NNAdapterOperationType type, const std::vector<Value>& inputs,
                               const Tensor* like, size_t results);
  Value Requantised(size_t o, Value v);
  void CheckShape(uint32_t operand, Value v, bool image) const;

  const Model& model_;
  std::vector<InputShape> inputs_;
  NNAdapterModel* target_ = nullptr;
  const Operation* operation_ = nullptr;
  std::map<uint32_t, Slot> slots_;
  std::deque<Tensor> tensors_;
  std::deque<std::vector<uint8_t>> constants_;
  std::map<Value, Value> reals_;
  size_t operations_ = 0;
};

// How an operation of NNAPI is translated. CONVERTER(ADD) { ... t.SetOutput(0, ...); }
using Converter = void (*)(Translation& t);
struct ConverterRegistration {
  ConverterRegistration(int32_t code, Converter converter);
};
// Null where there is none.
Converter FindConverter(int32_t code);

#define CONVERTER(name)                                                       \
  static void Convert##name(::nnadapter::nnapi::Translation& t);              \
  static const ::nnadapter::nnapi::ConverterRegistration registration_##name( \
      ANEURALNETWORKS_##name, Convert##name);                                 \
  static void Convert##name([[maybe_unused]] ::nnadapter::nnapi::Translation& t)

}  // namespace nnadapter::nnapi
