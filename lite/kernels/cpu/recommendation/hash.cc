#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/indexing/gather.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

// XXH64, as its specification (xxHash's doc/xxhash_spec.md) has it.
constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F,
                   kPrime3 = 0x165667B19E3779F9, kPrime4 = 0x85EBCA77C2B2AE63,
                   kPrime5 = 0x27D4EB2F165667C5;

uint64_t RotateLeft(uint64_t x, int by) { return x << by | x >> (64 - by); }

template <typename T>
T LittleEndian(const uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

uint64_t HashRound(uint64_t sum, uint64_t lane) {
  return RotateLeft(sum + lane * kPrime2, 31) * kPrime1;
}

uint64_t HashOf(const uint8_t* data, size_t size, uint64_t seed) {
  const uint8_t* const end = data + size;
  uint64_t sum = seed + kPrime5;
  if (size >= 32) {
    uint64_t lanes[4] = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
    for (; end - data >= 32; data += 32)
      for (int i = 0; i < 4; ++i)
        lanes[i] = HashRound(lanes[i], LittleEndian<uint64_t>(data + 8 * i));
    sum = RotateLeft(lanes[0], 1) + RotateLeft(lanes[1], 7) + RotateLeft(lanes[2], 12) +
          RotateLeft(lanes[3], 18);
    for (const uint64_t lane : lanes) sum = (sum ^ HashRound(0, lane)) * kPrime1 + kPrime4;
  }
  sum += size;
  for (; end - data >= 8; data += 8)
    sum = RotateLeft(sum ^ HashRound(0, LittleEndian<uint64_t>(data)), 27) * kPrime1 + kPrime4;
  if (end - data >= 4) {
    sum = RotateLeft(sum ^ LittleEndian<uint32_t>(data) * kPrime1, 23) * kPrime2 + kPrime3;
    data += 4;
  }
  for (; data != end; ++data) sum = RotateLeft(sum ^ *data * kPrime5, 11) * kPrime1;
  sum = (sum ^ sum >> 33) * kPrime2;
  sum = (sum ^ sum >> 29) * kPrime3;
  return sum ^ sum >> 32;
}

void InferHash(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t hashes = c.Attr<int32_t>("num_hash");
  c.Require(x.dims.size() == 2, "input X has shape ", x.dims, ", expected rows of numbers");
  c.Require(hashes > 0, "attribute num_hash is ", hashes, ", expected 1 or more");
  const auto modulus = c.Attr<int64_t>("mod_by");
  c.Require(modulus > 0, "attribute mod_by is ", modulus, ", expected 1 or more");
  RequireIndexType(x.dtype, "X");
  c.SetOutput("Out", {x.dims[0], hashes, 1}, x.dtype, x.lod);
}

template <typename T>
void HashRows(const Tensor& x, int64_t hashes, uint64_t modulus, T* out) {
  const size_t size = RowBytes(x);
  const auto* row = reinterpret_cast<const uint8_t*>(x.data<T>());
  for (int64_t i = 0; i < x.dims()[0]; ++i, row += size)
    for (int64_t seed = 0; seed < hashes; ++seed)
      *out++ = static_cast<T>(HashOf(row, size, static_cast<uint64_t>(seed)) % modulus);
}

void RunHash(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const int64_t hashes = c.Attr<int32_t>("num_hash");
  const auto modulus = static_cast<uint64_t>(c.Attr<int64_t>("mod_by"));
  if (x.dtype() == DataType::kInt32)
    HashRows(x, hashes, modulus, out.mutable_data<int32_t>());
  else
    HashRows(x, hashes, modulus, out.mutable_data<int64_t>());
}

REGISTER_LITE_OP(hash)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("num_hash", 1)
    .Attr<int64_t>("mod_by", 100000)
    .InferShape(InferHash);
REGISTER_LITE_FUNCTION(hash, kHost, kAny, kNCHW, RunHash, def);

}  // namespace
}  // namespace paddle::lite
