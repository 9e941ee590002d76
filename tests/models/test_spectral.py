"""Models with complex numbers inside, fed, fetched and as parameters; numpy says what is right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import lite
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.errors import DataTypeError, UnsupportedOperatorError
from lite.model.load import load_program
from lite.model.onnx.export import export_model
from lite.model.program import Program
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program, print_program

N_FFT, HOP, MELS, SAMPLES = 64, 20, 10, 400
RNG = np.random.default_rng(5)


def program(inputs: str, operators: str, outputs: list[str], **params: np.ndarray) -> Program:
    """A program from text; inputs are "name: dtype[shape]" in lines."""
    lines = [line.strip() for line in inputs.strip().splitlines()]
    text = ["var feed: feed_minibatch persistable", "var fetch: fetch_list persistable"]
    text += [f"var {line.replace(': ', ': lod_tensor ')}" for line in lines]
    for name, array in params.items():
        dims = ",".join(map(str, array.shape))
        kind = array.dtype.name.replace("float32", "fp32")
        text.append(f"var {name}: lod_tensor {kind}[{dims}] persistable")
    made = {part.split("[")[1].split("]")[0] for part in operators.split("Out: ")[1:]}
    text += [f"var {name}: lod_tensor fp32[]" for name in sorted(made)]
    for column, line in enumerate(lines):
        text.append(f"Out: [{line.split(':')[0]}] = feed(X: [feed]) {{col: int {column}}}")
    text += operators.strip().splitlines()
    for column, name in enumerate(outputs):
        text.append(f"Out: [fetch] = fetch(X: [{name}]) {{col: int {column}}}")
    body = "\n".join(text)
    return parse_program(f"program version 2006002\nblock 0 parent -1 {{\n{body}\n}}\n", params)


def mel_filters() -> np.ndarray:
    """Triangles over the bins, as audio libraries have them."""
    centres = np.linspace(0, N_FFT // 2, MELS + 2)
    bins = np.arange(N_FFT // 2 + 1)
    up = (bins - centres[:-2, None]) / (centres[1:-1] - centres[:-2])[:, None]
    down = (centres[2:, None] - bins) / (centres[2:] - centres[1:-1])[:, None]
    return np.maximum(0, np.minimum(up, down)).astype("float32")


STARTS = np.arange(0, SAMPLES - N_FFT + 1, HOP)
WINDOW = np.hanning(N_FFT).astype("float32")

LOG_MEL = """
Out: [picked] = gather(X: [wave], Index: [places]) {axis: int 1}
Out: [frames] = reshape(X: [picked]) {shape: ints [0, -1, 64]}
Out: [windowed] = elementwise_mul(X: [frames], Y: [window]) {axis: int -1}
Out: [spectrum] = fft_r2c(X: [windowed]) {axes: longs [2], normalization: string "backward",
    forward: bool true, onesided: bool true}
Out: [size] = abs(X: [spectrum])
Out: [power] = square(X: [size])
Out: [mel] = matmul_v2(X: [power], Y: [filters]) {trans_x: bool false, trans_y: bool true}
Out: [floored] = clip(X: [mel]) {min: float 1e-10, max: float 1e10}
Out: [log] = log10(X: [floored])
Out: [decibels] = scale(X: [log]) {scale: float 10.0, bias: float 0.0}
"""
BY_STFT = """
Out: [spectrum] = stft(X: [wave], Window: [window]) {n_fft: int 64, hop_length: int 20,
    normalized: bool false, onesided: bool true}
Out: [re] = real(X: [spectrum])
Out: [im] = imag(X: [spectrum])
Out: [re2] = elementwise_mul(X: [re], Y: [re]) {axis: int -1}
Out: [im2] = elementwise_mul(X: [im], Y: [im]) {axis: int -1}
Out: [power] = elementwise_add(X: [re2], Y: [im2]) {axis: int -1}
Out: [mel] = matmul_v2(X: [filters], Y: [power]) {trans_x: bool false, trans_y: bool false}
Out: [turned] = transpose(X: [mel]) {axis: ints [0, 2, 1]}
Out: [floored] = clip(X: [turned]) {min: float 1e-10, max: float 1e10}
Out: [log] = log10(X: [floored])
Out: [decibels] = scale(X: [log]) {scale: float 10.0, bias: float 0.0}
"""


def log_mel(wave: np.ndarray) -> np.ndarray:
    windows = np.lib.stride_tricks.sliding_window_view(wave.astype("float64"), N_FFT, 1)
    spectrum = np.fft.rfft(windows[:, STARTS] * WINDOW)
    mel = np.abs(spectrum) ** 2 @ mel_filters().T.astype("float64")
    return 10 * np.log10(np.maximum(mel, 1e-10))


def front_end(kind: str) -> Program:
    places = (STARTS[:, None] + np.arange(N_FFT)).reshape(-1)
    params: dict[str, np.ndarray] = {"window": WINDOW, "filters": mel_filters()}
    if kind == "gathered":
        params["places"] = places.astype("int64")
    operators = LOG_MEL if kind == "gathered" else BY_STFT
    return program("wave: fp32[-1,400]", operators, ["decibels"], **params)


WEIGHT = (RNG.normal(size=(6, 3)) + 1j * RNG.normal(size=(6, 3))).astype("complex64")
SQUARE = (RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3))).astype("complex64")
BIAS = (RNG.normal(size=3) + 1j * RNG.normal(size=3)).astype("complex64")

MIX = """
Out: [spectrum] = fft_r2c(X: [x]) {axes: longs [1], normalization: string "ortho",
    forward: bool true, onesided: bool true}
Out: [low] = slice(Input: [spectrum]) {axes: ints [1], starts: ints [0], ends: ints [6]}
Out: [weighed] = elementwise_mul(X: [low], Y: [weight]) {axis: int -1}
Out: [turned] = matmul_v2(X: [weighed], Y: [square]) {trans_x: bool false, trans_y: bool false}
Out: [biased] = elementwise_add(X: [turned], Y: [bias]) {axis: int -1}
Out: [half] = scale(X: [biased]) {scale: float 0.5, bias: float 0.0}
Out: [together] = concat(X: [half, z]) {axis: int 1}
Out: [back] = fft_c2r(X: [together]) {axes: longs [1], normalization: string "ortho",
    forward: bool false, last_dim_size: long 17}
"""


def mix(x: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low = np.fft.rfft(x.astype("float64"), axis=1, norm="ortho")[:, :6]
    half = ((low * WEIGHT) @ SQUARE + BIAS) / 2
    return np.fft.irfft(np.concatenate([half, z], 1), 17, 1, norm="ortho"), half


def mixer() -> Program:
    inputs = "x: fp32[-1,16,3]\nz: complex64[-1,3,3]"
    return program(inputs, MIX, ["back", "half"], weight=WEIGHT, square=SQUARE, bias=BIAS)


def predictors(made: Program, folder: Path) -> Iterator[tuple[str, lite.Predictor]]:
    write_protobuf_dir(made, folder / "legacy")
    yield "legacy", lite.load(str(folder / "legacy"))
    source = Source(model_dir=str(folder / "legacy"))
    yield ".nb", lite.load(source.save_naive_buffer(str(folder / "model.nb")), threads=2)
    for device in ("builtin_device", "python"):
        options = DeviceOptions((device,))
        yield device, lite.load(str(folder / "legacy"), devices=options)


def close(got: np.ndarray, want: np.ndarray, where: str) -> None:
    assert got.shape == want.shape, where
    assert np.abs(got - want).max() <= 1e-4 * np.abs(want).max(), where


@pytest.mark.parametrize("kind", ["gathered", "stft"])
def test_log_mel(kind: str, tmp_path: Path) -> None:
    for name, predictor in predictors(front_end(kind), tmp_path):
        for batch in (1, 3):
            wave = RNG.uniform(-1, 1, (batch, SAMPLES)).astype("float32")
            (got,) = predictor.run({"wave": wave}).values()
            assert got.dtype == np.float32
            close(got, log_mel(wave), f"{kind}, {name}, {batch}")


def test_complex_weights_inputs_and_outputs(tmp_path: Path) -> None:
    for name, predictor in predictors(mixer(), tmp_path):
        for batch in (2, 1):
            x = RNG.normal(size=(batch, 16, 3)).astype("float32")
            z = (RNG.normal(size=(batch, 3, 3)) * (1 + 2j)).astype("complex64")
            back, half = predictor.run({"x": x, "z": z}).values()
            assert (back.dtype, half.dtype) == (np.float32, np.complex64)
            for got, want in zip((back, half), mix(x, z), strict=True):
                close(got, want, f"{name}, {batch}")
        with pytest.raises(DataTypeError, match=r"z.*complex64"):
            predictor.run({"x": x, "z": z.real.copy()})
        with pytest.raises(DataTypeError, match=r"x.*float32"):
            predictor.run({"x": x.astype("complex64"), "z": z})


def test_files_keep_complex_numbers(tmp_path: Path) -> None:
    made = mixer()
    assert parse_program(print_program(made), made.params) == made
    write_protobuf_dir(made, tmp_path / "legacy")
    source = Source(model_dir=str(tmp_path / "legacy"))
    for again in (
        load_program(tmp_path / "legacy"),
        load_program(source.save_naive_buffer(str(tmp_path / "model.nb"))),
    ):
        for name, array in made.params.items():
            assert again.params[name].dtype == np.complex64
            np.testing.assert_array_equal(again.params[name], array)


def test_tensors_of_complex_numbers(tmp_path: Path) -> None:
    write_protobuf_dir(mixer(), tmp_path / "legacy")
    nb = Source(model_dir=str(tmp_path / "legacy")).save_naive_buffer(str(tmp_path / "model.nb"))
    config = lite.MobileConfig()
    config.set_model_from_file(nb)
    predictor = lite.create_paddle_predictor(config)
    x, z = np.ones((1, 16, 3), "float32"), np.full((1, 3, 3), 1 - 2j, "complex64")
    for index, array in enumerate((x, z)):
        predictor.get_input(index).from_numpy(array)
    predictor.run()
    half = predictor.get_output(1)
    assert half.precision() is lite.PrecisionType.Unk
    close(half.numpy(), mix(x, z)[1], "half")


@pytest.mark.parametrize("made", [front_end("gathered"), front_end("stft"), mixer()])
def test_onnx_refuses_by_name(made: Program) -> None:
    with pytest.raises(UnsupportedOperatorError, match=r"complex|fft_r2c|stft"):
        export_model(made)
