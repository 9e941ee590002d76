// The functions that expressions of operators.yaml may call; rule_functions.py is their table.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "lite/core/base/numbers.h"
#include "lite/core/tensor.h"
#include "lite/core/types.h"
#include "lite/kernels/nnadapter/converter.h"
#include "lite/kernels/nnadapter/operand_type.h"
#include "nnadapter_rules.h"

namespace paddle::lite::nnadapter_bridge {
namespace functions {
namespace {

using Args = std::vector<Value>;
constexpr size_t kMany = 65536;

Value Dimension(int64_t dim) { return dim == NNADAPTER_UNKNOWN ? Value(Unknown{}) : Value(dim); }

const char* PrecisionText(int precision) {
  switch (precision) {
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
      return "quant_int8";
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
      return "quant_int8_per_channel";
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
      return "quant_int32";
    default:
      return nullptr;
  }
}

// min, max and sum of a list or of the arguments; unknown where one is.
Value Fold(const Args& a, Value start, Value (*step)(const Value&, const Value&)) {
  const Values& items = a.size() == 1 && a[0].Is<Values>() ? AsList(a[0]) : a;
  Value total = std::move(start);
  for (const Value& item : items) {
    if (item.IsUnknown()) return Value(Unknown{});
    total = total.IsNone() ? item : step(total, item);
  }
  if (total.IsNone()) throw NotOffloadable{"a list of its attributes is empty"};
  return total;
}

Value Smaller(const Value& x, const Value& y) { return AsFloat(y) < AsFloat(x) ? y : x; }

Value Larger(const Value& x, const Value& y) { return AsFloat(y) > AsFloat(x) ? y : x; }

Value Plus(const Value& x, const Value& y) {
  if (x.Is<double>() || y.Is<double>()) return Value(AsFloat(x) + AsFloat(y));
  int64_t result = 0;
  if (__builtin_add_overflow(AsInt(x), AsInt(y), &result))
    throw NotOffloadable{"its attributes are too large"};
  return Value(result);
}

Value Times(const Value& x, const Value& y) {
  if (x.Is<double>() || y.Is<double>()) return Value(AsFloat(x) * AsFloat(y));
  int64_t result = 0;
  if (__builtin_mul_overflow(AsInt(x), AsInt(y), &result))
    throw NotOffloadable{"its attributes are too large"};
  return Value(result);
}

Value Quantify(const Value& list, bool decisive) {
  bool unknown = false;
  for (const Value& item : AsList(list)) {
    if (item.IsUnknown())
      unknown = true;
    else if (AsBool(item) == decisive)
      return Value(decisive);
  }
  return unknown ? Value(Unknown{}) : Value(!decisive);
}

int64_t Canonical(int64_t axis, int64_t rank) {
  if (rank < 0 || rank > 64 || axis < -rank || axis >= rank)
    throw NotOffloadable{StrCat("axis ", axis, " is outside of ", rank, " dimensions")};
  return axis < 0 ? axis + rank : axis;
}

Value OrNone(Operand* operand) { return operand == nullptr ? Value() : Value(operand); }

}  // namespace

Value Rank(const Args& a, Conversion& c) {
  return Value(static_cast<int64_t>(c.Rank(AsOperand(a[0]))));
}

Value Dims(const Args& a, Conversion& c) {
  Values dims;
  for (int64_t dim : c.Dims(AsOperand(a[0]))) dims.push_back(Dimension(dim));
  return Value(std::move(dims));
}

Value Dtype(const Args& a, Conversion& c) {
  const int precision = c.TypeOf(AsOperand(a[0])).precision;
  if (precision == NNADAPTER_UNKNOWN) return Value(Unknown{});
  if (const char* text = PrecisionText(precision)) return Value(text);
  return Value(Name(DataTypeOfPrecision(static_cast<NNAdapterOperandPrecisionCode>(precision))));
}

Value Has(const Args& a, Conversion&) {
  return Value(a[0].Is<Values>() ? !AsList(a[0]).empty() : !a[0].IsNone());
}

Value IsConstant(const Args& a, Conversion& c) {
  if (a[0].IsNone()) return Value(true);
  if (!a[0].Is<Values>()) return Value(c.IsConstant(AsOperand(a[0])));
  const Values& list = AsList(a[0]);
  return Value(std::all_of(list.begin(), list.end(),
                           [&](const Value& v) { return c.IsConstant(AsOperand(v)); }));
}

Value IsZeroDim(const Args& a, Conversion& c) { return Value(c.IsZeroDim(AsOperand(a[0]))); }

Value IsShape(const Args& a, Conversion& c) {
  const auto known = [&](const Value& v) { return v.IsNone() || c.IsShape(AsOperand(v)); };
  if (!a[0].Is<Values>()) return Value(known(a[0]));
  return Value(std::all_of(AsList(a[0]).begin(), AsList(a[0]).end(), known));
}

Value IsFed(const Args& a, Conversion&) {
  if (a[0].IsNone()) return Value(false);
  if (!a[0].Is<Values>()) return Value(AsOperand(a[0])->is_input);
  const Values& list = AsList(a[0]);
  return Value(
      std::any_of(list.begin(), list.end(), [](const Value& v) { return AsOperand(v)->is_input; }));
}

Value Ints(const Args& a, Conversion& c) {
  if (!a[0].Is<Values>()) return ListOf(c.ConstantInts(AsOperand(a[0])));
  std::vector<int64_t> all;
  for (const Value& value : AsList(a[0]))
    for (int64_t number : c.ConstantInts(AsOperand(value))) all.push_back(number);
  return ListOf(all);
}

Value Floats(const Args& a, Conversion& c) {
  Values list;
  for (float number : c.ConstantFloats(AsOperand(a[0])))
    list.emplace_back(static_cast<double>(number));
  return Value(std::move(list));
}

Value HasLod(const Args& a, Conversion&) { return Value(AsOperand(a[0])->has_lod); }

Value IsQuantized(const Args& a, Conversion& c) { return Value(c.IsQuantized(AsOperand(a[0]))); }

Value Len(const Args& a, Conversion&) {
  if (a[0].Is<std::string>()) return Value(static_cast<int64_t>(AsText(a[0]).size()));
  return Value(static_cast<int64_t>(AsList(a[0]).size()));
}

Value Min(const Args& a, Conversion&) { return Fold(a, Value(), Smaller); }
Value Max(const Args& a, Conversion&) { return Fold(a, Value(), Larger); }
Value Sum(const Args& a, Conversion&) { return Fold(a, Value(0), Plus); }
Value Prod(const Args& a, Conversion&) { return Fold(a, Value(1), Times); }

Value All(const Args& a, Conversion&) { return Quantify(a[0], false); }
Value Any(const Args& a, Conversion&) { return Quantify(a[0], true); }

Value Abs(const Args& a, Conversion&) {
  if (a[0].IsUnknown()) return a[0];
  if (a[0].Is<double>()) return Value(std::fabs(AsFloat(a[0])));
  const int64_t number = AsInt(a[0]);
  if (number == std::numeric_limits<int64_t>::min())
    throw NotOffloadable{"its attributes are too large"};
  return Value(number < 0 ? -number : number);
}

Value Float(const Args& a, Conversion&) {
  if (a[0].IsUnknown()) return a[0];
  if (!a[0].Is<std::string>()) return Value(AsFloat(a[0]));
  const std::string& text = AsText(a[0]);
  const char* end = nullptr;
  const double number = ParseReal(text.c_str(), &end);
  if (text.empty() || *end != '\0')
    throw NotOffloadable{StrCat("'", text, "' in its attributes is not a number")};
  return Value(number);
}

Value Range(const Args& a, Conversion&) {
  const int64_t from = a.size() > 1 ? AsInt(a[0]) : 0, to = AsInt(a.back());
  int64_t count = 0;
  if (__builtin_sub_overflow(to, from, &count) || count > static_cast<int64_t>(kMany))
    throw NotOffloadable{"a list of its attributes is too long"};
  Values list;
  for (int64_t i = from; i < to; ++i) list.emplace_back(i);
  return Value(std::move(list));
}

Value Sorted(const Args& a, Conversion&) {
  std::vector<int64_t> numbers = AsInts(a[0]);
  std::sort(numbers.begin(), numbers.end());
  return ListOf(numbers);
}

Value Unique(const Args& a, Conversion&) {
  const std::vector<int64_t> numbers = AsInts(a[0]);
  const std::set<int64_t> seen(numbers.begin(), numbers.end());
  return Value(seen.size() == numbers.size());
}

// axis(i, rank) in [0, rank); of a list: all of them.
Value Axis(const Args& a, Conversion&) {
  const int64_t rank = AsInt(a[1]);
  if (!a[0].Is<Values>()) return Value(Canonical(AsInt(a[0]), rank));
  std::vector<int64_t> axes;
  for (int64_t axis : AsInts(a[0])) axes.push_back(Canonical(axis, rank));
  return ListOf(axes);
}

// Paddle inserts one axis after the other; ascending positions mean the same in any order.
Value UnsqueezeAxes(const Args& a, Conversion&) {
  std::vector<bool> added(static_cast<size_t>(std::clamp<int64_t>(AsInt(a[1]), 0, 64)));
  for (int64_t axis : AsInts(a[0])) {
    const auto rank = static_cast<int64_t>(added.size()) + 1;
    if (rank > 64) throw NotOffloadable{"its result has more than 8 dimensions"};
    added.insert(added.begin() + Canonical(axis, rank), true);
  }
  std::vector<int64_t> axes;
  for (size_t i = 0; i < added.size(); ++i)
    if (added[i]) axes.push_back(static_cast<int64_t>(i));
  return ListOf(axes);
}

// A shape for RESHAPE: one dimension that is not known becomes -1.
Value ReshapeTo(const Args& a, Conversion&) {
  Values shape;
  int unknown = 0;
  for (const Value& dim : AsList(a[0])) {
    unknown += dim.IsUnknown() ? 1 : 0;
    shape.push_back(dim.IsUnknown() ? Value(-1) : dim);
  }
  if (unknown > 1) throw NeedsKnown{};
  return Value(std::move(shape));
}

Value IsKnown(const Args& a, Conversion&) {
  if (!a[0].Is<Values>()) return Value(!a[0].IsUnknown());
  const Values& list = AsList(a[0]);
  return Value(
      std::none_of(list.begin(), list.end(), [](const Value& v) { return v.IsUnknown(); }));
}

// Whether a row of a constant fp32 matrix is all zeros.
Value RowIsZero(const Args& a, Conversion&) {
  const Tensor* tensor = AsOperand(a[0])->parameter;
  if (tensor == nullptr || tensor->dtype() != DataType::kFP32 || tensor->dims().size() != 2)
    return Value(false);
  int64_t row = AsInt(a[1]);
  const int64_t rows = tensor->dims()[0], columns = tensor->dims()[1];
  if (row < 0) row += rows;
  if (row < 0 || row >= rows) return Value(true);  // no element has this index
  const float* data = tensor->data<float>() + row * columns;
  return Value(std::all_of(data, data + columns, [](float x) { return x == 0; }));
}

// The NNAdapter precision of a VarType number.
Value DtypeCode(const Args& a, Conversion&) {
  const int64_t number = AsInt(a[0]);
  if (number != static_cast<int>(number) || !IsDataType(static_cast<int>(number)))
    throw NotOffloadable{StrCat("its attribute dtype is ", number, ", which is no element type")};
  const auto dtype = static_cast<DataType>(number);
  if (IsComplex(dtype)) throw NotOffloadable{"its attribute dtype names complex numbers"};
  return Value(static_cast<int64_t>(PrecisionOf(dtype)));
}

Value PrecisionCode(const Args& a, Conversion& c) {
  return Value(static_cast<int64_t>(c.TypeOf(AsOperand(a[0])).precision));
}

Value FuseCode(const Args& a, Conversion&) {
  const double clip = a.size() > 1 ? AsFloat(a[1]) : 6;
  return Value(static_cast<int64_t>(FuseCodeOf(AsText(a[0]), clip)));
}

// -- What follows adds to the model.

Value Int32(const Args& a, Conversion& c) { return Value(c.Int32(AsInt(a[0]))); }
Value Int32s(const Args& a, Conversion& c) { return OrNone(c.Int32s(AsInts(a[0]))); }
Value Int64s(const Args& a, Conversion& c) { return OrNone(c.Int64s(AsInts(a[0]))); }
Value Float32(const Args& a, Conversion& c) {
  return Value(c.Float32(static_cast<float>(AsFloat(a[0]))));
}
Value Float32s(const Args& a, Conversion& c) { return OrNone(c.Float32s(AsFloats(a[0]))); }
Value Bool8(const Args& a, Conversion& c) { return Value(c.Bool8(AsBool(a[0]))); }

// A number of the type of a tensor.
Value ScalarLike(const Args& a, Conversion& c) {
  const Operand* like = AsOperand(a[0]);
  if (c.IsQuantized(like)) c.Refuse("its tensors are quantised");
  return Value(c.Scalar(c.TypeOf(like).precision, AsFloat(a[1])));
}

// A number of the type that a precision code names.
Value ScalarOf(const Args& a, Conversion& c) {
  return Value(c.Scalar(static_cast<NNAdapterOperandPrecisionCode>(AsInt(a[0])), AsFloat(a[1])));
}

Value Align(const Args& a, Conversion& c) {
  return Value(AlignRank(c, AsOperand(a[0]), AsOperand(a[1]), AsInt(a[2])));
}

Value Activate(const Args& a, Conversion& c) {
  const auto number = [&](size_t i) { return i < a.size() ? AsFloat(a[i]) : 0.0; };
  return Value(nnadapter_bridge::Activate(c, AsOperand(a[0]), AsText(a[1]), number(2), number(3),
                                          number(4)));
}

Value Bias(const Args& a, Conversion& c) {
  return Value(BiasFor(c, AsOperand(a[0]), AsOperand(a[1]), AsOperandOrNull(a[2]), AsInt(a[3])));
}

// int_list(tensor, list of tensors, attribute): whichever is there, as one operand.
Value IntList(const Args& a, Conversion& c) {
  std::vector<Operand*> list;
  if (!a[1].IsNone())
    for (const Value& value : AsList(a[1])) list.push_back(AsOperand(value));
  return OrNone(c.IntListOperand(AsOperandOrNull(a[0]), list, AsInts(a[2])));
}

}  // namespace functions
}  // namespace paddle::lite::nnadapter_bridge
