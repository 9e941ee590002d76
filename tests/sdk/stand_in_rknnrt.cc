// A librknnrt.so whose programs are .nb files, run on the CPU. A program is a line "RKNN FAULT
// DIMS", where DIMS are its input's (1,3,8,8), and the .nb. It watches its callers: what the
// library's documentation forbids ends the process.
#include <paddle_api.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>

#include "rknn_runtime.h"

namespace api = paddle::lite_api;

namespace {

struct Loaded {
  std::string fault;
  api::shape_t dims;
  std::shared_ptr<api::PaddlePredictor> predictor;
  std::atomic<bool> busy{false};
  bool inputs_set = false, has_run = false;
  int outputs_out = 0;
};

std::mutex mutex;
std::map<rknn::Context, std::unique_ptr<Loaded>> contexts;
rknn::Context last = 0x5a5a0000;

void Forbid(bool wrong, const char* what) {
  if (!wrong) return;
  std::fprintf(stderr, "librknnrt: %s\n", what);
  std::abort();
}

// A context that one thread at a time may use.
class Use {
 public:
  explicit Use(rknn::Context context) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = contexts.find(context);
    Forbid(found == contexts.end(), "no such context");
    loaded_ = found->second.get();
    Forbid(loaded_->busy.exchange(true), "two threads in one context");
  }
  ~Use() { loaded_->busy = false; }
  Loaded* operator->() const { return loaded_; }

 private:
  Loaded* loaded_;
};

int64_t Count(const api::shape_t& dims) {
  int64_t count = 1;
  for (int64_t size : dims) count *= size;
  return count;
}

// Contexts that nobody destroys.
struct AtExit {
  ~AtExit() {
    if (!contexts.empty()) std::fprintf(stderr, "librknnrt: %zu leaked\n", contexts.size());
  }
} at_exit;

}  // namespace

extern "C" {

int rknn_init(rknn::Context* context, const void* model, uint32_t size, uint32_t flags,
              void* extend) {
  Forbid(!context || !model || flags || extend, "rknn_init: bad arguments");
  Forbid(reinterpret_cast<uintptr_t>(model) % 8, "rknn_init: the model is not aligned");
  const std::string bytes(static_cast<const char*>(model), size);
  const size_t end = bytes.find('\n');
  std::unique_ptr<Loaded> loaded(new Loaded);
  std::string magic, dims, dim;
  std::istringstream(bytes.substr(0, end)) >> magic >> loaded->fault >> dims;
  if (magic != "RKNN") return -6;
  if (loaded->fault == "platform") return -13;
  for (std::istringstream words(dims); std::getline(words, dim, ',');)
    loaded->dims.push_back(std::stoll(dim));
  api::MobileConfig config;
  config.set_model_from_buffer(bytes.substr(end + 1));
  loaded->predictor = api::CreatePaddlePredictor<api::MobileConfig>(config);
  auto input = loaded->predictor->GetInput(0);
  input->Resize(loaded->dims);
  std::memset(input->mutable_data<float>(), 0, static_cast<size_t>(Count(loaded->dims)) * 4);
  loaded->predictor->Run();  // its outputs' shapes
  const std::lock_guard<std::mutex> lock(mutex);
  *context = ++last;
  contexts[last] = std::move(loaded);
  return 0;
}

int rknn_destroy(rknn::Context context) {
  const std::lock_guard<std::mutex> lock(mutex);
  Forbid(!contexts.count(context), "rknn_destroy: no such context");
  Forbid(contexts[context]->outputs_out != 0, "rknn_destroy: outputs were not released");
  contexts.erase(context);
  return 0;
}

int rknn_query(rknn::Context context, rknn::Query what, void* info, uint32_t size) {
  const Use use(context);
  const auto outputs = static_cast<uint32_t>(use->predictor->GetOutputNames().size());
  if (what == rknn::kInOutNum) {
    Forbid(size != sizeof(rknn::InOutNum), "rknn_query: bad size");
    *static_cast<rknn::InOutNum*>(info) = {1, outputs};
    return 0;
  }
  Forbid(size != sizeof(rknn::TensorAttr), "rknn_query: bad size");
  auto* attribute = static_cast<rknn::TensorAttr*>(info);
  const bool is_input = what == rknn::kInputAttr;
  if (attribute->index >= (is_input ? 1 : outputs)) return -5;
  const api::shape_t dims =
      is_input ? use->dims : use->predictor->GetOutput(static_cast<int>(attribute->index))->shape();
  attribute->dim_count = static_cast<uint32_t>(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) attribute->dims[i] = static_cast<uint32_t>(dims[i]);
  attribute->elements = static_cast<uint32_t>(Count(dims) + (use->fault == "elements"));
  attribute->size = attribute->elements * 2;
  attribute->type = rknn::kFloat16;  // as a chip has it
  attribute->format = dims.size() != 4       ? rknn::kUndefined
                      : use->fault == "nhwc" ? rknn::kNhwc
                                             : rknn::kNchw;
  return 0;
}

int rknn_set_core_mask(rknn::Context context, int32_t mask) {
  const Use use(context);
  std::fprintf(stderr, "librknnrt: cores %d\n", mask);
  return 0;
}

int rknn_inputs_set(rknn::Context context, uint32_t count, const rknn::Input* inputs) {
  const Use use(context);
  if (count != 1 || inputs->index != 0 || inputs->pass_through) return -8;
  Forbid(inputs->type != rknn::kFloat32, "rknn_inputs_set: another type than float");
  Forbid((inputs->format == rknn::kNchw) != (use->dims.size() == 4), "rknn_inputs_set: format");
  Forbid(inputs->size != Count(use->dims) * 4, "rknn_inputs_set: size");
  std::memcpy(use->predictor->GetInput(0)->mutable_data<float>(), inputs->data, inputs->size);
  use->inputs_set = true;
  return 0;
}

int rknn_run(rknn::Context context, void* extend) {
  const Use use(context);
  Forbid(extend, "rknn_run: extend");
  Forbid(!use->inputs_set, "rknn_run: without inputs");
  if (use->fault == "run") return -2;
  use->predictor->Run();
  use->has_run = true;
  return 0;
}

int rknn_outputs_get(rknn::Context context, uint32_t count, rknn::Output* outputs, void* extend) {
  const Use use(context);
  Forbid(extend || !use->has_run, "rknn_outputs_get: before a run");
  Forbid(use->outputs_out, "rknn_outputs_get: the last ones are not released");
  if (count != use->predictor->GetOutputNames().size()) return -9;
  for (uint32_t i = 0; i < count; ++i) {
    const auto found = use->predictor->GetOutput(static_cast<int>(i));
    const int64_t bytes = Count(found->shape()) * 4;
    Forbid(!outputs[i].preallocated || !outputs[i].data, "rknn_outputs_get: no memory");
    Forbid(!outputs[i].want_float || outputs[i].size != bytes, "rknn_outputs_get: size");
    Forbid(outputs[i].index != i, "rknn_outputs_get: index");
    std::memcpy(outputs[i].data, found->data<float>(), static_cast<size_t>(bytes));
  }
  use->outputs_out = static_cast<int>(count);
  return 0;
}

int rknn_outputs_release(rknn::Context context, uint32_t count, rknn::Output*) {
  const Use use(context);
  Forbid(static_cast<int>(count) != use->outputs_out, "rknn_outputs_release: not what was got");
  use->outputs_out = 0;
  return 0;
}

}  // extern "C"
