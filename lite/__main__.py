"""``python -m lite``: the command ``lite``, where its script is not on the path."""

import runpy

runpy.run_module("lite.tools.cli", run_name="__main__", alter_sys=True)
