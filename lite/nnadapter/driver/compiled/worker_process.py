"""What runs in a vendor's interpreter: answers questions about a toolkit, one at a time.

    python -I worker_process.py SOCKET TOOL.py

TOOL.py has a function a question: of the question's arguments (JSON) and its blobs of bytes, to an
answer and its blobs. Nothing of the package can be imported here, and nothing but Python's library.
A process that only waits stands over the one that works: where the user's ends in any way, the
toolkit's and all that it started end, too, and their folder goes.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_SIZE = struct.Struct("<Q")
MOST_BLOBS = 1 << 16
MOST_TEXT = 1 << 28


class _StandIn(types.ModuleType, MetaPathFinder, Loader):
    """A package of which a toolkit only wants the names."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        ours = name.split(".")[0] == self.__name__
        return ModuleSpec(name, self, is_package=True) if ours else None

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return _name_of_it(name)


class _Named(type):
    """Of what a stand-in has by a name; such a thing has names, too."""

    def __getattr__(cls, name: str) -> Any:
        return _name_of_it(name)


def _name_of_it(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    # A base class, a decorator that is called, or one that is not.
    made = {"__init__": lambda *_, **__: None, "__call__": lambda _, given=None: given}
    return _Named(name, (), made)


def stand_in_for(package: str) -> None:
    """Where a toolkit imports a package that it does not need, and that is not here."""
    if importlib.util.find_spec(package) is None:
        sys.meta_path.append(_StandIn(package))


def send(channel: socket.socket, head: Any, blobs: Sequence[bytes] = ()) -> None:
    """A message: lengths, JSON, bytes."""
    text = json.dumps(head).encode()
    sizes = [len(blobs), len(text), *map(len, blobs)]
    channel.sendall(b"".join(map(_SIZE.pack, sizes)) + text)
    for blob in blobs:
        channel.sendall(blob)


def receive(channel: socket.socket) -> tuple[Any, list[bytes]]:
    """What `send` sent. Raises EOFError at the end, ValueError for what it did not send."""
    blobs, text = _SIZE.unpack(_exactly(channel, 8))[0], _SIZE.unpack(_exactly(channel, 8))[0]
    if blobs > MOST_BLOBS or text > MOST_TEXT:
        raise ValueError("no message")
    sizes = [_SIZE.unpack(_exactly(channel, 8))[0] for _ in range(blobs)]
    head = json.loads(_exactly(channel, text))
    return head, [_exactly(channel, size) for size in sizes]


def _exactly(channel: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = channel.recv(min(size - len(data), 1 << 20))
        if not part:
            raise EOFError
        data += part
    return bytes(data)


def _serve(channel: socket.socket, path: str) -> None:
    try:
        sys.path.append(os.path.dirname(path))  # for what a tool imports of its own
        spec = importlib.util.spec_from_file_location("tool", path)
        tool = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
        spec.loader.exec_module(tool)  # type: ignore[union-attr]
    except Exception as error:  # whatever a toolkit's import raises
        send(channel, {"error": f"{type(error).__name__}: {error}"})
        return
    send(channel, {"answer": None})
    while True:
        try:
            (name, arguments), blobs = receive(channel)
        except EOFError:
            return
        try:
            answer, made = getattr(tool, name)(arguments, blobs)
            send(channel, {"answer": answer}, made)
        except OSError:
            raise
        except Exception as error:  # vendors' own have no common base
            send(channel, {"error": str(error) or type(error).__name__})


def _stand_over(worker: int, channel: socket.socket, alive: int) -> int:
    """Ends what is left when either side has ended; what the worker ended with, 128 + a signal."""
    poller = select.poll()
    poller.register(channel, 0)  # hung up by the user's process
    poller.register(alive, 0)  # by the worker's end
    poller.poll()
    os.killpg(worker, signal.SIGKILL)  # not waited for yet: the group is there
    status = os.waitpid(worker, 0)[1]
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def main() -> int:
    """Becomes the process that stands over the worker."""
    channel, path = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
    folder = tempfile.mkdtemp()
    alive, held = os.pipe()
    worker = os.fork()
    if worker == 0:
        os.setpgid(0, 0)
        os.close(alive)
        os.chdir(folder)
        code = 1
        try:
            _serve(channel, path)
            code = 0
        except OSError:
            pass  # nobody listens
        finally:
            os._exit(code)
    os.close(held)
    with contextlib.suppress(OSError):
        os.setpgid(worker, worker)  # whoever comes first
    try:
        return _stand_over(worker, channel, alive)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
