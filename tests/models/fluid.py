"""Programs in the style of Paddle 1.x: operators appended by hand, feed and fetch, `__model__`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import paddle
from paddle.base import core


class Fluid:
    """A program under construction; variables are named by strings."""

    def __init__(self, seed: int = 1) -> None:
        self.program, self.scope = paddle.static.Program(), core.Scope()
        self.block = self.program.global_block()
        self.rng, self.count = np.random.RandomState(seed), 0
        self.feeds: list[str] = []

    def data(self, name: str, shape: Sequence[int], dtype: str = "float32", lod: int = 0) -> str:
        self.block.create_var(name=name, shape=list(shape), dtype=dtype, lod_level=lod)
        self.feeds.append(name)
        return name

    def value(self, name: str, array: np.ndarray) -> str:
        self.block.create_var(
            name=name, shape=list(array.shape), dtype=str(array.dtype), persistable=True
        )
        self.scope.var(name).get_tensor().set(array, paddle.CPUPlace())
        return name

    def weight(self, *shape: int, scale: float = 0.4) -> str:
        self.count += 1
        array = (self.rng.randn(*shape) * scale).astype("float32")
        return self.value(f"w_{self.count}.w_0", array)

    def op(
        self,
        kind: str,
        inputs: dict[str, str | list[str]],
        slots: str | dict[str, Any] = "Out",
        **attrs: Any,
    ) -> Any:
        """Appends an operator; the name (or names) of what it writes.

        `slots`: output slots in one string, or a dict from slots to names of variables.
        """
        if isinstance(slots, str):
            self.count += 1
            slots = {s: f"{kind}_{self.count}.{s.lower()}" for s in slots.split()}
        outputs = {s: [n] if isinstance(n, str) else n for s, n in slots.items()}
        for name in (name for names in outputs.values() for name in names):
            if self.block._find_var_recursive(name) is None:
                self.block.create_var(name=name, dtype="float32")
        self.block.append_op(
            type=kind,
            inputs={s: [n] if isinstance(n, str) else n for s, n in inputs.items()},
            outputs={s: [self.block._var_recursive(n) for n in ns] for s, ns in outputs.items()},
            attrs=attrs,
        )
        names = list(slots.values())
        return names[0] if len(names) == 1 else names

    @contextmanager
    def inner_block(self) -> Iterator[Any]:
        """Appends to a new block inside this one, which is for an attribute sub_block."""
        outer, self.block = self.block, self.program._create_block()
        yield self.block
        self.program._rollback()
        self.block = outer

    def variable(self, kind: str, *shape: int, name: str = "", dtype: str = "float32") -> str:
        """Declares one that is a tensor or, by `kind`, a list, a table or scopes."""
        self.count += 1
        name = name or f"{kind.lower()}_{self.count}"
        kinds = core.VarDesc.VarType
        extra: dict[str, Any] = {"dtype": dtype} if kind.startswith("LOD_TENSOR") else {}
        if kind == "LOD_TENSOR":
            extra["shape"] = list(shape)
        self.block.create_var(name=name, type=getattr(kinds, kind), **extra)
        return name

    def fc(self, x: str | list[str], size: int, width: int, act: str = "") -> str:
        """fluid.layers.fc: one `mul` an input, `sum`, bias, activation."""
        xs = [x] if isinstance(x, str) else x
        parts = [
            self.op(
                "mul", {"X": v, "Y": self.weight(width, size)}, x_num_col_dims=1, y_num_col_dims=1
            )
            for v in xs
        ]
        total = parts[0]
        for part in parts[1:]:
            total = self.op("elementwise_add", {"X": total, "Y": part}, axis=-1)
        out = self.op("elementwise_add", {"X": total, "Y": self.weight(size)}, axis=1)
        return self.op(act, {"X": out}) if act else out

    def save(
        self,
        folder: str,
        fetch: Sequence[str],
        scaled: bool = True,
        feed_order: Sequence[str] | None = None,
        cols: Sequence[int] | None = None,
    ) -> None:
        """Writes `__model__` and a file for each parameter.

        `scaled`: each fetched variable goes through scale 1, 0, as save_inference_model does it.
        `cols`: the fetch operators' column of each of `fetch`, in the order of the block.
        """
        names = list(fetch)
        if scaled:
            names = [
                self.op(
                    "scale", {"X": n}, {"Out": f"save_infer_model/scale_{i}"}, scale=1.0, bias=0.0
                )
                for i, n in enumerate(names)
            ]
        feeds = list(feed_order or self.feeds)
        self.block.create_var(
            name="feed", type=core.VarDesc.VarType.FEED_MINIBATCH, persistable=True
        )
        self.block.create_var(name="fetch", type=core.VarDesc.VarType.FETCH_LIST, persistable=True)
        for i, name in enumerate(feeds):
            self.block._prepend_op(
                type="feed", inputs={"X": ["feed"]}, outputs={"Out": [name]}, attrs={"col": i}
            )
        for name, col in zip(names, cols or range(len(names)), strict=True):
            self.block.append_op(
                type="fetch", inputs={"X": [name]}, outputs={"Out": ["fetch"]}, attrs={"col": col}
            )
        self.program.desc.flush()
        kept = [
            v for v in self.program.list_vars() if v.persistable and v.name not in ("feed", "fetch")
        ]
        with paddle.static.scope_guard(self.scope):
            paddle.static.io.save_vars(
                paddle.static.Executor(paddle.CPUPlace()), folder, self.program, vars=kept
            )
        with open(folder + "/__model__", "wb") as file:
            file.write(self.program.desc.serialize_to_string())


def fluid(make: Callable[[Fluid], Any]) -> Callable[[str], None]:
    """Saves what `make` appends; it returns the fetched names or the arguments of `save`."""

    def build(folder: str) -> None:
        program = Fluid()
        result = make(program)
        program.save(folder, **(result if isinstance(result, dict) else {"fetch": result}))

    return build
