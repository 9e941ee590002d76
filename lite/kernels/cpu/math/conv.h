#pragma once

#include <cstdint>
#include <vector>

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/packing.h"

namespace paddle::lite::math {

// Sizes of a convolution. Padding at the bottom and right follows from oh and ow: whatever the
// kernel reads outside the input is 0. For a transposed convolution i* is the smaller side.
struct ConvShape {
  int64_t n = 1, ih = 1, iw = 1, ic = 1, oh = 1, ow = 1, oc = 1;
  int64_t kh = 1, kw = 1, sh = 1, sw = 1, pt = 0, pl = 0, dh = 1, dw = 1, groups = 1;
  // Floats between pixels of NHWC memory, where x or y is a slice of more channels; 0: ic, oc.
  int64_t x_pixel = 0, y_pixel = 0;
  bool early = false;  // KernelContext::early

  int64_t XPixel() const { return x_pixel != 0 ? x_pixel : ic; }
  int64_t YPixel() const { return y_pixel != 0 ? y_pixel : oc; }
  // Pixels below each other, and a kernel of one column: the same memory, weights included, as
  // beside each other.
  bool IsLine() const { return ih > 1 && iw == 1 && ow == 1 && kw == 1 && sw == 1 && pl == 0; }
  ConvShape Turned() const;
};

// Some output rows of one image, where the images' rows are not all in memory: row i of the input
// is x's row i % x_rows, and y begins with row `begin`.
struct ConvRows {
  int64_t image = 0, begin = 0, end = 0;
  const float* x = nullptr;
  int64_t x_rows = 1;
  float* y = nullptr;
};

// Weights of a convolution for every input size. Groups with few channels are packed several to a
// block-diagonal matrix, which fills the vectors.
struct PackedConv {
  int64_t oc = 0, ic = 0, kh = 1, kw = 1;
  int64_t blocks = 1;                  // matrices
  int64_t block_ic = 0, block_oc = 0;  // channels of one
  int64_t block_floats = 0;            // elements of one
  bool tiles = false;                  // packed for tiles.h
  bool pixel_lanes = false;            // packed for pixel_lanes.h
  AlignedFloats data;
  AlignedFloats scales;  // of padded columns, where `data` are integers (integer_weights.h)

  const int8_t* integers() const {
    return scales.size() > 0 ? reinterpret_cast<const int8_t*>(data.data()) : nullptr;
  }
};

// How many groups are put together: until their outputs fill a vector.
int64_t GroupsOfBlock(int64_t groups, int64_t oc_per_group);

// `weights` are OIHW: oc x (ic / groups) x kh x kw. Denormal weights become 0 in every packing.
// The output's `pixels`, if known, tell in which form they are packed.
PackedConv PackConv(const float* weights, int64_t oc, int64_t ic, int64_t kh, int64_t kw,
                    int64_t groups, int threads = 1, int64_t pixels = 0);

// y[n][oh][ow][oc] = epilogue(convolution of x[n][ih][iw][ic]). The rows of the epilogue are the
// pixels of y. y must not overlap x. The result does not depend on `threads`.
void ConvNhwc(int threads, const ConvShape& shape, const float* x, const PackedConv& weights,
              const Epilogue& epilogue, float* y);

// The same from x[n][ic][ih][iw]; for a network's first convolution.
void ConvNchwInput(int threads, const ConvShape& shape, const float* x, const PackedConv& weights,
                   const Epilogue& epilogue, float* y);

// Some rows of the same, on the calling thread; `planes`: x is ConvNchwInput's, whole. Only kernels
// of one row, and convolutions with padding, read an x of fewer rows than the input's.
void ConvNhwcRows(const ConvShape& shape, const ConvRows& rows, bool planes,
                  const PackedConv& weights, const Epilogue& epilogue);

// Weights of a convolution with groups = ic = oc.
struct PackedDepthwise {
  int64_t channels = 0, kh = 1, kw = 1;
  AlignedFloats data;  // kh x kw x padded channels
  // Where they are integers that dot products take (byte_depthwise.h): those in words, and of each
  // channel what 1 stands for and, in int32, their sum.
  AlignedFloats words, scales, sums;
};

// `weights` are channels x kh x kw.
PackedDepthwise PackDepthwise(const float* weights, int64_t channels, int64_t kh, int64_t kw);

// Adds the same weights in integers, of a scale for each channel, where they pay.
void PackDepthwiseBytes(const int8_t* weights, const float* scales, PackedDepthwise* packed);

// Reals, or bytes without sign that stand for (byte - zero) * scale.
struct DepthwiseInput {
  const float* reals = nullptr;
  const uint8_t* bytes = nullptr;
  float scale = 0;
  int zero = 0;
};

// y holds bytes where the epilogue rounds.
void DepthwiseNhwc(int threads, const ConvShape& shape, const DepthwiseInput& x,
                   const PackedDepthwise& weights, const Epilogue& epilogue, void* y);

// Some rows of the same, on the calling thread.
void DepthwiseNhwcRows(const ConvShape& shape, const ConvRows& rows, const PackedDepthwise& weights,
                       const Epilogue& epilogue);

// Weights of a transposed convolution for one stride, padding and dilation, and any input size.
struct PackedConvTranspose {
  bool tiles = false;           // kernel = stride: an output pixel comes from one input pixel
  bool pixel_lanes = false;     // packed for pixel_lanes.h
  bool depthwise = false;       // groups = ic = oc: kh x kw x channels
  int64_t matrix_floats = 0;    // tiles: between the matrices of the kernel's rows
  std::vector<int64_t> matrix;  // else: where the matrix of (phase y, phase x, group) begins
  AlignedFloats data;
};

// `weights` are IOHW: ic x (oc / groups) x kh x kw; n, ih, iw, oh and ow of `shape` are not used.
PackedConvTranspose PackConvTranspose(const float* weights, const ConvShape& shape);

// y[n][oh][ow][oc] from x[n][ih][iw][ic]. oh and ow include the output padding.
void ConvTransposeNhwc(int threads, const ConvShape& shape, const float* x,
                       const PackedConvTranspose& weights, const Epilogue& epilogue, float* y);

}  // namespace paddle::lite::math
