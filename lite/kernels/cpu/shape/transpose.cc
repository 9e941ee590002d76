#include <cstring>

#include "lite/kernels/cpu/shape/data_movement.h"
#include "lite/kernels/cpu/shape/reshape.h"

namespace paddle::lite {
namespace {

// transpose, and transpose2, which exporters give the output XShape.

// X's axis for each axis of Out.
DDim Permutation(const std::vector<int32_t>& axis, const DDim& x) {
  if (static_cast<int>(axis.size()) != x.size())
    throw ShapeError(StrCat("axis has ", axis.size(), " elements, but X has shape ", x));
  DDim permutation;
  bool used[DDim::kMaxRank] = {};
  for (const int32_t given : axis) {
    const int from = CanonicalAxis(given, x.size(), "an element of axis");
    if (used[from]) throw ShapeError(StrCat("axis names dimension ", from, " twice"));
    used[from] = true;
    permutation.push_back(from);
  }
  return permutation;
}

DDim Permuted(const DDim& values, const DDim& permutation) {
  DDim out;
  for (const int64_t axis : permutation) out.push_back(values[static_cast<int>(axis)]);
  return out;
}

template <bool has_xshape>
void InferTranspose(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const auto& axis = c.Attr<std::vector<int32_t>>("axis");
  c.SetOutput("Out", Permuted(x.dims, Permutation(axis, x.dims)), x.dtype);
  if (has_xshape) SetXShape(c);
}

void RunTranspose(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim permutation = Permutation(c.Attr<std::vector<int32_t>>("axis"), x.dims());
  CopyBox(out.dims(), x, 0, Permuted(RowMajorStrides(x.dims()), permutation), out, 0,
          RowMajorStrides(out.dims()), c.threads());
}

OpInfo& DeclareTranspose(OpInfo& info) {
  return info.Input("X").Output("Out").RequiredAttr<std::vector<int32_t>>("axis");
}

REGISTER_LITE_OP(transpose);
[[maybe_unused]] OpInfo& transpose_declared =
    DeclareTranspose(transpose_op_info).InferShape(InferTranspose<false>);
REGISTER_LITE_FUNCTION(transpose, kHost, kAny, kNCHW, RunTranspose, def);

REGISTER_LITE_OP(transpose2);
[[maybe_unused]] OpInfo& transpose2_declared =
    DeclareTranspose(transpose2_op_info).OptionalOutput("XShape").InferShape(InferTranspose<true>);
REGISTER_LITE_FUNCTION(transpose2, kHost, kAny, kNCHW, RunTranspose, def);

}  // namespace

DDim RowMajorStrides(const DDim& dims) {
  DDim strides = dims;
  int64_t stride = 1;
  for (int i = dims.size() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

DDim StridesOf(const Tensor& tensor) {
  const DDim& dims = tensor.dims();
  if (tensor.layout() != DataLayoutType::kNHWC || dims.size() != 4) return RowMajorStrides(dims);
  const int64_t pixel = tensor.pixel_stride() != 0 ? tensor.pixel_stride() : dims[1];
  return {pixel * dims[2] * dims[3], 1, dims[3] * pixel, pixel};
}

void CopyElements(const Tensor& from, Tensor& to) {
  const size_t bytes = from.memory_size();
  char* target = MutableBytes(to);
  if (bytes != 0 && target != Bytes(from)) std::memcpy(target, Bytes(from), bytes);
}

void CopyBox(const DDim& dims, const Tensor& from, int64_t from_offset, const DDim& from_strides,
             Tensor& to, int64_t to_offset, const DDim& to_strides, int threads) {
  math::CopyLoops loops;
  for (int i = 0; i < dims.size(); ++i) loops.Add(dims[i], from_strides[i], to_strides[i]);
  char* target = MutableBytes(to);
  if (dims.production() == 0) return;
  const int64_t size = ElementSize(to);
  loops.Run(Bytes(from) + from_offset * size, target + to_offset * size, static_cast<size_t>(size),
            threads);
}

void BroadcastTo(const Tensor& x, Tensor& out, int threads) {
  const DDim strides = StridesOf(x);
  DDim from_strides = out.dims();
  const int added = out.dims().size() - x.dims().size();
  for (int i = 0; i < out.dims().size(); ++i)
    from_strides[i] = i < added || x.dims()[i - added] == 1 ? 0 : strides[i - added];
  CopyBox(out.dims(), x, 0, from_strides, out, 0, StridesOf(out), threads);
}

Tensor Repeated(const Tensor& x, const DDim& dims, int threads) {
  if (x.dims() == dims) return x;
  Tensor whole;
  whole.Allocate(dims, x.dtype());
  BroadcastTo(x, whole, threads);
  return whole;
}

std::vector<int64_t> IntValues(const Tensor& tensor, std::string_view slot) {
  const int64_t count = tensor.numel();
  if (tensor.dtype() == DataType::kInt32) {
    const auto* data = tensor.data<int32_t>();
    return {data, data + count};
  }
  if (tensor.dtype() == DataType::kInt64) {
    const auto* data = tensor.data<int64_t>();
    return {data, data + count};
  }
  throw DataTypeError(
      StrCat("input ", slot, " is ", Name(tensor.dtype()), ", expected int32 or int64"));
}

std::vector<int64_t> IntList(const KernelContext& c, std::string_view slot) {
  std::vector<int64_t> values;
  for (size_t i = 0; i < c.InputCount(slot); ++i) {
    const auto one = IntValues(c.Input(slot, i), slot);
    if (one.size() != 1)
      throw ShapeError(
          StrCat("input ", slot, "[", i, "] has ", one.size(), " elements, expected one"));
    values.push_back(one[0]);
  }
  return values;
}

DataType DataTypeFrom(int number, const char* attribute) {
  if (!IsDataType(number))
    throw DataTypeError(StrCat("attribute ", attribute, " is ", number, ", which is no data type"));
  return static_cast<DataType>(number);
}

}  // namespace paddle::lite
