#include "lite/nnadapter/runtime/operation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "lite/nnadapter/runtime/error.h"

namespace nnadapter::runtime {
namespace {

constexpr int32_t kUnknown = NNADAPTER_UNKNOWN;

// setOperandValue takes no empty buffers.
bool IsEmptyList(const core::Operand& operand) {
  return operand.buffer == nullptr && operand.type.dimensions.count == 1 &&
         operand.type.dimensions.data[0] == 0;
}

bool IsConstantOperand(const core::Operand& operand) {
  if (IsEmptyList(operand)) return true;
  return operand.buffer != nullptr && (operand.type.lifetime == NNADAPTER_CONSTANT_COPY ||
                                       operand.type.lifetime == NNADAPTER_CONSTANT_REFERENCE);
}

// Where the operands of a declared name stand: [first, first + count).
struct Range {
  size_t first = 0, count = 0;
};

Range RangeOf(const std::vector<OperandInfo>& declared, size_t given, std::string_view name) {
  size_t repeated = declared.size();
  for (size_t i = 0; i < declared.size(); ++i)
    if (declared[i].repeated) repeated = i;
  const size_t extra =
      repeated < declared.size() && given + 1 > declared.size() ? given + 1 - declared.size() : 0;
  for (size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].name != name) continue;
    if (i == repeated) return {i, extra};
    const size_t at = i < repeated || repeated == declared.size() ? i : i - 1 + extra;
    return {at, at < given ? size_t{1} : size_t{0}};
  }
  throw Error(NNADAPTER_INVALID_PARAMETER, "no operand is called " + std::string(name));
}

core::Operand* At(const std::vector<core::Operand*>& operands,
                  const std::vector<OperandInfo>& declared, std::string_view name, size_t index) {
  const Range range = RangeOf(declared, operands.size(), name);
  return index < range.count ? operands[range.first + index] : nullptr;
}

const char* KindText(OperandKind kind) {
  switch (kind) {
    case OperandKind::kInt:
      return "one int32 or int64";
    case OperandKind::kInts:
      return "int32 or int64 numbers";
    case OperandKind::kShape:
      return "int32 or int64 numbers";
    case OperandKind::kFloat:
      return "one float32";
    case OperandKind::kFloats:
      return "float32 numbers";
    case OperandKind::kBool:
      return "one bool8";
    case OperandKind::kTensor:
      break;
  }
  return "a tensor";
}

std::string SetText(PrecisionSet set) {
  std::string text;
  for (int code = 0; code < 33; ++code)
    if (set & PrecisionBit(code) && PrecisionSize(code) != 0)
      text += (text.empty() ? "" : ", ") + std::string(PrecisionName(code));
  return text;
}

[[noreturn]] void FailOperand(const OperationInfo& info, const OperandInfo& operand,
                              const std::string& text) {
  throw Error(NNADAPTER_INVALID_PARAMETER, info.name() + ": operand " + operand.name + " " + text);
}

template <typename T>
std::vector<T> ReadAs(const core::Operand& operand) {
  const auto read = [&](auto sample) {
    using Element = decltype(sample);
    const size_t count = operand.length / sizeof(Element);
    std::vector<Element> raw(count);
    if (count > 0) std::memcpy(raw.data(), operand.buffer, count * sizeof(Element));
    return std::vector<T>(raw.begin(), raw.end());
  };
  switch (operand.type.precision) {
    case NNADAPTER_BOOL8:
    case NNADAPTER_UINT8:
      return read(uint8_t{});
    case NNADAPTER_INT8:
      return read(int8_t{});
    case NNADAPTER_INT32:
      return read(int32_t{});
    case NNADAPTER_INT64:
      return read(int64_t{});
    case NNADAPTER_FLOAT32:
      return read(float{});
    case NNADAPTER_FLOAT64:
      return read(double{});
    default:
      throw Error(NNADAPTER_INVALID_PARAMETER, std::string("a constant of ") +
                                                   PrecisionName(operand.type.precision) +
                                                   " where numbers are expected");
  }
}

PrecisionSet PrecisionsOf(OperandKind kind, PrecisionSet tensor) {
  switch (kind) {
    case OperandKind::kInt:
    case OperandKind::kInts:
    case OperandKind::kShape:
      return kIndex;
    case OperandKind::kFloat:
    case OperandKind::kFloats:
      return kFloat32 | PrecisionBit(NNADAPTER_FLOAT64);
    case OperandKind::kBool:
      return kBool | PrecisionBit(NNADAPTER_INT8) | PrecisionBit(NNADAPTER_UINT8);
    case OperandKind::kTensor:
      break;
  }
  return tensor;
}

void CheckConstant(const OperationInfo& info, const OperandInfo& declared,
                   const core::Operand& operand) {
  if (!IsConstantOperand(operand)) {
    if (declared.kind == OperandKind::kShape) return;
    FailOperand(info, declared,
                std::string("is computed, expected a constant: ") + KindText(declared.kind));
  }
  const size_t size = PrecisionSize(operand.type.precision);
  const bool one = declared.kind == OperandKind::kInt || declared.kind == OperandKind::kFloat ||
                   declared.kind == OperandKind::kBool;
  if (operand.length % size != 0 || (one && operand.length != size))
    FailOperand(
        info, declared,
        "has " + std::to_string(operand.length) + " bytes, expected " + KindText(declared.kind));
}

void CheckDimensions(const OperationInfo& info, const OperandInfo& declared,
                     const NNAdapterOperandDimensionType& dims) {
  if (dims.count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    FailOperand(info, declared, "has " + std::to_string(dims.count) + " dimensions, at most 8");
  const auto check = [&](const int32_t* data) {
    for (uint32_t i = 0; i < dims.count; ++i)
      if (data[i] < 0 && data[i] != kUnknown)
        FailOperand(info, declared, "has shape " + DimsText(Dims(data, data + dims.count)));
  };
  check(dims.data);
  for (uint32_t i = 0; i < dims.dynamic_count && i < NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS; ++i)
    check(dims.dynamic_data[i]);
}

// False where the type is not known yet.
bool CheckInput(const OperationInfo& info, const OperandInfo& declared,
                const core::Operand* operand) {
  if (operand == nullptr) {
    if (!declared.optional) FailOperand(info, declared, "is missing");
    return true;
  }
  if (static_cast<int32_t>(operand->type.precision) == kUnknown) return false;
  CheckDimensions(info, declared, operand->type.dimensions);
  const PrecisionSet set = PrecisionsOf(declared.kind, declared.precisions);
  const int32_t precision = operand->type.precision;
  if (PrecisionSize(precision) == 0 || !(set & PrecisionBit(precision)))
    FailOperand(
        info, declared,
        std::string("is ") + PrecisionName(precision) + ", expected one of " + SetText(set));
  if (declared.kind != OperandKind::kTensor) CheckConstant(info, declared, *operand);
  return true;
}

void CheckCount(const OperationInfo& info, const std::vector<OperandInfo>& declared, size_t given,
                const char* side) {
  size_t least = declared.size(), most = declared.size();
  while (least > 0 && declared[least - 1].optional) --least;
  for (const OperandInfo& operand : declared)
    if (operand.repeated) most = std::numeric_limits<size_t>::max();
  if (given >= least && given <= most) return;
  throw Error(NNADAPTER_INVALID_PARAMETER, info.name() + " has " + std::to_string(given) + " " +
                                               side + " operands, expected " +
                                               std::to_string(least) +
                                               (most == least ? ""
                                                : most > 1000 ? " or more"
                                                              : " to " + std::to_string(most)));
}

// False where an input's type is not known yet.
bool CheckOperands(const OperationInfo& info, const core::Operation& operation) {
  CheckCount(info, info.inputs(), operation.input_operands.size(), "input");
  CheckCount(info, info.outputs(), operation.output_operands.size(), "output");
  bool known = true;
  for (const OperandInfo& declared : info.inputs()) {
    const Range range = RangeOf(info.inputs(), operation.input_operands.size(), declared.name);
    if (range.count == 0 && !declared.optional) FailOperand(info, declared, "is missing");
    for (size_t i = 0; i < range.count; ++i)
      known &= CheckInput(info, declared, operation.input_operands[range.first + i]);
  }
  for (const OperandInfo& declared : info.outputs()) {
    const Range range = RangeOf(info.outputs(), operation.output_operands.size(), declared.name);
    if (range.count == 0 && !declared.optional) FailOperand(info, declared, "is missing");
    for (size_t i = 0; i < range.count; ++i)
      if (operation.output_operands[range.first + i] == nullptr && !declared.optional)
        FailOperand(info, declared, "is missing");
  }
  return known;
}

// How many candidates of dynamic dimensions the inputs have; those that have any must agree.
uint32_t CandidateCount(const OperationInfo& info, const core::Operation& operation) {
  uint32_t count = 0;
  const auto take = [&](uint32_t more) {
    if (more > NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS ||
        (count != 0 && more != 0 && more != count))
      throw Error(NNADAPTER_INVALID_PARAMETER,
                  info.name() + ": inputs have " + std::to_string(count) + " and " +
                      std::to_string(more) + " candidate shapes, expected as many, at most 8");
    count = count == 0 ? more : count;
  };
  for (const core::Operand* operand : operation.input_operands) {
    if (operand == nullptr || IsConstantOperand(*operand)) continue;
    take(operand->type.dimensions.dynamic_count);
    const auto* shape = TemporaryShapeOf(*operand);
    if (shape != nullptr) take(shape->dynamic_count);
  }
  return count;
}

float* CopyScales(const float* from, size_t count) {
  auto* scales = static_cast<float*>(std::malloc(std::max<size_t>(count, 1) * sizeof(float)));
  if (scales == nullptr) throw std::bad_alloc();
  std::memcpy(scales, from, count * sizeof(float));
  return scales;
}

bool IsPerChannel(int32_t precision) {
  return precision == NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL ||
         precision == NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL ||
         precision == NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL;
}

bool IsAsymmetric(int32_t precision) {
  return precision == NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER ||
         precision == NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER ||
         precision == NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER;
}

void CopyQuantParams(const core::Operation& operation, int32_t precision,
                     NNAdapterOperandType* to) {
  for (const core::Operand* operand : operation.input_operands) {
    if (operand == nullptr || static_cast<int32_t>(operand->type.precision) != precision) continue;
    to->symm_per_channel_params = operand->type.symm_per_channel_params;
    if (IsPerChannel(precision)) {
      const auto& from = operand->type.symm_per_channel_params;
      to->symm_per_channel_params.scales = CopyScales(from.scales, from.scale_count);
    }
    return;
  }
}

void FreeTemporaryShape(void** handler) {
  std::free(*handler);
  *handler = nullptr;
}

}  // namespace

OperationInfo& OperationInfo::Scalar(const char* name, OperandKind kind, bool optional,
                                     const char* doc) {
  return Add(&inputs_, {name, kind, PrecisionsOf(kind, 0), optional, false, doc});
}

OperationRegistry& OperationRegistry::Global() {
  static auto* registry = new OperationRegistry;  // never destroyed: drivers may outlive main()
  return *registry;
}

OperationInfo& OperationRegistry::Declare(NNAdapterOperationType code, const char* name) {
  auto& slot = operations_[code];
  if (slot != nullptr) {
    std::fprintf(stderr, "NNAdapter operation %s is declared twice\n", name);
    std::abort();
  }
  slot = std::make_unique<OperationInfo>(code, name);
  return *slot;
}

const OperationInfo* OperationRegistry::Find(NNAdapterOperationType code) const {
  const auto found = operations_.find(code);
  return found == operations_.end() ? nullptr : found->second.get();
}

std::vector<const OperationInfo*> OperationRegistry::All() const {
  std::vector<const OperationInfo*> all;
  for (const auto& entry : operations_) all.push_back(entry.second.get());
  return all;
}

OperationView::OperationView(const OperationInfo& info, const core::Operation& operation)
    : info_(info), operation_(operation) {}

size_t OperationView::Count(std::string_view name) const {
  return RangeOf(info_.inputs(), operation_.input_operands.size(), name).count;
}

size_t OperationView::OutputCount(std::string_view name) const {
  return RangeOf(info_.outputs(), operation_.output_operands.size(), name).count;
}

bool OperationView::Declares(std::string_view name) const {
  for (const OperandInfo& operand : info_.inputs())
    if (operand.name == name) return true;
  return false;
}

core::Operand* OperationView::InputOrNull(std::string_view name, size_t index) const {
  return At(operation_.input_operands, info_.inputs(), name, index);
}

core::Operand* OperationView::OutputOrNull(std::string_view name, size_t index) const {
  return At(operation_.output_operands, info_.outputs(), name, index);
}

const core::Operand& OperationView::Operand(std::string_view name, size_t index) const {
  const core::Operand* operand = InputOrNull(name, index);
  if (operand == nullptr)
    throw Error(NNADAPTER_INVALID_PARAMETER,
                info_.name() + ": operand " + std::string(name) + " is missing");
  return *operand;
}

const NNAdapterOperandType& OperationView::Type(std::string_view name, size_t index) const {
  return Operand(name, index).type;
}

bool OperationView::IsConstant(std::string_view name) const {
  const core::Operand* operand = InputOrNull(name);
  return operand != nullptr && IsConstantOperand(*operand);
}

std::vector<int64_t> OperationView::Ints(std::string_view name) const {
  const core::Operand& operand = Operand(name, 0);
  if (!IsConstantOperand(operand))
    throw Error(NNADAPTER_INVALID_PARAMETER, info_.name() + ": operand " + std::string(name) +
                                                 " is computed, expected a constant");
  return ReadAs<int64_t>(operand);
}

std::vector<float> OperationView::Floats(std::string_view name) const {
  const core::Operand& operand = Operand(name, 0);
  if (!IsConstantOperand(operand))
    throw Error(NNADAPTER_INVALID_PARAMETER, info_.name() + ": operand " + std::string(name) +
                                                 " is computed, expected a constant");
  return ReadAs<float>(operand);
}

int64_t OperationView::Int(std::string_view name) const {
  const auto values = Ints(name);
  if (values.empty())
    throw Error(NNADAPTER_INVALID_PARAMETER,
                info_.name() + ": operand " + std::string(name) + " is empty");
  return values[0];
}

float OperationView::Float(std::string_view name) const {
  const auto values = Floats(name);
  if (values.empty())
    throw Error(NNADAPTER_INVALID_PARAMETER,
                info_.name() + ": operand " + std::string(name) + " is empty");
  return values[0];
}

bool OperationView::Bool(std::string_view name) const { return Int(name) != 0; }

Dims InferContext::DimsOf(std::string_view name, size_t index) const {
  const core::Operand& operand = Operand(name, index);
  const NNAdapterOperandDimensionType& dims = operand.type.dimensions;
  const bool chosen = candidate_ >= 0 && static_cast<uint32_t>(candidate_) < dims.dynamic_count;
  const int32_t* data = chosen ? dims.dynamic_data[candidate_] : dims.data;
  return Dims(data, data + std::min<uint32_t>(dims.count, NNADAPTER_MAX_SIZE_OF_DIMENSIONS));
}

std::optional<Dims> InferContext::Values(std::string_view name, size_t index) const {
  const core::Operand& operand = Operand(name, index);
  if (!((kIndex | kBool) & PrecisionBit(operand.type.precision))) return std::nullopt;
  if (IsConstantOperand(operand)) {
    Dims values;
    for (const int64_t value : ReadAs<int64_t>(operand)) {
      // What is beyond int32 in a shape or an index means "to the end".
      const int64_t clamped = std::max<int64_t>(std::numeric_limits<int32_t>::min(),
                                                std::min<int64_t>(value, INT32_MAX));
      values.push_back(static_cast<int32_t>(clamped));
    }
    return values;
  }
  const NNAdapterOperandDimensionType* shape = TemporaryShapeOf(operand);
  if (shape == nullptr) return std::nullopt;
  const bool chosen = candidate_ >= 0 && static_cast<uint32_t>(candidate_) < shape->dynamic_count;
  const int32_t* data = chosen ? shape->dynamic_data[candidate_] : shape->data;
  return Dims(data, data + std::min<uint32_t>(shape->count, NNADAPTER_MAX_SIZE_OF_DIMENSIONS));
}

void InferContext::SetOutput(std::string_view name, int32_t precision, const Dims& dims,
                             size_t index) {
  core::Operand* output = OutputOrNull(name, index);
  if (output == nullptr) return;
  if (dims.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    Fail("output " + std::string(name) + " would have " + std::to_string(dims.size()) +
         " dimensions, at most 8 are possible");
  for (const int32_t dim : dims)
    if (dim < 0 && dim != kUnknown)
      Fail("output " + std::string(name) + " would have shape " + DimsText(dims));
  NNAdapterOperandType& type = output->type;
  NNAdapterOperandDimensionType& to = type.dimensions;
  if (candidate_ >= 0) {
    if (to.count != dims.size())
      Fail("output " + std::string(name) + " would have shape " + DimsText(dims) +
           " for candidate " + std::to_string(candidate_) + ", expected rank " +
           std::to_string(to.count) + " as for the dimensions themselves");
    to.dynamic_count = std::max(to.dynamic_count, static_cast<uint32_t>(candidate_) + 1);
    std::copy(dims.begin(), dims.end(), to.dynamic_data[candidate_]);
    return;
  }
  const int32_t given = type.precision;
  if (given == kUnknown) {
    type.precision = static_cast<NNAdapterOperandPrecisionCode>(precision);
    if (IsQuantized(precision)) CopyQuantParams(operation_, precision, &type);
  } else if (given != precision && !IsQuantized(given)) {
    Fail("output " + std::string(name) + " is declared as " + PrecisionName(given) + ", but is " +
         PrecisionName(precision));
  }
  to.count = static_cast<uint32_t>(dims.size());
  to.dynamic_count = 0;
  std::copy(dims.begin(), dims.end(), to.data);
}

void InferContext::SetValues(std::string_view name, const Dims& values, size_t index) {
  core::Operand* output = OutputOrNull(name, index);
  if (output == nullptr || values.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) return;
  NNAdapterOperandDimensionType shape{};
  if (candidate_ >= 0) {
    const NNAdapterOperandDimensionType* present = TemporaryShapeOf(*output);
    if (present == nullptr || present->count != values.size()) return;
    shape = *present;
    shape.dynamic_count = std::max(shape.dynamic_count, static_cast<uint32_t>(candidate_) + 1);
    std::copy(values.begin(), values.end(), shape.dynamic_data[candidate_]);
  } else {
    shape.count = static_cast<uint32_t>(values.size());
    std::copy(values.begin(), values.end(), shape.data);
  }
  SetTemporaryShape(output, shape);
}

int32_t InferContext::GivenPrecision(std::string_view name) const {
  const core::Operand* output = OutputOrNull(name);
  return output == nullptr ? kUnknown : static_cast<int32_t>(output->type.precision);
}

void InferContext::SetQuantization(std::string_view name, const std::vector<float>& scales,
                                   int channel_dim, int32_t zero_point) {
  core::Operand* output = OutputOrNull(name);
  if (output == nullptr || candidate_ >= 0) return;
  NNAdapterOperandType& type = output->type;
  const auto agree = [&](bool same) {
    if (!same) Fail("the quantisation of output " + std::string(name) + " is not the operands'");
  };
  const auto same_scale = [](float given, float wanted) {
    return std::fabs(given - wanted) <= 1e-5f * std::fabs(wanted);
  };
  if (IsPerChannel(type.precision)) {
    auto& params = type.symm_per_channel_params;
    if (params.scales == nullptr) {
      params = {static_cast<uint32_t>(channel_dim), static_cast<uint32_t>(scales.size()),
                CopyScales(scales.data(), scales.size())};
      return;
    }
    agree(params.scale_count == scales.size() &&
          params.channel_dim == static_cast<uint32_t>(channel_dim));
    for (size_t i = 0; i < scales.size(); ++i) agree(same_scale(params.scales[i], scales[i]));
    return;
  }
  agree(scales.size() == 1);
  auto& params = type.asymm_per_layer_params;  // the scale is where the symmetric one's is
  if (params.scale == 0) params.scale = scales[0];
  agree(same_scale(params.scale, scales[0]));
  if (!IsAsymmetric(type.precision)) return agree(zero_point == 0);
  if (params.zero_point == 0) params.zero_point = zero_point;
  agree(params.zero_point == zero_point);
}

void InferContext::Fail(const std::string& text) const {
  throw Error(NNADAPTER_INVALID_PARAMETER, info_.name() + ": " + text);
}

bool CheckAndInfer(core::Operation* operation) {
  const OperationInfo* info = OperationRegistry::Global().Find(operation->type);
  if (info == nullptr)
    throw Error(NNADAPTER_INVALID_PARAMETER,
                "there is no operation with code " + std::to_string(operation->type));
  if (!CheckOperands(*info, *operation)) return false;
  const uint32_t candidates = CandidateCount(*info, *operation);
  for (int candidate = -1; candidate < static_cast<int>(candidates); ++candidate) {
    InferContext context(*info, operation, candidate);
    if (info->infer()) info->infer()(context);
  }
  return true;
}

int CanonicalAxis(const InferContext& c, int64_t axis, int rank, const char* what) {
  c.Require(axis >= -rank && axis < rank, what, " is ", axis, ", expected a number in [", -rank,
            ", ", rank, ")");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Dims BroadcastDims(const InferContext& c, const Dims& a, const Dims& b) {
  const size_t rank = std::max(a.size(), b.size());
  Dims out(rank);
  for (size_t i = 0; i < rank; ++i) {
    const int32_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
    const int32_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    if (x == kUnknown || y == kUnknown) {
      const int32_t known = x == kUnknown ? y : x;
      out[i] = known == 1 ? kUnknown : known;
      continue;
    }
    c.Require(x == y || x == 1 || y == 1, "shapes ", DimsText(a), " and ", DimsText(b),
              " do not broadcast");
    out[i] = x == 1 ? y : x;
  }
  return out;
}

int64_t Product(const Dims& dims, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i) {
    if (dims[i] == kUnknown) return kUnknown;
    if (__builtin_mul_overflow(product, static_cast<int64_t>(dims[i]), &product))
      throw Error(NNADAPTER_INVALID_PARAMETER, "a shape has too many elements: " + DimsText(dims));
  }
  return product;
}

OperationInfo::InferFn InferSameAs(const char* input, const char* output) {
  return [input, output](InferContext& c) {
    c.SetOutput(output, c.Precision(input), c.DimsOf(input));
  };
}

std::string DimsText(const Dims& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + (dims[i] == kUnknown ? "?" : std::to_string(dims[i]));
  return text + "]";
}

const NNAdapterOperandDimensionType* TemporaryShapeOf(const core::Operand& operand) {
  return static_cast<const NNAdapterOperandDimensionType*>(
      operand.hints[NNADAPTER_HINT_TEMPORARY_SHAPE].handler);
}

void SetTemporaryShape(core::Operand* operand, const NNAdapterOperandDimensionType& shape) {
  core::Hint& hint = operand->hints[NNADAPTER_HINT_TEMPORARY_SHAPE];
  if (hint.handler == nullptr) {
    hint.handler = std::malloc(sizeof(shape));
    if (hint.handler == nullptr) throw std::bad_alloc();
    hint.deleter = &FreeTemporaryShape;
  }
  std::memcpy(hint.handler, &shape, sizeof(shape));
  if (operand->type.lifetime == NNADAPTER_TEMPORARY_VARIABLE)
    operand->type.lifetime = NNADAPTER_TEMPORARY_SHAPE;
}

size_t PrecisionSize(int32_t precision) {
  switch (precision) {
    case NNADAPTER_BOOL8:
    case NNADAPTER_INT8:
    case NNADAPTER_UINT8:
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
      return 1;
    case NNADAPTER_INT16:
    case NNADAPTER_UINT16:
    case NNADAPTER_FLOAT16:
    case NNADAPTER_QUANT_INT16_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER:
      return 2;
    case NNADAPTER_INT32:
    case NNADAPTER_UINT32:
    case NNADAPTER_FLOAT32:
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER:
      return 4;
    case NNADAPTER_INT64:
    case NNADAPTER_UINT64:
    case NNADAPTER_FLOAT64:
      return 8;
    default:
      return 0;
  }
}

bool IsQuantized(int32_t precision) {
  return precision >= NNADAPTER_QUANT_INT8_SYMM_PER_LAYER &&
         precision <= NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER;
}

const char* PrecisionName(int32_t precision) {
  static constexpr const char* kNames[] = {"BOOL8",  "INT8",    "UINT8",   "INT16",
                                           "UINT16", "INT32",   "UINT32",  "INT64",
                                           "UINT64", "FLOAT16", "FLOAT32", "FLOAT64"};
  static constexpr const char* kQuantNames[] = {
      "QUANT_INT8_SYMM_PER_LAYER",  "QUANT_INT8_SYMM_PER_CHANNEL",  "QUANT_UINT8_ASYMM_PER_LAYER",
      "QUANT_INT16_SYMM_PER_LAYER", "QUANT_INT16_SYMM_PER_CHANNEL", "QUANT_UINT16_ASYMM_PER_LAYER",
      "QUANT_INT32_SYMM_PER_LAYER", "QUANT_INT32_SYMM_PER_CHANNEL", "QUANT_UINT32_ASYMM_PER_LAYER"};
  if (precision >= 0 && precision < 12) return kNames[precision];
  if (IsQuantized(precision)) return kQuantNames[precision - NNADAPTER_QUANT_INT8_SYMM_PER_LAYER];
  return "of an unknown precision";
}

}  // namespace nnadapter::runtime
