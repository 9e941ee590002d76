"""Quantised programs: scales as attributes, integer weights, calibration at the borders."""
