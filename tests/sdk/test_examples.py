"""The examples in C++ print what Python computes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import lite

from . import example_models as models
from .conftest import ROOT, compiled, emulator, sdk
from .demo_picture import prepare

EXAMPLES = ROOT / "examples" / "cpp"
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not EXAMPLES.exists(), reason="the examples are in the tree"),
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("examples")


def _run(folder: Path, name: str, *words: object) -> list[str]:
    """Builds the example once and runs it; its lines."""
    program = folder / name
    if not program.exists():
        kind = "full" if name == "partition" else "light"
        compiled(program, [EXAMPLES / f"{name}.cc"], *sdk("--libs", kind))
    command = [*emulator(), str(program), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done
    assert not done.stderr
    return done.stdout.splitlines()


def _picture(path: Path, height: int, width: int, seed: int = 0) -> np.ndarray:
    """Bright rectangles of several colours on dark noise, as a PPM file and an array."""
    rng = np.random.default_rng(seed)
    pixels = rng.integers(0, 60, (height, width, 3), np.uint8)
    for _ in range(3):
        y, x = rng.integers(0, height * 2 // 3), rng.integers(0, width * 2 // 3)
        pixels[y : y + height // 3, x : x + width // 3] = rng.integers(120, 256, 3)
    path.write_bytes(b"P6\n%d %d\n255\n" % (width, height) + pixels.tobytes())
    return pixels


def _resized(pixels: np.ndarray, height: int, width: int) -> np.ndarray:
    """As image.h does it."""

    def steps(size: int, old: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        at = (np.arange(size, dtype=np.float32) + np.float32(0.5)) * old / size - np.float32(0.5)
        at = np.clip(at, 0, old - 1)
        low = at.astype(int)
        return low, np.minimum(low + 1, old - 1), (at - low).astype(np.float32)

    y0, y1, fy = steps(height, pixels.shape[0])
    x0, x1, fx = steps(width, pixels.shape[1])
    values, fx, fy = pixels.astype(np.float32), fx[None, :, None], fy[:, None, None]
    top = values[y0][:, x0] * (1 - fx) + values[y0][:, x1] * fx
    bottom = values[y1][:, x0] * (1 - fx) + values[y1][:, x1] * fx
    return np.floor(top * (1 - fy) + bottom * fy + 0.5).astype(np.uint8)


def _input(pixels: np.ndarray) -> np.ndarray:
    planes = (pixels.astype(np.float32) / 255 - MEAN) / DEVIATION
    return np.ascontiguousarray(planes.transpose(2, 0, 1)[None])


def test_classify(folder: Path, tmp_path: Path) -> None:
    model = models.save_nb(models.classifier(), tmp_path / "m.nb")
    pixels = _picture(tmp_path / "p.ppm", 90, 120)
    (tmp_path / "labels.txt").write_text("cat\ndog\nfish\n")
    lines = _run(folder, "classify", model, tmp_path / "p.ppm", tmp_path / "labels.txt", 56)
    scaled = _resized(pixels, 64, 85)[4:60, 14:70]
    (expected,) = lite.load(model).run([_input(scaled)]).values()
    order = np.argsort(-expected[0])[:5]
    names = [["cat", "dog", "fish", "3", "4", "5", "6"][index] for index in order]
    assert [line.split()[0] for line in lines] == names
    printed = [float(line.split()[1]) for line in lines]
    np.testing.assert_allclose(printed, expected[0][order], atol=1e-3)


def _boxes(model: Path, pixels: np.ndarray) -> np.ndarray:
    scale = np.array([[64 / pixels.shape[0], 64 / pixels.shape[1]]], np.float32)
    boxes, count = lite.load(model).run([_input(_resized(pixels, 64, 64)), scale]).values()
    assert count[0] == len(boxes) > 1
    return boxes


def test_detect(folder: Path, tmp_path: Path) -> None:
    model = models.save_nb(models.detector(), tmp_path / "m.nb")
    pixels = _picture(tmp_path / "p.ppm", 150, 200)
    lines = _run(folder, "detect", model, tmp_path / "p.ppm", tmp_path / "out.ppm", 64, 0.65)
    expected = [row for row in _boxes(model, pixels) if row[1] >= 0.65]
    printed = np.array([[float(word) for word in line.split()] for line in lines])
    np.testing.assert_allclose(printed, expected, atol=0.02)
    header, body = b"P6\n200 150\n255\n", (tmp_path / "out.ppm").read_bytes()
    assert body.startswith(header)
    drawn = np.frombuffer(body[len(header) :], np.uint8).reshape(pixels.shape)
    left, top, right = (int(max(0, value)) for value in expected[0][2:5])
    assert (drawn[top, left : min(right, 199)] == (255, 0, 0)).all()
    changed = (drawn != pixels).any(axis=2)
    assert 0 < changed.mean() < 0.2


def _vector(predictor: lite.Predictor, pixels: np.ndarray) -> np.ndarray:
    (found,) = predictor.run([_input(_resized(pixels, 32, 32))]).values()
    return found[0] / np.linalg.norm(found[0])


def test_search(folder: Path, tmp_path: Path) -> None:
    detector = models.save_nb(models.detector(), tmp_path / "d.nb")
    features = models.save_nb(models.features(), tmp_path / "f.nb")
    pixels = _picture(tmp_path / "p.ppm", 150, 200)
    gallery = [_picture(tmp_path / f"g{seed}.ppm", 60, 50, seed) for seed in (1, 2, 3)]
    paths = [tmp_path / f"g{seed}.ppm" for seed in (1, 2, 3)]
    lines = _run(folder, "search", detector, features, tmp_path / "p.ppm", *paths)
    predictor = lite.load(features)
    known = np.stack([_vector(predictor, picture) for picture in gallery])
    parts = [row[2:].astype(int) for row in _boxes(detector, pixels) if row[1] >= 0.2]
    parts.append(np.array([0, 0, 200, 150]))
    assert len(lines) == len(parts)
    for line, (left, top, right, bottom) in zip(lines, parts, strict=True):
        *corners, path, score = line.split()
        assert [int(word) for word in corners] == [left, top, right, bottom]
        cut = pixels[max(top, 0) : bottom, max(left, 0) : right]
        scores = known @ _vector(predictor, cut)
        assert path == str(paths[int(scores.argmax())])
        assert abs(float(score) - scores.max()) < 1e-3


def test_partition(folder: Path, tmp_path: Path, converter: Path) -> None:
    model = models.save_folder(models.classifier(), tmp_path / "model")
    (tmp_path / "config.txt").write_text("softmax\n")
    words = [model, "builtin_device", tmp_path / "config.txt", tmp_path / "out", 1, 3, 32, 32]
    *lines, last = _run(folder, "partition", *words)
    ramp = (np.arange(3 * 32 * 32) % 256).astype(np.float32).reshape(1, 3, 32, 32) / 255
    (expected,) = lite.load(model).run([ramp]).values()
    np.testing.assert_allclose([float(line) for line in lines], expected[0], atol=1e-5)
    assert last == "largest difference 0"
    report = json.loads((tmp_path / "out.json").read_text())
    places = {op["type"]: (op["place"], op["kind"]) for op in report["placement"]["operators"]}
    assert places["softmax"] == ("cpu", "config")
    assert places["conv2d"][0] == "device"
    assert report["subgraphs"][0]["runs"] == 1


@pytest.mark.models
def test_ocr(folder: Path, tmp_path: Path) -> None:
    """Reads what the Python demo reads, and draws the boxes."""
    demo = prepare(tmp_path)
    lines = _run(folder, "ocr", *demo.words, demo.ppm, tmp_path / "out.ppm")
    demo.check("\n".join(lines))
    drawn = (tmp_path / "out.ppm").read_bytes()
    assert len(drawn) == demo.ppm.stat().st_size and drawn != demo.ppm.read_bytes()


def test_mistakes(folder: Path, tmp_path: Path) -> None:
    """A usage line, or one line that names the file."""
    model = models.save_nb(models.classifier(), tmp_path / "m.nb")
    (tmp_path / "cut.ppm").write_bytes(b"P6\n20 20\n255\nabc")
    _picture(tmp_path / "p.ppm", 20, 20)
    _run(folder, "classify", model, tmp_path / "p.ppm")
    for words, code, text in (
        ([], 2, "usage"),
        ([model, "nowhere.ppm"], 1, "nowhere.ppm"),
        ([model, tmp_path / "cut.ppm"], 1, "ends within"),
        (["nowhere.nb", tmp_path / "p.ppm"], 1, "nowhere.nb"),
    ):
        command = [str(folder / "classify"), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == code
        assert text in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not shutil.which("cmake"), reason="CMake is not installed")
def test_cmake_configures(tmp_path: Path) -> None:
    """Every example is named, with a target that there is; building them all takes long."""
    (where,) = sdk("--cmake-dir")
    command = ["cmake", "-S", str(EXAMPLES), "-B", str(tmp_path), f"-DPaddleLite_DIR={where}"]
    strict = "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"
    subprocess.run([*command, strict], check=True, capture_output=True)
    names = {path.stem for path in EXAMPLES.glob("*.cc")}
    listed = subprocess.run(
        ["cmake", "--build", str(tmp_path), "--target", "help"], capture_output=True, text=True
    )
    assert names == {name for name in names if name in listed.stdout}
    subprocess.run(
        ["cmake", "--build", str(tmp_path), "--target", "classify"], check=True, capture_output=True
    )
