#include "lite/core/block_op.h"

#include <map>

namespace paddle::lite {
namespace {

std::map<std::string, BlockOpInfo>& Registry() {
  static auto* registry = new std::map<std::string, BlockOpInfo>;
  return *registry;
}

}  // namespace

bool RegisterBlockOp(const std::string& type, BlockOpInfo info) {
  return Registry().emplace(type, info).second;
}

const BlockOpInfo* FindBlockOp(const std::string& type) {
  const auto found = Registry().find(type);
  return found == Registry().end() ? nullptr : &found->second;
}

}  // namespace paddle::lite
