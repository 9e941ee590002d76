"""Where C++ applications find the header and the library of the installed package.

c++ app.cc -I$(python -c "import lite; print(lite.get_include())") \\
    $(python -c "import lite; print(lite.get_library())")
"""

from __future__ import annotations

from pathlib import Path

from lite import _core


def get_include() -> str:
    """The folder that holds ``paddle_api.h``."""
    return str(Path(__file__).parent)


def get_library() -> str:
    """The path of ``libpaddle_lite_core.so``."""
    return str(Path(_core.__file__).with_name("libpaddle_lite_core.so"))
