"""Programs that start others, which end with them, also where they have to be ended."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path


def output_of(command: Sequence[str], cwd: Path, environment: Mapping[str, str], seconds: float) -> tuple[int, str]:
    """The status of a command and what it printed.  One that takes longer is ended, with all that it has started: a browser that is left
    behind would take the time of those that follow."""
    piped = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=piped, stderr=subprocess.STDOUT, text=True
    ) as running:
        try:
            said, _ = running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            for pid in (*descendants(running.pid), running.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            said, _ = running.communicate()
            return -signal.SIGKILL, f"{said}\nended after {seconds:g} s"
    return running.returncode, said


def descendants(pid: int) -> list[int]:
    """The processes below one."""
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, children.read_text().split()):
                found += [child, *descendants(child)]
    return found
