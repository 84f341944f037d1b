"""A file's text before and after edits: as a patch, or written in its place, once, whole or not at all.

It is written beside the file and then put in its place.  One that has changed meanwhile, or that is read-only, is left alone.
"""

from __future__ import annotations

import difflib
import os
import shutil
import stat
import sys

from analysis_core.cli.places import shown_path
from analysis_core.cli.runner_commands import no_command
from analysis_core.cli.terminal import printable
from analysis_core.workspace.disk import STDIN_NAME, is_read_only


def patch(path: str, before: bytes, after: bytes) -> str:
    """The change of a file as `git apply` and `patch -p1` take it; of a path from the root, as `patch -p0` does."""
    name = shown_path(path)
    old, new = (name, name) if os.path.isabs(name) else (f"a/{name}", f"b/{name}")
    texts = [data.decode("utf-8", "surrogateescape").split("\n") for data in (before, after)]
    lines = difflib.unified_diff(_whole(texts[0]), _whole(texts[1]), old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _whole(lines: list[str]) -> list[str]:
    """The lines with their ends, as they were before the text was parted."""
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def written(path: str, before: bytes, after: bytes) -> str | None:
    """Writes a file in one step; why that was not done, if so."""
    if path == STDIN_NAME:
        return "standard input is not edited; --diff prints what would be"
    target = os.path.realpath(path)  # What a link leads to is written, and the link stays.
    beside = f"{target}.tmp{os.getpid()}"
    try:
        if is_read_only(target):
            return "it is read-only, and not edited"
        with open(target, "rb") as file:
            if file.read() != before:
                return "it has changed meanwhile, and is not edited"
        with open(beside, "xb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        try:
            shutil.copymode(target, beside)
            os.replace(beside, target)
        except OSError:
            os.unlink(beside)
            raise
    except OSError as error:
        return f"it cannot be written ({error.strerror or error})"
    return None


def print_exactly(text: str) -> None:
    """The exact text where a program reads it; on a screen, or in the log of a runner, without what these obey."""
    sys.stdout.flush()
    is_file = stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    if is_file or not (sys.stdout.isatty() or "CI" in os.environ):
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    else:
        print("\n".join(no_command(printable(line)) for line in text.split("\n")), end="")
