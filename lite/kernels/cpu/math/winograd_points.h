#pragma once

namespace paddle::lite::math {

// F(4x4, 3x3) interpolates at 0, +-a, +-b and infinity. These points are exact in binary and round
// four times better than the usual 1 and 2.
constexpr float kWinogradA = 0.75f, kWinogradB = 1.5f;

}  // namespace paddle::lite::math
