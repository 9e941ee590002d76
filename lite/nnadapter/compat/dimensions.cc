#include <algorithm>
#include <numeric>

#include "lite/nnadapter/compat/compat.h"
#include "nnadapter/hal/shape.h"

namespace nnadapter {

int64_t ProductionOfDimensions(const std::vector<int32_t>& dimensions) {
  return hal::ElementCount(dimensions);
}
int64_t ProductionOfDimensions(const int32_t* dimensions, uint32_t count) {
  return ProductionOfDimensions(std::vector<int32_t>(dimensions, dimensions + count));
}
int64_t ProductionOfDimensions(const uint32_t* dimensions, uint32_t count) {
  return ProductionOfDimensions(std::vector<int32_t>(dimensions, dimensions + count));
}
int64_t ProductionOfDimensions(const std::vector<uint32_t>& dimensions) {
  return ProductionOfDimensions(std::vector<int32_t>(dimensions.begin(), dimensions.end()));
}

bool MatchDimensions(const int32_t* target, uint32_t target_count, const int32_t* reference,
                     uint32_t reference_count) {
  return target_count == reference_count && std::equal(target, target + target_count, reference);
}

void TransposeDimensions(int32_t* dimensions, const std::vector<int32_t>& permutation,
                         int32_t* output) {
  const std::vector<int32_t> from(dimensions, dimensions + permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    (output ? output : dimensions)[i] = from.at(permutation[i]);
}

std::vector<int32_t> IdentityPermutation(size_t rank) {
  std::vector<int32_t> permutation(rank);
  std::iota(permutation.begin(), permutation.end(), 0);
  return permutation;
}

std::vector<int32_t> InversePermutation(const std::vector<int32_t>& permutation) {
  std::vector<int32_t> inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    inverse.at(permutation[i]) = static_cast<int32_t>(i);
  return inverse;
}

std::vector<int32_t> MultiplyPermutation(const std::vector<int32_t>& permutation,
                                         const std::vector<int32_t>& multiplier) {
  std::vector<int32_t> product(multiplier.size());
  for (size_t i = 0; i < multiplier.size(); ++i) product[i] = permutation.at(multiplier[i]);
  return product;
}

bool IsIdentityPermutation(const std::vector<int32_t>& permutation) {
  return permutation == IdentityPermutation(permutation.size());
}

int32_t TransposeAxis(int32_t axis, const std::vector<int32_t>& permutation) {
  if (axis < 0) axis += static_cast<int32_t>(permutation.size());
  const auto found = std::find(permutation.begin(), permutation.end(), axis);
  if (found == permutation.end())
    throw hal::InvalidParameter(
        hal::Text("axis ", axis, " of ", permutation.size(), " dimensions"));
  return static_cast<int32_t>(found - permutation.begin());
}

namespace operation {

void UpdateConv2DPadAndDilation(int32_t input_size, int32_t kernel, NNAdapterAutoPadCode auto_pad,
                                int32_t* pad_before, int32_t* pad_after, int32_t stride,
                                int32_t* dilation) {
  if (auto_pad == NNADAPTER_AUTO_PAD_VALID) *pad_before = *pad_after = 0;
  if (auto_pad != NNADAPTER_AUTO_PAD_SAME) return;
  if (input_size < 0) throw hal::NotSupported("AUTO_PAD_SAME needs a known height and width");
  const hal::Window window = hal::ResolveWindow(input_size, kernel, stride, 1, auto_pad, 0, 0);
  *pad_before = window.pad_before;
  *pad_after = window.pad_after;
  *dilation = 1;
}

namespace {

// Where a layout has output channels, input channels, height and width.
struct FilterAxes {
  int c_out, c_in, height, width;
};

void Read(const core::Operand* filter, const FilterAxes& axes, int32_t* c_out, int32_t* c_in,
          int32_t* height, int32_t* width) {
  const std::vector<int32_t> dims = hal::Dims(filter->type);
  if (dims.size() != 4)
    throw hal::InvalidParameter("a filter " + hal::Describe(filter->type) + ": expected rank 4");
  *c_out = dims[axes.c_out];
  *c_in = dims[axes.c_in];
  *height = dims[axes.height];
  *width = dims[axes.width];
}

}  // namespace

void GetConv2DFilterDims(const core::Operand* filter, int32_t* c_out, int32_t* c_in,
                         int32_t* height, int32_t* width, bool is_depthwise) {
  FilterAxes axes{0, 1, 2, 3};
  if (filter->type.layout == NNADAPTER_NHWC)
    axes = is_depthwise ? FilterAxes{3, 0, 1, 2} : FilterAxes{0, 3, 1, 2};
  if (filter->type.layout == NNADAPTER_HWCN) axes = {3, 2, 0, 1};
  if (filter->type.layout == NNADAPTER_HWNC) axes = {2, 3, 0, 1};
  Read(filter, axes, c_out, c_in, height, width);
}

void GetConv2DTransposeFilterDims(const core::Operand* filter, int32_t* c_out, int32_t* c_in,
                                  int32_t* height, int32_t* width) {
  FilterAxes axes{1, 0, 2, 3};
  if (filter->type.layout == NNADAPTER_NHWC) axes = {0, 3, 1, 2};
  if (filter->type.layout == NNADAPTER_HWCN) axes = {2, 3, 0, 1};
  if (filter->type.layout == NNADAPTER_HWNC) axes = {3, 2, 0, 1};
  Read(filter, axes, c_out, c_in, height, width);
}

// A -1 of the shape takes the input's extent; the input is aligned at its last dimension.
void UpdateExpandInferOutputShape(int32_t* input_dimensions, uint32_t input_count,
                                  int32_t* output_dimensions, uint32_t shape_count,
                                  int32_t* shape) {
  if (shape_count < input_count)
    throw hal::InvalidParameter(
        hal::Text("EXPAND of rank ", input_count, " to a shape of ", shape_count, " dimensions"));
  for (uint32_t i = 0; i < shape_count; ++i) {
    const uint32_t lead = shape_count - input_count;
    const int32_t own = i < lead ? 1 : input_dimensions[i - lead];
    output_dimensions[i] = shape[i] == -1 ? own : shape[i];
  }
}

}  // namespace operation
}  // namespace nnadapter
