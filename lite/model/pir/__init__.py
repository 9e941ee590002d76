"""Paddle 3's `inference.json` (PIR) to Program.

`document.py` checks and types the JSON, `operators.txt` says what each operator is here, and
`translate.py` applies it; `special.py`, `constants.py` and `control_flow.py` have what no table
can say.
"""

from lite.model.pir.reader import read_pir

__all__ = ["read_pir"]
