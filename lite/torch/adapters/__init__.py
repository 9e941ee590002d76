"""What `operators.yaml` cannot say in statements, by family."""

from lite.torch.adapters import (  # noqa: F401
    arithmetic,
    attention,
    creation,
    images,
    indexing,
    networks,
    recurrent,
    reduction,
    shapes,
)
