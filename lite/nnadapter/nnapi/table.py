"""The numbers of Android's NNAPI and its operations: the one table that everything is made of.

`android/NeuralNetworksTypes.h`, the names, what `addOperation` checks and the page of the
operations are made of it by the build (generate.py). It needs nothing but the standard library,
since the build reads it before there is a package.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lite.nnadapter.table import Code
else:  # by its path: see above
    Code = run_path(str(Path(__file__).resolve().parents[1] / "table.py"))["Code"]

MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES = 128
BYTE_SIZE_OF_CACHE_TOKEN = 32
# Nanoseconds that a WHILE may take: where the client says nothing, and at most.
DEFAULT_LOOP_TIMEOUT = 2_000_000_000
MAXIMUM_LOOP_TIMEOUT = 15_000_000_000


class OperandCode(Code):
    """What an operand is; those without TENSOR are scalars."""

    FLOAT32 = 0
    INT32 = 1
    UINT32 = 2
    TENSOR_FLOAT32 = 3
    TENSOR_INT32 = 4
    TENSOR_QUANT8_ASYMM = 5, "uint8: real = scale * (number - zeroPoint)"
    BOOL = 6, "one byte"
    TENSOR_QUANT16_SYMM = 7, "int16: real = scale * number"
    TENSOR_FLOAT16 = 8
    TENSOR_BOOL8 = 9
    FLOAT16 = 10
    TENSOR_QUANT8_SYMM_PER_CHANNEL = 11, "int8: real = scales[channel] * number"
    TENSOR_QUANT16_ASYMM = 12, "uint16: real = scale * (number - zeroPoint)"
    TENSOR_QUANT8_SYMM = 13, "int8: real = scale * number"
    TENSOR_QUANT8_ASYMM_SIGNED = 14, "int8: real = scale * (number - zeroPoint)"
    MODEL = 15, "a model that IF or WHILE runs"

    @property
    def tensor(self) -> bool:
        """Whether it has dimensions."""
        return self.name.startswith("TENSOR_")

    @property
    def size(self) -> int:
        """Bytes of an element; of a MODEL none."""
        if self.name in ("BOOL", "TENSOR_BOOL8"):
            return 1
        if self.name == "MODEL":
            return 0
        bits = [bits for bits in (32, 16, 8) if str(bits) in self.name]
        return bits[0] // 8

    @property
    def zero_points(self) -> tuple[int, int] | None:
        """The least and the largest zero point of an asymmetric type."""
        return {
            OperandCode.TENSOR_QUANT8_ASYMM: (0, 255),
            OperandCode.TENSOR_QUANT16_ASYMM: (0, 65535),
            OperandCode.TENSOR_QUANT8_ASYMM_SIGNED: (-128, 127),
        }.get(self)

    @property
    def scaled(self) -> bool:
        """Whether it must have a scale of its own."""
        return "QUANT" in self.name and "PER_CHANNEL" not in self.name


class ResultCode(Code):
    """What a function returns."""

    NO_ERROR = 0
    OUT_OF_MEMORY = 1
    INCOMPLETE = 2
    UNEXPECTED_NULL = 3
    BAD_DATA = 4
    OP_FAILED = 5
    BAD_STATE = 6
    UNMAPPABLE = 7
    OUTPUT_INSUFFICIENT_SIZE = 8
    UNAVAILABLE_DEVICE = 9
    MISSED_DEADLINE_TRANSIENT = 10
    MISSED_DEADLINE_PERSISTENT = 11
    RESOURCE_EXHAUSTED_TRANSIENT = 12
    RESOURCE_EXHAUSTED_PERSISTENT = 13
    DEAD_OBJECT = 14


class FuseCode(Code):
    """The activation that an operation applies to its result."""

    NONE = 0
    RELU = 1
    RELU1 = 2
    RELU6 = 3


class PaddingCode(Code):
    """How implicit paddings are found."""

    SAME = 1
    VALID = 2


class PreferenceCode(Code):
    """What a compilation is for."""

    LOW_POWER = 0
    FAST_SINGLE_ANSWER = 1
    SUSTAINED_SPEED = 2


class PriorityCode(Code):
    """How urgent a client's executions are beside its others."""

    LOW = 90
    MEDIUM = 100
    HIGH = 110
    DEFAULT = 100


class DeviceTypeCode(Code):
    """The kind of a device."""

    UNKNOWN = 0
    OTHER = 1
    CPU = 2
    GPU = 3
    ACCELERATOR = 4


class DurationCode(Code):
    """What ANeuralNetworksExecution_getDuration is asked for."""

    ON_HARDWARE = 0
    IN_DRIVER = 1
    ON_HARDWARE_FENCED = 2, "without waiting for the events before"
    IN_DRIVER_FENCED = 3


class FeatureLevelCode(Code):
    """Releases of the interface."""

    LEVEL_1 = 27
    LEVEL_2 = 28
    LEVEL_3 = 29
    LEVEL_4 = 30
    LEVEL_5 = 31
    LEVEL_6 = 1000006
    LEVEL_7 = 1000007
    LEVEL_8 = 1000008


_T = OperandCode
# Words of the signatures.
GROUPS = {
    "float": (_T.TENSOR_FLOAT32, _T.TENSOR_FLOAT16),
    "float32": (_T.TENSOR_FLOAT32,),
    "quant8": (_T.TENSOR_QUANT8_ASYMM, _T.TENSOR_QUANT8_ASYMM_SIGNED),
    "int32": (_T.TENSOR_INT32,),
    "bool8": (_T.TENSOR_BOOL8,),
    "channels8": (_T.TENSOR_QUANT8_SYMM_PER_CHANNEL,),
    "symm8": (_T.TENSOR_QUANT8_SYMM,),
    "symm16": (_T.TENSOR_QUANT16_SYMM,),
    "asymm16": (_T.TENSOR_QUANT16_ASYMM,),
    "tensor": tuple(t for t in OperandCode if t.tensor),
    "i": (_T.INT32,),
    "u": (_T.UINT32,),
    "r": (_T.FLOAT32, _T.FLOAT16),
    "b": (_T.BOOL,),
    "model": (_T.MODEL,),
    "any": tuple(t for t in OperandCode if t is not _T.MODEL),
}


class Word(NamedTuple):
    """What stands at a place of a signature: `variable` > 0 names operands of one type."""

    types: tuple[OperandCode, ...]
    variable: int
    repeated: bool


class Signature(NamedTuple):
    """Inputs and outputs; the inputs from `required` on may be left away, one after the other."""

    inputs: tuple[Word, ...]
    outputs: tuple[Word, ...]
    required: int


@cache
def _signatures(text: str) -> tuple[Signature, ...]:
    """Reads "X X i [b] -> X; X: float quant8", with "|" between several."""
    return tuple(_signature(part) for part in text.split("|"))


def _signature(text: str) -> Signature:
    arrow, *clauses = text.split(";")
    variables: dict[str, tuple[int, tuple[OperandCode, ...]]] = {}
    for number, clause in enumerate(clauses, 1):
        name, _, words = clause.partition(":")
        types = tuple(t for word in words.split() for t in GROUPS[word])
        variables[name.strip()] = number, types

    def word(item: str) -> Word:
        name = item.rstrip("*")
        number, types = variables.get(name, (0, ()))
        types = types or tuple(t for part in name.split("/") for t in GROUPS[part])
        return Word(types, number, item.endswith("*"))

    inputs, _, outputs = arrow.partition("->")
    head, _, _ = inputs.partition("[")
    places = inputs.replace("[", " ").replace("]", " ").split()
    return Signature(tuple(map(word, places)), tuple(map(word, outputs.split())), len(head.split()))


_BINARY = "X X i -> X; X: float quant8 int32"
_FLOATS = "X -> X; X: float"
_ACTIVATION = "X -> X; X: float quant8"
_COMPARISON = "X X -> bool8; X: float quant8 int32 bool8"
_LOGIC = "bool8 bool8 -> bool8"
_POOL = "X i i i i i i i i i [b] -> X; X: float quant8 | X i i i i i i [b] -> X; X: float quant8"
_FILTER = "channels8 quant8 symm8"
_REDUCTION = "X int32 b -> X; X: float quant8 int32"
_TRUTHS = "bool8 int32 b -> bool8"
_RESIZE = "X i i [b b b] -> X; X: float quant8 | X r r [b b b] -> X; X: float quant8"
_OPEN = "any* -> any*"


class OperationCode(IntEnum):
    """The operations.

    An entry: the code, the feature level that brought it, its signatures. Words: names of GROUPS, a
    variable (all operands of that name have one type of those behind ";"), "*" for one or more
    (of "any": for any number), "[...]" for what may be left away from some place on.
    """

    level: int
    text: str
    signatures: tuple[Signature, ...]

    def __new__(cls, text: str) -> OperationCode:
        code, first, rest = text.split(" ", 2)
        member = int.__new__(cls, int(code))
        member._value_ = int(code)
        member.level = int(first)
        member.text = rest
        member.signatures = _signatures(rest)
        return member

    ADD = "0 1 " + _BINARY
    AVERAGE_POOL_2D = "1 1 " + _POOL
    CONCATENATION = "2 1 X* i -> X; X: float quant8 int32 bool8"
    CONV_2D = f"""3 1 X X X i i i i i i i [b i i] -> X; X: float
        | Q W int32 i i i i i i i [b i i] -> Q; Q: quant8; W: {_FILTER}
        | X X X i i i i [b i i] -> X; X: float
        | Q W int32 i i i i [b i i] -> Q; Q: quant8; W: {_FILTER}"""
    DEPTHWISE_CONV_2D = f"""4 1 X X X i i i i i i i i [b i i] -> X; X: float
        | Q W int32 i i i i i i i i [b i i] -> Q; Q: quant8; W: {_FILTER}
        | X X X i i i i i [b i i] -> X; X: float
        | Q W int32 i i i i i [b i i] -> Q; Q: quant8; W: {_FILTER}"""
    DEPTH_TO_SPACE = "5 1 X i [b] -> X; X: float quant8 int32 bool8"
    DEQUANTIZE = "6 1 quant8/symm8/channels8 -> float"
    EMBEDDING_LOOKUP = "7 1 int32 X -> X; X: float quant8 int32 bool8"
    FLOOR = "8 1 " + _FLOATS
    FULLY_CONNECTED = f"""9 1 X X X i -> X; X: float
        | Q W int32 i -> Q; Q: quant8; W: {_FILTER}"""
    HASHTABLE_LOOKUP = "10 1 int32 int32 X -> X quant8; X: float quant8 int32"
    L2_NORMALIZATION = "11 1 X [i] -> X; X: float quant8"
    L2_POOL_2D = """12 1 X i i i i i i i i i [b] -> X; X: float
        | X i i i i i i [b] -> X; X: float"""
    LOCAL_RESPONSE_NORMALIZATION = "13 1 X i r r r [i] -> X; X: float"
    LOGISTIC = "14 1 " + _ACTIVATION
    LSH_PROJECTION = "15 1 " + _OPEN
    LSTM = "16 1 " + _OPEN
    MAX_POOL_2D = "17 1 " + _POOL
    MUL = "18 1 " + _BINARY
    RELU = "19 1 " + _ACTIVATION
    RELU1 = "20 1 " + _ACTIVATION
    RELU6 = "21 1 " + _ACTIVATION
    RESHAPE = "22 1 X int32 -> X; X: float quant8 int32 bool8"
    RESIZE_BILINEAR = "23 1 " + _RESIZE
    RNN = "24 1 X X X X X i -> X X; X: float"
    SOFTMAX = "25 1 X r [i] -> X; X: float quant8"
    SPACE_TO_DEPTH = "26 1 X i [b] -> X; X: float quant8 int32 bool8"
    SVDF = "27 1 " + _OPEN
    TANH = "28 1 " + _ACTIVATION
    BATCH_TO_SPACE_ND = "29 2 X int32 [b] -> X; X: float quant8"
    DIV = "30 2 " + _BINARY
    MEAN = "31 2 X int32 i -> X; X: float quant8 int32"
    PAD = "32 2 X int32 -> X; X: float quant8 int32 bool8"
    SPACE_TO_BATCH_ND = "33 2 X int32 int32 [b] -> X; X: float quant8"
    SQUEEZE = "34 2 X [int32] -> X; X: float quant8 int32 bool8"
    STRIDED_SLICE = "35 2 X int32 int32 int32 i i i -> X; X: float quant8 int32 bool8"
    SUB = "36 2 " + _BINARY
    TRANSPOSE = "37 2 X [int32] -> X; X: float quant8 int32 bool8"
    ABS = "38 3 X -> X; X: float int32"
    ARGMAX = "39 3 float/quant8/int32 i -> int32"
    ARGMIN = "40 3 float/quant8/int32 i -> int32"
    AXIS_ALIGNED_BBOX_TRANSFORM = "41 3 " + _OPEN
    BIDIRECTIONAL_SEQUENCE_LSTM = "42 3 " + _OPEN
    BIDIRECTIONAL_SEQUENCE_RNN = "43 3 " + _OPEN
    BOX_WITH_NMS_LIMIT = "44 3 " + _OPEN
    CAST = "45 3 tensor -> tensor"
    CHANNEL_SHUFFLE = "46 3 X i i -> X; X: float quant8 int32 bool8"
    DETECTION_POSTPROCESSING = "47 3 " + _OPEN
    EQUAL = "48 3 " + _COMPARISON
    EXP = "49 3 " + _FLOATS
    EXPAND_DIMS = "50 3 X i -> X; X: float quant8 int32 bool8"
    GATHER = "51 3 X i int32 -> X; X: float quant8 int32 bool8"
    GENERATE_PROPOSALS = "52 3 " + _OPEN
    GREATER = "53 3 " + _COMPARISON
    GREATER_EQUAL = "54 3 " + _COMPARISON
    GROUPED_CONV_2D = f"""55 3 X X X i i i i i i i i b -> X; X: float
        | Q W int32 i i i i i i i i b -> Q; Q: quant8; W: {_FILTER}
        | X X X i i i i i b -> X; X: float
        | Q W int32 i i i i i b -> Q; Q: quant8; W: {_FILTER}"""
    HEATMAP_MAX_KEYPOINT = "56 3 " + _OPEN
    INSTANCE_NORMALIZATION = "57 3 X r r r b -> X; X: float"
    LESS = "58 3 " + _COMPARISON
    LESS_EQUAL = "59 3 " + _COMPARISON
    LOG = "60 3 " + _FLOATS
    LOGICAL_AND = "61 3 " + _LOGIC
    LOGICAL_NOT = "62 3 bool8 -> bool8"
    LOGICAL_OR = "63 3 " + _LOGIC
    LOG_SOFTMAX = "64 3 X r i -> X; X: float"
    MAXIMUM = "65 3 X X -> X; X: float quant8 int32"
    MINIMUM = "66 3 X X -> X; X: float quant8 int32"
    NEG = "67 3 X -> X; X: float int32"
    NOT_EQUAL = "68 3 " + _COMPARISON
    PAD_V2 = """69 3 X int32 r -> X; X: float
        | X int32 i -> X; X: quant8"""
    POW = "70 3 X X -> X; X: float"
    PRELU = "71 3 X X -> X; X: float quant8"
    QUANTIZE = "72 3 float -> quant8"
    QUANTIZED_16BIT_LSTM = "73 3 " + _OPEN
    RANDOM_MULTINOMIAL = "74 3 float i int32 -> int32"
    REDUCE_ALL = "75 3 " + _TRUTHS
    REDUCE_ANY = "76 3 " + _TRUTHS
    REDUCE_MAX = "77 3 " + _REDUCTION
    REDUCE_MIN = "78 3 " + _REDUCTION
    REDUCE_PROD = "79 3 " + _REDUCTION
    REDUCE_SUM = "80 3 " + _REDUCTION
    ROI_ALIGN = """81 3 X X int32 i i r r i i b -> X; X: float
        | X asymm16 int32 i i r r i i b -> X; X: quant8"""
    ROI_POOLING = """82 3 X X int32 i i r r b -> X; X: float
        | X asymm16 int32 i i r r b -> X; X: quant8"""
    RSQRT = "83 3 X -> X; X: float quant8"
    SELECT = "84 3 bool8 X X -> X; X: float quant8 int32 bool8"
    SIN = "85 3 " + _FLOATS
    SLICE = "86 3 X int32 int32 -> X; X: float quant8 int32 bool8"
    SPLIT = "87 3 X i i -> X*; X: float quant8 int32 bool8"
    SQRT = "88 3 " + _FLOATS
    TILE = "89 3 X int32 -> X; X: float quant8 int32 bool8"
    TOPK_V2 = "90 3 X i -> X int32; X: float quant8 int32"
    TRANSPOSE_CONV_2D = f"""91 3 X X X i i i i i i i b -> X; X: float
        | Q W int32 i i i i i i i b -> Q; Q: quant8; W: {_FILTER}
        | X X X int32 i i i i b -> X; X: float
        | Q W int32 int32 i i i i b -> Q; Q: quant8; W: {_FILTER}"""
    UNIDIRECTIONAL_SEQUENCE_LSTM = "92 3 " + _OPEN
    UNIDIRECTIONAL_SEQUENCE_RNN = "93 3 " + _OPEN
    RESIZE_NEAREST_NEIGHBOR = """94 3 X i i b [b b] -> X; X: float quant8
        | X r r b [b b] -> X; X: float quant8"""
    QUANTIZED_LSTM = "95 4 " + _OPEN
    IF = "96 4 bool8 model model any* -> any*"
    WHILE = "97 4 model model any* -> any*"
    ELU = "98 4 X r -> X; X: float"
    HARD_SWISH = "99 4 X -> X; X: float quant8"
    FILL = "100 4 int32 r/i -> float/int32"
    RANK = "101 4 tensor -> i"
    BATCH_MATMUL = "102 6 X X [b b] -> X; X: float quant8 int32"
    PACK = "103 6 i X* -> X; X: float quant8 int32 bool8"
    MIRROR_PAD = "104 7 X int32 i -> X; X: float quant8 int32 bool8"
    REVERSE = "105 7 X int32 -> X; X: float quant8 int32 bool8"


_PREFIX = "ANEURALNETWORKS_"
# The enumerations of NeuralNetworksTypes.h: their names, and what their enumerators' names begin
# with.
ENUMERATIONS: dict[str, tuple[type[IntEnum], str]] = {
    "OperandCode": (OperandCode, _PREFIX),
    "OperationCode": (OperationCode, _PREFIX),
    "FuseCode": (FuseCode, _PREFIX + "FUSED_"),
    "PaddingCode": (PaddingCode, _PREFIX + "PADDING_"),
    "PreferenceCode": (PreferenceCode, _PREFIX + "PREFER_"),
    "DeviceTypeCode": (DeviceTypeCode, _PREFIX + "DEVICE_"),
    "ResultCode": (ResultCode, _PREFIX),
    "DurationCode": (DurationCode, _PREFIX + "DURATION_"),
    "PriorityCode": (PriorityCode, _PREFIX + "PRIORITY_"),
    "FeatureLevelCode": (FeatureLevelCode, _PREFIX + "FEATURE_"),
}
