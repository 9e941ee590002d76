#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {

int32_t RealPrecision(const InferContext& c, const char* name) {
  const int32_t precision = c.Precision(name);
  return IsQuantized(precision) ? static_cast<int32_t>(NNADAPTER_FLOAT32) : precision;
}

void RequireSameReal(const InferContext& c, const char* name, const char* like) {
  if (!c.Has(name)) return;
  c.Require(RealPrecision(c, name) == RealPrecision(c, like), name, " is ",
            PrecisionName(c.Precision(name)), " and ", like, " is ",
            PrecisionName(c.Precision(like)), ", expected one type");
}

void RequireCount(const InferContext& c, const char* name, int64_t count) {
  if (!c.Has(name) || count == NNADAPTER_UNKNOWN) return;
  const Dims dims = c.DimsOf(name);
  const int64_t found = Product(dims, 0, dims.size());
  c.Require(found == count || found == NNADAPTER_UNKNOWN, name, " has shape ", DimsText(dims),
            ", expected ", count, " elements");
}

void RequireDim(const InferContext& c, int64_t found, int64_t expected, const char* what) {
  c.Require(found == expected || found == NNADAPTER_UNKNOWN || expected == NNADAPTER_UNKNOWN, what,
            " is ", found, ", expected ", expected);
}

int64_t GroupOf(const InferContext& c, const char* name) {
  const int64_t group = c.Int(name);
  c.Require(group >= 1 && group <= INT32_MAX, name, " is ", group,
            ", expected a number of at least 1");
  return group;
}

void CheckFuseCode(const InferContext& c) {
  const int64_t code = c.Int("fuse_code");
  c.Require(code >= NNADAPTER_FUSED_NONE && code <= NNADAPTER_FUSED_RELU6, "fuse_code is ", code,
            ", expected 0 (none), 1 (relu), 2 (relu1) or 3 (relu6)");
}

int32_t IndexPrecision(const InferContext& c, const char* name) {
  const int64_t code = c.Int(name, NNADAPTER_INT64);
  c.Require(code == NNADAPTER_INT32 || code == NNADAPTER_INT64, name, " is ", code,
            ", expected 5 (INT32) or 7 (INT64)");
  return static_cast<int32_t>(code);
}

}  // namespace nnadapter::runtime
