"""Programs in the manner of the public demonstrations, a file each in programs/."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import numpy as np
from java.jvm import first, java, numbers, picture
from PIL import Image
from sdk import example_models as models
from sdk.conftest import converter_script as converter_script

import lite
from lite.tools.opt.main import main as optimise

PROGRAMS = Path(__file__).parent / "programs"


def light(folder: Path, program: str, model: str, *arguments: object, typed: str = "") -> str:
    return java(folder, "light", program, folder / f"{model}.nb", *arguments, typed=typed)


def squares(side: int) -> np.ndarray:
    """Another picture: no two places of it look alike to a filter."""
    at = np.arange(3 * side * side, dtype=np.int64)
    return np.float32(at * at % 101 / 50 - 1).reshape(1, 3, side, side)


def test_a_classifier(folder: Path) -> None:
    found = numbers(java(folder, "light", "Classify", folder / "classifier.nb", 24, 40))
    expected = [first(folder / "classifier.nb", picture(side)) for side in (24, 40)]
    np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5)


def test_a_detector(folder: Path) -> None:
    y, x = np.meshgrid(np.arange(64), np.arange(64), indexing="ij")
    image = np.float32(np.where((y > 20) & (x > 30), 2, -1))
    found = numbers(java(folder, "light", "Detect", folder / "detector.nb"))
    pixels = np.broadcast_to(image, (1, 3, 64, 64)).copy()
    expected = first(folder / "detector.nb", pixels, np.float32([[0.5, 2]]))
    assert expected.size >= 6
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_sentences(folder: Path) -> None:
    found = numbers(java(folder, "light", "Tags", folder / "words.nb"))
    lines = [(7 * np.arange(length) + length) % 20 for length in (3, 1, 6)]
    words = np.concatenate(lines).reshape(-1, 1)
    np.testing.assert_allclose(found, first(folder / "words.nb", words), rtol=1e-5)


def test_speech(folder: Path) -> None:
    phones = [3, 1, 4, 1, 5, 9, 2, 6]
    expected = []
    for some in (phones, phones[:4]):
        sounds = first(folder / "sounds.nb", np.array(some)).reshape(-1, 8)
        expected.append(first(folder / "wave.nb", sounds))
    found = numbers(
        java(folder, "light", "Speech", folder / "sounds.nb", folder / "wave.nb", *phones)
    )
    np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5)


def test_a_server(folder: Path) -> None:
    found = numbers(java(folder, "light", "Server", folder / "classifier.nb", 100))
    answers = [first(folder / "classifier.nb", picture(20 + i)) for i in range(7)]
    expected = [answers[i % 7] for i in range(100)]
    np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5)


def test_integers_by_name(folder: Path) -> None:
    found = java(folder, "light", "Numbers", folder / "integers.nb").split()
    assert found == ["0", "3", "100", "255"] * 3


def test_assets_and_bitmaps(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "classifier.nb", folder / "classes")
    found = numbers(java(folder, "light", "Assets", tmp_path)).reshape(-1, 14)
    at = np.arange(32 * 32)
    mean, deviation = np.reshape([0.485, 0.456, 0.406, 0.229, 0.224, 0.225], (2, 3, 1))
    parts = [(at * 7 % 256, at * 3 % 256, (at + image) % 256) for image in range(2)]
    pixels = (np.array(parts) / 255 - mean) / deviation
    batch = pixels.reshape(2, 3, 32, 32).astype(np.float32)
    expected = first(folder / "classifier.nb", batch)
    assert len(found) > 3 and (found == found[0]).all()
    np.testing.assert_allclose(found[0], expected, rtol=1e-4)


def test_a_model_is_optimised(folder: Path, converter_script: Path, tmp_path: Path) -> None:
    arguments = (folder / "classifier", tmp_path / "saved")
    found = numbers(java(folder, "full", "Optimise", *arguments, LITE_OPT=str(converter_script)))
    expected = first(folder / "classifier.nb", picture(24))
    np.testing.assert_allclose(found.reshape(2, -1), [expected, expected], rtol=1e-5)


def test_kotlin(folder: Path, tmp_path: Path) -> None:
    light, program = folder / "light.jar", tmp_path / "use.jar"
    command = ["kotlinc", PROGRAMS / "Use.kt", "-cp", light, "-include-runtime"]
    done = subprocess.run([*command, "-d", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    path = os.pathsep.join([str(light), str(program)])
    run = ["java", "-cp", path, "UseKt", str(folder / "classifier.nb")]
    found = numbers(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    np.testing.assert_allclose(found, first(folder / "classifier.nb", picture(24)), rtol=1e-5)


def test_segmentation(folder: Path) -> None:
    at = np.arange(24 * 24)
    pixels = np.float32([at * 7 % 256, at * 3 % 256, at % 256]) / 127.5 - 1
    mask = first(folder / "segmenter.nb", pixels.reshape(1, 3, 24, 24).astype(np.float32))
    assert len(set(mask)) > 2
    found = numbers(light(folder, "Segment", "segmenter", 24))
    np.testing.assert_array_equal(found, np.bincount(mask, minlength=4))


def test_keypoints(folder: Path) -> None:
    maps = first(folder / "heatmaps.nb", squares(32)).reshape(5, 64)
    best = maps.argmax(1)
    expected = np.stack([(best % 8 + 0.5) * 4, (best // 8 + 0.5) * 4, maps.max(1)], axis=1)
    found = numbers(light(folder, "Keypoints", "heatmaps", 32))
    np.testing.assert_allclose(found, expected.ravel(), rtol=1e-5)


def test_style_by_strips(folder: Path, tmp_path: Path) -> None:
    image = np.random.default_rng(3).integers(0, 256, (45, 30, 3), np.uint8)
    Image.fromarray(image).save(tmp_path / "in.png")
    light(folder, "Style", "style", tmp_path / "in.png", tmp_path / "out.png")
    rgb = np.float32(image.transpose(2, 0, 1)[None] / 127.5 - 1)
    painted = first(folder / "style.nb", rgb).reshape(3, 45, 30).transpose(1, 2, 0)
    found = np.asarray(Image.open(tmp_path / "out.png"))
    np.testing.assert_allclose(found, (painted + 1) * 127.5, atol=0.51)


def test_faces(folder: Path) -> None:
    lines = light(folder, "Faces", "features").split("\n")[:-1]
    assert [line.split(",")[0] for line in lines] == [f"person {i}" for i in range(1, 6)]
    assert all(0.9 < float(line.split(",")[1]) < 1 for line in lines)


def _boxes(maps: np.ndarray) -> np.ndarray:
    """Label, score and corners of each anchor and cell of a grid of 8 x 8."""
    fields = maps.reshape(2, 7, 64).transpose(0, 2, 1).astype(np.float64)
    size = np.exp(fields[..., 2:4]) * np.array([[10, 13], [33, 23]])[:, None]
    sure = 1 / (1 + np.exp(-fields))
    cells = np.stack([np.arange(64) % 8, np.arange(64) // 8], axis=-1)
    middle = (sure[..., :2] + cells) * 8
    label = fields[..., 5:].argmax(-1)
    score = sure[..., 4] * sure[..., 5:].max(-1)
    parts = [label[..., None], score[..., None], middle - size / 2, middle + size / 2]
    return np.concatenate(parts, axis=-1).reshape(-1, 6)


def _overlap(a: np.ndarray, b: np.ndarray) -> float:
    both = np.prod(np.maximum(np.minimum(a[4:], b[4:]) - np.maximum(a[2:4], b[2:4]), 0))
    areas = np.prod(a[4:] - a[2:4]) + np.prod(b[4:] - b[2:4])
    return float(both / (areas - both))


def test_boxes_of_the_program_s_own(folder: Path) -> None:
    kept: list[np.ndarray] = []
    boxes = _boxes(first(folder / "grid.nb", squares(64)))
    for box in boxes[np.argsort(-boxes[:, 1], kind="stable")]:
        if all(other[0] != box[0] or _overlap(other, box) <= 0.4 for other in kept):
            kept.append(box)
    assert 5 < len(kept) < len(boxes)
    found = numbers(light(folder, "Yolo", "grid", 64)).reshape(-1, 4)
    np.testing.assert_allclose(found, np.array(kept)[:, :4], rtol=1e-4, atol=1e-4)


def test_batches_without_copies(folder: Path) -> None:
    pixels = np.float32(np.arange(9 * 3 * 16 * 16) % 11) / np.float32(11)
    expected = first(folder / "classifier.nb", pixels.reshape(9, 3, 16, 16))
    found = numbers(light(folder, "Batch", "classifier", 4, 1, 3, 1))
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_video(folder: Path) -> None:
    at, expected = np.arange(20 * 20), []
    for frame in range(12):
        argb = (at * 5 + frame * 31) * 40503
        parts = [argb >> 16 & 255, argb >> 8 & 255, argb & 255]
        scores = first(
            folder / "classifier.nb", np.float32(parts).reshape(1, 3, 20, 20) / np.float32(255)
        )
        expected += [scores.argmax(), scores.max()]
    np.testing.assert_allclose(
        numbers(light(folder, "Video", "classifier", 12)), expected, rtol=1e-5
    )


def test_a_stream_with_its_state(folder: Path) -> None:
    predictor, state, expected = lite.load(folder / "chunks.nb"), np.zeros((1, 8), np.float32), []
    for place, length in enumerate((3, 1, 6, 6), 1):
        chunk = np.float32((np.arange(4 * length) * 3 + place) % 7 - 3).reshape(length, 4)
        answer, state = predictor.run([chunk, state]).values()
        expected.append(answer.ravel())
    found = numbers(light(folder, "Stream", "chunks", 3, 1, 6, 6))
    np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5)


def test_translation(folder: Path) -> None:
    words, said, expected = [4, 7, 19, 2, 2], np.zeros((1, 20), np.float32), []
    sentence = first(folder / "encoder.nb", np.array(words)).reshape(1, 8)
    while len(expected) < 20 and (not expected or expected[-1]):
        expected.append(int(first(folder / "decoder.nb", sentence, said).argmax()))
        said[0, expected[-1]] += 9
    assert 2 < len(expected) < 20
    found = light(folder, "Translate", "encoder", folder / "decoder.nb", *words).split()
    assert [*map(int, found)] == expected


def test_ranking(folder: Path) -> None:
    (table,) = models.ranker().params.values()
    seen, offered = [[1, 2, 3], [4], [19, 0]], [[5], [7, 8], [9]]
    sums = [table[a].sum(0) @ table[b].sum(0) for a, b in zip(seen, offered, strict=True)]
    expected = 1 / (1 + np.exp(-np.array(sums)))
    np.testing.assert_allclose(numbers(light(folder, "Rank", "ranker")), expected, rtol=1e-5)


def test_bytes_of_a_picture(folder: Path, tmp_path: Path) -> None:
    image = np.random.default_rng(4).integers(0, 256, (9, 14, 3), np.uint8)
    Image.fromarray(image).save(tmp_path / "in.png")
    found = numbers(light(folder, "Bytes", "pixels", tmp_path / "in.png"))
    np.testing.assert_allclose(found, image.mean((0, 1))[::-1], rtol=1e-5)


def _rows(count: int) -> np.ndarray:
    return np.float32(np.random.default_rng(5).integers(-40, 40, (count, 13)) / 8)


def test_prices_of_a_table(folder: Path, tmp_path: Path) -> None:
    lines = [",".join(map(str, row)) for row in _rows(6).tolist()]
    (tmp_path / "table.csv").write_text("\n".join(lines))
    found = numbers(light(folder, "Houses", "houses", tmp_path / "table.csv"))
    np.testing.assert_allclose(found, first(folder / "houses.nb", _rows(6)), rtol=1e-5)


def test_what_a_user_types(folder: Path) -> None:
    (row,) = _rows(1)
    right = " ".join(map(str, row.tolist()))
    found = light(folder, "Form", "houses", typed=f"{right}\n1 2\nx\n{right} 1\n{right}\n").split(
        "\n"
    )
    price = f"price {first(folder / 'houses.nb', row[None])[0]:.3f}"
    assert found[0] == found[4] and found[0].startswith(price)
    assert found[1].startswith("PaddleLiteException: ") and "matmul_v2" in found[1]
    assert found[2] == 'NumberFormatException: For input string: "x"'
    assert found[3].startswith("PaddleLiteException: ") and "14" in found[3]


def test_a_benchmark(folder: Path) -> None:
    ones = first(folder / "classifier.nb", np.ones((1, 3, 24, 24), np.float32))
    loaded, *lines = light(folder, "Benchmark", "classifier", 24, 3).split()
    assert loaded == "true" and len(lines) == 12
    for line in lines:
        mode, threads, timed, answer = line.split(",")
        assert mode.startswith("LITE_POWER_") and threads in "12" and timed == "true"
        np.testing.assert_allclose(float(answer), ones[0], rtol=1e-5)


def test_an_album_of_models(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "models.zip", "w") as album:
        for name in ("classifier", "features"):
            album.write(folder / f"{name}.nb", name)
            album.writestr(f"damaged {name}", (folder / f"{name}.nb").read_bytes()[:-9])
    lines = java(folder, "light", "Album", tmp_path / "models.zip").split("\n")[:-1]
    answers = [first(folder / f"{n}.nb", picture(24))[0] for n in ("classifier", "features")]
    expected = [
        "classifier,true",
        "damaged classifier,false",
        "features,true",
        "damaged features,false",
    ]
    assert [line.rsplit(",", 1)[0] for line in lines] == expected
    values = [float(line.rsplit(",", 1)[1]) for line in lines]
    np.testing.assert_allclose(values, np.repeat(answers, 2), rtol=1e-5)


def test_answers_that_come_later(folder: Path) -> None:
    sides = (24, 40, 32, 24, 20)
    expected = [np.square(first(folder / "classifier.nb", picture(s))).sum() for s in sides]
    found = numbers(light(folder, "Later", "classifier", *sides))
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_a_device(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "model"
    words = [f"--model_dir={folder / 'classifier'}", f"--optimize_out={path}"]
    assert optimise([*words, "--valid_targets=builtin_device,x86"]) == 0
    found = java(
        folder,
        "light",
        "Device",
        f"{path}.nb",
        24,
        "builtin_device",
        LD_LIBRARY_PATH=str(Path(lite.__file__).parent),
    )
    np.testing.assert_allclose(
        numbers(found), first(folder / "classifier.nb", picture(24)), rtol=1e-5
    )
