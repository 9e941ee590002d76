"""Programs with complex numbers: Fourier transforms, speech front ends, time series."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
from cases import add, add_function, f
from paddle import nn

F = paddle.fft
X = f(2, 3, 12)
Y = f(2, 3, 12, seed=1)
SIGNAL = f(2, 96)


def number(x: Any, seed: float = 0.5) -> Any:
    """Complex numbers made of real ones."""
    return paddle.complex(x, x * seed + 1)


def parts(z: Any) -> tuple[Any, Any]:
    return paddle.real(z), paddle.imag(z)


ROWS: dict[str, tuple[Any, ...]] = {
    "z_fft": (lambda x: parts(F.fft(number(x))), X),
    "z_fft_ortho": (lambda x: parts(F.fft(number(x), axis=1, norm="ortho")), X),
    "z_ifft_forward": (lambda x: parts(F.ifft(number(x), norm="forward")), X),
    "z_fft_longer": (lambda x: parts(F.fft(x, n=17)), X),
    "z_fft2": (lambda x: parts(F.fft2(number(x))), X),
    "z_ifftn": (lambda x: parts(F.ifftn(number(x), axes=(1, 2))), X),
    "z_rfft2": (lambda x: parts(F.rfft2(x)), X),
    "z_rfft_short": (lambda x: parts(F.rfft(x, n=7, axis=1)), X),
    "z_irfft2": (lambda x: F.irfft2(F.rfft2(x)), X),
    "z_irfft_odd": (lambda x: F.irfft(number(x), n=21), X),
    "z_hfft": (lambda x: F.hfft(number(x)), X),
    "z_ihfft": (lambda x: parts(F.ihfft(x)), X),
    "z_double": (lambda x: parts(F.fft(number(x.astype("float64")))), X),
    "z_power": (lambda x: paddle.abs(F.rfft(x)) ** 2, X),
    "z_phase": (lambda x: paddle.angle(number(x)), X),
    "z_conj": (lambda x: parts(paddle.conj(number(x)) * number(x, 2.0)), X),
    "z_arithmetic": (
        lambda x, y: parts((number(x) + number(y)) / (number(y) - 4.0) * 0.5),
        X,
        Y,
    ),
    "z_with_real": (lambda x, y: parts(number(x) * y + y), X, Y),
    "z_constant": (lambda x: parts(number(x) * paddle.full([12], 1 + 2j, "complex64")), X),
    "z_constants": (
        lambda x: parts(number(x) + paddle.to_tensor(np.arange(12) * (1 - 0.5j), "complex64")),
        X,
    ),
    "z_matmul": (lambda x, y: parts(number(x) @ number(y).transpose([0, 2, 1])), X, Y),
    "z_sum": (lambda x: parts(number(x).sum(1) + number(x).mean(1)), X),
    "z_moved": (
        lambda x: parts(
            paddle.concat(
                [
                    paddle.stack(
                        [
                            number(x)[:, 1:].transpose([1, 0, 2]),
                            number(x)[:, :2].transpose([1, 0, 2]),
                        ]
                    ),
                    paddle.flip(number(x).reshape([2, 3, 1, 12]).tile([1, 1, 2, 1])[:, :2], [3]),
                ]
            )
        ),
        X,
    ),
    "z_picked": (
        lambda x: parts(number(x)[:, :, 2:10:2].unsqueeze(0).expand([2, 2, 3, 4]).squeeze()),
        X,
    ),
    "z_gathered": (
        lambda x: parts(paddle.gather(number(x), paddle.to_tensor([2, 0]), axis=1)),
        X,
    ),
    "z_cast": (lambda x: parts(x.astype("complex64").astype("complex128")), X),
    "z_rotary": (
        lambda x: paddle.as_real(
            paddle.as_complex(x.reshape([2, 3, 6, 2]))
            * paddle.polar(paddle.ones([3, 6]), paddle.arange(18.0).reshape([3, 6]))
        ),
        X,
    ),
    "z_stft": (lambda x: parts(paddle.signal.stft(x, 16, 4, 12)), SIGNAL),
    "z_stft_ortho": (
        lambda x: parts(paddle.signal.stft(x, 15, 5, normalized=True, onesided=True)),
        SIGNAL,
    ),
    "z_istft": (
        lambda x: paddle.signal.istft(paddle.signal.stft(x, 16, 4), 16, 4, length=96),
        SIGNAL,
    ),
}
for name, (function, *inputs) in ROWS.items():
    add_function(name, function, *inputs)


def z_fed(z: Any) -> Any:
    return z * z


add(
    z_fed,
    {"z": (X + 1j * Y).astype("complex64")},
    unchecked="a predictor of Paddle cannot be given complex numbers",
)


class LogMel(nn.Layer):
    """What paddle.audio and PaddleSpeech compute of a waveform before the network."""

    def __init__(self) -> None:
        super().__init__()
        self.features = paddle.audio.features.LogMelSpectrogram(
            sr=8000, n_fft=128, hop_length=40, n_mels=20, f_min=50.0
        )

    def forward(self, waveform: Any) -> Any:
        return self.features(waveform)


class SpectralMix(nn.Layer):
    """FEDformer's and FNO's block: complex weights on the lowest frequencies."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = self.create_parameter([5, 4, 4], dtype="float32")
        self.turn = self.create_parameter([5, 4, 4], dtype="float32")

    def forward(self, x: Any) -> Any:
        spectrum = F.rfft(x, axis=1)[:, :5].unsqueeze(2)
        mixed = (spectrum @ paddle.complex(self.weight, self.turn)).squeeze(2)
        rest = paddle.zeros([1, 8, 4], "complex64").expand([x.shape[0], 8, 4])
        return F.irfft(paddle.concat([mixed, rest], 1), n=24, axis=1) + x


add(LogMel, {"waveform": f(2, 800)}, {"waveform": f(1, 1200)}, name="z_log_mel")
add(SpectralMix, {"x": f(2, 24, 4)}, {"x": f(3, 24, 4)}, name="z_spectral_mix")
