"""Operators: how the CPU computes them (C++), and how they become NNAdapter operations."""
