#include <array>
#include <limits>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferAffineGrid(InferContext& c) {
  const TensorMeta& theta = c.Input("Theta");
  if (theta.dtype != DataType::kFP32 && theta.dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("input Theta is ", Name(theta.dtype), ", expected float32 or float64"));
  c.Require(theta.dims.size() == 3 && (theta.dims[1] == 2 || theta.dims[1] == 3) &&
                theta.dims[2] == theta.dims[1] + 1,
            "input Theta has shape ", theta.dims, ", expected [N, 2, 3] or [N, 3, 4]");
  const auto shape = IntsOf<int32_t>(c, "", "OutputShape", "output_shape");
  const int64_t rank = theta.dims[1];
  c.Require(static_cast<int64_t>(shape.size()) == rank + 2, "output_shape has ", shape.size(),
            " values, expected ", rank + 2, " for Theta of shape ", theta.dims);
  DDim out{theta.dims[0]};
  for (size_t i = 2; i < shape.size(); ++i) {
    c.Require(shape[i] > 0, "output_shape has ", shape[i], ", expected positive sizes");
    out.push_back(shape[i]);
  }
  out.push_back(rank);
  c.SetOutput("Output", out, theta.dtype);
}

// Coordinate `at` of `size`: from -1 to 1, at the pixels' centers unless corners align. One element
// has no two corners: NaN, as in Paddle.
template <typename T>
T Coordinate(int64_t at, int64_t size, bool align_corners) {
  if (size == 1) return align_corners ? std::numeric_limits<T>::quiet_NaN() : T(0);
  const T full = static_cast<T>(size);
  const T end = align_corners ? T(1) : (full - 1) / full;
  return -end + static_cast<T>(at) * (2 * end / (full - 1));
}

template <typename T>
void Fill(KernelContext& c) {
  const DDim& out = c.Output("Output").dims();
  const bool align_corners = c.Attr<bool>("align_corners");
  const T* theta = c.Input("Theta").data<T>();
  T* to = c.Output("Output").mutable_data<T>();
  const int rank = out.size() - 2;
  const int64_t points = out.Count(1, rank + 1);
  std::array<T, 4> position{};  // x, y(, z), 1
  position[static_cast<size_t>(rank)] = 1;
  for (int64_t n = 0; n < out[0]; ++n, theta += rank * (rank + 1))
    for (int64_t p = 0; p < points; ++p) {
      int64_t rest = p;
      for (int i = 0; i < rank; ++i) {
        const int64_t size = out[rank - i];
        position[static_cast<size_t>(i)] = Coordinate<T>(rest % size, size, align_corners);
        rest /= size;
      }
      for (int row = 0; row < rank; ++row) {
        T sum = 0;
        for (int i = 0; i <= rank; ++i)
          sum += theta[row * (rank + 1) + i] * position[static_cast<size_t>(i)];
        *to++ = sum;
      }
    }
}

void RunAffineGrid(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("Theta").dtype(), [&](auto type) { Fill<decltype(type)>(c); });
}

REGISTER_LITE_OP(affine_grid)
    .Input("Theta")
    .OptionalInput("OutputShape")
    .Output("Output")
    .Attr<std::vector<int32_t>>("output_shape", {})
    .Attr<bool>("align_corners", true)
    .InferShape(InferAffineGrid);
REGISTER_LITE_FUNCTION(affine_grid, kHost, kAny, kNCHW, RunAffineGrid, def);

}  // namespace
}  // namespace paddle::lite
