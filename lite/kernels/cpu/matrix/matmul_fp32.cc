#include <algorithm>
#include <vector>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/matrix/matmul.h"
#include "lite/kernels/cpu/matrix/product.h"
#include "lite/kernels/cpu/matrix/rounded_choice.h"
#include "lite/kernels/cpu/shape/nhwc.h"

namespace paddle::lite {

struct MatMulWeights {
  std::vector<math::PackedMatrix> batch;
};

namespace {

template <typename T>
T Scaled(T value, double alpha) {
  return static_cast<T>(static_cast<double>(value) * alpha);
}
template <typename T>
std::complex<T> Scaled(std::complex<T> value, double alpha) {
  return value * static_cast<T>(alpha);
}

template <typename T>
void MultiplyPlain(KernelContext& c, const MatMulShape& s, double alpha) {
  const T* x = c.Input("X").data<T>();
  const T* y = c.Input("Y").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  const BatchIndex index(s);
  Product product;
  product.m = s.m, product.n = s.n, product.k = s.k;
  product.trans_x = s.trans_x, product.trans_y = s.trans_y;
  const int64_t count = s.m * s.n;
  const int64_t work = std::max<int64_t>(count * std::max<int64_t>(s.k, 1), 1);
  math::ParallelRange(c.threads(), s.batch.production(), math::kElementGrain / work + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t b = begin; b < end; ++b) {
                          int64_t at_x, at_y;
                          index.Find(b, &at_x, &at_y);
                          T* const to = out + b * count;
                          PlainProduct(product, x + at_x * s.m * s.k, y + at_y * s.k * s.n, to);
                          if (alpha == 1.0) continue;
                          for (int64_t i = 0; i < count; ++i) to[i] = Scaled(to[i], alpha);
                        }
                      });
}

MatMulWeights PackMatrices(const float* y, const MatMulShape& s, int threads) {
  MatMulWeights weights;
  const int64_t count = s.batch_y.production();
  const int64_t ldb = s.trans_y ? s.k : s.n;
  // Those of one product: a Y for all has X's as one tall matrix.
  const int64_t rows = count == 1 ? s.batch_x.production() * s.m : s.m;
  for (int64_t b = 0; b < count; ++b)
    weights.batch.push_back(
        math::PackB(s.k, s.n, y + b * s.k * s.n, ldb, s.trans_y, threads, rows));
  return weights;
}

// One product of the batch index, or all of them as one.
struct Operands {
  const float* x;
  const float* y;
  float* out;
};

math::MatMul OneProduct(const MatMulShape& s, const Operands& o) {
  math::MatMul mm;
  mm.m = s.m, mm.n = s.n, mm.k = s.k;
  mm.a = o.x, mm.lda = s.trans_x ? s.m : s.k, mm.transpose_a = s.trans_x;
  mm.b = o.y, mm.ldb = s.trans_y ? s.k : s.n, mm.transpose_b = s.trans_y;
  mm.c = o.out, mm.ldc = s.n;
  return mm;
}

// A whole batch as one call, where each operand is either used once for all or steps evenly.
bool AsOneBatch(const MatMulShape& s, math::MatMul* mm) {
  const int64_t count = s.batch.production();
  const bool same_x = s.batch_x.production() == 1, same_y = s.batch_y.production() == 1;
  if ((!same_x && s.batch_x != s.batch) || (!same_y && s.batch_y != s.batch)) return false;
  if (same_y && !same_x && !s.trans_x) {
    mm->m = count * s.m;  // one tall matrix times one Y
    return true;
  }
  mm->batch = count;
  mm->batch_a = same_x ? 0 : s.m * s.k;
  mm->batch_b = same_y ? 0 : s.k * s.n;
  mm->batch_c = s.m * s.n;
  return true;
}

void MultiplyUnpacked(int threads, const MatMulShape& s, const Operands& o,
                      const math::Epilogue& epilogue) {
  math::MatMul mm = OneProduct(s, o);
  if (AsOneBatch(s, &mm)) {
    math::GemmUnpacked(threads, mm, epilogue);
    return;
  }
  const BatchIndex index(s);
  for (int64_t b = 0; b < s.batch.production(); ++b) {
    int64_t at_x, at_y;
    index.Find(b, &at_x, &at_y);
    math::GemmUnpacked(
        threads,
        OneProduct(s, {o.x + at_x * s.m * s.k, o.y + at_y * s.k * s.n, o.out + b * s.m * s.n}),
        epilogue);
  }
}

// True where one call sees every row of the output, so that the steps' rows count right.
bool OneCall(const MatMulShape& s, const MatMulWeights* weights) {
  math::MatMul mm;
  if (weights == nullptr) return AsOneBatch(s, &mm);
  return weights->batch.size() == 1;
}

// X^T row-major for each of X's batch.
math::AlignedFloats Transposed(const float* x, const MatMulShape& s) {
  const int64_t count = s.batch_x.production();
  math::AlignedFloats result(count * s.m * s.k);
  float* to = result.data();
  for (int64_t b = 0; b < count; ++b, x += s.m * s.k)
    for (int64_t i = 0; i < s.m; ++i)
      for (int64_t k = 0; k < s.k; ++k) *to++ = x[k * s.m + i];
  return result;
}

void MultiplyPacked(int threads, const MatMulShape& s, const Operands& o,
                    const MatMulWeights& weights, const math::Epilogue& epilogue) {
  math::AlignedFloats turned;
  const float* x = o.x;
  if (s.trans_x) {
    turned = Transposed(x, s);
    x = turned.data();
  }
  const int64_t count = s.batch.production();
  if (weights.batch.size() == 1 && s.batch_x.production() == count) {
    math::Gemm(threads, count * s.m, s.n, s.k, x, s.k, weights.batch[0], o.out, s.n, epilogue);
    return;
  }
  const BatchIndex index(s);
  for (int64_t b = 0; b < count; ++b) {
    int64_t at_x, at_y;
    index.Find(b, &at_x, &at_y);
    math::Gemm(threads, s.m, s.n, s.k, x + at_x * s.m * s.k, s.k,
               weights.batch[static_cast<size_t>(at_y)], o.out + b * s.m * s.n, s.n, epilogue);
  }
}

}  // namespace

void RunMatMulReference(KernelContext& c, const MatMulShape& shape, double alpha) {
  switch (c.Input("X").dtype()) {
    case DataType::kFP64:
      return MultiplyPlain<double>(c, shape, alpha);
    case DataType::kInt32:
      return MultiplyPlain<int32_t>(c, shape, alpha);
    case DataType::kInt64:
      return MultiplyPlain<int64_t>(c, shape, alpha);
    case DataType::kComplex64:
      return MultiplyPlain<std::complex<float>>(c, shape, alpha);
    case DataType::kComplex128:
      return MultiplyPlain<std::complex<double>>(c, shape, alpha);
    default:
      return MultiplyPlain<float>(c, shape, alpha);
  }
}

namespace {

bool WeightOnly(const KernelContext& c, const char* slot_y) {
  return c.Input(slot_y).dtype() == DataType::kInt8 && OnlyWeightIsInt8(c.op());
}

// The floats that a weight in integers stands for; none of another.
math::AlignedFloats Widened(const OpLite& op, const Tensor& y, const MatMulShape& s) {
  if (y.dtype() != DataType::kInt8) return {};
  const std::vector<float> scales = Int8WeightScales(op, s.n);
  math::AlignedFloats floats(s.k * s.n);
  const auto* from = y.data<int8_t>();
  for (int64_t i = 0; i < s.k * s.n; ++i)
    floats.data()[i] =
        static_cast<float>(from[i]) * scales[static_cast<size_t>(s.trans_y ? i / s.k : i % s.n)];
  return floats;
}

math::PackedIntegers PackIntegers(const OpLite& op, const Tensor& y, const MatMulShape& s,
                                  int threads) {
  return math::PackIntegers(s.k, s.n, y.data<int8_t>(), s.trans_y, Int8WeightScales(op, s.n).data(),
                            threads);
}

math::PackedInt8 PackInt8(const Tensor& y, const MatMulShape& s) {
  return math::PackInt8Matrix(s.k, s.n, y.data<int8_t>(), s.trans_y);
}

// X's batch as one tall matrix, for a Y that is one for all: multiply(rows, x).
template <typename Multiply>
void MultiplyTall(const MatMulShape& s, const float* x, Multiply&& multiply) {
  math::AlignedFloats turned;
  if (s.trans_x) {
    turned = Transposed(x, s);
    x = turned.data();
  }
  multiply(s.batch_x.production() * s.m, x);
}

}  // namespace

bool ProductKeepsBytes(const OpLite& op, const MatMulShape& shape, const TensorMeta& weight) {
  return weight.dtype == DataType::kInt8 && !OnlyWeightIsInt8(op) && !shape.trans_x &&
         !shape.out.empty() && shape.out.back() == shape.n;
}

void MatMulFp32::Prepare(KernelContext& c, const char* slot_y, MatMulShape shape,
                         const math::Activation& act) {
  shape_ = shape;
  activation_ = act;
  const bool weight_only = WeightOnly(c, slot_y);
  const std::string sizes = StrCat(shape.k, " x ", shape.n, shape.trans_y ? " transposed " : " ",
                                   math::IsaName(), weight_only ? WeightScalesText(c.op()) : "");
  if (c.Input(slot_y).dtype() == DataType::kInt8 && !weight_only) {
    int8_weights_ = c.PackedInput<math::PackedInt8>(
        slot_y, "matmul int8 " + sizes, [&](const Tensor& y) { return PackInt8(y, shape); });
    if (int8_weights_ != nullptr)
      int8_scaling_ = Int8ScalingOf(c.op(), Int8InputOf(c.op()), *int8_weights_);
    return;
  }
  const math::WeightPrecision precision = math::CurrentPrecision();
  if (math::RoundsOperands(precision) && shape.batch_y.production() == 1)
    half_weights_ = c.PackedInput<math::PackedHalves>(
        slot_y, StrCat("matmul ", HalvesChoice(precision).algorithm, " ", sizes),
        [&](const Tensor& y) {
          const math::AlignedFloats widened = Widened(c.op(), y, shape);
          const float* floats = weight_only ? widened.data() : y.data<float>();
          return math::PackHalvesMatrix(precision, shape.k, shape.n, floats,
                                        shape.trans_y ? shape.k : shape.n, shape.trans_y,
                                        c.threads());
        });
  if (half_weights_ != nullptr) return;
  if (weight_only) {
    integer_weights_ = c.PackedInput<math::PackedIntegers>(
        slot_y, "matmul integers " + sizes,
        [&](const Tensor& y) { return PackIntegers(c.op(), y, shape, c.threads()); });
    return;
  }
  weights_ = c.PackedInput<MatMulWeights>(slot_y, "matmul " + sizes, [&](const Tensor& y) {
    return PackMatrices(y.data<float>(), shape, c.threads());
  });
}

void MatMulFp32::Run(KernelContext& c, const char* slot_x, const char* slot_y, const float* bias,
                     const char* slot_out) const {
  const MatMulShape& shape = shape_;
  Tensor& output = c.Output(slot_out);
  const KernelEpilogue epilogue(c, bias, activation_);
  if (output.numel() == 0) {
    output.MutableRaw(output.dtype());
    return;
  }
  if (c.input_bytes() != nullptr || c.output_bytes() != nullptr) {  // one tall product
    math::RoundedInput x;
    if (c.input_bytes() != nullptr)
      x.bytes = c.Input(slot_x).data<uint8_t>();
    else
      x.reals = c.Input(slot_x).data<float>();
    return MultiplyInt8(c, slot_y, shape.batch_x.production() * shape.m, x,
                        output.MutableRaw(output.dtype()), epilogue.get());
  }
  Operands o{c.Input(slot_x).data<float>(), nullptr, output.mutable_data<float>()};
  const bool weight_only = WeightOnly(c, slot_y);
  const bool int8 = !weight_only && c.Input(slot_y).dtype() == DataType::kInt8;
  const bool one_call = int8 || weight_only || half_weights_ != nullptr;
  if (weights_ == nullptr && !one_call) o.y = c.Input(slot_y).data<float>();
  const auto multiply = [&](const math::Epilogue& e) {
    if (int8)
      return MultiplyTall(shape, o.x, [&](int64_t rows, const float* x) {
        MultiplyInt8(c, slot_y, rows, {x}, o.out, e);
      });
    if (half_weights_ != nullptr)
      return MultiplyTall(shape, o.x, [&](int64_t rows, const float* x) {
        math::GemmHalves(c.threads(), rows, x, shape.k, *half_weights_, o.out, shape.n, e);
      });
    const auto integer_product = [&](const math::PackedIntegers& y) {
      MultiplyTall(shape, o.x, [&](int64_t rows, const float* x) {
        math::GemmIntegers(c.threads(), rows, x, shape.k, y, o.out, shape.n, e);
      });
    };
    if (integer_weights_ != nullptr) return integer_product(*integer_weights_);
    if (weight_only)
      return integer_product(PackIntegers(c.op(), c.Input(slot_y), shape, c.threads()));
    if (weights_ == nullptr)
      MultiplyUnpacked(c.threads(), shape, o, e);
    else
      MultiplyPacked(c.threads(), shape, o, *weights_, e);
  };
  // The steps see the output as rows of its last dim; a product's rows may be others.
  const bool same_rows = !shape.out.empty() && shape.out.back() == shape.n;
  if (epilogue.get().step_count == 0 || (same_rows && (one_call || OneCall(shape, weights_.get()))))
    return multiply(epilogue.get());
  math::Epilogue first = epilogue.get();
  first.steps = nullptr;
  first.step_count = 0;
  math::AlignedFloats result(output.numel());  // a step's operand may be the output's memory
  float* const out = o.out;
  o.out = result.data();
  multiply(first);
  const int64_t cols = shape.out.empty() ? 1 : shape.out.back();
  const int64_t rows = output.numel() / cols;
  math::RunSteps(rows, cols, result.data(), cols, out, cols, epilogue.get().steps,
                 epilogue.get().step_count, epilogue.get().rows_per_image);
}

void MatMulFp32::MultiplyInt8(const KernelContext& c, const char* slot_y, int64_t rows,
                              const math::RoundedInput& x, void* out,
                              const math::Epilogue& epilogue) const {
  const auto multiply = [&](const math::PackedInt8& y, const math::Int8Scaling& scaling) {
    math::GemmInt8(c.threads(), rows, x, shape_.k, y, scaling, out, shape_.n, epilogue);
  };
  if (int8_weights_ != nullptr) return multiply(*int8_weights_, int8_scaling_);
  const math::PackedInt8 packed = PackInt8(c.Input(slot_y), shape_);
  multiply(packed, Int8ScalingOf(c.op(), Int8InputOf(c.op()), packed));
}

KernelChoice MatMulFp32::Choice(const KernelContext& c, const char* slot_y) const {
  const auto size = [&](int64_t rows) {
    return StrCat(rows, " x ", shape_.k, " times ", shape_.k, " x ", shape_.n);
  };
  if (half_weights_ != nullptr) return HalvesChoice(half_weights_->precision);
  if (WeightOnly(c, slot_y))
    return {"int8_weights", "the weights are integers, which become floats as they are read"};
  if (c.Input(slot_y).dtype() == DataType::kInt8) return Int8Choice(int8_weights_.get());
  if (weights_ == nullptr)
    return {"packed_in_run", StrCat(shape_.batch.production(), " products of ", size(shape_.m),
                                    " that are not constant")};
  const bool tiles = !weights_->batch.empty() && weights_->batch[0].tiles;
  const bool one =
      weights_->batch.size() == 1 && shape_.batch_x.production() == shape_.batch.production();
  return {tiles ? "tiles" : "packed",
          StrCat(one ? "one product of " : StrCat(shape_.batch.production(), " products of "),
                 size(one ? shape_.batch.production() * shape_.m : shape_.m),
                 tiles ? " with weights in AMX's tiles of bf16" : " with packed weights")};
}

}  // namespace paddle::lite
