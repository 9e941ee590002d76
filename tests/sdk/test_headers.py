"""The headers: every language version, every warning, both compilers, several files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .conftest import COMPILERS, compiled, sdk

pytestmark = pytest.mark.long

ALL = (
    "api",
    "place",
    "use_ops",
    "use_kernels",
    "use_passes",
    "lite_factory_helper",
    "image_preprocess",
)
SOURCE = (
    "".join(f"#include <paddle_{name}.h>\n" for name in ALL)
    + """
USE_LITE_OP(mul);
USE_LITE_KERNEL(mul, kARM, kFloat, kNCHW, def);
USE_MIR_PASS(lite_fc_fuse_pass)
using namespace paddle::lite_api;
std::shared_ptr<PaddlePredictor> FUNCTION(PaddlePredictor* old, int height) {
  std::unique_ptr<Tensor> input = old->GetInput(0);
  std::unique_ptr<const Tensor> output(old->GetOutput(0));
  input->Resize({1, 3, height, height});
  input->mutable_data<float>()[0] = static_cast<float>(output->data<int64_t>()[0]);
  const int32_t number = 3;
  input->CopyFromCpu<int32_t, TargetType::kARM>(&number);
  CxxConfig config;
  config.set_valid_places({Place{TARGET(kARM), PRECISION(kFloat)}, TARGET(kX86)});
  config.set_preferred_inputs_for_warmup<float>(0, 0, {1, 3});
  config.set_threads(::IsOpenCLBackendValid() ? 1 : 2);
  typedef paddle::lite::utils::cv::ImageFormat ImageFormat;
  paddle::lite::utils::cv::TransParam sizes = {height, height, 224, 224, {}, 90};
  paddle::lite::utils::cv::ImagePreprocess picture(ImageFormat::BGR, ImageFormat::RGB, sizes);
  picture.image_convert(nullptr, nullptr);
  return CreatePaddlePredictor(config);
}
"""
)
MAIN = """
#include <paddle_api.h>
std::shared_ptr<paddle::lite_api::PaddlePredictor> First(paddle::lite_api::PaddlePredictor*, int);
std::shared_ptr<paddle::lite_api::PaddlePredictor> Second(paddle::lite_api::PaddlePredictor*, int);
int main(int argc, char**) { return argc > 5 ? !First(nullptr, 1) + !Second(nullptr, 1) : 0; }
"""


WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


@pytest.mark.parametrize("standard", [11, 14, 17, 20])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_compiles(compiler: str, standard: int, tmp_path: Path) -> None:
    source = tmp_path / "one.cc"
    source.write_text(SOURCE.replace("FUNCTION", "One"))
    flags = [f"-std=c++{standard}", *WARNINGS, *sdk("--cflags")]
    subprocess.run([compiler, *flags, "-fsyntax-only", str(source)], check=True)


def test_several_files(tmp_path: Path) -> None:
    for name in ("First", "Second"):
        (tmp_path / f"{name}.cc").write_text(SOURCE.replace("FUNCTION", name))
    (tmp_path / "main.cc").write_text(MAIN)
    program = compiled(tmp_path / "app", sorted(tmp_path.glob("*.cc")), *sdk("--libs", "full"))
    subprocess.run([str(program)], check=True)


@pytest.mark.parametrize("name", ALL)
def test_stands_alone(name: str, tmp_path: Path) -> None:
    source = tmp_path / "one.cc"
    source.write_text(f"#include <paddle_{name}.h>\n")
    flags = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *sdk("--cflags")]
    subprocess.run([COMPILERS[0], *flags, str(source)], check=True)
