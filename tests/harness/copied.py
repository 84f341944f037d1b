"""Python programs that start in a hundredth of a second: each is the copy of a process that has imported everything already.

`python -m analysis_core` takes half a second to import what it needs.  A test of what it does then has the same process, folder,
environment and streams from here, but for what the variables of Python itself change, which a test starts by `subprocess`.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import pkgutil
import runpy
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import NoReturn

import analysis_core

ROOT = Path(__file__).resolve().parents[2]

_LONGEST = 1 << 17
"""Bytes of a request: words and environment."""


def started(
    module: str, words: Sequence[str], cwd: Path, environment: Mapping[str, str], streams: Sequence[int]
) -> Callable[[], int]:
    """Starts `python -m module words` with these three streams; the function that comes back waits for its status."""
    channel = _original()
    asked = json.dumps([module, [*words], str(cwd), {**environment}]).encode()
    socket.send_fds(channel, [asked], streams)
    return lambda: int(channel.recv(_LONGEST))


def done(
    module: str, *words: str, cwd: Path, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """`python -m module words`, once it has ended."""
    with TemporaryFile() as given, TemporaryFile() as said, TemporaryFile() as told:
        given.write(stdin)
        files = [given, said, told]
        given.seek(0)
        own = os.environ if environment is None else environment
        status = started(module, words, cwd, own, [file.fileno() for file in files])()
        for file in (said, told):
            file.seek(0)
        return subprocess.CompletedProcess(words, status, said.read(), told.read())


@cache
def _original() -> socket.socket:
    """The way to the process that is copied, which ends once nobody has it any more."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-m", "tests.harness.copied", str(theirs.fileno())]
        original = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])

    def end() -> None:
        ours.close()
        original.wait()

    atexit.register(end)
    return ours


def _serve(channel: socket.socket) -> None:
    """Copies this process for each request."""
    for found in pkgutil.walk_packages(analysis_core.__path__, "analysis_core."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    while True:
        asked, streams, _, _ = socket.recv_fds(channel, _LONGEST, 3)
        if not asked:
            return
        copy = os.fork()
        if copy == 0:
            channel.close()
            _become(streams, *json.loads(asked))
        for stream in streams:
            os.close(stream)
        channel.send(str(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])).encode())


def _become(
    streams: Sequence[int], module: str, words: Sequence[str], cwd: str, environment: Mapping[str, str]
) -> NoReturn:
    """This process is `python -m module words` from now on."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, range(3), "rww")
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [module, *words]
    status: object = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        status = ended.code
    except BaseException:
        traceback.print_exc()
        status = 1
    if isinstance(status, str):
        print(status, file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
