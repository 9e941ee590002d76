#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

// Sequences of tokens: sequence_erase leaves some out, sequence_enumerate lists windows of them.
const Offsets& CheckTokens(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const Offsets& offsets = FinestOffsets(x, "X");
  c.Require(RowSize(x.dims) == 1, "input X has shape ", x.dims, ", expected a token in each row");
  if (x.dtype != DataType::kInt32 && x.dtype != DataType::kInt64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected int32 or int64"));
  return offsets;
}

void InferErase(InferContext& c) { CheckTokens(c); }

template <typename T>
void Erase(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const Offsets& from = FinestOffsets(input.meta(), "X");
  const auto& tokens = c.Attr<std::vector<int32_t>>("tokens");
  const T* x = input.data<T>();
  std::vector<T> kept;
  Offsets offsets{0};
  for (size_t i = 0; i + 1 < from.size(); ++i) {
    std::copy_if(x + from[i], x + from[i + 1], std::back_inserter(kept), [&](T token) {
      return std::find(tokens.begin(), tokens.end(), token) == tokens.end();
    });
    offsets.push_back(kept.size());
  }
  Tensor& out = c.Output("Out");
  out.Allocate(WithRows(input.dims(), static_cast<int64_t>(kept.size())), input.dtype());
  std::copy(kept.begin(), kept.end(), out.mutable_data<T>());
  LoD lod = input.meta().lod;
  lod.back() = offsets;
  out.set_lod(lod);
}

void RunErase(KernelContext& c) {
  ForTypes<int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto type) { Erase<decltype(type)>(c); });
}

void InferEnumerate(InferContext& c) {
  CheckTokens(c);
  const TensorMeta& x = c.Input("X");
  const int64_t window = c.Attr<int32_t>("win_size");
  c.Require(window >= 2, "attribute win_size is ", window, ", expected at least 2");
  c.SetOutput("Out", {x.dims[0], window}, x.dtype, x.lod);
}

template <typename T>
void Enumerate(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const Offsets& offsets = FinestOffsets(input.meta(), "X");
  const T pad = static_cast<T>(c.Attr<int32_t>("pad_value"));
  const auto window = static_cast<uint64_t>(c.Attr<int32_t>("win_size"));
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  for (size_t i = 0; i + 1 < offsets.size(); ++i)
    for (uint64_t row = offsets[i]; row < offsets[i + 1]; ++row)
      for (uint64_t at = row; at < row + window; ++at) *out++ = at < offsets[i + 1] ? x[at] : pad;
}

void RunEnumerate(KernelContext& c) {
  ForTypes<int32_t, int64_t>(c, c.Input("X").dtype(),
                             [&](auto type) { Enumerate<decltype(type)>(c); });
}

REGISTER_LITE_OP(sequence_erase)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("tokens")
    .InferShape(InferErase)
    .DataDependent();
REGISTER_LITE_FUNCTION(sequence_erase, kHost, kAny, kNCHW, RunErase, def);

REGISTER_LITE_OP(sequence_enumerate)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("win_size")
    .Attr<int32_t>("pad_value", 0)
    .InferShape(InferEnumerate);
REGISTER_LITE_FUNCTION(sequence_enumerate, kHost, kAny, kNCHW, RunEnumerate, def);

// The output's last dimension depends on MaxLenTensor or on X's largest value.
void InferSequenceMask(InferContext& c) {
  const int32_t maxlen = c.Attr<int32_t>("maxlen");
  c.Require(maxlen != 0, "attribute maxlen is 0, expected a positive number, or -1 for the ",
            "largest value of X");
  if (c.HasInput("MaxLenTensor"))
    c.Require(c.Dims("MaxLenTensor").production() >= 1, "input MaxLenTensor has shape ",
              c.Dims("MaxLenTensor"), ", expected an element, the first of which counts");
}

std::vector<double> Lengths(const Tensor& x) {
  if (x.dtype() == DataType::kInt32 || x.dtype() == DataType::kInt64) {
    const std::vector<int64_t> values = ReadInts(x, "X");
    return {values.begin(), values.end()};
  }
  std::vector<double> lengths;
  VisitFloat(x.dtype(), "X", [&](auto zero) {
    const auto* data = x.data<decltype(zero)>();
    lengths.assign(data, data + x.numel());
  });
  return lengths;
}

int64_t MaxLength(KernelContext& c, const std::vector<double>& lengths) {
  if (const Tensor* tensor = c.InputOrNull("MaxLenTensor")) {
    const int64_t maxlen = ReadInts(*tensor, "MaxLenTensor")[0];
    if (maxlen <= 0)
      throw ShapeError(StrCat("MaxLenTensor holds ", maxlen, ", expected a positive number"));
    return maxlen;
  }
  if (c.Attr<int32_t>("maxlen") > 0) return c.Attr<int32_t>("maxlen");
  double longest = 0;
  for (double length : lengths) {
    if (!(std::fabs(length) < 1e15)) throw ShapeError(StrCat("input X holds ", length));
    longest = std::max(longest, length);
  }
  return static_cast<int64_t>(longest);
}

template <typename T>
void Mask(const std::vector<double>& lengths, int64_t maxlen, T* out) {
  for (double length : lengths)
    for (int64_t i = 0; i < maxlen; ++i)
      *out++ = static_cast<T>(static_cast<double>(i) < length ? 1 : 0);
}

void RunSequenceMask(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const std::vector<double> lengths = Lengths(x);
  const int64_t maxlen = MaxLength(c, lengths);
  DDim dims = x.dims();
  dims.push_back(maxlen);
  const int32_t dtype = c.Attr<int32_t>("out_dtype");
  if (!IsDataType(dtype) && dtype != -1)
    throw DataTypeError(StrCat("attribute out_dtype is ", dtype, ", which is no data type"));
  const DataType type = dtype == -1 ? DataType::kInt64 : static_cast<DataType>(dtype);
  Tensor& y = c.Output("Y");
  const auto write = [&](auto zero) {
    y.Allocate(dims, type);
    Mask(lengths, maxlen, y.mutable_data<decltype(zero)>());
  };
  switch (type) {
    case DataType::kBool:
      return write(bool{});
    case DataType::kUInt8:
      return write(uint8_t{});
    case DataType::kInt32:
      return write(int32_t{});
    case DataType::kInt64:
      return write(int64_t{});
    case DataType::kFP32:
      return write(float{});
    case DataType::kFP64:
      return write(double{});
    default:
      throw DataTypeError(StrCat("attribute out_dtype is ", Name(type),
                                 ", expected bool, uint8, int32, int64, float32 or float64"));
  }
}

}  // namespace

REGISTER_LITE_OP(sequence_mask)
    .Input("X")
    .OptionalInput("MaxLenTensor")
    .Output("Y")
    .Attr<int32_t>("maxlen", -1)
    .RequiredAttr<int32_t>("out_dtype")
    .DataDependent()
    .InferShape(InferSequenceMask);
REGISTER_LITE_FUNCTION(sequence_mask, kHost, kAny, kNCHW, RunSequenceMask, def);

namespace {

// Two forms: sequences by LoD, [tokens, 1]; or padded, [batch, time] with InputLength.
void InferCtcAlign(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.Require(x.dims.size() == 2, "input Input has shape ", x.dims, ", expected rank 2");
  if (c.HasInput("InputLength"))
    c.Require(c.Dims("InputLength").production() == x.dims[0], "input InputLength has shape ",
              c.Dims("InputLength"), ", expected ", x.dims[0], " lengths");
  else
    c.Require(OnlyOffsets(x, "Input").size() > 0 && x.dims[1] == 1, "input Input has shape ",
              x.dims, ", expected [tokens, 1]");
}

using Tokens = std::vector<int64_t>;

// The tokens without blanks and, where that is wanted, without repetitions.
Tokens Align(const KernelContext& c, const int64_t* tokens, int64_t count) {
  Tokens kept;
  for (int64_t i = 0; i < count; ++i) {
    const bool repeated = c.Attr<bool>("merge_repeated") && i > 0 && tokens[i] == tokens[i - 1];
    if (tokens[i] != c.Attr<int32_t>("blank") && !repeated) kept.push_back(tokens[i]);
  }
  return kept;
}

void Write(Tensor* out, const DDim& dims, DataType dtype, const Tokens& values) {
  out->Allocate(dims, dtype);
  if (dtype == DataType::kInt32)
    std::transform(values.begin(), values.end(), out->mutable_data<int32_t>(),
                   [](int64_t v) { return static_cast<int32_t>(v); });
  else
    std::copy(values.begin(), values.end(), out->mutable_data<int64_t>());
}

// Where nothing is left at all, this form gives a single -1.
void AlignSequences(KernelContext& c, const Tokens& tokens) {
  const Tensor& x = c.Input("Input");
  const Offsets& offsets = OnlyOffsets(x.meta(), "Input");
  Offsets out{0};
  Tokens all;
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const Tokens kept =
        Align(c, tokens.data() + offsets[i], static_cast<int64_t>(offsets[i + 1] - offsets[i]));
    all.insert(all.end(), kept.begin(), kept.end());
    out.push_back(all.size());
  }
  if (all.empty()) all.push_back(-1);
  Write(&c.Output("Output"), {static_cast<int64_t>(all.size()), 1}, x.dtype(), all);
  c.Output("Output").set_lod({out});
}

void AlignPadded(KernelContext& c, const Tokens& tokens) {
  const Tensor& x = c.Input("Input");
  const int64_t batch = x.dims()[0], time = x.dims()[1];
  const Tokens lengths = ReadInts(c.Input("InputLength"), "InputLength");
  Tokens all, counts;
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t length = lengths[static_cast<size_t>(b)];
    if (length < 0 || length > time)
      throw ShapeError(StrCat("input InputLength holds ", length, ", expected 0 to ", time,
                              " for Input of shape ", x.dims()));
    Tokens kept = Align(c, tokens.data() + b * time, length);
    counts.push_back(static_cast<int64_t>(kept.size()));
    kept.resize(static_cast<size_t>(time), c.Attr<int32_t>("padding_value"));
    all.insert(all.end(), kept.begin(), kept.end());
  }
  Write(&c.Output("Output"), x.dims(), x.dtype(), all);
  if (c.HasOutput("OutputLength")) Write(&c.Output("OutputLength"), {batch, 1}, x.dtype(), counts);
}

void RunCtcAlign(KernelContext& c) {
  const Tokens tokens = ReadInts(c.Input("Input"), "Input");
  if (c.HasInput("InputLength")) return AlignPadded(c, tokens);
  AlignSequences(c, tokens);
  if (c.HasOutput("OutputLength")) c.Output("OutputLength").Allocate({0}, DataType::kInt64);
}

}  // namespace

REGISTER_LITE_OP(ctc_align)
    .Input("Input")
    .OptionalInput("InputLength")
    .Output("Output")
    .OptionalOutput("OutputLength")
    .Attr<int32_t>("blank", 0)
    .Attr<bool>("merge_repeated", true)
    .Attr<int32_t>("padding_value", 0)
    .DataDependent()
    .InferShape(InferCtcAlign);
REGISTER_LITE_FUNCTION(ctc_align, kHost, kAny, kNCHW, RunCtcAlign, def);

}  // namespace paddle::lite
