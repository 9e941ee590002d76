"""What `import lite` reaches and PyInstaller cannot see: modules that are imported by name, tables
and libraries beside them. Front doors to other packages (``lite.torch``), tools, and devices that
are written in Python come with who imports them:
``--collect-submodules lite.nnadapter.driver``.
"""

from PyInstaller.utils.hooks import collect_data_files, collect_dynamic_libs, collect_submodules

_LEFT_OUT = (
    "lite.__pyinstaller lite.torch lite.paddlex lite.ray lite.serving lite.tools "
    "lite.api.compare lite.nnadapter.driver lite.nnadapter.conformance"
).split()


def _is_wanted(name: str) -> bool:
    return not any(name == out or name.startswith(f"{out}.") for out in _LEFT_OUT)


hiddenimports = [
    *collect_submodules("lite", filter=_is_wanted),
    "google._upb._message",
    "google.protobuf.descriptor_pool",
    "google.protobuf.message",
    "google.protobuf.message_factory",
]
datas = collect_data_files("lite", excludes=["sdk/**"])
binaries = [pair for pair in collect_dynamic_libs("lite") if pair[1] == "lite"]
module_collection_mode = "pyz+py"  # tables beside the sources are found by these
