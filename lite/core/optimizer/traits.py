"""What the optimizer and the partitioner know of operators by name, beside their declarations.

``folds``: computed when its inputs are parameters. ``moves``: moves, repeats or relabels data; a
device gains nothing on it alone. ``keeps_range``: its results are no larger than what it reads, and
made of it. ``counts``: may be arithmetic on shapes, which a CPU has at no cost; ``measures``: where
that begins. ``stays``: is run although nobody reads what it writes. ``updates``: changes its output
variable, which is read before.
"""

from __future__ import annotations

from functools import cache

_TRAITS = """
folds moves keeps_range counts: assign concat reshape reshape2 slice squeeze squeeze2 stack
  unsqueeze unsqueeze2
folds moves counts: cast fill_constant range
folds moves keeps_range: expand_v2 flatten flatten2 flatten_contiguous_range transpose
  transpose2
folds moves measures: shape
moves keeps_range counts: split strided_slice unstack
folds counts: ceil elementwise_add elementwise_div elementwise_max elementwise_min
  elementwise_mul elementwise_pow elementwise_sub floor scale
folds keeps_range: relu
folds moves: assign_value fill_any_like fill_zeros_like
keeps_range counts: gather
moves keeps_range: expand shuffle_channel tile
stays updates: write_to_array
counts: clip elementwise_floordiv elementwise_mod equal greater_equal greater_than less_equal
  less_than logical_and logical_not logical_or not_equal reduce_max reduce_min reduce_prod
  reduce_sum round
folds: abs cos exp log reciprocal rsqrt sigmoid sin sqrt square tanh
keeps_range: max_pool2d_with_index nearest_interp nearest_interp_v2 pad2d pool2d relu6
measures: lod_array_length rank size
moves: expand_as expand_as_v2 fill_constant_batch_size_like increment layout reverse roll
stays: assert conditional_block conditional_block_infer feed fetch load load_combine print
  py_func recv run_program save save_combine send subgraph while
updates: set_value
"""
"""Traits, and the operators that have just these."""


@cache
def having(*wanted: str) -> frozenset[str]:
    """The operators that have one of the traits."""
    found: set[str] = set()
    for row in _TRAITS.replace("\n  ", " ").strip().splitlines():
        traits, _, operators = row.partition(": ")
        if not set(wanted).isdisjoint(traits.split()):
            found.update(operators.split())
    return frozenset(found)
