// The C functions of compilations, memories and events.
#include <fcntl.h>
#include <unistd.h>

#include "lite/nnadapter/nnapi/objects.h"

using namespace nnadapter::nnapi;  // NOLINT: this file is the C face of that namespace

namespace {

// What the CPU's kernels like best; no device asks for more, or for padding.
constexpr uint32_t kAlignment = 64, kPadding = 1;

int Preferred(const char* function, const ANeuralNetworksCompilation* compilation, uint32_t index,
              bool output, uint32_t answer, uint32_t* place) {
  return Barrier(function, [&] {
    const auto object = Get(compilation);
    Required(place, "the place of the answer");
    object->ArgumentType(index, output);
    *place = answer;
  });
}

}  // namespace

int ANeuralNetworksCompilation_create(ANeuralNetworksModel* model,
                                      ANeuralNetworksCompilation** compilation) {
  return Create(__func__, compilation, [&] {
    return std::make_shared<Compilation>(Get(model), std::vector<std::shared_ptr<Device>>());
  });
}

int ANeuralNetworksCompilation_createForDevices(ANeuralNetworksModel* model,
                                                const ANeuralNetworksDevice* const* devices,
                                                uint32_t numDevices,
                                                ANeuralNetworksCompilation** compilation) {
  return Create(__func__, compilation, [&] {
    const auto object = Get(model);
    return std::make_shared<Compilation>(object, DeviceList(devices, numDevices));
  });
}

void ANeuralNetworksCompilation_free(ANeuralNetworksCompilation* compilation) { Free(compilation); }

int ANeuralNetworksCompilation_finish(ANeuralNetworksCompilation* compilation) {
  return Barrier(__func__, [&] { Get(compilation)->Finish(); });
}

int ANeuralNetworksCompilation_setPreference(ANeuralNetworksCompilation* compilation,
                                             int32_t preference) {
  return Barrier(__func__, [&] { Get(compilation)->SetPreference(preference); });
}

int ANeuralNetworksCompilation_setPriority(ANeuralNetworksCompilation* compilation, int priority) {
  return Barrier(__func__, [&] { Get(compilation)->SetPriority(priority); });
}

int ANeuralNetworksCompilation_setTimeout(ANeuralNetworksCompilation* compilation,
                                          uint64_t duration) {
  return Barrier(__func__, [&] { Get(compilation)->SetTimeout(duration); });
}

int ANeuralNetworksCompilation_setCaching(ANeuralNetworksCompilation* compilation,
                                          const char* cacheDir, const uint8_t* token) {
  return Barrier(__func__, [&] {
    const auto object = Get(compilation);
    Required(token, "token");
    object->SetCaching(Required(cacheDir, "cacheDir"), token);
  });
}

int ANeuralNetworksCompilation_getPreferredMemoryAlignmentForInput(
    const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* alignment) {
  return Preferred(__func__, compilation, index, false, kAlignment, alignment);
}

int ANeuralNetworksCompilation_getPreferredMemoryPaddingForInput(
    const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* padding) {
  return Preferred(__func__, compilation, index, false, kPadding, padding);
}

int ANeuralNetworksCompilation_getPreferredMemoryAlignmentForOutput(
    const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* alignment) {
  return Preferred(__func__, compilation, index, true, kAlignment, alignment);
}

int ANeuralNetworksCompilation_getPreferredMemoryPaddingForOutput(
    const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* padding) {
  return Preferred(__func__, compilation, index, true, kPadding, padding);
}

// -- Memory.

int ANeuralNetworksMemory_createFromAHardwareBuffer(const struct AHardwareBuffer*,
                                                    ANeuralNetworksMemory** memory) {
  if (memory) *memory = nullptr;
  nnadapter::hal::Trace(0, "NNAPI: there is no AHardwareBuffer outside of Android: use ",
                        "ANeuralNetworksMemory_createFromFd");
  return memory ? ANEURALNETWORKS_BAD_DATA : ANEURALNETWORKS_UNEXPECTED_NULL;
}

int ANeuralNetworksMemory_createFromFd(size_t size, int protect, int fd, size_t offset,
                                       ANeuralNetworksMemory** memory) {
  return Create(__func__, memory, [&] { return MemoryFromFd(size, protect, fd, offset); });
}

int ANeuralNetworksMemory_createFromDesc(const ANeuralNetworksMemoryDesc* desc,
                                         ANeuralNetworksMemory** memory) {
  return Create(__func__, memory, [&] {
    const auto object = Get(desc);
    if (!object->finished()) FailState("the descriptor is not finished");
    return std::make_shared<DescMemory>(*object);
  });
}

int ANeuralNetworksMemory_copy(const ANeuralNetworksMemory* src, const ANeuralNetworksMemory* dst) {
  return Barrier(__func__, [&] {
    const auto from = Get(src), to = Get(dst);
    CopyMemory(from.get(), to.get());
  });
}

void ANeuralNetworksMemory_free(ANeuralNetworksMemory* memory) { Free(memory); }

int ANeuralNetworksMemoryDesc_create(ANeuralNetworksMemoryDesc** desc) {
  return Create(__func__, desc, [] { return std::make_shared<MemoryDesc>(); });
}

void ANeuralNetworksMemoryDesc_free(ANeuralNetworksMemoryDesc* desc) { Free(desc); }

int ANeuralNetworksMemoryDesc_addInputRole(ANeuralNetworksMemoryDesc* desc,
                                           const ANeuralNetworksCompilation* compilation,
                                           uint32_t index, float frequency) {
  return Barrier(__func__, [&] {
    const auto object = Get(desc);
    object->AddRole(Get(compilation), index, false, frequency);
  });
}

int ANeuralNetworksMemoryDesc_addOutputRole(ANeuralNetworksMemoryDesc* desc,
                                            const ANeuralNetworksCompilation* compilation,
                                            uint32_t index, float frequency) {
  return Barrier(__func__, [&] {
    const auto object = Get(desc);
    object->AddRole(Get(compilation), index, true, frequency);
  });
}

int ANeuralNetworksMemoryDesc_setDimensions(ANeuralNetworksMemoryDesc* desc, uint32_t rank,
                                            const uint32_t* dimensions) {
  return Barrier(__func__, [&] {
    const auto object = Get(desc);
    if (rank > 0) Required(dimensions, "dimensions");
    constexpr uint32_t kMaxRank = 1024;
    if (rank > kMaxRank) FailData(rank, " dimensions are too many");
    object->SetDimensions(Dims(dimensions, dimensions + rank));
  });
}

int ANeuralNetworksMemoryDesc_finish(ANeuralNetworksMemoryDesc* desc) {
  return Barrier(__func__, [&] { Get(desc)->Finish(); });
}

// -- Events.

int ANeuralNetworksEvent_wait(ANeuralNetworksEvent* event) {
  int code = ANEURALNETWORKS_NO_ERROR;
  const int failed = Barrier(__func__, [&] { code = Get(event)->Wait(); });
  return failed == ANEURALNETWORKS_NO_ERROR ? code : failed;
}

void ANeuralNetworksEvent_free(ANeuralNetworksEvent* event) {
  if (const auto object = Free(event)) object->Finish();
}

int ANeuralNetworksEvent_createFromSyncFenceFd(int sync_fence_fd, ANeuralNetworksEvent** event) {
  return Create(__func__, event, [&] { return std::make_shared<FenceEvent>(sync_fence_fd); });
}

int ANeuralNetworksEvent_getSyncFenceFd(const ANeuralNetworksEvent* event, int* sync_fence_fd) {
  return Barrier(__func__, [&] {
    Required(event, "event");
    *Required(sync_fence_fd, "sync_fence_fd") = -1;
    const int fd = Get(event)->fd();
    if (fd < 0) FailData("the event has no fence");
    *sync_fence_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (*sync_fence_fd < 0)
      Fail(ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT, "no descriptor is left");
  });
}
