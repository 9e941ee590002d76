// What this machine reaches, measured: products from the caches and copies of several sizes.
#pragma once

#include <cstdint>
#include <vector>

namespace paddle::lite {

struct MachinePeak {
  struct Stream {
    int64_t bytes;     // read and written together, again and again
    double gigabytes;  // a second
  };
  double gflops = 0;            // of fp32 products by the kernels that run models
  std::vector<Stream> streams;  // by size; the last one, 128 MB, is memory to most machines
};

// Takes about a quarter of a second and 128 MB.
MachinePeak MeasurePeak(int threads);

}  // namespace paddle::lite
