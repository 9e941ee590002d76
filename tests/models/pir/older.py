"""The models of tests/models that are saved with paddle.jit.save, exported by paddlepaddle 3."""

from __future__ import annotations

import classification  # noqa: F401
import control_flow  # noqa: F401
import detection  # noqa: F401
import edges  # noqa: F401
import extremes  # noqa: F401
import segmentation  # noqa: F401
import sequence  # noqa: F401
from cases import CASES, Case
from recipes import RECIPES, Jit

for _name, _recipe in RECIPES.items():
    if isinstance(_recipe.build, Jit) and not _recipe.slow:
        _specs = _recipe.build.specs
        CASES["zoo_" + _name] = Case(
            "zoo_" + _name,
            _recipe.build.layer,
            [{key: feed[key] for key in _specs} for feed in _recipe.feeds()],  # type: ignore[misc]
            {key: list(shape) for key, (shape, _) in _specs.items()},
            tol=_recipe.tol,
            made=True,
        )
