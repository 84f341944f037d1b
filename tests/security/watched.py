"""`python -m tests.security.watched RECORD WHAT ..` does what a process of warpcost does, and writes down what it opens, runs and sends.

Audit hooks see every call, of libraries too, before it is made; what WHAT is says `main`."""

from __future__ import annotations

import os
import sys
from typing import Any

RUNS = (
    "subprocess.Popen",
    "os.exec",
    "os.posix_spawn",
    "os.system",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "os.startfile",
    "ctypes.dlopen",
)
SENDS = ("socket.", "http.", "urllib.", "ftplib.", "smtplib.", "ssl.", "webbrowser.")
CHANGES = (
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.chmod",
    "os.truncate",
    "shutil.",
    "tempfile.",
)

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def watch(record: int) -> None:
    """Writes a line for each event: its kind, and what it is about."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            if isinstance(path, int):
                return
            writes = bool((flags or 0) & _WRITING) or any(letter in (mode or "") for letter in "wax+")
            kind, what = "write" if writes else "read", os.path.abspath(os.fsdecode(path))
        elif event in RUNS or event.startswith("os.spawn"):
            kind, what = "run", f"{event} {arguments[:2]}"
        elif event.startswith(SENDS):
            kind, what = "send", f"{event} {arguments[:2]}"
        elif event.startswith(CHANGES):
            kind, what = "write", os.path.abspath(os.fsdecode(arguments[0]))
        else:
            return
        os.write(record, f"{kind}\t{what}\n".encode(errors="replace"))

    sys.addaudithook(hook)


def job(path: str) -> None:
    """What a worker of the server does."""
    from analysis_core.support.interrupts import Interrupts
    from analysis_core.workspace.project import Folders
    from lsp_server.analyse import Job, make_analyst
    from lsp_server.options import EditorOptions

    work = make_analyst()
    with open(path, "rb") as file:
        text = file.read()
    plain = Job(path, {path: text}, EditorOptions())
    work(plain, lambda message: None, Interrupts())
    folder = os.path.dirname(path)
    work(Job(path, {path: text}, EditorOptions(), scan=Folders((folder,), ())), lambda message: None, Interrupts())
    work(Job(path, {path: text}, EditorOptions(), stage=("lp", None)), lambda message: None, Interrupts())


def main(record: str, what: str, arguments: list[str]) -> int:
    """`command` with its arguments, `server`, or `job` with a file."""
    watch(os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND))
    match what:
        case "command":
            from analysis_core.main import main as command

            return command(arguments)
        case "server":
            from lsp_server.server import main as serve

            serve()
        case _:
            job(arguments[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
