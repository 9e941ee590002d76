"""The device `python`: every operation in numpy, and the C++ bridge to HALs written in Python."""
