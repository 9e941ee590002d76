"""An application finds and links the SDK in every way that docs/cpp.md names."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lite
from lite.api.cpp import sdk_path

from .conftest import MODELS, compiled, sdk

pytestmark = pytest.mark.long

MODEL = MODELS / "conv.x86.214.nb"
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
CMAKE = """
cmake_minimum_required(VERSION 3.10)
project(app CXX)
set(CMAKE_CXX_STANDARD 11)
find_package(PaddleLite 0.1 REQUIRED)
foreach(kind light full light_static)
  add_executable(${kind} app.cc)
  target_link_libraries(${kind} PRIVATE PaddleLite::${kind})
endforeach()
"""


@pytest.fixture
def app(tmp_path: Path) -> Path:
    (tmp_path / "app.cc").write_text(APP)
    return tmp_path / "app.cc"


def _check(program: Path) -> None:
    """It prints Python's numbers, needing no variable of the environment."""
    done = subprocess.run(
        [str(program), str(MODEL)], check=True, capture_output=True, text=True, env={}
    )
    x = (0.01 * np.arange(192, dtype=np.float32)).reshape(1, 3, 8, 8)
    (expected,) = lite.load(MODEL).run([x]).values()
    np.testing.assert_array_equal(np.fromstring(done.stdout, np.float32, sep="\n"), expected[0])


@pytest.mark.parametrize("words", [[], ["light"], ["full"], ["light", "--static"]])
def test_flags(app: Path, words: list[str]) -> None:
    program = compiled(app.with_suffix(""), [app], *sdk("--libs", *words))
    _check(program)
    bad = app.with_name("bad.nb")
    bad.write_bytes(MODEL.read_bytes()[:200])
    refused = subprocess.run([str(program), str(bad)], capture_output=True, text=True)
    assert refused.returncode == 1
    assert str(bad) in refused.stdout


def test_plain_flags(app: Path) -> None:
    (root,) = sdk("--path")
    flags = [f"-I{root}/include", f"-L{root}/lib", "-lpaddle_light_api_shared"]
    program = compiled(app.with_suffix(""), [app], *flags)
    done = subprocess.run(
        [str(program), str(MODEL)], env={"LD_LIBRARY_PATH": f"{root}/lib"}, capture_output=True
    )
    assert done.returncode == 0, done
    library = lite.get_library()
    direct = [library, f"-Wl,-rpath,{Path(library).parent}", f"-I{lite.get_include()}"]
    _check(compiled(app.with_suffix(""), [app], *direct))


@pytest.mark.skipif(not shutil.which("pkg-config"), reason="pkg-config is not installed")
@pytest.mark.parametrize("name", ["paddle_lite", "paddle_lite_full", "paddle_lite_static"])
def test_pkg_config(app: Path, name: str) -> None:
    env = {**os.environ, "PKG_CONFIG_PATH": str(sdk_path() / "lib" / "pkgconfig")}
    done = subprocess.run(
        ["pkg-config", "--cflags", "--libs", name], env=env, check=True, capture_output=True
    )
    _check(compiled(app.with_suffix(""), [app], *done.stdout.decode().split()))


@pytest.mark.skipif(not shutil.which("cmake"), reason="CMake is not installed")
def test_cmake(app: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (folder,) = sdk("--cmake-dir")
    build = tmp_path / "build"
    configure = ["cmake", "-S", str(tmp_path), "-B", str(build), f"-DPaddleLite_DIR={folder}"]
    subprocess.run(configure, check=True, capture_output=True)
    subprocess.run(["cmake", "--build", str(build)], check=True, capture_output=True)
    for kind in ("light", "full", "light_static"):
        _check(build / kind)


def test_copy(app: Path, tmp_path: Path) -> None:
    sdk("--copy", str(tmp_path / "PaddleLite"))
    (libraries,) = (tmp_path / "PaddleLite" / "libs").iterdir()
    names = {path.name for path in libraries.iterdir()}
    assert {"libpaddle_light_api_shared.so", "libpaddle_full_api_shared.so", "libnnadapter.so",
            "libpaddle_lite_core.so", "libpaddle_api_light_bundled.a"} <= names  # fmt: skip
    assert (tmp_path / "PaddleLite" / "include" / "paddle_use_ops.h").is_file()
    for kind in ("light", "full"):
        rpath = [f"-L{libraries}", f"-lpaddle_{kind}_api_shared", f"-Wl,-rpath,{libraries}"]
        _check(compiled(tmp_path / kind, [app], *rpath))


@pytest.mark.parametrize("words", [["--static"], ["--libs", "full", "--static"], ["--libs", "x"]])
def test_mistakes(words: list[str]) -> None:
    command = [sys.executable, "-m", "lite.tools.cli", "sdk", *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.skipif(not shutil.which("nm"), reason="binutils are not installed")
@pytest.mark.parametrize("kind", ["light_api_shared.so", "full_api_shared.so", "bundled"])
def test_symbols(kind: str) -> None:
    """Only the API's names are to be seen, and nothing of Python is needed."""
    name = "libpaddle_api_light_bundled.a" if kind == "bundled" else f"libpaddle_{kind}"
    library = str(sdk_path() / "lib" / name)
    option = [] if kind == "bundled" else ["-D"]
    nm = ["nm", "-C", "--format=posix", "--extern-only", *option]
    defined = subprocess.run([*nm, "--defined-only", library], check=True, capture_output=True)
    names = [line for line in defined.stdout.decode().splitlines() if line and line[-1] != ":"]
    assert len(names) > 100
    strange = [line for line in names if "paddle::lite_api::" not in line]
    assert not strange, strange[:10]
    needed = subprocess.run([*nm, "--undefined-only", library], check=True, capture_output=True)
    assert " Py" not in needed.stdout.decode()
    if option:
        shown = subprocess.run(["readelf", "-d", library], check=True, capture_output=True)
        assert "libpython" not in shown.stdout.decode()


def test_api(tmp_path: Path) -> None:
    """The API's own tests, as an application: against the shared and the static library."""
    root = MODELS.parents[2]
    source = root / "tests" / "cpp" / "paddle_api_test.cc"
    flags = [f"-I{root}", f'-DLITE_TEST_DATA="{MODELS}"']
    for name, words in {"shared": ["light"], "static": ["light", "--static"]}.items():
        libraries = [*sdk("--libs", *words), "-lpthread"]
        program = compiled(tmp_path / name, [source], *flags, *libraries, standard=17)
        done = subprocess.run([str(program)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert not done.stderr
    level = {**os.environ, "GLOG_v": "1"}
    done = subprocess.run([str(program)], capture_output=True, text=True, env=level)
    assert done.stderr.count("set_opencl_tune has no effect here") == 1, done.stderr
