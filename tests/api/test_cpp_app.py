"""A C++11 application against the installed header and library gives Python's numbers."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np

import lite

MODEL = Path(__file__).parents[1] / "model" / "data" / "conv.x86.214.nb"
APP = r"""
#include <paddle_api.h>
#include <cstdio>
int main(int, char** argv) {
  paddle::lite_api::MobileConfig config;
  config.set_model_from_file(argv[1]);
  try {
    auto predictor =
        paddle::lite_api::CreatePaddlePredictor<paddle::lite_api::MobileConfig>(config);
    auto input = predictor->GetInput(0);
    input->Resize({1, 3, 8, 8});
    float* data = input->mutable_data<float>();
    for (int i = 0; i < 192; ++i) data[i] = 0.01f * static_cast<float>(i);
    predictor->Run();
    auto output = predictor->GetOutput(0);
    for (int64_t i = 0; i < output->shape()[1]; ++i)
      std::printf("%.9g\n", output->data<float>()[i]);
  } catch (const std::exception& error) {
    std::printf("error: %s\n", error.what());
    return 1;
  }
  return 0;
}
"""


def test_app(tmp_path: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++") or "g++"
    (tmp_path / "app.cc").write_text(APP)
    library = lite.get_library()
    flags = ["-std=c++11", "-Wall", "-Wextra", "-Werror", f"-I{lite.get_include()}"]
    link = [library, f"-Wl,-rpath,{Path(library).parent}"]
    command = [compiler, *flags, str(tmp_path / "app.cc"), *link, "-o", str(tmp_path / "app")]
    subprocess.run(command, check=True)
    done = subprocess.run(
        [str(tmp_path / "app"), str(MODEL)], check=True, capture_output=True, text=True
    )
    x = (0.01 * np.arange(192, dtype=np.float32)).reshape(1, 3, 8, 8)
    (expected,) = lite.load(MODEL).run([x]).values()
    np.testing.assert_allclose(np.fromstring(done.stdout, sep="\n"), expected[0], rtol=1e-6)

    bad = tmp_path / "bad.nb"
    bad.write_bytes(MODEL.read_bytes()[:200])
    refused = subprocess.run([str(tmp_path / "app"), str(bad)], capture_output=True, text=True)
    assert refused.returncode == 1
    assert str(bad) in refused.stdout
