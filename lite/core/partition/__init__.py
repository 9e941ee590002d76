"""Partitioning: which operators run on a device, as which subgraphs, and why the others do not."""

from lite.core.partition.config import (
    PartitionConfig,
    load_mixed_precision_config,
    load_partition_config,
)
from lite.core.partition.options import PartitionOptions, PartitionRequest
from lite.core.partition.partition import partition
from lite.core.partition.placement import Placement
from lite.core.partition.support import SupportCheck
from lite.report.places import Kind

__all__ = [
    "Kind",
    "PartitionConfig",
    "PartitionOptions",
    "PartitionRequest",
    "Placement",
    "SupportCheck",
    "load_mixed_precision_config",
    "load_partition_config",
    "partition",
]
