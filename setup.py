"""Builds the C++ core with CMake and Ninja and puts it into the package."""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()


class CMakeBuild(build_ext):
    """Configures and builds ``libpaddle_lite_core`` and ``lite._core``."""

    def build_extension(self, ext: Extension) -> None:
        # An editable install builds into the source tree, where the build folder keeps building.
        editable = getattr(self, "editable_mode", False)
        package = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        if editable:
            package = ROOT / "lite"
        # CI builds for several interpreters in one folder: the core is compiled once.
        build = Path(os.environ.get("LITE_BUILD_DIR") or self.build_temp).resolve()
        build.mkdir(parents=True, exist_ok=True)
        package.mkdir(parents=True, exist_ok=True)
        # What an earlier build found of these was another interpreter's, or belonged to its own
        # isolated environment; its objects are still good.
        found = ("*PYTHON*", "*Python*", "pybind11_*", "CMAKE_MAKE_PROGRAM")
        configure = [
            "cmake", *(word for glob in found for word in ("-U", glob)),
            "-G", "Ninja", "-S", str(ROOT), "-B", str(build),
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-DLITE_PACKAGE_DIR={package}",
            # Wheels have the one in Python.
            f"-DLITE_WITH_DEVICE_TEST={'ON' if editable else 'OFF'}",
            *os.environ.get("CMAKE_ARGS", "").split(),
        ]  # fmt: skip
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", str(build)], check=True)
        built = [*package.glob("*.so"), *package.glob("sdk/lib/*.so")]
        for library in () if editable else built:
            strip = os.environ.get("STRIP", "strip")
            subprocess.run([strip, "--strip-unneeded", str(library)], check=False)

    def copy_extensions_to_source(self) -> None:
        """Nothing to do: an editable install built them there."""


# tools/ stands beside lite/ in the tree and is installed as lite.tools: one import package.
PACKAGES = find_packages(include=["lite", "lite.*"], exclude=["lite.api.paddlelite"])
TOOLS = [f"lite.{name}" for name in find_packages(include=["tools", "tools.*"])]

setup(
    packages=[*PACKAGES, *TOOLS, "paddlelite"],
    package_dir={"lite.tools": "tools", "paddlelite": "lite/api/paddlelite"},
    package_data={
        "": ["py.typed", "*.pyi", "*.csv", "operators.txt", "*.yaml", "page.*"],
        "lite": ["sdk/include/*.h", "sdk/java/jni.cc", "sdk/java/*.map", "sdk/java/**/*.java"],
        "lite.nnadapter": ["include/nnadapter/**/*.h"],
    },
    ext_modules=[Extension("lite._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
