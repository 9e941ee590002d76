// The products of isa/tiles.cc and isa/word_tiles.cc over the software model of tiles, which the
// library takes for the CPU's where LITE_TILE_MODEL is set: in the tests' program, or as a library
// that is preloaded. "always": for products of every size; "cpu": these in the CPU's own tiles;
// else where they pay. To be compiled with AVX-512's options; nothing of it runs on CPUs without.

#define LITE_ISA tile_model
#define LITE_TILE_MODEL "tests/math/tile_model.h"
#include "lite/kernels/cpu/math/isa/round_steps.cc"
#include "lite/kernels/cpu/math/isa/steps.cc"
#include "lite/kernels/cpu/math/isa/tiles.cc"
#include "lite/kernels/cpu/math/isa/word_tiles.cc"
//
#include "lite/kernels/cpu/math/tiles.h"

namespace paddle::lite::math::tile_model {
namespace {

__attribute__((constructor)) void Install() {
  const char* const wanted = std::getenv("LITE_TILE_MODEL");
  if (wanted == nullptr) return;
  const bool cpu = std::strcmp(wanted, "cpu") == 0;
  UseTiles(cpu ? nullptr : &kTileTable, cpu || std::strcmp(wanted, "always") == 0);
}

}  // namespace

// Whether this thread's tiles are released.
bool TilesAreFree() { return !Model().configured; }

// Products of two tiles that this thread has computed.
int64_t TileProducts() { return tile_products; }

}  // namespace paddle::lite::math::tile_model
