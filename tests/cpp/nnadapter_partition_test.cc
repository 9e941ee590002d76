// The split over devices: every operation once, on its device, in an order in which each tensor is
// written before it is read, the same each time, and fast.
#include <algorithm>
#include <ctime>
#include <map>
#include <random>

#include "lite/nnadapter/runtime/partition.h"
#include "tests/cpp/check.h"

namespace paddle::lite::testing {
namespace {

using nnadapter::core::Model;
using nnadapter::core::Operand;
using nnadapter::core::Operation;
using nnadapter::runtime::Cluster;
using nnadapter::runtime::Partition;

// Operations of two inputs over what stands shortly before; each result that nobody reads is an
// output, and so are some that are read.
void MakeModel(int size, std::mt19937* random, Model* model) {
  std::vector<Operand*> values;
  std::map<Operand*, bool> read;
  const auto add = [&] {
    model->operands.emplace_back();
    values.push_back(&model->operands.back());
    return values.back();
  };
  model->input_operands = {add()};
  std::exponential_distribution<> back(0.3);
  for (int i = 0; i < size; ++i) {
    model->operations.emplace_back();
    Operation& operation = model->operations.back();
    for (int input = 0; input < 2; ++input) {
      const auto distance = std::min(static_cast<size_t>(back(*random)), values.size() - 1);
      operation.input_operands.push_back(values[values.size() - 1 - distance]);
      read[operation.input_operands.back()] = true;
    }
    operation.output_operands = {add()};
  }
  for (size_t i = 1; i < values.size(); ++i)
    if (!read[values[i]] || (*random)() % 10 == 0) model->output_operands.push_back(values[i]);
}

void CheckSplit(const Model& model, const std::vector<int>& devices,
                const std::vector<Cluster>& clusters) {
  std::vector<const Operation*> operations;
  for (const Operation& operation : model.operations) operations.push_back(&operation);
  std::vector<bool> done(operations.size(), false);
  std::map<const Operand*, bool> written;
  for (const Operand* operand : model.input_operands) written[operand] = true;
  for (const Cluster& cluster : clusters) {
    for (const Operand* operand : cluster.inputs) CHECK(written[operand]);
    CHECK(cluster.inputs.size() == cluster.input_indexes.size());
    CHECK(cluster.outputs.size() == cluster.output_indexes.size());
    std::map<const Operand*, bool> inside;
    for (const Operand* operand : cluster.inputs) inside[operand] = true;
    for (const size_t operation : cluster.operations) {
      CHECK(!done[operation]);
      done[operation] = true;
      CHECK(devices[operation] == cluster.device);
      for (const Operand* operand : operations[operation]->input_operands) CHECK(inside[operand]);
      for (const Operand* operand : operations[operation]->output_operands) inside[operand] = true;
    }
    for (const Operand* operand : cluster.outputs) written[operand] = true;
  }
  for (const bool each : done) CHECK(each);
  for (const Operand* operand : model.output_operands) CHECK(written[operand]);
}

bool Same(const std::vector<Cluster>& a, const std::vector<Cluster>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].operations != b[i].operations || a[i].input_indexes != b[i].input_indexes)
      return false;
  return true;
}

void TestRandomModels() {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Model model;
    MakeModel(1 + static_cast<int>(random() % 60), &random, &model);
    std::vector<int> devices(model.operations.size());
    const unsigned count = 1 + random() % 3;
    for (int& device : devices) device = static_cast<int>(random() % count);
    const std::vector<Cluster> clusters = Partition(model, devices);
    CheckSplit(model, devices, clusters);
    CHECK(Same(clusters, Partition(model, devices)));
    if (count == 1) CHECK(clusters.size() == 1);
  }
}

// Runs of one device after the other: as many clusters as runs.
void TestRuns() {
  Model model;
  std::mt19937 random(1);
  MakeModel(120, &random, &model);
  std::vector<int> devices(120);
  for (size_t i = 0; i < devices.size(); ++i) devices[i] = static_cast<int>(i / 30 % 2);
  CHECK(Partition(model, devices).size() <= 5);
}

// a -> b -> c with b elsewhere, and w -> c: w joins c, not a.
void TestJoinsWhatItLeadsTo() {
  Model model;
  std::vector<Operand*> values;
  for (int i = 0; i < 5; ++i) {
    model.operands.emplace_back();
    values.push_back(&model.operands.back());
  }
  const auto add = [&](std::vector<Operand*> inputs, Operand* output) {
    model.operations.emplace_back();
    model.operations.back().input_operands = std::move(inputs);
    model.operations.back().output_operands = {output};
  };
  add({values[0]}, values[1]);             // a
  add({values[0]}, values[2]);             // w
  add({values[1]}, values[3]);             // b
  add({values[3], values[2]}, values[4]);  // c
  model.input_operands = {values[0]};
  model.output_operands = {values[4]};
  const std::vector<Cluster> clusters = Partition(model, {0, 0, 1, 0});
  CHECK(clusters.size() == 3);
  CHECK(clusters[2].operations == (std::vector<size_t>{1, 3}));
}

void TestTenThousandOperations() {
  Model model;
  std::mt19937 random(2);
  MakeModel(10000, &random, &model);
  std::vector<int> devices(model.operations.size());
  for (int& device : devices) device = static_cast<int>(random() % 2);
  const auto begin = std::clock();
  const std::vector<Cluster> clusters = Partition(model, devices);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("10,000 operations: %.2f s\n", seconds);
  CHECK(seconds < 10);  // 0.2 s without a sanitizer
  CheckSplit(model, devices, clusters);
}

}  // namespace
}  // namespace paddle::lite::testing

int main() {
  using namespace paddle::lite::testing;
  TestRandomModels();
  TestRuns();
  TestJoinsWhatItLeadsTo();
  TestTenThousandOperations();
  return g_failures == 0 ? 0 : 1;
}
