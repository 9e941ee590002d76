"""Paddle Inference's C++ API: its surface, how programs link it, and their results."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models

from lite.api.cpp import sdk_path
from lite.model.save import write_protobuf_dir

from .conftest import COMPILERS, MODELS, compiled, sdk
from .inference_program import (
    CONV,
    IMAGE,
    NB,
    TOOL,
    Case,
    built_by_cmake,
    built_by_package,
    expected,
    pkg_config,
    run_case,
)

pytestmark = pytest.mark.long

ABSENT = {
    "Predictor::Run(std::vector<paddle::Tensor>": "tensors of the training library",
    "Predictor::Register": "their hooks take such a tensor; ours a paddle_infer::Tensor",
    "Tensor::SetName": "Paddle's own; protected there",
    "Tensor::SetPlace": "Paddle's own; protected there",
    "AnalysisConfig::SerializeInfoCache": "Paddle's own",
    "AnalysisConfig::Update()": "Paddle's own; protected there",
    "PaddleBuf::Free": "Paddle's own; private there",
    "AnalysisConfig::mkldnn_quantizer_config": "quantise the model before it is exported",
    "AnalysisConfig::dist_config": "a model runs on one machine",
    "AnalysisConfig::SetDistConfig": "a model runs on one machine",
    "ConvertToMixedPrecision": "raises on a CPU in Paddle, too",
}
"""What Paddle's library exports and our header has not, and why."""


def _split(text: str) -> list[str]:
    """Types, at the commas that are in no brackets."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "<(") - (char in ">)")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _use(declared: str) -> str:
    """An expression that is ill-formed where the header lacks the function."""
    found = re.fullmatch(r"([\w:]+?)::(~?\w+)((?:<[^()]*?>)?)\((.*)\)( const)?", declared)
    assert found, declared
    owner, name, template, types, const = found.groups()
    values = ", ".join(f"std::declval<{t}>()" for t in _split(types))
    if name.startswith("~"):
        return f"std::is_destructible<{owner}>::value"
    if owner.endswith(f"::{name}"):
        arguments = "".join(f", {t}" for t in _split(types))
        return f"std::enable_if<std::is_constructible<{owner}{arguments}>::value, int>::type()"
    if owner in ("paddle", "paddle_infer"):
        return f"{owner}::{name}({values})"
    this = f"std::declval<{owner}{const or ''}&>()"
    return f"{this}.{'template ' if template else ''}{name}{template}({values})"


@pytest.mark.parametrize("version", ["2.6.2", "3.3.1"])
def test_surface(version: str, tmp_path: Path) -> None:
    """Programs that use anything that Paddle exports compile, but for what ABSENT names."""
    file = Path(__file__).with_name("data") / f"inference_api_{version}.txt"
    declared = file.read_text(encoding="utf-8").splitlines()
    assert len(declared) > 200
    uses = [_use(line) for line in declared if not any(name in line for name in ABSENT)]
    source = tmp_path / "surface.cc"
    lines = "".join(f"using T{i} = decltype(({use}, 0));\n" for i, use in enumerate(uses))
    source.write_text(f"#include <paddle_inference_api.h>\n#include <type_traits>\n{lines}")
    compiled(tmp_path / "surface.o", [source], "-c", "-Wno-unused-value")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("tool") / "inference_tool"
    return compiled(output, [TOOL], *sdk("--libs", "inference"))


@pytest.mark.parametrize(
    "words",
    [
        CONV,
        [*CONV, "memory="],
        [*CONV, "ir_optim=0", "threads=0"],
        [*CONV, "delete_pass=conv_bn_fuse_pass", "threads=2", "clones=1"],
        [*CONV, "device=builtin_device"],
        [f"dir={NB}", "device=builtin_device"],
        [f"model={NB}", "memory="],
    ],
    ids=["files", "memory", "unoptimised", "passes", "device", "nb_device", "nb_memory"],
)
@pytest.mark.usefixtures("converter")
def test_results(program: Path, words: Sequence[str], tmp_path: Path) -> None:
    found, said = run_case(program, Case(words, IMAGE), tmp_path / "run")
    assert len(found) == 1 + ("clones=1" in words)
    for array in found:
        np.testing.assert_allclose(array, expected(), rtol=1e-5)
    # A file that was optimised for the CPU has nothing for it.
    assert ("no subgraph for a device" in said) == (words[0] == f"dir={NB}")


@pytest.mark.usefixtures("converter")
def test_device(program: Path, tmp_path: Path) -> None:
    """What EnableLiteEngine leaves to the device is compiled and kept; `pool2d` stays."""
    words = [*CONV, "device=builtin_device", f"cache_dir={tmp_path / 'cache'}"]
    found, _ = run_case(program, Case(words, IMAGE), tmp_path / "run")
    np.testing.assert_allclose(found[0], expected(), rtol=1e-5)
    assert len(list((tmp_path / "cache").iterdir())) == 2  # before the pool and after it


@pytest.mark.usefixtures("converter")
def test_old_folder(program: Path, tmp_path: Path) -> None:
    write_protobuf_dir(tiny_models.dense(), str(tmp_path / "dense"))
    values = np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)
    case = Case([f"dir={tmp_path / 'dense'}"], {"x": values})
    found, _ = run_case(program, case, tmp_path / "run")
    np.testing.assert_allclose(found[0], tiny_models.dense_result(values), rtol=1e-6)


def test_integers(program: Path, tmp_path: Path) -> None:
    """Both kinds of integers are taken; those that do not fit are an error."""
    path = tmp_path / "mixed.nb"
    path.write_bytes(tiny_models.nb_bytes(tiny_models.mixed()))
    rows = np.ones((2, 4), np.float32)
    for dtype in ("int32", "int64"):
        inputs = {"x": rows, "ids": np.array([3, 1], dtype)}
        (total, twice), _ = run_case(program, Case([f"dir={path}"], inputs), tmp_path / "run")
        np.testing.assert_array_equal(total, rows + tiny_models.TABLE[[3, 1]])
        assert twice.dtype == np.int64 and twice.tolist() == [6, 2]
    path = tmp_path / "narrow.nb"
    path.write_bytes(tiny_models.nb_bytes(tiny_models.typed("int32")))
    wide = Case([f"dir={path}"], {"x": np.array([[1, 2, 3, 1 << 40]])})
    with pytest.raises(AssertionError, match="takes int32, which cannot hold 1099511627776"):
        run_case(program, wide, tmp_path / "run")


def test_nb_needs_no_converter(program: Path, tmp_path: Path) -> None:
    """A `.nb` file runs without Python; for the others the error says what is missing."""
    env = {"LITE_OPT": "", "PATH": "/nowhere"}
    found, _ = run_case(program, Case([f"dir={NB}"], IMAGE), tmp_path / "run", **env)
    np.testing.assert_allclose(found[0], expected(), rtol=1e-5)
    copied = tmp_path / "alone"
    shutil.copytree(sdk_path() / "lib", copied, ignore=shutil.ignore_patterns("*.a", "*light*"))
    shutil.copy2(sdk_path().parent / "libpaddle_lite_core.so", copied)
    with pytest.raises(AssertionError, match="paddle_lite_opt, which was not found"):
        run_case(program, Case(CONV, IMAGE), tmp_path / "run", LD_LIBRARY_PATH=str(copied), **env)


def test_what_is_kept_needs_no_converter(program: Path, converter: Path, tmp_path: Path) -> None:
    """But for another model, other settings, or a file that is damaged."""
    model = tmp_path / "model"
    model.mkdir()
    for suffix in (".pdmodel", ".pdiparams"):
        shutil.copy2(MODELS / f"conv{suffix}", model / f"inference{suffix}")
    kept = tmp_path / "made" / "kept"
    words = [f"dir={model}", f"optim_cache={kept}"]
    nowhere = {"LITE_OPT": str(tmp_path / "no_converter")}

    def output(words: Sequence[str], **env: str) -> np.ndarray:
        return run_case(program, Case(words, IMAGE), tmp_path / "run", **env)[0][0]

    np.testing.assert_allclose(output(words), expected(), rtol=1e-5)
    (file,) = kept.iterdir()
    moved = [f"dir={shutil.copytree(model, tmp_path / 'moved')}", words[1]]
    for same in (words, moved, [*words, "threads=2"]):
        np.testing.assert_array_equal(output(same, **nowhere), output(words))
    in_memory = [*CONV, "memory=", words[1]]
    np.testing.assert_allclose(output(in_memory), expected(), rtol=1e-5)
    np.testing.assert_allclose(output(in_memory, **nowhere), expected(), rtol=1e-5)
    for other in ([*words, "ir_optim=0"], [*words, "delete_pass=conv_bn_fuse_pass"]):
        with pytest.raises(AssertionError, match="no_converter, which is no program"):
            output(other, **nowhere)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    np.testing.assert_allclose(output(words), expected(), rtol=1e-5)
    assert file.read_bytes() == whole
    for _ in range(2):  # in the model's own folder
        output([words[0], f"optim_cache={model}"])
    assert len(list(model.iterdir())) == 3
    parameters = bytearray((model / "inference.pdiparams").read_bytes())
    parameters[-1] ^= 1
    (model / "inference.pdiparams").write_bytes(parameters)
    with pytest.raises(AssertionError, match="no_converter, which is no program"):
        output(words, **nowhere)


@pytest.mark.usefixtures("converter")
def test_where_nothing_can_be_kept(program: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    words = [*CONV, f"optim_cache={tmp_path / 'file' / 'kept'}"]
    (found,), said = run_case(program, Case(words, IMAGE), tmp_path / "run")
    np.testing.assert_allclose(found, expected(), rtol=1e-5)
    assert "is not kept" in said


# As the demonstrations of Paddle Inference are built.
PADDLE_LIB = """
include_directories("${PADDLE_LIB}/")
set(THIRD_PARTY "${PADDLE_LIB}/third_party/install/")
foreach(name protobuf xxhash cryptopp utf8proc)
  include_directories("${THIRD_PARTY}${name}/include")
  link_directories("${THIRD_PARTY}${name}/lib")
endforeach()
set(MATH_LIB ${THIRD_PARTY}mklml/lib/libmklml_intel.so ${THIRD_PARTY}mklml/lib/libiomp5.so)
set(DEPS ${PADDLE_LIB}/paddle/lib/libpaddle_inference.so ${MATH_LIB} protobuf xxhash cryptopp
    utf8proc_static -lrt -ldl -lpthread)
add_executable(program program.cc)
target_link_libraries(program ${DEPS})
"""


def _by_package(folder: Path) -> Path:
    return built_by_package(folder, TOOL, "inference")


def _by_paddle_lib(folder: Path) -> Path:
    sdk("--copy-inference", str(folder / "copied"))
    source = TOOL.read_text().replace("<paddle_inf", '"paddle/include/paddle_inf')
    (folder / "program.cc").write_text(source.replace("api.h>", 'api.h"', 1))
    return built_by_cmake(folder, PADDLE_LIB, f"-DPADDLE_LIB={folder / 'copied'}")


def _by_pkg_config(folder: Path) -> Path:
    flags = pkg_config("paddle_lite_inference")
    words = [os.environ.get("CXX", "c++"), str(TOOL), *flags, "-o", str(folder / "program")]
    subprocess.run(words, check=True)
    return folder / "program"


@pytest.mark.parametrize("way", [_by_package, _by_paddle_lib, _by_pkg_config])
def test_ways(way: Callable[[Path], Path], tmp_path: Path) -> None:
    tool = "pkg-config" if way is _by_pkg_config else "cmake"
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    found, _ = run_case(way(tmp_path), Case([f"dir={NB}"], IMAGE), tmp_path / "run")
    np.testing.assert_allclose(found[0], expected(), rtol=1e-5)


@pytest.mark.parametrize("standard", [11, 20])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_headers(compiler: str, standard: int, tmp_path: Path) -> None:
    """Beside Paddle Lite's, with every warning, in any order."""
    source = tmp_path / "headers.cc"
    names = ("predictor", "tensor", "api", "inference_api", "analysis_config", "pass_builder")
    source.write_text("".join(f"#include <paddle_{name}.h>\n" for name in names))
    warnings = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror".split()
    command = [compiler, f"-std=c++{standard}", "-fsyntax-only", *warnings, *sdk("--cflags")]
    subprocess.run([*command, str(source)], check=True)
