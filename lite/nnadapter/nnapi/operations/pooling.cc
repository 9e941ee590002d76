// Windows over images without weights.
#include "lite/nnadapter/nnapi/operations/values.h"
#include "lite/nnadapter/nnapi/operations/window.h"

namespace nnadapter::nnapi {
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
