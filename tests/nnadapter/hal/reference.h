// A float interpreter of core::Model for the tests of passes: slow, plain, apart from the kit's
// own.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "nnadapter/hal/hal.h"

namespace reference {

namespace core = nnadapter::core;
namespace hal = nnadapter::hal;

struct Value {
  std::vector<int> dims;
  std::vector<double> data;
};

inline size_t Size(const std::vector<int>& dims) {
  size_t count = 1;
  for (int d : dims) count *= d;
  return count;
}

inline double Limit(double v, int code) {
  if (code == NNADAPTER_FUSED_RELU) return std::max(v, 0.0);
  if (code == NNADAPTER_FUSED_RELU1) return std::min(std::max(v, -1.0), 1.0);
  if (code == NNADAPTER_FUSED_RELU6) return std::min(std::max(v, 0.0), 6.0);
  return v;
}

inline Value Convolve(const Value& x, const Value& f, const Value* bias, const core::Operation& o) {
  const auto pads = hal::Values<int>(*o.input_operands[4]);
  const auto strides = hal::Values<int>(*o.input_operands[5]);
  const int group = hal::Scalar<int>(*o.input_operands[6]);
  const int h = x.dims[2], w = x.dims[3], kh = f.dims[2], kw = f.dims[3];
  Value out{{x.dims[0], f.dims[0], (h + pads[0] + pads[1] - kh) / strides[0] + 1,
             (w + pads[2] + pads[3] - kw) / strides[1] + 1},
            {}};
  for (int n = 0; n < out.dims[0]; ++n)
    for (int c = 0; c < out.dims[1]; ++c)
      for (int i = 0; i < out.dims[2]; ++i)
        for (int j = 0; j < out.dims[3]; ++j) {
          double sum = bias ? bias->data[c] : 0;
          for (int d = 0; d < f.dims[1]; ++d)
            for (int p = 0; p < kh; ++p)
              for (int q = 0; q < kw; ++q) {
                const int y = i * strides[0] - pads[0] + p, z = j * strides[1] - pads[2] + q;
                if (y < 0 || y >= h || z < 0 || z >= w) continue;
                const int from = c / (f.dims[0] / group) * f.dims[1] + d;
                sum += x.data[((n * x.dims[1] + from) * h + y) * w + z] *
                       f.data[((c * f.dims[1] + d) * kh + p) * kw + q];
              }
          out.data.push_back(sum);
        }
  return out;
}

inline Value Binary(const Value& a, const Value& b, int type) {
  Value out{hal::BroadcastDims(a.dims, b.dims), {}};
  for (size_t i = 0; i < Size(out.dims); ++i) {
    size_t rest = i, p = 0, q = 0, sa = 1, sb = 1;
    for (size_t k = 0; k < out.dims.size(); ++k) {
      const size_t at = rest % out.dims[out.dims.size() - 1 - k];
      rest /= out.dims[out.dims.size() - 1 - k];
      if (k < a.dims.size()) {
        const int extent = a.dims[a.dims.size() - 1 - k];
        p += (extent == 1 ? 0 : at) * sa;
        sa *= extent;
      }
      if (k < b.dims.size()) {
        const int extent = b.dims[b.dims.size() - 1 - k];
        q += (extent == 1 ? 0 : at) * sb;
        sb *= extent;
      }
    }
    const double x = a.data[p], y = b.data[q];
    out.data.push_back(type == NNADAPTER_ADD   ? x + y
                       : type == NNADAPTER_SUB ? x - y
                       : type == NNADAPTER_MUL ? x * y
                                               : x / y);
  }
  return out;
}

inline Value Transpose(const Value& x, const std::vector<int>& perm) {
  Value out{{}, std::vector<double>(x.data.size())};
  for (int axis : perm) out.dims.push_back(x.dims[axis]);
  for (size_t i = 0; i < x.data.size(); ++i) {
    std::vector<size_t> at(perm.size());
    size_t rest = i, to = 0;
    for (size_t axis = perm.size(); axis-- > 0; rest /= x.dims[axis])
      at[axis] = rest % x.dims[axis];
    for (int axis : perm) to = to * x.dims[axis] + at[axis];
    out.data[to] = x.data[i];
  }
  return out;
}

// Several along an axis.
inline Value Concat(const std::vector<Value>& parts, int axis) {
  Value out{parts.at(0).dims, {}};
  out.dims[axis] = 0;
  for (const Value& part : parts) out.dims[axis] += part.dims[axis];
  const size_t rows = Size({out.dims.begin(), out.dims.begin() + axis});
  for (size_t row = 0; row < rows; ++row)
    for (const Value& part : parts) {
      const auto from = part.data.begin() + row * (part.data.size() / rows);
      out.data.insert(out.data.end(), from, from + part.data.size() / rows);
    }
  return out;
}

// The mean along axes, or (where `exponents` is set) softmax along the one.
inline Value Along(const Value& x, std::vector<int> axes, bool keeps, bool exponents) {
  std::vector<int> kept = x.dims, strides(x.dims.size());
  for (int axis : axes) kept[axis] = 1;
  int stride = 1;
  for (size_t axis = kept.size(); axis-- > 0; stride *= kept[axis])
    strides[axis] = kept[axis] == 1 ? 0 : stride;
  std::vector<double> sums(Size(kept));
  Value out = x;
  for (const bool last : {false, true})
    for (size_t i = 0; i < x.data.size(); ++i) {
      size_t rest = i, at = 0;
      for (size_t axis = x.dims.size(); axis-- > 0; rest /= x.dims[axis])
        at += rest % x.dims[axis] * strides[axis];
      const double value = exponents ? std::exp(x.data[i]) : x.data[i];
      if (last)
        out.data[i] = value / sums[at];
      else
        sums[at] += value;
    }
  if (exponents) return out;
  for (double& sum : sums) sum /= x.data.size() / sums.size();
  out = {{}, sums};
  for (size_t axis = 0; axis < kept.size(); ++axis)
    if (keeps || !std::count(axes.begin(), axes.end(), static_cast<int>(axis)))
      out.dims.push_back(kept[axis]);
  return out;
}

// Zeros around.
inline Value Pad(const Value& x, const std::vector<int>& pads) {
  Value out{x.dims, {}};
  for (size_t axis = 0; axis < x.dims.size(); ++axis)
    out.dims[axis] += pads[2 * axis] + pads[2 * axis + 1];
  out.data.resize(Size(out.dims));
  for (size_t i = 0; i < x.data.size(); ++i) {
    size_t rest = i, to = 0, stride = 1;
    for (size_t axis = x.dims.size(); axis-- > 0; rest /= x.dims[axis]) {
      to += (rest % x.dims[axis] + pads[2 * axis]) * stride;
      stride *= out.dims[axis];
    }
    out.data[to] = x.data[i];
  }
  return out;
}

// The outputs of a model whose operations may stand in any order. What is in NHWC by its layout is
// computed as drivers with the channels last do.
inline std::vector<Value> Run(const core::Model& model, const std::vector<Value>& inputs) {
  std::map<const core::Operand*, Value> values;
  for (size_t i = 0; i < inputs.size(); ++i) values[model.input_operands[i]] = inputs[i];
  for (const core::Operand& operand : model.operands) {
    if (hal::IsConstant(operand))
      values[&operand] = {hal::Dims(operand.type), hal::Values<double>(operand)};
  }
  std::vector<const core::Operation*> waiting;
  for (const core::Operation& operation : model.operations) waiting.push_back(&operation);
  while (!waiting.empty()) {
    const auto ready = std::find_if(waiting.begin(), waiting.end(), [&](const auto* operation) {
      for (const core::Operand* input : operation->input_operands) {
        if (input && !values.count(input)) return false;
      }
      return true;
    });
    if (ready == waiting.end()) throw std::runtime_error("the model cannot be computed");
    const core::Operation& o = **ready;
    waiting.erase(ready);
    const auto in = [&](size_t i) -> const Value& { return values.at(o.input_operands.at(i)); };
    const std::vector<int> dims = hal::Dims(o.output_operands.at(0)->type);
    const bool is_last = o.output_operands[0]->type.layout == NNADAPTER_NHWC;
    const auto picture = [&] { return is_last ? Transpose(in(0), {0, 3, 1, 2}) : in(0); };
    const auto kept = [&](Value value) {
      return is_last ? Transpose(std::move(value), {0, 2, 3, 1}) : value;
    };
    const auto ints = [&](size_t i) { return hal::Values<int>(*o.input_operands.at(i)); };
    Value out;
    switch (o.type) {
      case NNADAPTER_CONV_2D: {
        const bool is_depthwise = ints(6)[0] > 1 && in(1).dims[0] == 1;  // [1, H, W, C_out]
        Value filter = in(1);
        if (is_last) filter = Transpose(filter, {is_depthwise ? 3 : 0, is_depthwise ? 0 : 3, 1, 2});
        out = kept(Convolve(picture(), filter, o.input_operands[2] ? &in(2) : nullptr, o));
        break;
      }
      case NNADAPTER_BATCH_NORMALIZATION:
        out = picture();
        for (size_t i = 0; i < out.data.size(); ++i) {
          const size_t c = i / (out.dims[2] * out.dims[3]) % out.dims[1];
          out.data[i] = (out.data[i] - in(3).data[c]) / std::sqrt(in(4).data[c] + in(5).data[0]) *
                            in(1).data[c] +
                        in(2).data[c];
        }
        out = kept(out);
        break;
      case NNADAPTER_CONCAT: {
        std::vector<Value> parts;
        for (size_t i = 0; i + 1 < o.input_operands.size(); ++i) parts.push_back(in(i));
        const int axis = ints(parts.size())[0];
        out = Concat(parts, axis < 0 ? axis + static_cast<int>(dims.size()) : axis);
        break;
      }
      case NNADAPTER_SOFTMAX:
        out = Along(in(0), ints(1), true, true);
        break;
      case NNADAPTER_REDUCE_MEAN:
        out = Along(in(0), ints(1), ints(2)[0], false);
        break;
      case NNADAPTER_PAD:
        out = Pad(in(0), ints(1));
        break;
      case NNADAPTER_ADD:
      case NNADAPTER_SUB:
      case NNADAPTER_MUL:
      case NNADAPTER_DIV:
        out = Binary(in(0), in(1), o.type);
        break;
      case NNADAPTER_RELU:
      case NNADAPTER_RELU6:
      case NNADAPTER_CLIP:
      case NNADAPTER_EXP:
      case NNADAPTER_ASSIGN:
      case NNADAPTER_CAST:
      case NNADAPTER_RESHAPE:
      case NNADAPTER_FLATTEN:
        out = {dims, in(0).data};
        for (double& v : out.data) {
          if (o.type == NNADAPTER_RELU) v = Limit(v, NNADAPTER_FUSED_RELU);
          if (o.type == NNADAPTER_RELU6) v = Limit(v, NNADAPTER_FUSED_RELU6);
          if (o.type == NNADAPTER_CLIP) v = std::min(std::max(v, in(1).data[0]), in(2).data[0]);
          if (o.type == NNADAPTER_EXP) v = std::exp(v);
        }
        break;
      case NNADAPTER_TRANSPOSE:
        out = Transpose(in(0), hal::Values<int>(*o.input_operands[1]));
        break;
      case NNADAPTER_CHANNEL_SHUFFLE: {
        const Value x = picture();
        out = x;
        const int group = hal::Scalar<int>(*o.input_operands[1]), size = out.dims[1] / group;
        const size_t area = out.dims[2] * out.dims[3];
        for (size_t i = 0; i < out.data.size(); ++i) {
          const size_t c = i / area % out.dims[1], n = i / area / out.dims[1];
          const size_t from = c % group * size + c / group;
          out.data[i] = x.data[(n * out.dims[1] + from) * area + i % area];
        }
        out = kept(out);
        break;
      }
      case NNADAPTER_MAT_MUL:
      case NNADAPTER_FULLY_CONNECTED: {
        const bool full = o.type == NNADAPTER_FULLY_CONNECTED;
        const bool turned = full || hal::Scalar<bool>(*o.input_operands[3]);
        const Value &x = in(0), &y = in(1);
        const int rows = x.dims[0], depth = x.dims[1], units = y.dims[turned ? 0 : 1];
        out.dims = {rows, units};
        for (int r = 0; r < rows; ++r)
          for (int u = 0; u < units; ++u) {
            double sum = full ? in(2).data[u] : 0;
            for (int k = 0; k < depth; ++k)
              sum += x.data[r * depth + k] * y.data[turned ? u * depth + k : k * units + u];
            out.data.push_back(sum);
          }
        break;
      }
      default:
        throw std::runtime_error("no reference of " + hal::OperationName(o.type));
    }
    for (double& v : out.data) v = Limit(v, hal::FuseCodeOf(o));
    if (out.dims != dims) throw std::runtime_error("dimensions of " + hal::OperationName(o.type));
    values[o.output_operands[0]] = out;
  }
  std::vector<Value> outputs;
  for (const core::Operand* output : model.output_operands) outputs.push_back(values.at(output));
  return outputs;
}

// Builds models for tests; owns what it adds, as the runtime would.
class Builder {
 public:
  core::Model model;
  std::mt19937 random{7};

  ~Builder() {
    for (core::Operand& operand : model.operands) hal::ClearOperand(&operand);
  }
  core::Operand* Variable(const std::vector<int>& dims) {
    model.operands.emplace_back();
    model.operands.back().type = hal::Graph::Type(NNADAPTER_FLOAT32, dims);
    return &model.operands.back();
  }
  core::Operand* Input(const std::vector<int>& dims) {
    core::Operand* operand = Variable(dims);
    operand->type.lifetime = NNADAPTER_MODEL_INPUT;
    model.input_operands.push_back(operand);
    return operand;
  }
  core::Operand* Weights(const std::vector<int>& dims, float low = -1, float high = 1) {
    std::vector<float> values(Size(dims));
    std::uniform_real_distribution<float> uniform(low, high);
    for (float& v : values) v = uniform(random);
    return hal::Graph(&model).AddFloats(values, dims);
  }
  core::Operand* Ints(const std::vector<int>& values) {
    const auto type = hal::Graph::Type(NNADAPTER_INT32, {static_cast<int>(values.size())});
    return hal::Graph(&model).AddConstant(type, values.data());
  }
  core::Operand* Bool(bool value) {
    return hal::Graph(&model).AddConstant(hal::Graph::Type(NNADAPTER_BOOL8, {1}), &value);
  }
  core::Operand* Op(int type, std::vector<core::Operand*> inputs, const std::vector<int>& dims) {
    core::Operand* output = Variable(dims);
    model.operations.push_back({type, std::move(inputs), {output}});
    return output;
  }
  core::Operand* Conv(core::Operand* x, core::Operand* filter, core::Operand* bias, int pad,
                      int fuse_code = 0, int group = 1) {
    const auto d = hal::Dims(x->type), f = hal::Dims(filter->type);
    return Op(NNADAPTER_CONV_2D,
              {x, filter, bias, Ints({0}), Ints({pad, pad, pad, pad}), Ints({1, 1}), Ints({group}),
               Ints({1, 1}), Ints({fuse_code})},
              {d[0], f[0], d[2] + 2 * pad - f[2] + 1, d[3] + 2 * pad - f[3] + 1});
  }
  void Return(core::Operand* operand) {
    operand->type.lifetime = NNADAPTER_MODEL_OUTPUT;
    model.output_operands.push_back(operand);
  }
  std::vector<Value> Inputs() {
    std::vector<Value> values;
    std::uniform_real_distribution<double> uniform(-2, 2);
    for (const core::Operand* input : model.input_operands) {
      Value value{hal::Dims(input->type), {}};
      for (size_t i = 0; i < Size(value.dims); ++i) value.data.push_back(uniform(random));
      values.push_back(value);
    }
    return values;
  }
};

}  // namespace reference
