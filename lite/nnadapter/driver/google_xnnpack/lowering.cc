#include "lowering.h"

#include <algorithm>

namespace xnnpack {
namespace {

constexpr size_t kPicture = 4;

// Over reads of XNNPACK go beyond what it is given.
constexpr size_t kBeyond = XNN_EXTRA_BYTES / sizeof(float);

// Rows and columns of matrices that stand one behind the other, exchanged.
void Transpose(const float* from, size_t matrices, size_t rows, size_t columns, float* to) {
  for (size_t at = 0; at < matrices; ++at, from += rows * columns, to += rows * columns)
    for (size_t row = 0; row < rows; ++row)
      for (size_t column = 0; column < columns; ++column)
        to[column * rows + row] = from[row * columns + column];
}

}  // namespace

void Check(xnn_status status, const std::string& what) {
  if (status != xnn_status_success)
    throw hal::DeviceFailure(hal::Text("XNNPACK refuses ", what, ": status ", status));
}

Dims Turned(const Dims& dims) {
  return dims.size() == kPicture ? Dims{dims[0], dims[2], dims[3], dims[1]} : dims;
}

bool KeepsOrder(const Dims& dims) {
  return dims.size() != kPicture || dims[1] == 1 || dims[2] * dims[3] == 1;
}

void Turn(const float* from, const Dims& dims, float* to) {
  if (KeepsOrder(dims)) {
    std::copy_n(from, hal::ElementCount(dims), to);
    return;
  }
  Transpose(from, dims[0], dims[1], static_cast<size_t>(dims[2]) * dims[3], to);
}

void TurnBack(const float* from, const Dims& dims, float* to) {
  if (KeepsOrder(dims)) {
    std::copy_n(from, hal::ElementCount(dims), to);
    return;
  }
  Transpose(from, dims[0], static_cast<size_t>(dims[2]) * dims[3], dims[1], to);
}

uint32_t Lowering::Define(const Dims& turned, const void* data, uint32_t number, uint32_t flag) {
  const std::vector<size_t> shape(turned.begin(), turned.end());
  uint32_t id = XNN_INVALID_VALUE_ID;
  Check(xnn_define_tensor_value(graph_, xnn_datatype_fp32, shape.size(), shape.data(), data, number,
                                flag, &id),
        "a tensor");
  return id;
}

void Lowering::Declare(const core::Operand& operand, uint32_t number, uint32_t flag) {
  values_[&operand] = Define(Turned(hal::Dims(operand.type)), nullptr, number, flag);
}

uint32_t Lowering::Temporary(const Dims& turned) {
  return Define(turned, nullptr, XNN_INVALID_VALUE_ID, 0);
}

uint32_t Lowering::Constant(const Dims& turned, std::vector<float> values) {
  values.resize(values.size() + kBeyond);
  constants_->push_back(std::move(values));
  return Define(turned, constants_->back().data(), XNN_INVALID_VALUE_ID, 0);
}

uint32_t Lowering::operator[](const core::Operand& operand) {
  const auto found = values_.find(&operand);
  if (found != values_.end()) return found->second;
  const Dims dims = hal::Dims(operand.type);
  uint32_t id;
  if (hal::IsConstant(operand)) {
    std::vector<float> values(static_cast<size_t>(hal::ElementCount(dims)));
    Turn(hal::Values<float>(operand).data(), dims, values.data());
    id = Constant(Turned(dims), std::move(values));
  } else {
    id = Temporary(Turned(dims));
  }
  return values_[&operand] = id;
}

uint32_t Lowering::WithRank(const core::Operand& operand, size_t rank) {
  Dims dims = hal::Dims(operand.type);
  if (dims.size() >= rank) return (*this)[operand];
  dims.insert(dims.begin(), rank - dims.size(), 1);
  if (hal::IsConstant(operand)) {
    std::vector<float> values(static_cast<size_t>(hal::ElementCount(dims)));
    Turn(hal::Values<float>(operand).data(), dims, values.data());
    return Constant(Turned(dims), std::move(values));
  }
  const Dims turned = Turned(dims);
  const std::vector<size_t> shape(turned.begin(), turned.end());
  const uint32_t id = Temporary(turned);
  Check(xnn_define_static_reshape(graph_, shape.size(), shape.data(), (*this)[operand], id, 0),
        "a reshape");
  return id;
}

}  // namespace xnnpack
