"""Every operator of the table on torch's own samples (OpInfo), operator by operator."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch_checking import difference

import lite.torch
from lite.torch import table
from lite.torch.translate import find_row

SAMPLES = 12
# Their results are memory without values, or any order of equal elements.
UNDEFINED = ("empty", "empty_like", "new_empty", "new_empty_strided", "empty_strided", "topk")
DTYPES = (torch.float32, torch.int64, torch.bool)


@pytest.mark.parametrize("op", op_db, ids=lambda op: f"{op.name}-{op.variant_test_name}")
def test_samples(op: Any) -> None:
    for dtype in DTYPES:
        if dtype not in op.dtypes or (op.name in UNDEFINED and dtype is not torch.float32):
            continue
        for index, sample in enumerate(_samples(op, dtype)):
            _check(op, f"{dtype} sample {index}", sample)


def _samples(op: Any, dtype: torch.dtype) -> list[Any]:
    try:
        return list(op.sample_inputs("cpu", dtype, requires_grad=False))[:SAMPLES]
    except (RuntimeError, ImportError):  # needs what this torch was built without
        return []


def _check(op: Any, what: str, sample: Any) -> None:
    def call() -> Any:
        torch.manual_seed(0)
        return op(sample.input, *sample.args, **sample.kwargs)

    with torch.no_grad():
        try:
            expected = call()
        except Exception:  # whatever torch itself refuses
            return
        with lite.torch.mode() as here:
            result = call()
    if not here.ran or op.name in UNDEFINED:
        return
    assert not difference(result, expected), f"{what}: {difference(result, expected)} {here.ran}"


def test_schemas_are_torchs() -> None:
    for same in table.official().values():
        row = next((r for r in same if table.release(torch.__version__) in r.versions), None)
        if row is None:
            continue
        base, _, overload = row.name.partition("::")[2].partition(".")
        found = getattr(getattr(torch.ops.aten, base), overload or "default")
        assert torch._C.parse_schema("aten::" + row.schema) == found._schema, row.name
        assert find_row(found) == row
