// Translation: the operands that an operation reads, as values and numbers; constants.
#include <cmath>
#include <cstring>

#include "lite/nnadapter/nnapi/stored.h"
#include "lite/nnadapter/nnapi/translate.h"

namespace nnadapter::nnapi {

uint32_t Translation::InputIndex(size_t i) const {
  if (i >= inputs()) Refuse(Text("it has no input ", i));
  return operation_->inputs[i];
}

bool Translation::Has(size_t i) const {
  if (i >= inputs()) return false;
  const uint32_t index = operation_->inputs[i];
  const auto slot = slots_.find(index);
  if (slot != slots_.end() && slot->second.outside && slot->second.outside->left_out) return false;
  return model_.operands()[index].lifetime != Lifetime::kLeftOut;
}

const OperandType& Translation::Type(size_t i) const {
  return model_.operands()[InputIndex(i)].type;
}

const OperandType& Translation::OutputType(size_t o) const {
  return model_.operands()[operation_->outputs.at(o)].type;
}

bool Translation::IsKnown(size_t i) const {
  const uint32_t index = InputIndex(i);
  if (model_.operands()[index].lifetime == Lifetime::kConstant) return true;
  const auto slot = slots_.find(index);
  if (slot == slots_.end()) return false;
  if (slot->second.outside) return slot->second.outside->known != nullptr;
  return slot->second.plain && slot->second.plain->constant();
}

const uint8_t* Translation::Bytes(size_t i) {
  const uint32_t index = InputIndex(i);
  const Operand& operand = model_.operands()[index];
  if (operand.lifetime == Lifetime::kConstant) return operand.data;
  const Slot& slot = SlotOf(index);
  if (slot.outside) {
    if (!slot.outside->known) throw NeedsValue{index};
    return slot.outside->known->data();
  }
  if (slot.plain && slot.plain->constant()) return static_cast<const uint8_t*>(slot.plain->data);
  Refuse(Text("its input ", i, " is computed, not constant"));
}

bool Translation::Bool(size_t i) {
  if (Type(i).code != ANEURALNETWORKS_BOOL) Refuse(Text("its input ", i, " is no BOOL"));
  return *Bytes(i) != 0;
}

int32_t Translation::Int(size_t i) {
  const Shape numbers = Ints(i);
  if (numbers.size() != 1) Refuse(Text("its input ", i, " is not one number"));
  return numbers[0];
}

float Translation::Float(size_t i) {
  const int32_t code = Type(i).code;
  if (code == ANEURALNETWORKS_INT32) return static_cast<float>(Int(i));
  const std::vector<float> numbers = Floats(i);
  if (numbers.size() != 1) Refuse(Text("its input ", i, " is not one number"));
  return numbers[0];
}

Shape Translation::Ints(size_t i) {
  const int32_t code = Type(i).code;
  if (code != ANEURALNETWORKS_INT32 && code != ANEURALNETWORKS_TENSOR_INT32)
    Refuse(Text("its input ", i, " is no INT32"));
  const uint8_t* bytes = Bytes(i);
  Shape numbers(Input(i)->count());
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes, numbers.size() * sizeof(int32_t));
  return numbers;
}

std::vector<float> Translation::Floats(size_t i) {
  Bytes(i);
  const Value v = Input(i);
  if (v->precision != NNADAPTER_FLOAT32) Refuse(Text("its input ", i, " is no FLOAT32"));
  std::vector<float> numbers(v->count());
  if (!numbers.empty()) std::memcpy(numbers.data(), v->data, numbers.size() * sizeof(float));
  return numbers;
}

Translation::Slot& Translation::SlotOf(uint32_t operand) { return slots_[operand]; }

Value Translation::ConstantOperand(uint32_t operand, const Dims& dims, const uint8_t* data) {
  OperandType type = model_.operands()[operand].type;
  type.dims = dims;
  Tensor* tensor = NewTensor(Stored(type));
  static const uint8_t kNothing = 0;
  if (StoredAsIs(type.code)) {
    tensor->data = data ? data : &kNothing;
  } else {
    const size_t count = ElementCount(type);
    constants_.emplace_back(count * StoredSize(type.code));
    ToStored(type, data, constants_.back().data(), count);
    tensor->data = constants_.back().empty() ? &kNothing : constants_.back().data();
  }
  return tensor;
}

Value Translation::Plain(uint32_t operand) {
  Slot& slot = SlotOf(operand);
  if (slot.plain) return slot.plain;
  const Operand& info = model_.operands()[operand];
  if (slot.outside && !slot.outside->known) {
    OperandType type = info.type;
    type.dims = slot.outside->dims;
    slot.plain = NewTensor(Stored(type));
  } else if (slot.outside) {
    slot.plain = ConstantOperand(operand, slot.outside->dims, slot.outside->known->data());
  } else if (info.lifetime == Lifetime::kConstant) {
    slot.plain = ConstantOperand(operand, info.type.dims, info.data);
  } else if (slot.image) {
    slot.plain = Transposed(slot.image, kFromImage);
  } else {
    Refuse(Text("it reads operand ", operand, ", which is not there"));
  }
  return slot.plain;
}

Value Translation::Input(size_t i) {
  if (!Has(i)) return nullptr;
  return Plain(InputIndex(i));
}

Value Translation::Image(size_t i, bool nchw) {
  if (nchw) return Input(i);
  Slot& slot = SlotOf(InputIndex(i));
  if (!slot.image) {
    const Value v = Input(i);
    if (!v || v->dims.size() != 4) Refuse(Text("its input ", i, " is no image of four dimensions"));
    slot.image = Transposed(v, kToImage);
  }
  return slot.image;
}

Value Translation::ImageOrNull(size_t i) {
  if (!Has(i)) return nullptr;
  const Slot& slot = SlotOf(InputIndex(i));
  return slot.plain ? nullptr : slot.image;
}

// -- Constants.

Tensor* Translation::NewTensor(const Tensor& like) {
  tensors_.push_back(like);
  tensors_.back().data = nullptr;
  tensors_.back().operand = nullptr;
  return &tensors_.back();
}

const std::vector<uint8_t>& Translation::Keep(const void* bytes, size_t size) {
  const auto* from = static_cast<const uint8_t*>(bytes);
  // One byte more: data() of what is empty is null.
  constants_.emplace_back();
  constants_.back().reserve(size + 1);
  constants_.back().assign(from, from + size);
  return constants_.back();
}

Value Translation::Constant(const Tensor& like, const void* bytes) {
  Tensor* tensor = NewTensor(like);
  tensor->data = Keep(bytes, tensor->count() * PrecisionSize(like.precision)).data();
  return tensor;
}

Value Translation::Int32s(const Shape& numbers) {
  Tensor like;
  like.precision = NNADAPTER_INT32;
  like.dims = {static_cast<int32_t>(numbers.size())};
  return Constant(like, numbers.data());
}

Value Translation::Float32s(const std::vector<float>& numbers) {
  Tensor like;
  like.dims = {static_cast<int32_t>(numbers.size())};
  return Constant(like, numbers.data());
}

Value Translation::Bool8(bool truth) {
  Tensor like;
  like.precision = NNADAPTER_BOOL8;
  like.dims = {1};
  const uint8_t byte = truth ? 1 : 0;
  return Constant(like, &byte);
}

Value Translation::ScalarLike(Value v, double number) {
  if (v->precision == NNADAPTER_FLOAT32) return Float32(static_cast<float>(number));
  if (v->precision == NNADAPTER_INT32) return Int32(static_cast<int32_t>(number));
  if (!v->quantised()) Refuse("it needs a number of a type that is neither FLOAT32 nor INT32");
  // A scale of its own makes the number exact: 1 or -1 times its size.
  Tensor like;
  like.precision = v->precision;
  like.dims = {1};
  like.scale = number == 0 ? 1.0f : static_cast<float>(std::fabs(number));
  const int64_t sign = number > 0 ? 1 : number < 0 ? -1 : 0;
  const bool asymmetric = v->precision == NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER ||
                          v->precision == NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER;
  like.zero_point = asymmetric && sign < 0 ? 1 : 0;
  const int64_t stored = sign + like.zero_point;  // little endian: the low bytes come first
  return Constant(like, &stored);
}

Value Translation::Real(Value v) {
  if (!v || !v->quantised()) return v;
  Value& real = reals_[v];
  if (real) return real;
  Tensor like;
  like.dims = v->dims;
  if (!v->constant()) return real = EmitLike(like, NNADAPTER_DEQUANTIZE, {v});
  const std::vector<float> numbers = Dequantised(*v);
  return real = Constant(like, numbers.data());
}

}  // namespace nnadapter::nnapi
