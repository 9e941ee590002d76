"""Conformance suite for devices: operations, splits, caches, dynamic shapes and errors."""

from __future__ import annotations

from .suite import Result, run_suite

__all__ = ["Result", "run_suite"]
