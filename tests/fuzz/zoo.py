"""Small programs that together use most kinds of operators: bases for fuzzing and API tests.

Each is the text of the main block's operators, the shapes of its inputs and its parameters.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lite.model.load import load_program
from lite.model.program import AttrType, BlockDesc, DataType, OpDesc, Program, VarDesc, VarType
from lite.model.text import parse_op

# name -> (operators, inputs, parameters, outputs, operators of further blocks); a leading int64 or
# a LoD is marked.
CONV = (
    """
    Output: [c0] = conv2d(Input: [x], Filter: [w0]) {strides: ints [2, 2], paddings: ints [1, 1], dilations: ints [1, 1], groups: int 1}
    Y: [b0] = batch_norm(X: [c0], Scale: [bn_s], Bias: [bn_b], Mean: [bn_m], Variance: [bn_v]) {epsilon: float 1e-05, is_test: bool true}
    Out: [a0] = hard_swish(X: [b0]) {threshold: float 6.0, scale: float 6.0, offset: float 3.0}
    Output: [c1] = depthwise_conv2d(Input: [a0], Filter: [w1]) {strides: ints [1, 1], paddings: ints [1, 1], dilations: ints [1, 1], groups: int 8}
    Out: [r1] = reshape2(X: [bias1]) {shape: ints [1, 8, 1, 1]}
    Out: [c1b] = elementwise_add(X: [c1], Y: [r1]) {axis: int -1}
    Out: [a1] = relu(X: [c1b])
    Out: [p1] = pool2d(X: [a1]) {ksize: ints [1, 1], pooling_type: string "avg", adaptive: bool true, strides: ints [1, 1], paddings: ints [0, 0]}
    Output: [se] = conv2d(Input: [p1], Filter: [w2]) {strides: ints [1, 1], paddings: ints [0, 0], dilations: ints [1, 1], groups: int 1}
    Out: [sig] = hard_sigmoid(X: [se]) {slope: float 0.2, offset: float 0.5}
    Out: [m1] = elementwise_mul(X: [a1], Y: [sig]) {axis: int -1}
    Out: [sh] = shape(Input: [m1])
    Out: [hw] = slice(Input: [sh]) {axes: ints [0], starts: ints [2], ends: ints [4], infer_flags: ints [1], decrease_axis: ints []}
    Out: [up] = nearest_interp_v2(X: [p1], OutSize: [hw]) {out_h: int -1, out_w: int -1, scale: floats [], interp_method: string "nearest", align_corners: bool false}
    Out: [cat] = concat(X: [m1, up]) {axis: int 1}
    Output: [t0] = conv2d_transpose(Input: [cat], Filter: [w3]) {strides: ints [2, 2], paddings: ints [0, 0], dilations: ints [1, 1], groups: int 1}
    Out: [s0, s1] = split(X: [t0]) {num: int 2, axis: int 1}
    Out: [y] = sigmoid(X: [s0])
    Out: [dp] = dropout(X: [s1]) {dropout_prob: float 0.1, is_test: bool true}
    Out: [flat] = flatten_contiguous_range(X: [p1]) {start_axis: int 1, stop_axis: int -1}
    Out: [mm] = matmul_v2(X: [flat], Y: [wfc]) {trans_x: bool false, trans_y: bool false}
    Out: [fc] = elementwise_add(X: [mm], Y: [bfc]) {axis: int -1}
    Out: [prob] = softmax(X: [fc]) {axis: int -1}
    """,
    {"x": ("float32", [1, 3, 8, 8], 0)},
    {
        "w0": [8, 3, 3, 3], "bn_s": [8], "bn_b": [8], "bn_m": [8], "bn_v": [8], "w1": [8, 1, 3, 3],
        "bias1": [8], "w2": [8, 8, 1, 1], "w3": [16, 4, 2, 2], "wfc": [8, 5], "bfc": [5],
    },
    ["y", "dp", "prob"],
)  # fmt: skip
ATTENTION = (
    """
    Out: [e] = lookup_table_v2(Ids: [ids], W: [emb]) {padding_idx: long -1}
    Y: [n] = layer_norm(X: [e], Scale: [ln_s], Bias: [ln_b]) {begin_norm_axis: int 2, epsilon: float 1e-05}
    Out: [q0] = matmul_v2(X: [n], Y: [wq])
    Out: [q] = elementwise_add(X: [q0], Y: [bq]) {axis: int -1}
    Out: [q4] = reshape2(X: [q]) {shape: ints [0, 0, 2, 4]}
    Out: [qt] = transpose2(X: [q4]) {axis: ints [0, 2, 1, 3]}
    Out: [qs] = scale(X: [qt]) {scale: float 0.5, bias: float 0.0, bias_after_scale: bool true}
    Out: [att] = matmul_v2(X: [qs], Y: [qt]) {trans_x: bool false, trans_y: bool true}
    Out: [soft] = softmax(X: [att]) {axis: int -1}
    Out: [ctx] = matmul_v2(X: [soft], Y: [qt])
    Out: [back] = transpose2(X: [ctx]) {axis: ints [0, 2, 1, 3]}
    Out: [merged] = reshape2(X: [back]) {shape: ints [0, 0, 8]}
    Out: [res] = elementwise_add(X: [merged], Y: [e]) {axis: int -1}
    Out: [g] = gelu(X: [res]) {approximate: bool false}
    Out: [best] = arg_max(X: [g]) {axis: long -1, keepdims: bool false, flatten: bool false, dtype: int 3}
    Out: [sq] = unsqueeze2(X: [g]) {axes: ints [0]}
    Out: [back2] = squeeze2(X: [sq]) {axes: ints [0]}
    Out: [cut] = slice(Input: [back2]) {axes: ints [1], starts: ints [0], ends: ints [1], decrease_axis: ints [1]}
    """,
    {"ids": ("int64", [1, 5], 0)},
    {"emb": [11, 8], "ln_s": [8], "ln_b": [8], "wq": [8, 8], "bq": [8]},
    ["best", "cut"],
)
SEQUENCE = (
    """
    Out: [e] = lookup_table(Ids: [words], W: [emb]) {padding_idx: long -1, is_sparse: bool false}
    Out: [m] = mul(X: [e], Y: [w]) {x_num_col_dims: int 1, y_num_col_dims: int 1}
    Out: [f] = elementwise_add(X: [m], Y: [b]) {axis: int 1}
    Hidden: [h] = gru(Input: [f], Weight: [gw], Bias: [gb]) {is_reverse: bool false, origin_mode: bool true, activation: string "tanh", gate_activation: string "sigmoid"}
    Out: [m4] = mul(X: [h], Y: [w4]) {x_num_col_dims: int 1, y_num_col_dims: int 1}
    Hidden: [lh], Cell: [lc] = lstm(Input: [m4], Weight: [lw], Bias: [lb]) {use_peepholes: bool false, is_reverse: bool true, gate_activation: string "sigmoid", cell_activation: string "tanh", candidate_activation: string "tanh"}
    Out: [pool] = sequence_pool(X: [lh]) {pooltype: string "MAX", pad_value: float 0.0}
    Out: [both] = concat(X: [h, lh]) {axis: int 1}
    Out: [emit] = mul(X: [both], Y: [we]) {x_num_col_dims: int 1, y_num_col_dims: int 1}
    ViterbiPath: [path] = crf_decoding(Emission: [emit], Transition: [crfw])
    """,
    {"words": ("int64", [6, 1], 1)},
    {
        "emb": [11, 8], "w": [8, 12], "b": [12], "gw": [4, 12], "gb": [1, 12], "w4": [4, 16],
        "lw": [4, 16], "lb": [1, 16], "we": [8, 5], "crfw": [7, 5],
    },
    ["pool", "path"],
)  # fmt: skip
DETECTION = (
    """
    Out: [scores] = softmax(X: [s]) {axis: int 1}
    Out: [boxes, rest] = split(X: [b]) {num: int 2, axis: int 2}
    Out: [wide] = concat(X: [boxes, rest]) {axis: int 2}
    Out: [o], Index: [i], NmsRoisNum: [n] = multiclass_nms3(BBoxes: [wide], Scores: [scores]) {background_label: int -1, score_threshold: float 0.05, nms_top_k: int 10, nms_threshold: float 0.5, keep_top_k: int 5, normalized: bool true, nms_eta: float 1.0}
    Out: [o2] = scale(X: [o]) {scale: float 2.0, bias: float 0.0, bias_after_scale: bool true}
    """,
    {"b": ("float32", [1, 12, 4], 0), "s": ("float32", [1, 3, 12], 0)},
    {},
    ["o2", "n"],
)
LOOP = (
    """
    Out: [i] = fill_constant() {shape: longs [1], value: float 0.0, dtype: int 3}
    Out: [n] = fill_constant() {shape: longs [1], value: float 3.0, dtype: int 3}
    Out: [h] = fc(Input: [x], W: [w0], Bias: [b0]) {in_num_col_dims: int 1, activation_type: string "relu"}
    Out: [steps] = write_to_array(X: [h], I: [i])
    Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
    Out: [h, i, go, steps], StepScopes: [ss] = while(X: [h, i, n, w1, steps], Condition: [go]) {sub_block: block 1, is_test: bool true}
    Out: [mean] = reduce_mean(X: [h]) {dim: ints [0], reduce_all: bool true, keep_dim: bool false}
    Out: [zero] = fill_constant() {shape: longs [], value: float 0.0, dtype: int 5}
    Out: [up] = greater_than(X: [mean], Y: [zero]) {axis: int -1}
    Out: [down] = logical_not(X: [up])
    Out: [a], Scope: [sa] = conditional_block(Cond: [up], Input: [h, w1]) {sub_block: block 2, is_scalar_condition: bool true}
    Out: [b], Scope: [sb] = conditional_block(Cond: [down], Input: [h]) {sub_block: block 3, is_scalar_condition: bool true}
    Out: [mask] = cast(X: [up]) {in_dtype: int 0, out_dtype: int 2}
    Out: [y] = select_input(X: [b, a], Mask: [mask])
    Out: [stacked], OutIndex: [sizes] = tensor_array_to_tensor(X: [steps]) {axis: int 1, use_stack: bool true}
    Out: [last] = slice(Input: [steps]) {axes: ints [0], starts: ints [-1], ends: ints [2147483647], decrease_axis: ints [0]}
    Out: [length] = lod_array_length(X: [steps])
    """,
    {"x": ("float32", [2, 6], 0)},
    {"w0": [6, 4], "b0": [4], "w1": [4, 4]},
    ["y", "stacked", "last", "length", "i"],
    """
    Out: [m] = matmul_v2(X: [h], Y: [w1])
    Out: [t] = tanh(X: [m])
    Out: [h] = elementwise_add(X: [t], Y: [h]) {axis: int -1}
    Out: [i] = increment(X: [i]) {step: float 1.0}
    Out: [steps] = write_to_array(X: [h], I: [i])
    Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
    """,
    """
    Out: [am] = matmul_v2(X: [h], Y: [w1])
    Out: [ar] = relu(X: [am])
    Out: [a] = assign(X: [ar])
    """,
    """
    Out: [bs] = scale(X: [h]) {scale: float 2.0, bias: float 1.0, bias_after_scale: bool true}
    Out: [b] = assign(X: [bs])
    """,
)
ALL = {
    "conv": CONV,
    "attention": ATTENTION,
    "sequence": SEQUENCE,
    "detection": DETECTION,
    "loop": LOOP,
}
REWRITTEN = (
    """
    Output: [c] = fused_conv2d(Input: [x], Filter: [w0], Bias: [b0]) {strides: ints [1, 1], paddings: ints [1, 1], dilations: ints [1, 1], groups: int 1, fuse_activation: string "hard_swish", fuse_alpha: float 0.16666667, fuse_beta: float 0.5}
    Output: [r] = fused_conv2d(Input: [c], Filter: [w1], Bias: [b0], ResidualData: [c]) {strides: ints [1, 1], paddings: ints [1, 1], dilations: ints [1, 1], groups: int 4, fuse_activation: string "clip", fuse_alpha: float -1.0, fuse_beta: float 2.0}
    Out: [m] = fused_matmul(X: [r], Y: [r]) {trans_x: bool false, trans_y: bool true, matmul_alpha: float 0.5, fused_reshape_X: ints [0, 4, 8, 2], fused_transpose_X: ints [0, 2, 1, 3], fused_reshape_Y: ints [0, 4, 8, 2], fused_transpose_Y: ints [0, 2, 1, 3], fused_transpose_Out: ints [0, 2, 1, 3], fused_reshape_Out: ints [0, 4, 32]}
    Out: [e] = fused_elementwise_add(X: [m], Y: [m]) {axis: int -1, fuse_activation: string "gelu_tanh", fused_output_scale: float 0.5, fused_unsqueeze2_axes: ints [1]}
    Out: [t] = fused_transpose(X: [e]) {axis: ints [0, 2, 1], fused_squeeze2_axes: ints [1], fused_reshape2_shape: ints [-1, 4]}
    Out: [y] = fc(Input: [t], W: [w2], Bias: [b2]) {in_num_col_dims: int 1, fuse_activation: string "tanh"}
    """,
    {"x": ("float32", [1, 3, 4, 4], 0)},
    {"w0": [4, 3, 3, 3], "b0": [4], "w1": [4, 1, 3, 3], "w2": [4, 5], "b2": [5]},
    ["r", "y"],
)
RECURRENT = (
    """
    outputs: [o], step_scopes: [scopes] = recurrent(inputs: [x], initial_states: [h0], parameters: [w]) {has_states: bool true, ex_states: strings ["before"], states: strings ["after"], sub_block: block 1, reverse: bool true}
    Out: [y] = scale(X: [o]) {scale: float 2.0, bias: float 0.0, bias_after_scale: bool true}
    """,
    {"x": ("float32", [3, 2, 4], 0)},
    {"h0": [2, 4], "w": [4, 4]},
    ["y"],
    """
    Out: [m] = matmul_v2(X: [x], Y: [w])
    Out: [s] = elementwise_add(X: [m], Y: [before]) {axis: int -1}
    Out: [after] = tanh(X: [s])
    Out: [o] = rnn_memory_helper(X: [after])
    """,
)
OLD = {"rewritten": REWRITTEN, "recurrent": RECURRENT}
"""Programs whose operators are others once they are read."""

DATA = Path(__file__).resolve().parents[1] / "models" / "data"
STORED = {path.parent.name: path.parent for path in sorted(DATA.glob("*/*/expected.npz"))}
"""Quantised models and files, by the names of their folders."""


def build(name: str) -> Program:
    """A program of the zoo with parameters of a fixed seed, or a stored one."""
    if name in STORED:
        nb = STORED[name] / "model.nb"
        return load_program(str(nb if nb.exists() else STORED[name]))
    lines, inputs, params, outputs, *bodies = (ALL | OLD)[name]
    rng = np.random.default_rng(len(name))
    block = BlockDesc()
    program = Program(blocks=[block], version=2006002)
    feed = VarDesc("feed", VarType.FEED_MINIBATCH, None, persistable=True)
    fetch = VarDesc("fetch", VarType.FETCH_LIST, None, persistable=True)
    block.vars |= {"feed": feed, "fetch": fetch}
    for col, (var, (dtype, shape, lod_level)) in enumerate(inputs.items()):
        kind = DataType.INT64 if dtype == "int64" else DataType.FP32
        block.vars[var] = VarDesc(var, VarType.LOD_TENSOR, kind, (-1, *shape[1:]), lod_level)
        op = OpDesc("feed", {"X": ["feed"]}, {"Out": [var]})
        op.set_attr("col", AttrType.INT, col)
        block.ops.append(op)
    for var, shape in params.items():
        block.vars[var] = VarDesc(var, shape=tuple(shape), persistable=True)
        values = rng.uniform(0.1, 1.0, shape) if var == "bn_v" else rng.normal(0, 0.5, shape)
        program.params[var] = values.astype("float32")
    _add_operators(block, lines)
    for idx, body in enumerate(bodies, 1):
        inner = BlockDesc(idx, 0)
        _add_operators(inner, body)
        for var in [var for var in inner.vars if var in block.vars]:
            del inner.vars[var]
        program.blocks.append(inner)
    for col, var in enumerate(outputs):
        op = OpDesc("fetch", {"X": [var]}, {"Out": ["fetch"]})
        op.set_attr("col", AttrType.INT, col)
        block.ops.append(op)
    return program


def _add_operators(block: BlockDesc, lines: str) -> None:
    for line in filter(None, map(str.strip, lines.splitlines())):
        op = parse_op(line)
        block.ops.append(op)
        is_list = op.type == "write_to_array"
        kind = VarType.LOD_TENSOR_ARRAY if is_list else VarType.LOD_TENSOR
        for var in op.output_names():
            block.vars.setdefault(var, VarDesc(var, kind))


def feed_for(name: str) -> list[object]:
    """Inputs that fit the program: arrays, or pairs of array and LoD."""
    if name in STORED:
        return [np.load(STORED[name] / "expected.npz")["in0"]]
    rng = np.random.default_rng(3)
    values: list[object] = []
    for dtype, shape, lod_level in (ALL | OLD)[name][1].values():
        if dtype == "int64":
            array = rng.integers(0, 11, shape)
        else:
            array = rng.random(shape, dtype=np.float32)
        values.append((array, [[0, 2, shape[0]]]) if lod_level else array)
    return values
