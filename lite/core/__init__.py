"""The machine between files and numbers: the optimizer (Python) and the runtime (C++)."""
