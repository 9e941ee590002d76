"""The examples are run from a clone: its root is where they are found, behind all else."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
