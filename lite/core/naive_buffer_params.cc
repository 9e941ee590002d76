// The parameter sections of `.nb` files.
#include <algorithm>
#include <cstring>
#include <utility>

#include "lite/core/base/errors.h"
#include "lite/core/memory.h"
#include "lite/core/naive_buffer_internal.h"

namespace paddle::lite::naive_buffer {
namespace {

using flatbuffer::Buffer;
using flatbuffer::Table;

// What a numpy array's memory is aligned to; kernels ask for no more.
constexpr uintptr_t kBorrowAlignment = 16;
// Smaller ones are copied where pages are given back.
constexpr size_t kBorrowFrom = size_t{16} << 10;
constexpr uint8_t kLoDTensorTag = 1;

// Elements and bytes of a tensor in a file; nullopt where its dims are impossible.
std::optional<size_t> CheckedBytes(const DDim& dims, DataType dtype) {
  size_t bytes = SizeOf(dtype);
  bool empty = false;
  for (int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    if (dim == 0)
      empty = true;
    else if (__builtin_mul_overflow(bytes, static_cast<size_t>(dim), &bytes))
      return std::nullopt;
  }
  return empty ? 0 : bytes;
}

void ReadTensor(const Table& desc, const Buffer& buffer, ParamView* param) {
  const auto type = desc.Scalar<int32_t>(3, 0);
  if (!IsDataType(type))
    desc.Fail(StrCat("data type ", type,
                     " is no element type of a tensor (bool 0, int16 1, int32 2, "
                     "int64 3, float16 4, float32 5, float64 6, uint8 20, int8 21, "
                     "complex64 23, complex128 24)"));
  param->dtype = static_cast<DataType>(type);
  const auto dims = desc.Scalars<int64_t>(2, "a parameter's dims");
  if (dims.size() > DDim::kMaxRank)
    desc.Fail(
        StrCat("it has ", dims.size(), " dimensions; at most ", DDim::kMaxRank, " are possible"));
  for (size_t i = 0; i < dims.size(); ++i) param->dims.push_back(dims[i]);
  const auto data = desc.Scalars<uint8_t>(4, "a parameter's data");
  const auto bytes = CheckedBytes(param->dims, param->dtype);
  if (!bytes) desc.Fail(StrCat("shape ", param->dims, " is negative or too large"));
  if (*bytes != data.size())
    desc.Fail(StrCat("a ", Name(param->dtype), " tensor of shape ", param->dims, " has ", *bytes,
                     " bytes, but the file holds ", data.size()));
  param->bytes = data.size();
  param->data = data.bytes();
  param->file_offset = buffer.file_offset + data.begin;
  if (param->dtype == DataType::kBool &&
      std::any_of(param->data, param->data + param->bytes, [](uint8_t b) { return b > 1; }))
    desc.Fail("a bool tensor holds a byte that is neither 0 nor 1");
}

ParamView ReadParam(const Table& table, const Buffer& buffer, ReadBudget* budget) {
  ParamView param;
  param.name =
      CopyName(table.RequiredString(1, "a parameter's name"), "a parameter's name", table, budget);
  try {
    const auto tag = table.Scalar<uint8_t>(2, 0);
    if (tag != kLoDTensorTag)
      table.Fail(StrCat("it is of the kind ", int{tag}, "; only ", int{kLoDTensorTag},
                        " (a tensor) is known"));
    ReadTensor(table.RequiredChild(3, "a parameter's tensor"), buffer, &param);
  } catch (ModelFormatError& error) {
    error.AddContext("parameter " + Quote(param.name));
    throw;
  }
  return param;
}

std::vector<ParamView> Views(size_t count, ReadBudget* budget) {
  budget->Charge(count, sizeof(ParamView));
  std::vector<ParamView> views;
  views.reserve(count);
  return views;
}

// IEEE half precision to single.
float Widen(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16, exponent = (half >> 10) & 31u,
                 mantissa = half & 0x3ffu;
  if (exponent == 0) {
    const float value = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -value : value;
  }
  const uint32_t bits =
      sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | mantissa << 13;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Bytes that AllocateAligned takes for `bytes`: it rounds up to 64 bytes or to huge pages.
size_t AllocatedBytes(size_t bytes) {
  constexpr size_t kHugePage = size_t{2} << 20;
  return bytes + (bytes >= kHugePage ? kHugePage : 64) + kNodeOverhead;
}

Tensor WidenHalf(const ParamView& view, ReadBudget* budget) {
  budget->Charge(AllocatedBytes(2 * view.bytes));
  Tensor tensor;
  tensor.Allocate(view.dims, DataType::kFP32);
  auto* to = tensor.mutable_data<float>();
  for (size_t i = 0; i < view.bytes / 2; ++i) {
    uint16_t half;
    std::memcpy(&half, view.data + 2 * i, 2);
    to[i] = Widen(half);
  }
  return tensor;
}

Tensor Copy(const ParamView& view, ReadBudget* budget) {
  budget->Charge(AllocatedBytes(view.bytes));
  Tensor tensor;
  tensor.Allocate(view.dims, view.dtype);
  if (view.bytes) std::memcpy(tensor.raw_data(), view.data, view.bytes);
  return tensor;
}

bool IsAligned(const ParamView& view) {
  return reinterpret_cast<uintptr_t>(view.data) % kBorrowAlignment == 0;
}

Tensor Borrow(const ParamView& view, const std::shared_ptr<void>& holder,
              const std::shared_ptr<FilePages>& pages) {
  Tensor tensor(TensorMeta{view.dims, view.dtype, {}});
  // The tensor is a constant: nothing writes through the pointer.
  auto* data = const_cast<uint8_t*>(view.data);
  std::shared_ptr<void> own = holder;
  if (pages != nullptr) {
    pages->Add(data, view.bytes);
    own = {data, [pages, bytes = view.bytes](void* p) { pages->Drop(p, bytes); }};
  }
  tensor.Bind(data, view.bytes, std::move(own));
  return tensor;
}

}  // namespace

std::vector<ParamView> ReadParamsMeta1(const Buffer& file, size_t begin, ReadBudget* budget) {
  const Buffer buffer{file.data + begin, file.size - begin, file.file_offset + begin};
  const Table root = Table::Root(buffer, "the parameters");
  const auto params = root.Tables(0, "the list of parameters");
  auto views = Views(params.size(), budget);
  for (size_t i = 0; i < params.size(); ++i) views.push_back(ReadParam(params[i], buffer, budget));
  return views;
}

std::vector<ParamView> ReadParamsMeta2(const Buffer& file, size_t begin, ReadBudget* budget) {
  size_t at = begin;
  // Checks that `bytes` more are there, and steps over them.
  const auto take = [&](size_t bytes, const std::string& what) {
    if (!file.Holds(at, bytes, 1))
      file.Fail(at,
                StrCat(what, " needs ", bytes, " bytes, but the file ends after ", file.size - at));
    at += bytes;
    return at - bytes;
  };
  const size_t version_at = take(2, "the parameter section's version");
  if (const auto version = file.Load<uint16_t>(version_at); version != 0)
    file.Fail(version_at, StrCat("the parameter section has version ", version,
                                 ", only 0 is known; the file is damaged or newer than we are"));
  take(file.Load<uint16_t>(take(2, "the parameter section's meta size")),
       "the parameter section's meta information");
  const size_t header_at = take(2, "the parameter section's header size");
  const auto header_size = file.Load<uint16_t>(header_at);
  if (header_size < 6)
    file.Fail(header_at, StrCat("the parameter section's header has ", header_size,
                                " bytes, at least 6 are needed"));
  // The largest tensor's size, which follows the count, is only a hint.
  const auto count = file.Load<uint16_t>(take(header_size, "the parameter section's header"));

  auto views = Views(std::min<size_t>(count, (file.size - at) / 8), budget);
  for (size_t i = 0; i < count; ++i) {
    const std::string what = StrCat("parameter ", i, " of ", count);
    const size_t total_at = take(4, what);
    const size_t total = file.Load<uint32_t>(total_at);
    const size_t record = take(total, what);
    const size_t offset = total < 4 ? 0 : file.Load<uint32_t>(record);
    if (offset < 4 || offset > total)
      file.Fail(total_at, StrCat(what, ": a record of ", total,
                                 " bytes cannot have its content at ", offset));
    const Buffer buffer{file.data + record + offset, total - offset,
                        file.file_offset + record + offset};
    try {
      views.push_back(ReadParam(Table::Root(buffer, "the parameter"), buffer, budget));
    } catch (ModelFormatError& error) {
      error.AddContext(what);
      throw;
    }
  }
  return views;
}

ParamTable MakeParams(std::vector<ParamView> views, ParamForm form,
                      const std::shared_ptr<void>& holder, const std::shared_ptr<FilePages>& pages,
                      ReadBudget* budget) {
  // Where most data must be copied anyway, one borrower would keep the whole file in memory.
  size_t total = 0, aligned = 0;
  for (const ParamView& view : views) {
    total += view.bytes;
    if (IsAligned(view)) aligned += view.bytes;
  }
  const bool borrow = aligned >= total - aligned;
  // Biases would keep the pages of the weights around them.
  const size_t least = pages == nullptr ? 1 : kBorrowFrom;
  budget->Charge(views.size(), sizeof(ParamTable::value_type) + kNodeOverhead);
  ParamTable params;
  for (ParamView& view : views) {
    const auto [at, is_new] = params.try_emplace(std::move(view.name));
    if (!is_new)
      throw ModelFormatError(
          StrCat("at byte ", view.file_offset, ": parameter ", Quote(at->first), " occurs twice"));
    if (view.dtype == DataType::kFP16 && form == ParamForm::kForKernels)
      at->second = WidenHalf(view, budget);
    else if (borrow && view.bytes >= least && IsAligned(view))
      at->second = Borrow(view, holder, pages);
    else
      at->second = Copy(view, budget);
    at->second.set_persistable(true);
  }
  if (pages != nullptr) pages->Seal();
  return params;
}

}  // namespace paddle::lite::naive_buffer
