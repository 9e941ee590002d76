"""Where C++ applications find the headers and libraries of the installed package.

c++ app.cc $(lite sdk --cflags) $(lite sdk --libs)
"""

from __future__ import annotations

from pathlib import Path

from lite import _core
from lite.errors import ConfigError


def sdk_path() -> Path:
    """The folder that holds ``include`` and ``lib``. Raises ConfigError where it was not built."""
    root = Path(_core.__file__).with_name("sdk")
    if not (root / "lib" / "libpaddle_light_api_shared.so").is_file():
        raise ConfigError(
            f"this installation has no C++ SDK: {root / 'lib'} lacks its libraries; build them "
            "with LITE_WITH_SDK=ON"
        )
    return root


def get_include() -> str:
    """The folder that holds ``paddle_api.h``."""
    return str(sdk_path() / "include")


def get_library() -> str:
    """The path of ``libpaddle_light_api_shared.so``."""
    return str(sdk_path() / "lib" / "libpaddle_light_api_shared.so")
