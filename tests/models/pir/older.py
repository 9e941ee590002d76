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

OWN_OPERATORS = {"picodet_esnet", "picodet_lcnet_clip", "picodet_none_found", "yolov3", "ssd"}

for _name, _recipe in RECIPES.items():
    if isinstance(_recipe.build, Jit) and not _recipe.slow and _name not in OWN_OPERATORS:
        _specs = _recipe.build.specs
        CASES["zoo_" + _name] = Case(
            "zoo_" + _name,
            _recipe.build.layer,
            [{key: feed[key] for key in _specs} for feed in _recipe.feeds()],  # type: ignore[misc]
            {key: list(shape) for key, (shape, _) in _specs.items()},
            tol=_recipe.tol,
            made=True,
            by_predictor=_name in ("list_concat", "list_stack", "for_each_row"),
        )
