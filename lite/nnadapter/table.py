"""The numbers of NNAdapter's C API and its operations: the one table that everything is made of.

`nnadapter.h`, the HAL kit's names and positions and what the runtime checks are made of it by the
build (include/generate.py); Python imports it as `lite.nnadapter.types` and `.operations`. It needs
nothing but the standard library, since the build reads it before there is a package.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from textwrap import dedent
from typing import NamedTuple

VERSION = 1
# An unknown dimension, or an unknown precision.
UNKNOWN = -65535
MAX_DIMENSIONS = 8
MAX_DYNAMIC_SHAPES = 8


class Code(IntEnum):
    """A number of the C API and, where its name does not say it, what it means."""

    comment: str

    def __new__(cls, number: int, comment: str = "") -> Code:
        member = int.__new__(cls, number)
        member._value_ = number
        member.comment = comment
        return member


class ResultCode(Code):
    """What a function of the C API returns."""

    NO_ERROR = 0
    OUT_OF_MEMORY = 1
    INVALID_DIMENSIONS = 2
    INVALID_PARAMETER = 3
    DEVICE_NOT_FOUND = 4
    DEVICE_INTERNAL_ERROR = 5
    FEATURE_NOT_SUPPORTED = 6


class Precision(Code):
    """Element types; QUANT_* carry scales (and zero points)."""

    BOOL8 = 0
    INT8 = 1
    UINT8 = 2
    INT16 = 3
    UINT16 = 4
    INT32 = 5
    UINT32 = 6
    INT64 = 7
    UINT64 = 8
    FLOAT16 = 9
    FLOAT32 = 10
    FLOAT64 = 11
    QUANT_INT8_SYMM_PER_LAYER = 24, "real = scale * quantised"
    QUANT_INT8_SYMM_PER_CHANNEL = 25
    QUANT_UINT8_ASYMM_PER_LAYER = 26, "real = scale * (quantised - zero_point)"
    QUANT_INT16_SYMM_PER_LAYER = 27
    QUANT_INT16_SYMM_PER_CHANNEL = 28
    QUANT_UINT16_ASYMM_PER_LAYER = 29
    QUANT_INT32_SYMM_PER_LAYER = 30
    QUANT_INT32_SYMM_PER_CHANNEL = 31
    QUANT_UINT32_ASYMM_PER_LAYER = 32

    @property
    def quantised(self) -> bool:
        """Whether the elements stand for real numbers."""
        return self.name.startswith("QUANT_")

    @property
    def element(self) -> str:
        """The element as it is stored, in C's and numpy's words without _t: bool, int8, ..."""
        word = self.name.removeprefix("QUANT_").partition("_")[0].lower()
        return "bool" if word == "bool8" else word

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return int("".join(filter(str.isdigit, self.element)) or 8) // 8


class Layout(Code):
    """Meaning of the axes of a 4-D operand."""

    NCHW = 0
    NHWC = 1
    HWCN = 2
    HWNC = 3


class Lifetime(Code):
    """Where an operand's elements live."""

    TEMPORARY_VARIABLE = 0, "Computed and read inside the model."
    TEMPORARY_SHAPE = (
        1,
        "A shape that follows from the inputs' shapes; its numbers are in hint "
        "NNADAPTER_HINT_TEMPORARY_SHAPE.",
    )
    CONSTANT_COPY = 2, "A constant that the model owns."
    CONSTANT_REFERENCE = 3, "A constant whose memory the caller keeps."
    MODEL_INPUT = 4
    MODEL_OUTPUT = 5


class DeviceType(Code):
    """Kind of a device."""

    CPU = 0
    GPU = 1
    ACCELERATOR = 2


class FuseCode(Code):
    """Activation that an operation applies to its result."""

    NONE = 0
    RELU = 1
    RELU1 = 2
    RELU6 = 3


class AutoPad(Code):
    """How paddings are found."""

    NONE = 0
    SAME = 1
    VALID = 2


class PadMode(Code):
    """What PAD and GRID_SAMPLE read outside."""

    NONE = 0
    CONSTANT = 1
    REFLECT = 2
    REPLICATE = 3
    EDGE = 4


class InterpolateMode(Code):
    """How GRID_SAMPLE reads between elements."""

    NONE = 0
    BILINEAR = 1
    NEAREST = 2


class PublicHal(NamedTuple):
    """A public HAL of Paddle Lite, by the name of its device."""

    name: str
    integers_only: bool = False
    """Its chips compute quantised operations and none of floats."""
    restores_wrongly: bool = False
    """What it restores from a cache computes something else: google_xnnpack frees the weights that
    XNNPACK still reads."""


# The letters stand for them in the table of operations.
DEVICES = {
    "A": PublicHal("huawei_ascend_npu"),
    "C": PublicHal("cambricon_mlu"),
    "E": PublicHal("eeasytech_npu", integers_only=True),
    "G": PublicHal("google_xnnpack", restores_wrongly=True),
    "I": PublicHal("imagination_nna", integers_only=True),
    "K": PublicHal("huawei_kirin_npu"),
    "L": PublicHal("amlogic_npu", integers_only=True),
    "M": PublicHal("mediatek_apu"),
    "N": PublicHal("android_nnapi"),
    "O": PublicHal("intel_openvino"),
    "R": PublicHal("rockchip_npu", integers_only=True),
    "T": PublicHal("nvidia_tensorrt"),
    "V": PublicHal("verisilicon_timvx"),
    "X": PublicHal("kunlunxin_xtcl"),
}

_GROUPS = {
    "any": tuple(Precision),
    "integers": tuple(p for p in Precision if Precision.INT8 <= p <= Precision.UINT64),
    "floats": tuple(p for p in Precision if Precision.FLOAT16 <= p <= Precision.FLOAT64),
    "quantised": tuple(p for p in Precision if p.quantised),
}
_INDEX = (Precision.INT32, Precision.INT64)
_REAL = (Precision.FLOAT32, Precision.FLOAT64)
_TRUTH = (Precision.BOOL8, Precision.INT8, Precision.UINT8)
# What constants are called here and in Operand.kind, and what they may be stored as.
_CONSTANTS = {
    "int": ("int", _INDEX),
    "int[]": ("ints", _INDEX),
    "float": ("float", _REAL),
    "float[]": ("floats", _REAL),
    "bool": ("bool", _TRUTH),
    "shape": ("shape", _INDEX),
}


class Operand(NamedTuple):
    """One operand of an operation's declaration.

    `kind`: "tensor" is computed or constant; "int", "ints", "float", "floats" and "bool" are
    constants; "shape" is a list of numbers that may also be computed. A repeated operand stands
    for one or more; an optional one may be None.
    """

    name: str
    kind: str
    precisions: tuple[Precision, ...]
    optional: bool
    repeated: bool
    doc: str


class _Declaration(NamedTuple):
    doc: str
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]


def _operand(line: str) -> Operand:
    head, doc = line.removeprefix("-> ").split(" -- ", 1)
    name, _, types = head.partition(": ")
    kind, precisions = _CONSTANTS.get(types, ("tensor", ()))
    if not precisions:
        words = types.split() or ["any"]
        found = {p for word in words for p in _GROUPS.get(word) or (Precision[word],)}
        precisions = tuple(sorted(found))
    return Operand(name.rstrip("?*"), kind, precisions, name.endswith("?"), name.endswith("*"), doc)


@cache
def _declaration(text: str) -> _Declaration:
    """Reads an entry of the table."""
    doc, _, rest = text.partition("\n")
    lines = [doc]
    for line in dedent(rest).splitlines():
        if line.startswith(" "):
            lines[-1] += " " + line.strip()
        elif line:
            lines.append(line)
    inputs = tuple(_operand(line) for line in lines[1:] if not line.startswith("->"))
    outputs = tuple(_operand(line) for line in lines[1:] if line.startswith("->"))
    return _Declaration(lines[0], inputs, outputs)


_NUMBERS = """
input: floats quantised INT32 INT64 -- a tensor
-> output -- of the type and shape of input
"""
_ARITHMETIC = """
input0: integers floats quantised -- a tensor
input1: integers floats quantised -- a tensor of the type of input0
fuse_code: int -- the activation of the result, an NNAdapterFuseCode
-> output -- of the type of input0 and the shape that numpy broadcasting gives
"""
_LOGIC = """
input0: BOOL8 -- a tensor
input1: BOOL8 -- a tensor of the type of input0
-> output -- BOOL8, of the shape that numpy broadcasting gives
"""
_EXTREME = """
input: integers floats quantised -- a tensor of rank 1 or more
axis: int -- the axis in [-R, R), R the rank of input
keepdim: bool -- whether the axis stays, with one element
dtype?: int -- the type of output, 5 (INT32) or 7 (INT64, if absent)
-> output -- positions along the axis; the first of equal elements
"""
_UNARY = """
input: floats quantised -- a tensor
-> output -- of the type and shape of input
"""
_COMPARISON = """
input0: any -- a tensor
input1: any -- a tensor of the type of input0
-> output -- BOOL8, of the shape that numpy broadcasting gives
"""
_HARD = """
input: floats quantised -- a tensor
alpha: float -- the slope
beta: float -- the offset
-> output -- of the type and shape of input
"""
_REDUCTION = """
input: floats quantised INT32 INT64 -- a tensor
axes?: int[] -- the axes in [-R, R); all if absent or empty
keepdim?: bool -- whether the axes stay with a dimension of 1; yes if absent
-> output -- of the type of input
"""


class OperationType(IntEnum):
    """The operations; negative codes are a driver's own.

    An entry: the code, the public HALs whose drivers convert the operation (letters of DEVICES),
    what it computes; below that a line for each operand in the order of
    NNAdapterModel_addOperation, results behind "->". "?" marks an operand that may be null, "*" one
    that stands for one or more. The type is a constant (int, int[], float, float[], bool), a list
    that may also be computed (shape) or what elements a tensor may have: floats, integers,
    quantised, any, precisions by name.
    """

    def __new__(cls, number: int, devices: str = "", text: str = "") -> OperationType:
        member = int.__new__(cls, number)
        member._value_ = number
        member.devices = devices
        member._text = text
        return member

    devices: str
    """The letters, in DEVICES, of the public HALs whose drivers convert it."""
    _text: str

    @property
    def type(self) -> OperationType:
        """The code."""
        return self

    @property
    def doc(self) -> str:
        """What it computes."""
        return _declaration(self._text).doc

    @property
    def inputs(self) -> tuple[Operand, ...]:
        """In the order of NNAdapterModel_addOperation."""
        return _declaration(self._text).inputs

    @property
    def outputs(self) -> tuple[Operand, ...]:
        """In the order of NNAdapterModel_addOperation."""
        return _declaration(self._text).outputs

    # fmt: off
    ABS = 0, "AKXVO", "output = |input|, element by element." + _NUMBERS
    ADAPTIVE_AVERAGE_POOL_2D = 1, "AXOC", """The average of each of H_out x W_out windows that cover
            the image evenly: window i of an axis spans [floor(i * in / out), ceil((i + 1) * in /
            out)).
        input: floats quantised -- [N, C, H, W]
        output_shape: int[] -- [H_out, W_out]
        -> output -- [N, C, H_out, W_out] of the type of input
        """
    ADAPTIVE_MAX_POOL_2D = 2, "AX", """The largest element of each of H_out x W_out windows that
            cover
            the image evenly: window i of an axis spans [floor(i * in / out), ceil((i + 1) * in /
            out)).
        input: floats quantised -- [N, C, H, W]
        output_shape: int[] -- [H_out, W_out]
        return_indices?: bool -- whether indices is wanted; absent: no
        return_indices_dtype?: int -- the type of indices, 5 (INT32) or 7 (INT64, if absent)
        -> output -- [N, C, H_out, W_out] of the type of input
        -> indices? -- where the elements stand in their image, row by row; the first of equal
            ones
        """
    ADD = 3, "AKXVOCTMNLRIEG", "output = input0 + input1, element by element." + _ARITHMETIC
    AND = 4, "AKXVC", "output = input0 && input1, element by element." + _LOGIC
    ARG_MAX = 5, "AKXVOCT", "Where the largest element along an axis stands." + _EXTREME
    ARG_MIN = 6, "AXV", "Where the smallest element along an axis stands." + _EXTREME
    ASSIGN = 7, "AXVOCT", """Copies a tensor.
        input: any -- a tensor
        -> output -- of the type and shape of input
        """
    AVERAGE_POOL_2D = 8, "AKXVOCTMNLRIE", """The average of the elements in windows over images. In
            ceil_mode a window that reaches beyond the padded image is clipped at its edge.
        input: floats quantised -- [N, C, H, W]
        auto_pad: int -- how the padding is found, an NNAdapterAutoPadCode: 0 takes pads, 1
            (same) pads for ceil(input / stride) windows, 2 (valid) pads nothing
        pads?: int[] -- [top, bottom, left, right], or nothing for zeros
        kernel_shape: int[] -- [height, width] of a window
        strides: int[] -- [height, width] from window to window
        ceil_mode: bool -- whether the number of windows is rounded up, otherwise down
        count_include_pad: bool -- whether padding counts as elements of value 0
        fuse_code: int -- the activation of the result, an NNAdapterFuseCode
        -> output -- [N, C, H_out, W_out] of the type of input
        """
    BATCH_NORMALIZATION = 9, "AKXVOCTNE", """output = scale * (input - mean) / sqrt(variance +
            epsilon)
            + bias for each channel.
        input: floats quantised -- [N, C, ...]
        scale: floats quantised -- [C]
        bias: floats quantised -- [C]
        mean: floats quantised -- [C]
        variance: floats quantised -- [C]
        epsilon: float -- a small number of at least 0
        -> output -- of the type and shape of input
        """
    CAST = 10, "AKXVOCT", """Converts the elements to another type; real numbers lose their fraction
            when they become integers.
        input: integers floats BOOL8 -- a tensor
        dtype: int -- the new type, an NNAdapterOperandPrecisionCode that is not quantised
        -> output -- of type dtype and the shape of input
        """
    CHANNEL_SHUFFLE = 11, "AKVM", """Reorders the channels so that neighbours come from different
            groups: channel g * (C / group) + k becomes channel k * group + g.
        input: any -- [N, C, H, W]
        group: int -- the number of groups, a divisor of C
        -> output -- of the type and shape of input
        """
    CLIP = 12, "AKXVOCT", """output = min(max(input, min), max), element by element.
        input: floats quantised INT32 INT64 -- a tensor
        min: floats quantised INT32 INT64 -- one number of the type of input
        max: floats quantised INT32 INT64 -- one number of the type of input
        -> output -- of the type and shape of input
        """
    CONCAT = 13, "AKXVOCTMNLRE", """Joins tensors along an axis.
        input*: any -- tensors of one type whose shapes differ along the axis only
        axis: int -- the axis in [-R, R), R the rank of the inputs
        -> output -- of the type of the inputs
        """
    CONV_2D = 14, "AKXVOCTMNLRIE", """A convolution over images: normal (group 1), depthwise (group
            is
            the number of channels) or in groups between. Windows that would reach beyond the
            padded image are left out.
        input: floats quantised -- [N, C_in, H, W]
        filter: floats quantised -- [C_out, C_in / group, kernel height, kernel width]; of a
            quantised one the scales are per layer or per output channel
        bias?: floats quantised -- [C_out]; of a quantised one the scale is that of input times
            that of filter
        auto_pad: int -- how the padding is found, an NNAdapterAutoPadCode: 0 takes pads, 1
            (same) pads for ceil(input / stride) windows, 2 (valid) pads nothing
        pads?: int[] -- [top, bottom, left, right], or nothing for zeros
        strides: int[] -- [height, width]
        group: int -- how many parts of the channels are convolved on their own
        dilations: int[] -- [height, width]; with auto_pad 1 (same) they are taken as 1
        fuse_code: int -- the activation of the result, an NNAdapterFuseCode
        -> output -- [N, C_out, H_out, W_out] of the type of input
        """
    CONV_2D_TRANSPOSE = 15, "AKXVOCTMNL", """The transpose of a convolution over images
            (deconvolution). An output axis has (input - 1) * stride - pads + dilation * (kernel -
            1) + 1 + output_padding elements, or what output_shape asks for.
        input: floats quantised -- [N, C_in, H, W]
        filter: floats quantised -- [C_in, C_out / group, kernel height, kernel width]; of a
            quantised one the scales are per layer or per channel
        bias?: floats quantised -- [C_out]
        auto_pad: int -- how the padding is found, an NNAdapterAutoPadCode: 0 takes pads, 1
            (same) pads for ceil(input / stride) windows, 2 (valid) pads nothing
        pads?: int[] -- [top, bottom, left, right], or nothing for zeros
        strides: int[] -- [height, width]
        group: int -- how many parts of the channels are convolved on their own
        dilations: int[] -- [height, width]; with auto_pad 1 (same) they are taken as 1
        output_padding?: int[] -- [height, width] of elements that are added at the end, or
            nothing; less than the stride or the dilation
        output_shape?: shape -- [height, width] of the output, or nothing; it must be a size
            from which the convolution would give input's
        fuse_code: int -- the activation of the result, an NNAdapterFuseCode
        -> output -- [N, C_out, H_out, W_out] of the type of input
        """
    COS = 16, "A", "The cosine, element by element." + _UNARY
    CUM_SUM = 17, "AXO", """The sums of the elements up to each one along an axis.
        input: floats quantised INT32 INT64 -- a tensor of rank 1 or more
        axis: int -- the axis in [-R, R), R the rank of input
        exclusive: bool -- whether an element is left out of its own sum
        reverse: bool -- whether the sums start at the end of the axis
        -> output -- of the type and shape of input
        """
    DEFORMABLE_CONV_2D = 18, "AXOC", """A convolution whose taps are moved: tap k of an output
            position
            reads input offset by (offset[2k], offset[2k + 1]) = (down, right), between elements by
            bilinear interpolation, times mask[k].
        input: floats quantised -- [N, C_in, H, W]
        offset: floats quantised -- [N, 2 * deformable_group * kernel height * kernel width,
            H_out, W_out]
        mask?: floats quantised -- [N, deformable_group * kernel height * kernel width, H_out,
            W_out]; absent: ones
        filter: floats quantised -- [C_out, C_in / group, kernel height, kernel width]
        bias?: floats quantised -- [C_out]
        pads?: int[] -- [top, bottom, left, right], or nothing for zeros
        strides: int[] -- [height, width]
        group: int -- how many parts of the channels are convolved on their own
        deformable_group: int -- how many parts of input's channels have offsets of their own
        dilations: int[] -- [height, width]
        fuse_code: int -- the activation of the result, an NNAdapterFuseCode
        -> output -- [N, C_out, H_out, W_out] of the type of input
        """
    DEQUANTIZE = 19, "AV", """output = (input - zero point) * scale; both belong to the type of
            input.
        input: quantised -- a quantised tensor
        -> output -- FLOAT32, of the shape of input
        """
    DIV = 20, "AKXVOCTMNLRIG", (
        "output = input0 / input1, element by element; a quotient of integers is "
        "cut off." + _ARITHMETIC
    )
    EQUAL = 21, "AKXVOCT", "output = input0 == input1, element by element." + _COMPARISON
    EXP = 22, "AKXVOCT", "output = e^input, element by element." + _UNARY
    EXPAND = 23, "AXVOC", """Repeats the axes that have one element, as numpy broadcasting does, to
            fit
            a shape.
        input: any -- a tensor
        shape: shape -- at least as many numbers as input has axes; -1 keeps the dimension of
            input, so does 1
        -> output -- of the type of input
        """
    FILL = 24, "AXVOCT", """Makes a tensor of one value.
        shape: shape -- the shape of output
        value: BOOL8 INT32 INT64 FLOAT32 -- one number, the value of every element
        -> output -- of the type of value
        """
    FILL_LIKE = 25, "AXOC", """Makes a tensor of one value and another tensor's shape.
        input: any -- a tensor; only its shape counts
        value: BOOL8 INT32 INT64 FLOAT32 -- one number, the value of every element
        -> output -- of the type of value and the shape of input
        """
    FLATTEN = 26, "AKXVOCTMNLRE", """Makes one axis of several neighbouring ones.
        input: any -- a tensor of rank 1 or more
        start_axis: int -- the first of the axes, in [-R, R), R the rank of input
        end_axis: int -- the last of the axes, in [-R, R), not before start_axis
        -> output -- of the type of input
        """
    FLOOR = 27, "AKXVO", "The largest integer that is not above input, element by element." + _UNARY
    FLOOR_DIV = 28, "AV", "output = floor(input0 / input1), element by element." + _ARITHMETIC
    FULLY_CONNECTED = 29, "AKXVCTMNLRIE", """output = activation(input * transposed weight + bias),
            input taken as rows of input_size elements.
        input: floats quantised -- a tensor of rank 2 or more
        weight: floats quantised -- [num_units, input_size]; of a quantised one the scales are
            per layer or per unit
        bias?: floats quantised -- [num_units]
        fuse_code: int -- the activation of the result, an NNAdapterFuseCode
        -> output -- [rows, num_units] of the type of input
        """
    GATHER = 30, "AKXVOC", """The entries of an axis that indices names, in their order and shape.
        input: any -- a tensor of rank 1 or more
        indices: INT32 INT64 -- a tensor of positions in [-S, S), S the size of the axis
        axis: int -- the axis in [-R, R), R the rank of input
        -> output -- of the type of input; the shape of indices stands in place of the axis
        """
    GELU = 31, "AKXVOC", """output = input * P(X <= input) for a standard normal X, element by
            element.
        input: floats quantised -- a tensor
        approximate: bool -- whether the tanh approximation is taken: 0.5 * input * (1 +
            tanh(sqrt(2 / pi) * (input + 0.044715 * input^3)))
        -> output -- of the type and shape of input
        """
    GREATER = 32, "AKXVC", "output = input0 > input1, element by element." + _COMPARISON
    GREATER_EQUAL = 33, "AKXVOC", "output = input0 >= input1, element by element." + _COMPARISON
    GRID_SAMPLE = 34, "", """Reads images at the positions that a grid names: (x, y) with -1 at the
            left or top edge and 1 at the right or bottom one.
        input: floats quantised -- [N, C, H, W]
        grid: floats quantised -- [N, H_out, W_out, 2]
        align_corners: bool -- whether -1 and 1 are the centres of the outermost elements,
            otherwise their outer edges
        mode: int -- an NNAdapterInterpolateModeCode: 1 (bilinear) or 2 (nearest)
        pad_mode: int -- what is read outside, an NNAdapterPadModeCode: 0 (none) or 1 (constant)
            gives 0, 2 (reflect) mirrors, 3 (replicate) or 4 (edge) the nearest element
        -> output -- [N, C, H_out, W_out] of the type of input
        """
    GROUP_NORMALIZATION = 35, "AX", """output = scale * (input - mean) / sqrt(variance + epsilon) +
            bias, where mean and variance are those of each group of neighbouring channels of each
            instance.
        input: floats quantised -- [N, C, ...] of rank 3 or more
        scale?: floats quantised -- [C]; absent: ones
        bias?: floats quantised -- [C]; absent: zeros
        epsilon: float -- a small number of at least 0
        groups: int -- the number of groups, a divisor of C
        -> output -- of the type and shape of input
        """
    HARD_SIGMOID = 36, "AKXVO", (
        "output = max(0, min(1, alpha * input + beta)), element by element." + _HARD
    )
    HARD_SWISH = 37, "AKXVOTME", (
        "output = input * max(0, min(1, alpha * input + beta)), element by element."
        + _HARD
    )
    INSTANCE_NORMALIZATION = 38, "AKXV", """output = scale * (input - mean) / sqrt(variance +
            epsilon)
            + bias, where mean and variance are those of each channel of each instance.
        input: floats quantised -- [N, C, ...] of rank 3 or more
        scale?: floats quantised -- [C]; absent: ones
        bias?: floats quantised -- [C]; absent: zeros
        epsilon: float -- a small number of at least 0
        -> output -- of the type and shape of input
        """
    LAYER_NORMALIZATION = 39, "AKXVOC", """output = scale * (input - mean) / sqrt(variance +
            epsilon) +
            bias, where mean and variance are those of all elements from axis begin_norm_axis on.
        input: floats quantised -- a tensor of rank 1 or more
        scale?: floats quantised -- as many elements as input has from begin_norm_axis on;
            absent: ones
        bias?: floats quantised -- like scale; absent: zeros
        begin_norm_axis: int -- the first axis that is normalised, in [-R, R), R the rank of
            input
        epsilon: float -- a small number of at least 0
        -> output -- of the type and shape of input
        """
    LEAKY_RELU = 40, "AKXVOCTN", """output = input where input >= 0, alpha * input elsewhere.
        input: floats quantised -- a tensor
        alpha: float -- the slope of negative numbers
        -> output -- of the type and shape of input
        """
    LESS = 41, "AKXVC", "output = input0 < input1, element by element." + _COMPARISON
    LESS_EQUAL = 42, "AKXVC", "output = input0 <= input1, element by element." + _COMPARISON
    LOG = 43, "AKXVOCT", "The natural logarithm, element by element." + _UNARY
    LOG_SOFTMAX = 44, "AXVT", """The logarithm of softmax along an axis.
        input: floats quantised -- a tensor of rank 1 or more
        axis: int -- the axis in [-R, R), R the rank of input
        -> output -- of the type and shape of input
        """
    LP_NORMALIZATION = 45, "AKXVC", """Divides by a norm along axes: output = input / (sum(|input|)
            +
            epsilon) for p = 1, input / (sqrt(sum(input^2)) + epsilon) for p = 2.
        input: floats quantised -- a tensor of rank 1 or more
        axis: int[] -- one or more axes in [-R, R), R the rank of input
        p: int -- 1 or 2
        epsilon: float -- a small number of at least 0
        -> output -- of the type and shape of input
        """
    LRN = 46, "A", """Local response normalisation: output = input / (bias + alpha * s)^beta, where
            s
            is the sum of the squares of `size` neighbouring channels, (size - 1) / 2 of them
            before.
        input: floats quantised -- [N, C, H, W]
        size: int -- how many channels are summed, at least 1
        bias: float -- a positive number keeps the base from 0
        alpha: float -- the factor of the sum
        beta: float -- the exponent
        -> output -- of the type and shape of input
        """
    MAT_MUL = 47, "AKXVOTNI", """The product of matrices like numpy.matmul: a list is a row on the
            left
            and a column on the right, axes before the last two broadcast.
        x: floats quantised INT32 INT64 -- a tensor of rank 1 or more
        y: floats quantised INT32 INT64 -- a tensor of rank 1 or more of the type of x
        transpose_x: bool -- whether the last two axes of x are exchanged first
        transpose_y: bool -- whether the last two axes of y are exchanged first
        -> output -- of the type of x
        """
    MAX = 48, "AKXVOI", "The larger of two numbers, element by element." + _ARITHMETIC
    MAX_POOL_2D = 49, "AKXVOCTMNLRIE", """The largest element in windows over images.
        input: floats quantised -- [N, C, H, W]
        auto_pad: int -- how the padding is found, an NNAdapterAutoPadCode: 0 takes pads, 1
            (same) pads for ceil(input / stride) windows, 2 (valid) pads nothing
        pads?: int[] -- [top, bottom, left, right], or nothing for zeros
        kernel_shape: int[] -- [height, width] of a window
        strides: int[] -- [height, width] from window to window
        ceil_mode: bool -- whether the number of windows is rounded up, otherwise down
        return_indices: bool -- whether output indices is wanted
        return_indices_dtype: int -- the type of indices: NNADAPTER_INT32 or NNADAPTER_INT64
        fuse_code: int -- the activation of the result, an NNAdapterFuseCode
        -> output -- [N, C, H_out, W_out] of the type of input
        -> indices? -- where in its plane [H, W] each element was, of the shape of output
        """
    MESHGRID = 50, "AX", """Grids of coordinates: output i repeats input i along all axes but its
            own.
        input*: any -- lists of one type
        -> output* -- as many as inputs, of the shape [length of input0, length of input1, ...]
        """
    MIN = 51, "AKXVOI", "The smaller of two numbers, element by element." + _ARITHMETIC
    MUL = 52, "AKXVOCTMNLRIEG", "output = input0 * input1, element by element." + _ARITHMETIC
    NOT = 53, "AKXVC", """output = !input, element by element.
        input: BOOL8 -- a tensor
        -> output -- of the type and shape of input
        """
    NOT_EQUAL = 54, "AKXVOC", "output = input0 != input1, element by element." + _COMPARISON
    OR = 55, "AKXVC", "output = input0 || input1, element by element." + _LOGIC
    PAD = 56, "AKXOC", """Adds elements around a tensor.
        input: any -- a tensor
        pads: shape -- [x0_begin, x0_end, x1_begin, x1_end, ...]: two numbers a dimension
        mode: int -- an NNAdapterPadModeCode: constant (also none), reflect (without the edge
            itself), replicate or edge (the same: the nearest element)
        value?: any -- one number of the type of input for mode constant; else 0
        -> output -- of the type of input
        """
    POW = 57, "AKXVOCT", "output = input0 ^ input1, element by element." + _ARITHMETIC
    PRIOR_BOX = 58, "OT", """The default boxes of SSD at each place of a feature map.
        input: FLOAT32 -- the feature map, [N, C, H, W]; only its shape counts
        image: FLOAT32 -- the image, [N, C, H, W]; only its shape counts
        min_sizes: float[] -- the smaller sizes
        max_sizes?: float[] -- the larger sizes: none, or as many as min_sizes
        aspect_ratios: float[] -- the aspect ratios besides 1
        variances: float[] -- four numbers that stand for each box in output variances
        flip: bool -- whether the inverse of each ratio is used too
        clip: bool -- whether boxes are cut to the image
        step_w: float -- the image's pixels between two boxes; 0: width of image / width of
            input
        step_h: float -- the same along the height
        offset: float -- where in a step the centre is
        min_max_aspect_ratios_order: bool -- whether the larger size comes second, not last
        -> boxes -- [H, W, boxes, 4], FLOAT32: xmin, ymin, xmax, ymax over the image's size
        -> variances -- [H, W, boxes, 4], FLOAT32
        """
    PRELU = 59, "AKXV", """output = input where it is positive, else slope * input.
        input: floats quantised -- of shape [N, C, ...]
        slope: floats quantised -- one slope, C slopes, or one for each element of [C, ...]
        -> output -- of the type and shape of input
        """
    QUANTIZE = 60, "AVC", """output = round(input / scale) + zero_point.
        input: FLOAT32 -- a tensor
        axis?: int -- the axis of the channels where there are several scales; 1 if absent
        scale: float[] -- one scale, or one a channel
        zero_point?: INT8 UINT8 INT32 FLOAT32 -- a constant: one number, or as many as scale has
        -> output -- of the shape of input; int8 symmetric per layer or per channel, or uint8
            asymmetric where the zero point is not 0, unless the caller declares another
            quantised type
        """
    RANGE = 61, "AXOC", """The numbers from start to end, end excluded, in steps.
        start: INT32 INT64 FLOAT32 FLOAT64 -- one number: the first
        end: INT32 INT64 FLOAT32 FLOAT64 -- one number of the type of start: the end
        step: INT32 INT64 FLOAT32 FLOAT64 -- one number of the type of start: the step, not 0
        -> output -- a list of the type of start
        """
    REDUCE_MEAN = 62, "AKXVOC", "The mean along axes." + _REDUCTION
    REDUCE_MAX = 63, "AVO", "The largest number along axes." + _REDUCTION
    REDUCE_SUM = 64, "AKXVCT", "The sum along axes." + _REDUCTION
    RELU = 65, "AKXVOCTMNLRIE", "output = max(0, input), element by element." + _UNARY
    RELU6 = 66, "AKXVOCTMNLRIE", "output = min(6, max(0, input)), element by element." + _UNARY
    RESHAPE = 67, "AKXVOCTMNLRIEG", """Gives the elements of a tensor another shape.
        input: any -- a tensor
        shape: shape -- the new shape: 0 copies the dimension of input at that place, one -1
            stands for what remains
        -> output -- of the type of input
        """
    RESIZE_NEAREST = 68, "AKXVOCTMNE", """Another size of images by the nearest element.
        input: floats quantised UINT8 INT32 INT64 -- [N, C, ...] with one to three spatial axes
        shape?: shape -- the size of each spatial axis of the result
        scales?: FLOAT32 -- what each spatial axis is multiplied by, for want of shape
        align_corners: bool -- whether the first and last elements keep their places
        -> output -- of the type of input
        """
    RESIZE_LINEAR = 69, "AKXVOCTMNE", """Another size of images by linear interpolation along each
            spatial axis.
        input: floats quantised UINT8 -- [N, C, ...] with one to three spatial axes
        shape?: shape -- the size of each spatial axis of the result
        scales?: FLOAT32 -- what each spatial axis is multiplied by, for want of shape
        align_corners: bool -- whether the first and last elements keep their places
        align_mode: int -- 0: src = (dst + 0.5) * ratio - 0.5; 1: src = dst * ratio; not used
            with align_corners
        -> output -- of the type of input
        """
    ROI_ALIGN = 70, "AXC", """Samples regions of images on a grid, bilinearly.
        input: floats quantised -- the images, [N, C, H, W]
        rois: floats -- the regions, [regions, 4]: x1, y1, x2, y2
        batch_indices: INT32 INT64 -- the image of each region, [regions]
        output_height: int -- the height of the result
        output_width: int -- the width of the result
        sampling_ratio: int -- samples a bin along an axis; 0 or less: as many as it has pixels
        spatial_scale: float -- the pixels of input that a unit of rois is
        aligned: bool -- whether regions are moved by half a pixel
        -> output -- [regions, C, output_height, output_width], of the type of input
        """
    ROLL = 71, "A", """Moves elements along axes; what leaves at the end comes back at the
            beginning.
        input: any -- a tensor
        shifts: int[] -- how far each axis is moved
        axes?: int[] -- the axes in [-R, R); absent or empty: one shift of all elements in a row
        -> output -- of the type and shape of input
        """
    RSQRT = 72, "A", "output = 1 / sqrt(input), element by element." + _UNARY
    SHAPE = 73, "AXOCT", """The shape of a tensor as a list.
        input: any -- a tensor
        dtype: int -- the type of the result: NNADAPTER_INT32 or NNADAPTER_INT64
        -> output -- a list of as many numbers as input has dimensions
        """
    SIGMOID = 74, "AKXVOCTMNLRE", "output = 1 / (1 + exp(-input)), element by element." + _UNARY
    SIN = 75, "AV", "The sine, element by element." + _UNARY
    SLICE = 76, "AKXVOCT", """A part of a tensor, as numpy's input[start:end:step] along some axes.
        input: any -- a tensor
        axes?: int[] -- the axes in [-R, R) that are sliced; the first ones if absent or empty
        starts: shape -- the first index of each axis; a negative one counts from the end
        ends: shape -- the index behind the last one of each axis; INT_MAX is the end of an
            unknown dimension, INT_MIN the beginning for a negative step
        steps?: int[] -- the step of each axis, not 0; 1 if absent
        -> output -- of the type of input
        """
    SOFTMAX = 77, "AKXVOCTMNLRIG", """Applies softmax along an axis.
        input: floats quantised -- a tensor of rank 1 or more
        axis: int -- the axis in [-R, R), R the rank of input
        -> output -- of the shape and type of input
        """
    SOFTPLUS = 78, "AKXVO", """output = log(1 + exp(beta * input)) / beta, or input where beta *
            input
            > threshold.
        input: floats quantised -- a tensor
        beta: float -- the factor, not 0
        threshold: float -- above which the function is linear
        -> output -- of the type and shape of input
        """
    SPLIT = 79, "AKXVOCTME", """Cuts a tensor into parts along an axis.
        input: any -- a tensor
        axis: int -- the axis in [-R, R)
        split: int[] -- the length of each part; they sum to the dimension, one may be -1: the
            rest
        -> output* -- as many as split has numbers, of the type of input
        """
    SQUARE = 80, "AKXV", "output = input * input, element by element." + _NUMBERS
    SQUEEZE = 81, "AKXVOCT", """Removes dimensions of 1.
        input: any -- a tensor
        axes?: int[] -- the axes in [-R, R) that are removed where they are 1; every 1 if absent
            or empty
        -> output -- of the type of input
        """
    STACK = 82, "AXVOT", """Joins tensors of one shape along a new axis.
        input*: any -- tensors of one type and shape
        axis: int -- where the new axis is, in [-R - 1, R]
        -> output -- of the type of the inputs
        """
    SUB = 83, "AKXVOCTMNLRIEG", "output = input0 - input1, element by element." + _ARITHMETIC
    SUM = 84, "AXV", """output = input0 + input1 + ..., element by element.
        input*: integers floats quantised -- tensors of one type
        -> output -- of the type of the inputs and the shape that numpy broadcasting gives
        """
    SWISH = 85, "AKXVOT", "output = input / (1 + exp(-input)), element by element." + _UNARY
    TANH = 86, "AKXVOCTMNLRE", "The hyperbolic tangent, element by element." + _UNARY
    TILE = 87, "AKX", """Repeats a tensor along its axes.
        input: any -- a tensor
        repeats: shape -- how often each axis is repeated; the shorter of the two, it or the
            shape, has 1 in front
        -> output -- of the type of input
        """
    TOP_K = 88, "AKXC", """The k largest or smallest numbers along an axis, in order, and their
            places.
        input: integers floats quantised -- a tensor
        k: shape -- one number: how many, from 1 to the dimension
        axis: int -- the axis in [-R, R)
        largest: bool -- whether the largest ones are looked for, not the smallest
        sorted: bool -- false allows any order; ours is always in order
        return_indices_dtype: int -- the type of indices: NNADAPTER_INT32 or NNADAPTER_INT64
        -> output -- the numbers, of the type of input
        -> indices? -- their places along the axis, of the shape of output
        """
    TRANSPOSE = 89, "AKXVOCTMNLRE", """Permutes the axes of a tensor, as numpy.transpose.
        input: any -- a tensor
        perm?: int[] -- the axis of input that each axis of output is; reversed if absent
        -> output -- of the type of input
        """
    UNSQUEEZE = 90, "AKXVOCTMNLRE", """Inserts dimensions of 1, one after the other.
        input: any -- a tensor
        axes: int[] -- where they are inserted, in [-R - 1, R], R the rank that has been
            reached; each axis counts in the shape made so far
        -> output -- of the type of input
        """
    UNSTACK = 91, "V", """The parts of a tensor along an axis, without the axis.
        input: any -- a tensor
        axis: int -- the axis in [-R, R)
        num: int -- the number of parts, which is the dimension of the axis
        -> output* -- num tensors of the type of input
        """
    WHERE = 92, "AKXV", """output = condition ? input0 : input1, element by element.
        condition: BOOL8 -- which of the two
        input0: any -- a tensor
        input1: any -- a tensor of the type of input0
        -> output -- of the type of input0 and the shape that numpy broadcasting gives
        """
    XOR = 93, "K", (
        "output = true where one of input0 and input1 is and the other is not, element by "
        "element." + _LOGIC
    )
    NON_MAX_SUPPRESSION = 94, "OC", """Keeps the best boxes of each class that do not overlap.
        bboxes: floats -- [N, boxes, size], size 4, 8, 16, 24 or 32; or [boxes, classes, 4]
        scores: floats -- [N, classes, boxes]; or [boxes, classes]
        rois_num?: INT32 INT64 -- how many boxes each image has, for scores of rank 2
        background_label: int -- the class that is left out; -1: none
        score_threshold: float -- boxes with a lower score are left out
        nms_top_k: int -- how many boxes of a class are looked at; -1: all
        nms_threshold: float -- the IoU above which of two boxes the worse one goes
        nms_eta: float -- the factor of the threshold after each box; 1: none
        keep_top_k: int -- how many boxes of an image stay; -1: all
        normalized: bool -- whether coordinates are normalised: a box ends at its corner
        return_index?: bool -- whether output index is wanted
        -> output -- [kept, 2 + size]: class, score, box
        -> out_rois_num? -- INT32 [N]: how many were kept of each image
        -> index? -- INT32 [kept, 1]: where in bboxes each was
        """
    YOLO_BOX = 95, "OCT", """The boxes and scores that an output of YOLOv3 stands for.
        input: floats -- [N, C, H, W]: position, confidence and classes of boxes
        imgsize: INT32 INT64 -- [N, 2]: height and width of each image
        anchors: int[] -- pairs of width and height
        class_num: int -- the number of classes
        conf_thresh: float -- boxes with less confidence give zeros
        downsample_ratio: int -- the image's pixels for one of input
        clip_bbox?: bool -- whether boxes are cut to the image; yes if absent
        scale_x_y?: float -- the scale of the centres; 1 if absent
        iou_aware?: bool -- whether input has a predicted IoU for each anchor; no if absent
        iou_aware_factor?: float -- the weight of that IoU; 0.5 if absent
        -> boxes -- [N, boxes, 4], of the type of input: xmin, ymin, xmax, ymax
        -> scores -- [N, boxes, class_num], of the type of input
        """
    # fmt: on


# The enumerations of nnadapter.h: their names, and what their enumerators' names begin with.
ENUMERATIONS: dict[str, tuple[type[IntEnum], str]] = {
    "NNAdapterResultCode": (ResultCode, "NNADAPTER_"),
    "NNAdapterOperandPrecisionCode": (Precision, "NNADAPTER_"),
    "NNAdapterOperandLayoutCode": (Layout, "NNADAPTER_"),
    "NNAdapterOperandLifetimeCode": (Lifetime, "NNADAPTER_"),
    "NNAdapterDeviceCode": (DeviceType, "NNADAPTER_"),
    "NNAdapterFuseCode": (FuseCode, "NNADAPTER_FUSED_"),
    "NNAdapterAutoPadCode": (AutoPad, "NNADAPTER_AUTO_PAD_"),
    "NNAdapterPadModeCode": (PadMode, "NNADAPTER_PAD_MODE_"),
    "NNAdapterInterpolateModeCode": (InterpolateMode, "NNADAPTER_INTERPOLATE_MODE_"),
    "NNAdapterOperationCode": (OperationType, "NNADAPTER_"),
}
