"""Other processes of this program: started isolated, with a pipe to talk over.

A child looks for modules where an isolated interpreter does (`-I`: no working folder, no PYTHON* variables, no folder of the program),
then where its parent does, as far as that does not depend on the working folder; for this program's own packages, only where
its parent has found them (`isolation.py`).  It is started in the folder of this package, and goes to that of its parent once it
has loaded what it runs.  Nothing of it is looked for on PATH.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from analysis_core import isolation

MARK = "warpcost-worker"
"""What a child is called in lists of processes, among its arguments."""


class Child:
    """A process that was started, and this side of its pipe. It ends when the pipe is closed, and so with its parent,
    once it reads from the pipe."""

    def __init__(
        self,
        main: Callable[..., None],
        arguments: Sequence[object],
        loads: Callable[..., Any],
        shared: Sequence[int] = (),
    ) -> None:
        """Calls `main(pipe, *arguments)` there, a function of a module.  `loads`: a function among the arguments, whose package the
        child has to find.  `shared`: further descriptors that are open in the child, under the same numbers."""
        self.pipe, there = Pipe()
        try:
            self._process = _started(there, shared)
        finally:
            there.close()
        with suppress(ConnectionError):  # It has died already, which is seen where something is awaited from it.
            self.pipe.send(_orders(main, loads))
            self.pipe.send(tuple(arguments))

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """Ends the process, whatever it does."""
        self._process.kill()

    def end(self) -> None:
        """Ends the process, and waits until it is gone."""
        self.pipe.close()
        self._process.kill()
        self._process.wait()


def _started(there: Connection, shared: Sequence[int]) -> subprocess.Popen[bytes]:
    handle = there.fileno()
    program = os.path.abspath(isolation.__file__)
    command = [sys.executable, *_flags(), program, MARK, str(handle)]
    return subprocess.Popen(
        command,
        cwd=os.path.dirname(program),
        env=environment(os.environ),
        stdin=subprocess.DEVNULL,
        stdout=_nobody_reads(),
        **handed_on(handle, shared),
    )


def shares_descriptors(platform: str = sys.platform) -> bool:
    """Whether a child can have descriptors of this process under the same numbers; on Windows, these mean nothing to another process."""
    return platform != "win32"


def handed_on(handle: int, shared: Sequence[int], platform: str = sys.platform) -> dict[str, Any]:
    """The options that let a child have the handle of a pipe and these descriptors (where they can be shared), and
    nothing else that is open here."""
    if shares_descriptors(platform):
        return {"pass_fds": (handle, *shared)}
    inheritable: Callable[[int, bool], None] = getattr(os, "set_handle_inheritable")  # noqa: B009  (of Windows only)
    inheritable(handle, True)
    information: Callable[..., object] = getattr(subprocess, "STARTUPINFO")  # noqa: B009
    return {"startupinfo": information(lpAttributeList={"handle_list": [handle]})}


def environment(
    ours: Mapping[str, str], separator: str = os.pathsep, is_absolute: Callable[[str], bool] = os.path.isabs
) -> dict[str, str]:
    """This process's environment variables, without entries of folder lists that would mean the working folder."""
    lists = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
    return {
        name: separator.join(filter(is_absolute, value.split(separator))) if name.upper() in lists else value
        for name, value in ours.items()
    }


def _flags() -> list[str]:
    """Isolated, and otherwise as this process."""
    flags = ["-I"]
    if sys.flags.dont_write_bytecode or sys.dont_write_bytecode:
        flags.append("-B")
    if sys.flags.utf8_mode:
        flags += ["-X", "utf8"]
    return flags


def _nobody_reads() -> int:
    """Standard error in place of standard output, which is the report's or the protocol's: a stray print would corrupt it."""
    try:
        os.fstat(2)
    except OSError:
        return subprocess.DEVNULL
    return 2


def _orders(main: Callable[..., None], loads: Callable[..., Any]) -> dict[str, object]:
    package = loads.__module__.partition(".")[0]
    folders = [os.path.dirname(os.path.abspath(part)) for part in getattr(sys.modules[package], "__path__", ())]
    try:
        folder = os.getcwd()
    except OSError:  # It is gone.
        folder = None
    return {
        "packages": {**dict.fromkeys([package] if folders else [], folders[0] if folders else ""), **isolation.OWN},
        "path": isolation.trusted(sys.path),
        "module": main.__module__,
        "function": main.__qualname__,
        "folder": folder,
    }
