// OperationInfo: what one NNAdapter operation is, as lite/nnadapter/table.py declares it. The
// outputs' types follow in a function for each operation under operation/; one that is missing is
// an undefined symbol.
//
//   INFER(SOFTMAX) {
//     CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
//     InferSame(c);
//   }
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nnadapter/core/types.h"
#include "nnadapter/hal/error.h"

namespace nnadapter::runtime {

// A set of NNAdapterOperandPrecisionCode.
using PrecisionSet = uint64_t;
constexpr PrecisionSet PrecisionBit(int code) { return uint64_t{1} << code; }
constexpr PrecisionSet kBool = PrecisionBit(NNADAPTER_BOOL8);
constexpr PrecisionSet kInt32 = PrecisionBit(NNADAPTER_INT32);
constexpr PrecisionSet kInt64 = PrecisionBit(NNADAPTER_INT64);
constexpr PrecisionSet kIndex = kInt32 | kInt64;
constexpr PrecisionSet kFloat32 = PrecisionBit(NNADAPTER_FLOAT32);
constexpr PrecisionSet kFloats =
    PrecisionBit(NNADAPTER_FLOAT16) | kFloat32 | PrecisionBit(NNADAPTER_FLOAT64);

// A tensor is computed or constant; the others are constants that the operation reads when it is
// added: one number, or a rank-1 list. A list of shape [0] needs no value. A shape is a list of
// int32 or int64 that may also be computed.
enum class OperandKind { kTensor, kInt, kInts, kFloat, kFloats, kBool, kShape };

struct OperandInfo {
  std::string name;
  OperandKind kind;
  PrecisionSet precisions;
  bool optional;  // may be null
  bool repeated;  // one or more; at most one repeated operand on each side
};

using Dims = std::vector<int32_t>;

class InferContext;

struct OperationInfo {
  NNAdapterOperationType code() const { return code_; }
  const std::string& name() const { return name_; }
  // Letters of the public HALs whose drivers convert it; see KnownDevices.
  const std::string& devices() const { return devices_; }
  const std::vector<OperandInfo>& inputs() const { return inputs_; }
  const std::vector<OperandInfo>& outputs() const { return outputs_; }
  // Checks what the declaration cannot say and sets the outputs' types. Called for the dimensions
  // and then for each candidate of dynamic dimensions.
  void Infer(InferContext& context) const { infer_(context); }

  NNAdapterOperationType code_;
  std::string name_, devices_;
  void (*infer_)(InferContext& context);
  std::vector<OperandInfo> inputs_, outputs_;
};

// PublicHal of table.py.
struct KnownDevice {
  char letter;
  const char* name;
  bool integers_only;
  bool restores_wrongly;
};

// What the build makes of table.py: the operations by their codes, which count up from 0, and the
// public HALs.
std::vector<OperationInfo> DeclareOperations();
const std::vector<KnownDevice>& KnownDevices();

class OperationRegistry {
 public:
  static const OperationRegistry& Global();
  // Null where the code is unknown.
  const OperationInfo* Find(NNAdapterOperationType code) const;
  const std::vector<OperationInfo>& All() const { return operations_; }

 private:
  const std::vector<OperationInfo> operations_ = DeclareOperations();
};

// Finds the operands of an operation by the names of its declaration.
class OperationView {
 public:
  // The counts must fit the declaration: CheckOperands has passed, or throws Error.
  OperationView(const OperationInfo& info, const core::Operation& operation);

  const OperationInfo& info() const { return info_; }
  // Whether there is such an input operand at all.
  bool Declares(std::string_view name) const;
  bool Has(std::string_view name) const { return InputOrNull(name) != nullptr; }
  bool HasOutput(std::string_view name) const { return OutputOrNull(name) != nullptr; }
  // How many operands a repeated name stands for.
  size_t Count(std::string_view name) const;
  size_t OutputCount(std::string_view name) const;
  core::Operand* InputOrNull(std::string_view name, size_t index = 0) const;
  core::Operand* OutputOrNull(std::string_view name, size_t index = 0) const;
  const NNAdapterOperandType& Type(std::string_view name, size_t index = 0) const;

  bool IsConstant(std::string_view name) const;
  // Constants; a default is for an optional operand that is absent.
  int64_t Int(std::string_view name) const;
  int64_t Int(std::string_view name, int64_t absent) const {
    return Has(name) ? Int(name) : absent;
  }
  std::vector<int64_t> Ints(std::string_view name) const;
  float Float(std::string_view name) const;
  float Float(std::string_view name, float absent) const {
    return Has(name) ? Float(name) : absent;
  }
  std::vector<float> Floats(std::string_view name) const;
  bool Bool(std::string_view name) const;
  bool Bool(std::string_view name, bool absent) const { return Has(name) ? Bool(name) : absent; }

 protected:
  const core::Operand& Operand(std::string_view name, size_t index) const;
  const OperationInfo& info_;
  const core::Operation& operation_;
};

// What an operation's Infer sees: one set of dimensions at a time.
class InferContext : public OperationView {
 public:
  // candidate -1 is `dimensions.data`.
  InferContext(const OperationInfo& info, core::Operation* operation, int candidate)
      : OperationView(info, *operation), candidate_(candidate) {}

  // Dimensions, NNADAPTER_UNKNOWN where they are not known.
  Dims DimsOf(std::string_view name, size_t index = 0) const;
  int Rank(std::string_view name, size_t index = 0) const {
    return static_cast<int>(Type(name, index).dimensions.count);
  }
  int32_t Precision(std::string_view name, size_t index = 0) const {
    return Type(name, index).precision;
  }
  // The numbers in an operand: of a constant, or of a shape that follows from the inputs' shapes
  // (each may be NNADAPTER_UNKNOWN). Nothing where they are computed as the model runs, or where
  // they are no int32, int64 or bool.
  std::optional<Dims> Values(std::string_view name, size_t index = 0) const;

  // Sets an output's type; one that is absent is ignored. An output whose type the caller gave
  // keeps its quantisation; another precision than `precision` otherwise is an error.
  void SetOutput(std::string_view name, int32_t precision, const Dims& dims, size_t index = 0);
  // Says that an output holds these numbers (at most 8), so that a shape can be made of them.
  void SetValues(std::string_view name, const Dims& values, size_t index = 0);

  // The precision that the caller gave an output; NNADAPTER_UNKNOWN where it is to be inferred.
  int32_t GivenPrecision(std::string_view name) const;
  // Sets a quantised output's parameters, or, where the caller gave them, checks that they agree.
  // Several scales are per channel of axis `channel_dim`; only an asymmetric output has a zero
  // point. After SetOutput.
  void SetQuantization(std::string_view name, const std::vector<float>& scales, int channel_dim,
                       int32_t zero_point);

  // Throws Error(INVALID_PARAMETER) with the parts concatenated unless `condition` holds.
  template <typename... Parts>
  void Require(bool condition, const Parts&... parts) const {
    if (condition) return;
    Fail(hal::Text(parts...));
  }
  [[noreturn]] void Fail(const std::string& text) const;

 private:
  int candidate_;
};

// Throws Error(INVALID_PARAMETER) where an operation cannot have so many operands.
void CheckOperandCounts(const OperationInfo& info, size_t inputs, size_t outputs);

// Checks counts, kinds and precisions, then infers the outputs' types and values. False where an
// input's own type is not known yet: call again later.
// Throws Error naming operation and operand.
bool CheckAndInfer(core::Operation* operation);

// The canonical form of an axis in [-rank, rank).
int CanonicalAxis(const InferContext& c, int64_t axis, int rank, const char* what = "axis");
// Numpy broadcasting with unknown dimensions.
Dims BroadcastDims(const InferContext& c, const Dims& a, const Dims& b);
// The product, or NNADAPTER_UNKNOWN where one factor is.
int64_t Product(const Dims& dims, size_t begin, size_t end);
// An output of the type and shape of input.
void InferSame(InferContext& c);
std::string DimsText(const Dims& dims);

// Numbers in a TEMPORARY_SHAPE hint; null where there is none.
const NNAdapterOperandDimensionType* TemporaryShapeOf(const core::Operand& operand);
void SetTemporaryShape(core::Operand* operand, const NNAdapterOperandDimensionType& shape);
const char* PrecisionName(int32_t precision);
// Bytes of an element; 0 for an unknown code.
size_t PrecisionSize(int32_t precision);
bool IsQuantized(int32_t precision);

}  // namespace nnadapter::runtime

#define INFER(NAME) void Infer##NAME(InferContext& c)
