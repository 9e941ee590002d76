"""Linked against the stand-ins of tools/cross/old_libraries.py, a library asks for old versions."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "cross" / "old_libraries.py"
# Uses what glibc 2.29 to 2.34 and GCC 9 to 12 gave new versions, or added.
SOURCE = r"""
#include <dlfcn.h>
#include <sys/stat.h>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <sstream>
#include <thread>
extern "C" void work(double x, size_t size) {
  std::ostringstream text;
  text << std::exp(x) + std::log(x) + std::pow(x, 2.5);
  std::exception_ptr first, second;
  try {
    delete[] new int[size];
  } catch (...) {
    first = std::current_exception();
    second = first;
  }
  first = nullptr;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread thread([&] {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
    changed.notify_one();
  });
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return done; });
  lock.unlock();
  thread.join();
  struct stat found;
  std::printf("%d %d ", stat("/", &found), dlsym(nullptr, "printf") != nullptr);
  try {
    std::rethrow_exception(second);
  } catch (const std::exception& error) {
    std::printf("%s %s\n", error.what(), text.str().c_str());
  }
}
"""
MAIN = """
#include <cstddef>
extern "C" void work(double, size_t);
int main() { work(1.0, static_cast<size_t>(-1)); }
"""

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("g++") is None, reason="needs GCC on Linux"
)


def _build(folder: Path, name: str, *flags: str) -> Path:
    library = folder / name
    command = ["g++", "-std=c++17", "-O2", "-fPIC", "-shared", str(folder / "work.cc")]
    subprocess.run([*command, *flags, "-o", str(library)], check=True)
    return library


def _check(library: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "check", str(library)]
    return subprocess.run(command, capture_output=True, text=True)


def test_link_and_run(tmp_path: Path) -> None:
    (tmp_path / "work.cc").write_text(SOURCE)
    (tmp_path / "main.cc").write_text(MAIN)
    subprocess.run([sys.executable, str(SCRIPT), "make", str(tmp_path / "old")], check=True)
    flags = [f"-L{tmp_path / 'old'}", "-Wl,--no-as-needed", "-Wl,-z,defs"]
    old = _build(tmp_path, "libold.so", *flags)
    done = _check(old)
    assert done.returncode == 0, done.stdout
    needed = subprocess.run(["readelf", "-d", str(old)], capture_output=True, text=True).stdout
    for name in ("libpthread.so.0", "libdl.so.2", "libc.so.6", "libstdc++.so.6"):
        assert f"[{name}]" in needed
    shown = subprocess.run(["nm", "-D", "--defined-only", str(old)], capture_output=True, text=True)
    names = {line.split()[-1] for line in shown.stdout.splitlines()}
    assert "work" in names and not names & {"stat", "__libc_single_threaded"}
    assert not any("exception_ptr" in name or "bad_array" in name for name in names)
    app = tmp_path / "app"
    subprocess.run(["g++", str(tmp_path / "main.cc"), str(old), "-o", str(app)], check=True)
    said = subprocess.run([str(app)], capture_output=True, text=True)
    assert said.stdout == "0 1 std::bad_array_new_length 3.71828\n"


def test_what_is_newer_is_found(tmp_path: Path) -> None:
    (tmp_path / "work.cc").write_text(SOURCE)
    done = _check(_build(tmp_path, "libnew.so"))
    versions = set(done.stdout.split())
    if not versions & {"GLIBC_2.34", "GLIBCXX_3.4.29"}:
        pytest.skip("this machine's own libraries are old")
    assert done.returncode == 1
    assert f"{tmp_path}/libnew.so: " in done.stdout
