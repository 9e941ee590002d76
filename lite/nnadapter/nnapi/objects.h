// What the handles of the C functions stand for.
#pragma once

#include <android/NeuralNetworks.h>

#include "lite/nnadapter/nnapi/barrier.h"
#include "lite/nnadapter/nnapi/event.h"
#include "lite/nnadapter/nnapi/execution.h"
#include "lite/nnadapter/nnapi/handles.h"

namespace nnadapter::nnapi {

template <typename Handle>
struct ObjectOf;
template <>
struct ObjectOf<ANeuralNetworksModel> {
  using Type = Model;
  static constexpr char kName[] = "model";
};
template <>
struct ObjectOf<ANeuralNetworksCompilation> {
  using Type = Compilation;
  static constexpr char kName[] = "compilation";
};
template <>
struct ObjectOf<ANeuralNetworksExecution> {
  using Type = Execution;
  static constexpr char kName[] = "execution";
};
template <>
struct ObjectOf<ANeuralNetworksMemory> {
  using Type = Memory;
  static constexpr char kName[] = "memory";
};
template <>
struct ObjectOf<ANeuralNetworksMemoryDesc> {
  using Type = MemoryDesc;
  static constexpr char kName[] = "memory descriptor";
};
template <>
struct ObjectOf<ANeuralNetworksEvent> {
  using Type = Event;
  static constexpr char kName[] = "event";
};
template <>
struct ObjectOf<ANeuralNetworksBurst> {
  using Type = Burst;
  static constexpr char kName[] = "burst";
};

template <typename Handle>
using LiveHandles = Handles<Handle, typename ObjectOf<Handle>::Type>;

// Throws Error: UNEXPECTED_NULL, or BAD_DATA where the handle is not live.
template <typename Handle>
std::shared_ptr<typename ObjectOf<Handle>::Type> Get(const Handle* handle) {
  return LiveHandles<Handle>::Live().Get(handle, ObjectOf<Handle>::kName);
}

// Fills *place, which is null where `make` throws.
template <typename Handle, typename Make>
int Create(const char* function, Handle** place, Make&& make) {
  return Barrier(function, [&] {
    *Required(place, "the place of the handle") = nullptr;
    *place = LiveHandles<Handle>::Live().Add(make());
  });
}

// Null and handles that are not live are left alone.
template <typename Handle>
std::shared_ptr<typename ObjectOf<Handle>::Type> Free(const Handle* handle) {
  return LiveHandles<Handle>::Live().Remove(handle);
}

// Throws Error: what the functions that take a list of devices answer to a wrong one.
std::vector<std::shared_ptr<Device>> DeviceList(const ANeuralNetworksDevice* const* devices,
                                                uint32_t count);

}  // namespace nnadapter::nnapi
