"""Partitioning: which operators run on a device, as which subgraphs, and why the others do not."""

from lite.core.optimizer.partition.config import (
    PartitionConfig,
    load_mixed_precision_config,
    load_partition_config,
)
from lite.core.optimizer.partition.detect import partition
from lite.core.optimizer.partition.options import PartitionOptions, PartitionRequest
from lite.core.optimizer.partition.placement import Kind, Placement
from lite.core.optimizer.partition.support import SupportCheck, load_check

__all__ = [
    "Kind",
    "PartitionConfig",
    "PartitionOptions",
    "PartitionRequest",
    "Placement",
    "SupportCheck",
    "load_check",
    "load_mixed_precision_config",
    "load_partition_config",
    "partition",
]
