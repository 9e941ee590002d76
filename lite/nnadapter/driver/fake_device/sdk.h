// A stand-in for a vendor's SDK: a network of layers on float tensors, run by plain loops. It knows
// nothing of NNAdapter.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

namespace fake_sdk {

struct Tensor {
  std::vector<int> dims;
  std::vector<float> data;
};

enum Kind : int { kAdd, kAveragePool, kConvolution, kFullyConnected, kRelu, kSoftmax };

// What a layer does besides its tensors; each kind reads what it needs. All limit their result.
struct Options {
  int kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
  int pad_top, pad_bottom, pad_left, pad_right;
  int group, ceil_mode, count_pad, axis;
  float low, high;
};

struct Layer {
  Kind kind;
  Options options;
  std::vector<int> inputs;
  int output;
};

struct Network {
  std::vector<Layer> layers;  // in the order in which they run
  std::map<int, Tensor> weights;
  std::vector<int> inputs, outputs;
};

inline void Check(bool fits, const char* what) {
  if (!fits) throw std::invalid_argument(what);
}

inline void Resize(Tensor* tensor, const std::vector<int>& dims) {
  size_t count = 1;
  for (int d : dims) Check(d >= 0 && (count *= d) <= 1 << 26, "no memory for so big a tensor");
  tensor->dims = dims;
  tensor->data.assign(count, 0.f);
}

inline void Add(const Tensor& a, const Tensor& b, Tensor* out) {
  const size_t rank = std::max(a.dims.size(), b.dims.size());
  std::vector<int> dims(rank), step_a(rank, 0), step_b(rank, 0);
  int size_a = 1, size_b = 1;
  for (size_t i = 0; i < rank; ++i) {
    const int x = i < a.dims.size() ? a.dims[a.dims.size() - 1 - i] : 1;
    const int y = i < b.dims.size() ? b.dims[b.dims.size() - 1 - i] : 1;
    Check(x == y || x == 1 || y == 1, "the shapes of an addition do not broadcast");
    const size_t at = rank - 1 - i;
    dims[at] = x == 1 ? y : x;
    step_a[at] = x == 1 ? 0 : size_a;
    step_b[at] = y == 1 ? 0 : size_b;
    size_a *= x;
    size_b *= y;
  }
  Resize(out, dims);
  for (size_t i = 0; i < out->data.size(); ++i) {
    size_t rest = i, p = 0, q = 0;
    for (size_t axis = rank; axis-- > 0; rest /= dims[axis]) {
      p += rest % dims[axis] * step_a[axis];
      q += rest % dims[axis] * step_b[axis];
    }
    out->data[i] = a.data[p] + b.data[q];
  }
}

inline void FullyConnected(const Tensor& x, const Tensor& weight, const Tensor& bias, Tensor* out) {
  Check(weight.dims.size() == 2 && weight.dims[1] > 0, "weights are [units, depth]");
  const int units = weight.dims[0], depth = weight.dims[1], size = x.data.size();
  Check(size % depth == 0 && bias.data.size() == size_t(units), "rows do not fit the weights");
  Resize(out, {size / depth, units});
  for (size_t i = 0; i < out->data.size(); ++i) {
    const int r = i / units, u = i % units;
    float sum = bias.data[u];
    for (int k = 0; k < depth; ++k) sum += x.data[r * depth + k] * weight.data[u * depth + k];
    out->data[i] = sum;
  }
}

inline int Extent(int padded, int kernel, int stride, int dilation, bool ceil) {
  const int room = padded - dilation * (kernel - 1) - 1;
  return room < 0 ? 0 : (room + (ceil ? stride - 1 : 0)) / stride + 1;
}

// A convolution, or without `filter` the average of each window.
inline void Slide(const Options& o, const Tensor& x, const Tensor* filter, const Tensor* bias,
                  Tensor* out) {
  Check(x.dims.size() == 4 && o.stride_h > 0 && o.stride_w > 0 && o.group > 0, "bad window");
  for (int n : {o.kernel_h, o.kernel_w, o.stride_h, o.stride_w, o.dilation_h, o.dilation_w,
                o.pad_top, o.pad_bottom, o.pad_left, o.pad_right})
    Check(n >= 0 && n < 1 << 15, "bad window");
  const int h = x.dims[2], w = x.dims[3], channels = filter ? filter->dims.at(0) : x.dims[1];
  const int depth = filter ? filter->dims.at(1) : 1, per_group = channels / o.group;
  if (filter) {
    Check(channels % o.group == 0 && depth * o.group == x.dims[1], "groups do not fit channels");
    Check(filter->dims.at(2) == o.kernel_h && filter->dims.at(3) == o.kernel_w, "bad filter");
    Check(bias->data.size() == size_t(channels), "one bias a channel");
  }
  const int rows = h + o.pad_top + o.pad_bottom, columns = w + o.pad_left + o.pad_right;
  const int out_h = Extent(rows, o.kernel_h, o.stride_h, o.dilation_h, o.ceil_mode);
  const int out_w = Extent(columns, o.kernel_w, o.stride_w, o.dilation_w, o.ceil_mode);
  Resize(out, {x.dims[0], channels, out_h, out_w});
  for (size_t i = 0; i < out->data.size(); ++i) {
    const int ox = i % out_w, oy = i / out_w % out_h, c = i / out_w / out_h % channels;
    const int n = i / out_w / out_h / channels;
    float sum = bias ? bias->data[c] : 0.f;
    int inside = 0, padded = 0;
    for (int k = 0; k < o.kernel_h * o.kernel_w; ++k) {
      const int y = oy * o.stride_h - o.pad_top + k / o.kernel_w * o.dilation_h;
      const int z = ox * o.stride_w - o.pad_left + k % o.kernel_w * o.dilation_w;
      padded += y < h + o.pad_bottom && z < w + o.pad_right;
      if (y < 0 || y >= h || z < 0 || z >= w) continue;
      ++inside;
      for (int d = 0; d < depth; ++d) {
        const int from = filter ? c / per_group * depth + d : c;
        const float value = x.data[((n * x.dims[1] + from) * h + y) * w + z];
        const int at = (c * depth + d) * o.kernel_h * o.kernel_w + k;
        sum += filter ? value * filter->data[at] : value;
      }
    }
    const int area = o.count_pad ? padded : inside;
    out->data[i] = filter ? sum : area ? sum / area : 0.f;
  }
}

inline void Softmax(const Tensor& x, int axis, Tensor* out) {
  if (axis < 0) axis += static_cast<int>(x.dims.size());
  Check(axis >= 0 && axis < static_cast<int>(x.dims.size()), "no such axis");
  Resize(out, x.dims);
  size_t inner = 1;
  for (size_t i = axis + 1; i < x.dims.size(); ++i) inner *= x.dims[i];
  const size_t count = x.dims[axis], block = inner * count;
  for (size_t i = 0; i < x.data.size(); ++i) {
    if (i % block >= inner) continue;  // i is a row's first element
    float top = x.data[i], sum = 0.f;
    for (size_t k = 0; k < count; ++k) top = std::max(top, x.data[i + k * inner]);
    for (size_t k = 0; k < count; ++k)
      sum += out->data[i + k * inner] = std::exp(x.data[i + k * inner] - top);
    for (size_t k = 0; k < count; ++k) out->data[i + k * inner] /= sum;
  }
}

// The outputs for the inputs, of any shapes.
inline std::vector<Tensor> Run(const Network& network, const std::vector<Tensor>& inputs) {
  std::map<int, Tensor> values;
  for (size_t i = 0; i < inputs.size(); ++i) values[network.inputs.at(i)] = inputs[i];
  const auto value = [&](int id) -> const Tensor& {
    const auto weight = network.weights.find(id);
    return weight != network.weights.end() ? weight->second : values.at(id);
  };
  for (const Layer& layer : network.layers) {
    const auto input = [&](size_t i) -> const Tensor& { return value(layer.inputs.at(i)); };
    Tensor out;
    if (layer.kind == kAdd) Add(input(0), input(1), &out);
    if (layer.kind == kAveragePool) Slide(layer.options, input(0), nullptr, nullptr, &out);
    if (layer.kind == kConvolution) Slide(layer.options, input(0), &input(1), &input(2), &out);
    if (layer.kind == kFullyConnected) FullyConnected(input(0), input(1), input(2), &out);
    if (layer.kind == kRelu) out = input(0);
    if (layer.kind == kSoftmax) Softmax(input(0), layer.options.axis, &out);
    for (float& v : out.data) v = std::min(std::max(v, layer.options.low), layer.options.high);
    values[layer.output] = std::move(out);
  }
  std::vector<Tensor> outputs;
  for (int id : network.outputs) outputs.push_back(value(id));
  return outputs;
}

}  // namespace fake_sdk
