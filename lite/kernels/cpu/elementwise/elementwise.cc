#include "lite/kernels/cpu/elementwise/elementwise.h"

#include "lite/core/broadcast_axis.h"

namespace paddle::lite {
namespace {

using Step = math::EpilogueStep;

int Position(const DDim& operand, int rank, int axis) {
  return static_cast<int>(BroadcastPosition(operand.size(), rank, axis));
}

// Strides of a tensor's logical dims in its own memory.
void Strides(const Tensor& t, int64_t* strides) {
  const DDim& dims = t.dims();
  if (t.layout() == DataLayoutType::kNHWC && dims.size() == 4) {
    strides[1] = 1;
    strides[3] = dims[1];
    strides[2] = dims[3] * strides[3];
    strides[0] = dims[2] * strides[2];
    return;
  }
  int64_t stride = 1;
  for (int i = dims.size() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= dims[i];
  }
}

// The operand's stride along each logical dim of the output; 0 where it is repeated.
void OperandStrides(const Tensor& t, int rank, int axis, int64_t* strides) {
  int64_t own[DDim::kMaxRank] = {};
  Strides(t, own);
  const int position = Position(t.dims(), rank, axis);
  for (int i = 0; i < rank; ++i) {
    const int j = i - position;
    strides[i] = j >= 0 && j < t.dims().size() && t.dims()[j] != 1 ? own[j] : 0;
  }
}

bool IsNhwc(const Tensor& t) { return t.layout() == DataLayoutType::kNHWC && t.dims().size() == 4; }

Step::Op Swapped(Step::Op op) {
  if (op == Step::kSub) return Step::kRsub;
  return op == Step::kDiv ? Step::kRdiv : op;
}

// Planes of rows x columns, the last two merged axes: `main` has a vector of columns, the other
// operand a vector or one value.
struct Planes {
  const Broadcast& b;
  const float* main;
  const float* other;
  const int64_t* main_strides;
  const int64_t* other_strides;
  float* out;
  Step steps[2];
  int step_count;

  void RunRows(int64_t begin, int64_t end) const {
    const int columns_axis = b.rank - 1, rows_axis = b.rank - 2;
    const int64_t cols = b.dims[columns_axis];
    const int64_t rows = rows_axis >= 0 ? b.dims[rows_axis] : 1;
    const int64_t ldx = rows_axis >= 0 ? main_strides[rows_axis] : 0;
    Step local[2] = {steps[0], steps[1]};
    local[0].row_stride = rows_axis >= 0 ? other_strides[rows_axis] : 0;
    local[0].col_stride = other_strides[columns_axis];
    while (begin < end) {
      const int64_t count = std::min(end - begin, rows - begin % rows);
      int64_t x_at = 0, y_at = 0;
      b.Offsets(begin, &x_at, &y_at);
      const bool swapped = main_strides == b.y_strides;
      local[0].data = other + (swapped ? x_at : y_at);
      math::RunSteps(count, cols, main + (swapped ? y_at : x_at), ldx, out + begin * cols, cols,
                     local, step_count, 0);
      begin += count;
    }
  }

  void RunColumns(int64_t begin, int64_t end) const {
    Step local[2] = {steps[0], steps[1]};
    local[0].col_stride = other_strides[0];
    local[0].data = other + begin * other_strides[0];
    const int64_t cols = end - begin;
    math::RunSteps(1, cols, main + begin * main_strides[0], cols, out + begin, cols, local,
                   step_count, 0);
  }
};

float Compute(Step::Op op, float x, float y) {
  switch (op) {
    case Step::kAdd:
      return x + y;
    case Step::kSub:
      return x - y;
    case Step::kMul:
      return x * y;
    case Step::kDiv:
      return x / y;
    case Step::kMax:
      return x > y ? x : y;
    default:
      return x < y ? x : y;
  }
}

// Neither operand has neighbours along the last axis (two memory orders meet).
void RunStrided(KernelContext& c, const Broadcast& b, const float* x, const float* y, float* out,
                Step::Op op, const math::Activation& activation) {
  const int64_t inner = b.dims[b.rank - 1];
  const int64_t x_step = b.x_strides[b.rank - 1], y_step = b.y_strides[b.rank - 1];
  Step step;
  step.act = activation;
  math::ParallelRange(c.threads(), b.outer(), math::kElementGrain / inner + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          int64_t x_at = 0, y_at = 0;
                          b.Offsets(i, &x_at, &y_at);
                          float* to = out + i * inner;
                          for (int64_t j = 0; j < inner; ++j)
                            to[j] = Compute(op, x[x_at + j * x_step], y[y_at + j * y_step]);
                          if (activation.kind != math::Act::kNone)
                            math::RunSteps(1, inner, to, inner, to, inner, &step, 1, 0);
                        }
                      });
}

void InferBinaryAs(InferContext& c, bool to_bool) {
  const std::string_view x_slot = FirstInput(c.op()), y_slot = SecondInput(c.op());
  const TensorMeta& x = c.Input(x_slot);
  const TensorMeta& y = c.Input(y_slot);
  if (x.dtype != y.dtype)
    throw DataTypeError(StrCat(x_slot, " is ", Name(x.dtype), " and ", y_slot, " is ",
                               Name(y.dtype), ", expected one type; cast one of them"));
  const int axis = c.op().info().FindAttr("axis") >= 0 ? c.Attr<int>("axis") : -1;
  c.SetOutput(FirstOutput(c.op()), BroadcastDims(x.dims, y.dims, axis),
              to_bool ? DataType::kBool : x.dtype, x.lod);
}

}  // namespace

DDim BroadcastDims(const DDim& x, const DDim& y, int axis) {
  const auto fail = [&](const char* why) {
    return ShapeError(
        StrCat("X of shape ", x, " and Y of shape ", y, " with axis ", axis, ": ", why));
  };
  if (axis < -1) throw fail("axis must be -1 or a dim of the operand with more dims");
  const DDim& larger = x.size() >= y.size() ? x : y;
  const DDim& smaller = x.size() >= y.size() ? y : x;
  const int position = Position(smaller, larger.size(), axis);
  DDim out = larger;
  for (int j = 0; j < smaller.size(); ++j) {
    const int i = position + j;
    if (i >= out.size()) {
      if (smaller[j] == 1) continue;
      throw fail("the operand with fewer dims does not fit at that axis");
    }
    if (smaller[j] == out[i] || smaller[j] == 1) continue;
    if (out[i] != 1) throw fail("the dims do not broadcast; they must be equal or 1");
    out[i] = smaller[j];
  }
  return out;
}

void RequireType(const InferContext& c, std::string_view slot, const std::vector<DataType>& types) {
  const DataType dtype = c.Input(slot).dtype;
  if (std::find(types.begin(), types.end(), dtype) != types.end()) return;
  std::string expected;
  for (const DataType type : types) expected += StrCat(expected.empty() ? "" : ", ", Name(type));
  throw DataTypeError(StrCat(slot, " is ", Name(dtype), ", expected one of ", expected));
}

void InferBinary(InferContext& c) { InferBinaryAs(c, false); }
void InferBinaryBool(InferContext& c) { InferBinaryAs(c, true); }

OpInfo::InferFn InferBinaryOf(std::vector<DataType> types) {
  return [types = std::move(types)](InferContext& c) {
    RequireType(c, FirstInput(c.op()), types);
    InferBinaryAs(c, false);
  };
}

OpInfo::InferFn InferUnary(std::vector<DataType> types, bool keeps_lod) {
  return [types = std::move(types), keeps_lod](InferContext& c) {
    const TensorMeta& x = c.Input(FirstInput(c.op()));
    RequireType(c, FirstInput(c.op()), types);
    c.SetOutput(FirstOutput(c.op()), x.dims, x.dtype, keeps_lod ? x.lod : LoD{});
  };
}

OpInfo::InferFn InferFloatUnary(bool keeps_lod) {
  return InferUnary({DataType::kFP32, DataType::kFP64}, keeps_lod);
}

void Broadcast::Offsets(int64_t index, int64_t* x, int64_t* y) const {
  for (int i = rank - 2; i >= 0; --i) {
    const int64_t at = index % dims[i];
    index /= dims[i];
    *x += at * x_strides[i];
    *y += at * y_strides[i];
  }
}

void WalkBroadcast(int threads, const Broadcast& b, FunctionRef<void(const BroadcastRun&)> run) {
  if (b.count == 0) return;
  const int64_t inner = b.dims[b.rank - 1];
  const int64_t x_step = b.x_strides[b.rank - 1], y_step = b.y_strides[b.rank - 1];
  // Parts of lines, too: operands of one shape are a single line.
  math::ParallelRange(threads, b.count, math::kElementGrain, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t line = begin / inner, from = begin - line * inner;
      const int64_t count = std::min(inner - from, end - begin);
      int64_t x = 0, y = 0;
      b.Offsets(line, &x, &y);
      run({count, x + from * x_step, x_step, y + from * y_step, y_step, begin});
      begin += count;
    }
  });
}

BinaryOperands::BinaryOperands(KernelContext& c, int axis, bool swap)
    : x(c.Input(swap ? SecondInput(c.op()) : FirstInput(c.op()))),
      y(c.Input(swap ? FirstInput(c.op()) : SecondInput(c.op()))),
      out(c.Output(FirstOutput(c.op()))),
      walk(MakeBroadcast(x, y, &out, axis)) {}

Broadcast MakeBroadcast(const Tensor& x, const Tensor& y, Tensor* out, int axis) {
  const DDim& dims = out->dims();
  const int rank = dims.size();
  int64_t xs[DDim::kMaxRank], ys[DDim::kMaxRank];
  OperandStrides(x, rank, axis, xs);
  OperandStrides(y, rank, axis, ys);
  const bool nhwc = rank == 4 && (IsNhwc(x) || IsNhwc(y));
  out->set_layout(nhwc ? DataLayoutType::kNHWC : DataLayoutType::kNCHW);
  static constexpr int kNhwcOrder[] = {0, 2, 3, 1};

  Broadcast b;
  b.count = dims.production();
  for (int k = 0; k < rank; ++k) {
    const int i = nhwc ? kNhwcOrder[k] : k;
    const int last = b.rank - 1;
    if (dims[i] == 1) continue;
    if (b.rank > 0 && b.x_strides[last] == xs[i] * dims[i] &&
        b.y_strides[last] == ys[i] * dims[i]) {
      b.dims[last] *= dims[i];
      b.x_strides[last] = xs[i];
      b.y_strides[last] = ys[i];
      continue;
    }
    b.dims[b.rank] = dims[i];
    b.x_strides[b.rank] = xs[i];
    b.y_strides[b.rank++] = ys[i];
  }
  if (b.rank == 0) {
    b.rank = 1;
    b.dims[0] = 1;
    b.x_strides[0] = b.y_strides[0] = 1;
  }
  return b;
}

void RunBinaryFloat(KernelContext& c, Step::Op op, const math::Activation& activation) {
  const Tensor& x = c.Input("X");
  const Tensor& y = c.Input("Y");
  Tensor& out = c.Output("Out");
  const Broadcast b = MakeBroadcast(x, y, &out, c.Attr<int>("axis"));
  const auto* xs = x.data<float>();
  const auto* ys = y.data<float>();
  auto* os = out.mutable_data<float>();
  if (b.count == 0) return;
  const int last = b.rank - 1;
  const int64_t x_step = b.x_strides[last], y_step = b.y_strides[last];
  const bool x_is_main = x_step == 1;
  if (x_step > 1 || y_step > 1 || (!x_is_main && y_step != 1))
    return RunStrided(c, b, xs, ys, os, op, activation);

  Planes planes{b,
                x_is_main ? xs : ys,
                x_is_main ? ys : xs,
                x_is_main ? b.x_strides : b.y_strides,
                x_is_main ? b.y_strides : b.x_strides,
                os,
                {},
                activation.kind == math::Act::kNone ? 1 : 2};
  planes.steps[0].op = x_is_main ? op : Swapped(op);
  planes.steps[1].act = activation;
  if (b.rank == 1)
    math::ParallelRange(
        c.threads(), b.count, math::kElementGrain,
        [&](int64_t begin, int64_t end) { planes.RunColumns(begin, end); }, 16);
  else
    math::ParallelRange(c.threads(), b.outer(), math::kElementGrain / b.dims[last] + 1,
                        [&](int64_t begin, int64_t end) { planes.RunRows(begin, end); });
}

void InferFloatOfNumber(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  DataType dtype = x.dtype;
  if (dtype == DataType::kInt32 || dtype == DataType::kInt64) dtype = DataType::kFP32;
  if (dtype != DataType::kFP32 && dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("X is ", Name(dtype), ", expected float32, float64, int32 or int64"));
  c.SetOutput("Out", x.dims, dtype, x.lod);
}

void RequireFloat(const InferContext& c, const char* slot) {
  const DataType dtype = c.Input(slot).dtype;
  if (dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input ", slot, " is ", Name(dtype), ", expected float32"));
}

void ThrowDivisionByZero(const char* op) {
  throw LiteError(StrCat(op, " divides an integer by zero; check the values of input Y"));
}

void ThrowUnsupportedType(const KernelContext& c, DataType dtype) {
  throw DataTypeError(StrCat(c.op().type(), " is not defined for ", Name(dtype)));
}

}  // namespace paddle::lite
