// Windows over images: paddings and strides as NNAPI gives them; poolings.
#include "lite/nnadapter/nnapi/operations/window.h"

#include <algorithm>

#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

bool HasGivenPads(const Translation& t, size_t first, size_t implicit) {
  size_t count = 0;
  while (first + count < t.inputs() && t.Type(first + count).code == ANEURALNETWORKS_INT32) ++count;
  return count >= implicit + 3;
}

}  // namespace

Window::Window(Translation& t, size_t first, size_t implicit) : next_(first) {
  if (HasGivenPads(t, first, implicit)) {
    pads_ = {t.Int(first + 2), t.Int(first + 3), t.Int(first), t.Int(first + 1)};
    next_ += 4;
  } else {
    scheme_ = t.Int(first);
    next_ += 1;
  }
  strides_ = {t.Int(next_ + 1), t.Int(next_)};
  next_ += 2;
  for (const int32_t stride : strides_)
    if (stride < 1) Translation::Refuse("a stride is less than 1");
}

Shape Window::Pads(const Shape& image, const Shape& size) const {
  if (!pads_.empty()) return pads_;
  if (scheme_ != ANEURALNETWORKS_PADDING_SAME) return {0, 0, 0, 0};
  Shape pads;
  for (size_t axis = 0; axis < 2; ++axis) {
    const int32_t length = image[axis + 2], stride = strides_[axis];
    const int32_t windows = (length + stride - 1) / stride;
    const int32_t total = std::max((windows - 1) * stride + size[axis] - length, 0);
    pads.push_back(total / 2);
    pads.push_back(total - total / 2);
  }
  return pads;
}

bool IsChannelsFirst(Translation& t, size_t i) { return t.Has(i) && t.Bool(i); }

Shape DilationsAt(Translation& t, size_t i) {
  if (!t.Has(i)) return {1, 1};
  return {t.Int(i + 1), t.Int(i)};
}

namespace {

// (x, pads.., strides, filter width, filter height, activation, [nchw])
class Pool {
 public:
  explicit Pool(Translation& t)
      : t_(t), window_(t, 1, 6), nchw_(IsChannelsFirst(t, window_.next() + 3)) {
    kernel_ = {t.Int(window_.next() + 1), t.Int(window_.next())};
    fuse_ = t.Int(window_.next() + 2);
    image = t.Image(0, nchw_);
  }

  Value Average(Value x, int32_t fuse) {
    return EmitResult(
        t_, NNADAPTER_AVERAGE_POOL_2D,
        {x, t_.Int32(NNADAPTER_AUTO_PAD_NONE), Pads(), t_.Int32s(kernel_),
         t_.Int32s(window_.strides()), t_.Bool8(false), t_.Bool8(false), t_.Int32(fuse)});
  }
  Value Max(Value x) {
    return EmitResult(t_, NNADAPTER_MAX_POOL_2D,
                      {x, t_.Int32(NNADAPTER_AUTO_PAD_NONE), Pads(), t_.Int32s(kernel_),
                       t_.Int32s(window_.strides()), t_.Bool8(false), t_.Bool8(false),
                       t_.Int32(NNADAPTER_INT32), t_.Int32(fuse_)});
  }
  // After an operation that has no activation of its own.
  Value Activated(Value x) {
    return fuse_ == NNADAPTER_FUSED_NONE
               ? x
               : t_.Emit(NNADAPTER_ADD, {x, t_.Float32(0), t_.Int32(fuse_)});
  }
  void Set(Value v) { t_.SetImage(0, v, nchw_); }

  int32_t fuse() const { return fuse_; }
  Value image;

 private:
  Value Pads() { return t_.Int32s(window_.Pads(image->dims, kernel_)); }

  Translation& t_;
  Window window_;
  bool nchw_;
  Shape kernel_;
  int32_t fuse_;
};

}  // namespace

CONVERTER(AVERAGE_POOL_2D) {
  Pool pool(t);
  pool.Set(pool.Average(pool.image, pool.fuse()));
}

CONVERTER(MAX_POOL_2D) {
  Pool pool(t);
  pool.Set(pool.Max(pool.image));
}

CONVERTER(L2_POOL_2D) {
  Pool pool(t);
  const Value mean = pool.Average(t.Emit(NNADAPTER_SQUARE, {pool.image}), NNADAPTER_FUSED_NONE);
  const Value root = t.Emit(NNADAPTER_POW, {mean, t.Float32(0.5f), t.Int32(NNADAPTER_FUSED_NONE)});
  pool.Set(pool.Activated(root));
}

}  // namespace nnadapter::nnapi
