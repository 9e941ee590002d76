"""Int8 that keeps its accuracy: ``lite quantize``."""

from lite.api.quantize.metrics import METRICS, Metric
from lite.api.quantize.quantize import quantize_artifact

__all__ = ["METRICS", "Metric", "quantize_artifact"]
