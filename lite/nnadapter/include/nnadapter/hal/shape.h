// Shapes that a program was made for, and windows of convolutions and pools.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "nnadapter/hal/operand.h"

namespace nnadapter {
namespace hal {

// Whether actual dimensions have those of a type that are fixed.
inline bool DimsFit(const NNAdapterOperandDimensionType& declared,
                    const std::vector<int32_t>& actual) {
  if (declared.count != actual.size()) return false;
  for (size_t i = 0; i < actual.size(); ++i) {
    if (actual[i] < 0 || (declared.data[i] != NNADAPTER_UNKNOWN && declared.data[i] != actual[i]))
      return false;
  }
  return true;
}

// As DimsFit, and one of the type's candidates where it has some.
inline bool DimsMatch(const NNAdapterOperandDimensionType& declared,
                      const std::vector<int32_t>& actual) {
  if (!DimsFit(declared, actual)) return false;
  const uint32_t candidates =
      std::min<uint32_t>(declared.dynamic_count, NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS);
  for (uint32_t k = 0; k < candidates; ++k) {
    if (std::equal(actual.begin(), actual.end(), declared.dynamic_data[k])) return true;
  }
  return candidates == 0;
}

// As DimsMatch, but any value from the least to the greatest candidate of an axis fits.
inline bool DimsInRange(const NNAdapterOperandDimensionType& declared,
                        const std::vector<int32_t>& actual) {
  if (!DimsFit(declared, actual)) return false;
  const uint32_t candidates =
      std::min<uint32_t>(declared.dynamic_count, NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS);
  for (size_t i = 0; i < actual.size() && candidates; ++i) {
    if (declared.data[i] != NNADAPTER_UNKNOWN) continue;
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (uint32_t k = 0; k < candidates; ++k) {
      low = std::min(low, declared.dynamic_data[k][i]);
      high = std::max(high, declared.dynamic_data[k][i]);
    }
    if (actual[i] < low || actual[i] > high) return false;
  }
  return true;
}

// One spatial axis of a convolution or pool: {output extent, padding before, padding after}.
struct Window {
  int output;
  int pad_before;
  int pad_after;
};

// AUTO_PAD_SAME pads so that the output is ceil(input / stride), VALID pads nothing.
inline Window ResolveWindow(int input, int kernel, int stride, int dilation, int auto_pad,
                            int pad_before, int pad_after, bool ceil_mode = false) {
  if (kernel < 1 || stride < 1 || dilation < 1)
    throw InvalidParameter(Text("a window of kernel ", kernel, ", stride ", stride, ", dilation ",
                                dilation, ": expected 1 or more"));
  if (auto_pad == NNADAPTER_AUTO_PAD_SAME) {
    dilation = 1;
    const int total = std::max(((input + stride - 1) / stride - 1) * stride + kernel - input, 0);
    pad_before = total / 2;
    pad_after = total - pad_before;
  } else if (auto_pad == NNADAPTER_AUTO_PAD_VALID) {
    pad_before = pad_after = 0;
  }
  const int room = input + pad_before + pad_after - (dilation * (kernel - 1) + 1);
  if (room < 0)
    throw InvalidParameter(Text("a window of ", kernel, " does not fit ", input, " elements"));
  return {(room + (ceil_mode ? stride - 1 : 0)) / stride + 1, pad_before, pad_after};
}

// What convolutions, AVERAGE_POOL_2D and MAX_POOL_2D slide over a [N, C, H, W] input (or, where
// they are transposed, output).
struct Window2D {
  int kernel_h, kernel_w;
  int stride_h, stride_w;
  int dilation_h, dilation_w;
  int pad_top, pad_bottom, pad_left, pad_right;
};

// Its numbers, paddings resolved. NotSupported where AUTO_PAD_SAME meets an unknown height or
// width, or a transposed convolution.
inline Window2D ReadWindow(const core::Operation& operation) {
  // The operands stand in the same places in both, and so in both poolings.
  const bool is_transposed = operation.type == NNADAPTER_CONV_2D_TRANSPOSE;
  const bool convolution = operation.type == NNADAPTER_CONV_2D || is_transposed;
  if (!convolution && operation.type != NNADAPTER_AVERAGE_POOL_2D &&
      operation.type != NNADAPTER_MAX_POOL_2D)
    throw NotSupported(Text(OperationName(operation.type), " has no window"));
  const auto expect = [&](std::vector<int> values, size_t count, const char* what) {
    if (values.size() != count)
      throw InvalidParameter(Text(OperationName(operation.type), ": ", values.size(), " ", what,
                                  ", expected ", count));
    return values;
  };
  const int auto_pad =
      Scalar<int>(operation, convolution ? +Conv2D::kAutoPad : +MaxPool2D::kAutoPad);
  const std::vector<int> stride = expect(
      Values<int>(operation, convolution ? +Conv2D::kStrides : +MaxPool2D::kStrides), 2, "strides");
  std::vector<int> kernel, dilation{1, 1}, pads(4, 0);
  if (convolution) {
    const std::vector<int32_t> filter = Dims(Input(operation, Conv2D::kFilter).type);
    expect(filter, 4, "dimensions of the filter");
    kernel = {filter[2], filter[3]};
    dilation = expect(Values<int>(operation, Conv2D::kDilations), 2, "dilations");
  } else {
    kernel = expect(Values<int>(operation, MaxPool2D::kKernelShape), 2, "extents of the kernel");
  }
  if (auto_pad == NNADAPTER_AUTO_PAD_NONE)
    pads =
        expect(Values<int>(operation, convolution ? +Conv2D::kPads : +MaxPool2D::kPads), 4, "pads");
  for (const auto& numbers : {kernel, stride, dilation, pads}) {
    for (int number : numbers) {
      if (number < (numbers.size() == 4 ? 0 : 1))
        throw InvalidParameter(Text(OperationName(operation.type), ": ", number,
                                    " is no extent, step or padding of a window"));
    }
  }
  const std::vector<int32_t> dims =
      expect(Dims(Input(operation, 0).type), 4, "dimensions of the input");
  if (auto_pad == NNADAPTER_AUTO_PAD_SAME) {
    if (is_transposed) throw NotSupported("AUTO_PAD_SAME of a transposed convolution");
    if (dims[2] < 0 || dims[3] < 0)
      throw NotSupported("AUTO_PAD_SAME needs a known height and width");
    dilation = {1, 1};
    const Window y = ResolveWindow(dims[2], kernel[0], stride[0], 1, auto_pad, 0, 0);
    const Window x = ResolveWindow(dims[3], kernel[1], stride[1], 1, auto_pad, 0, 0);
    pads = {y.pad_before, y.pad_after, x.pad_before, x.pad_after};
  }
  return {kernel[0],   kernel[1], stride[0], stride[1], dilation[0],
          dilation[1], pads[0],   pads[1],   pads[2],   pads[3]};
}

// numpy's broadcasting; InvalidParameter where the shapes do not fit.
inline std::vector<int32_t> BroadcastDims(const std::vector<int32_t>& a,
                                          const std::vector<int32_t>& b) {
  std::vector<int32_t> result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    const int32_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int32_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      throw InvalidParameter(Text(DimsText(a), " and ", DimsText(b), " do not broadcast"));
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

// Where each element of the result of broadcasting finds its element of an operand of `from`.
inline std::vector<int64_t> BroadcastStrides(const std::vector<int32_t>& from,
                                             const std::vector<int32_t>& to) {
  std::vector<int64_t> strides(to.size(), 0);
  int64_t stride = 1;
  for (size_t i = 0; i < from.size(); ++i) {
    const size_t at = from.size() - 1 - i;
    if (from[at] != 1) strides[to.size() - 1 - i] = stride;
    stride *= from[at];
  }
  return strides;
}

// Calls visit(i, offset a, offset b) for the i-th element of a result of `dims`, by strides.
template <typename Visit>
void ForEachElement(const std::vector<int32_t>& dims, const std::vector<int64_t>& a,
                    const std::vector<int64_t>& b, Visit visit) {
  const int64_t count = ElementCount(dims);
  std::vector<int32_t> at(dims.size(), 0);
  int64_t offset_a = 0, offset_b = 0;
  for (int64_t i = 0; i < count; ++i) {
    visit(i, offset_a, offset_b);
    for (size_t axis = dims.size(); axis-- > 0;) {
      offset_a += a[axis];
      offset_b += b[axis];
      if (++at[axis] < dims[axis]) break;
      offset_a -= a[axis] * dims[axis];
      offset_b -= b[axis] * dims[axis];
      at[axis] = 0;
    }
  }
}

}  // namespace hal
}  // namespace nnadapter
