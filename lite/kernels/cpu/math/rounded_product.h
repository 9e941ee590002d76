#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/int8_winograd.h"
#include "lite/kernels/cpu/math/rounded_block.h"

namespace paddle::lite::math {

// Weights of a convolution or, with one tap, of a product, whose left-hand side is rounded as it
// is read; for any input size. Groups with few channels are put together to a block-diagonal
// matrix as in PackedConv.
struct RoundedWeights {
  int64_t oc = 0, ic = 0, kh = 1, kw = 1;
  int64_t blocks = 1;
  int64_t block_ic = 0, block_oc = 0;
  int64_t segments = 1;   // contiguous runs of a column's summands
  int64_t length = 0;     // of one
  bool merged = false;    // a segment is a row of the kernel, else one of its taps
  bool winograd = false;  // matrices of patches (int8_winograd.h), a segment are channels

  // Sets segments and length. Rows of a kernel that is dilated horizontally are not contiguous.
  void Divide(bool dilated);
};

// Some rows of rounded elements, to be multiplied with some panels of a block.
struct RoundedRows {
  const char* const* rows = nullptr;
  int64_t count = 0;                 // at most kMaxBlockRows
  const int64_t* offsets = nullptr;  // of the segments, in bytes
  int64_t first_row = 0;             // of rows[0] in the result
  int64_t block = 0, first_panel = 0, last_panel = 0;
};

// How elements are rounded, multiplied and stored in C, whose rows are ldc floats apart.
class RoundedProduct {
 public:
  // Padding is `zero_byte` in every byte. The weights and the epilogue must outlive the product. C
  // holds bytes where the epilogue rounds.
  RoundedProduct(const RoundedWeights& weights, int64_t element_bytes, int zero_byte,
                 const Epilogue& epilogue, void* c, int64_t ldc)
      : weights(weights),
        element_bytes(element_bytes),
        zero_byte(zero_byte),
        epilogue_(epilogue),
        c_(c),
        ldc_(ldc) {}
  virtual ~RoundedProduct() = default;
  virtual void Round(const float* x, int64_t count, char* out) const = 0;
  // Whether elements are the bytes that stand for reals; else Take makes them of such.
  virtual bool ReadsBytes() const { return false; }
  virtual void Take(const uint8_t*, int64_t, char*) const {}
  void Multiply(const RoundedRows& rows) const;
  // The same of what is multiplied in patches, for some panels.
  void MultiplyPatches(const PatchStrip& strip, int64_t first_panel, int64_t last_panel) const;

  const RoundedWeights& weights;
  const int64_t element_bytes;
  const int zero_byte;

 protected:
  // Multiplies with the weights of block `index`.
  virtual void Run(const RoundedBlock& block, int64_t index) const = 0;
  // `block` begins with the first row of the result.
  virtual void RunPatches(const PatchStrip&, const RoundedBlock& /*block*/) const {}

 private:
  // What begins with a row and a column of the result.
  RoundedBlock BlockAt(int64_t row, int64_t column) const;

  const Epilogue& epilogue_;
  void* const c_;
  const int64_t ldc_;
};

// What a convolution reads: n x ic x ih x iw when `nchw`, else NHWC; or a product's A.
struct RoundedInput {
  const float* reals = nullptr;
  bool nchw = false;
  const uint8_t* bytes = nullptr;  // in the place of reals: pixels or rows without gaps
};

// Rows are the output's pixels. What the product stores does not depend on `threads`.
void RunRoundedConv(int threads, const ConvShape& shape, const RoundedInput& x,
                    const RoundedProduct& product);

// Rows are those of A[M][ic].
void RunRoundedGemm(int threads, int64_t m, const RoundedInput& a, int64_t lda,
                    const RoundedProduct& product);

}  // namespace paddle::lite::math
