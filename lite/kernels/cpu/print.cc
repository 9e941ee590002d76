#include <cstdio>

#include "lite/kernels/cpu/tensor_text.h"

namespace paddle::lite {
namespace {

// Writes In to standard output at each run, as far as the attributes say, and passes it on.
class Print final : public KernelBase {
 public:
  void Run(KernelContext& c) override {
    const Tensor& in = c.Input("In");
    CopyElements(in, c.Output("Out"));
    const int32_t limit = c.Attr<int32_t>("first_n");
    if (limit >= 0 && printed_ >= limit) return;
    if (limit >= 0) ++printed_;
    const auto& message = c.Attr<std::string>("message");
    std::string text = message.empty() ? "" : message + "\n";
    if (c.Attr<bool>("print_tensor_shape")) text += StrCat("  - shape: ", in.dims(), "\n");
    if (c.Attr<bool>("print_tensor_type")) text += StrCat("  - dtype: ", Name(in.dtype()), "\n");
    text += StrCat("  - data: ", ElementsText(in, c.Attr<int32_t>("summarize")), "\n");
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

 private:
  int32_t printed_ = 0;
};

REGISTER_LITE_OP(print)
    .Input("In")
    .Output("Out")
    .Attr<int32_t>("first_n", -1)
    .Attr<std::string>("message", "")
    .Attr<int32_t>("summarize", 20)
    .Attr<bool>("print_tensor_type", true)
    .Attr<bool>("print_tensor_shape", true)
    .InferShape(InferSameAs("In", "Out"))
    .SideEffect();
REGISTER_LITE_KERNEL(print, kHost, kAny, kNCHW, Print, def);

}  // namespace
}  // namespace paddle::lite
