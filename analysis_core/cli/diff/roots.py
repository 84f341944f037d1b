"""What `warpcost diff` compares, as folders: two folders, two files, or revisions of the repository around the present folder.

A revision's files are written to a folder of its own, which is gone afterwards: includes and settings are those of the revision, and the
same code reads both sides.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NoReturn

from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import STDIN, Problem

Roots = tuple["Root", "Root", bool, tuple[Problem, ...]]
"""Before, after, whether both are a single file, and what is missing of them."""


class BadComparison(Exception):
    """Raised if there is nothing to compare; the text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Root:
    """A side before it is analysed.  `folder`: absolute, which paths are relative to; `paths`: what is looked at, as absolute paths."""

    shown: str
    folder: str
    paths: tuple[str, ...]


@contextmanager
def roots(args: Namespace) -> Iterator[Roots]:
    """Both sides, as long as they are there.  Raises `BadComparison` and `BadRevision`."""
    if args.base is None:
        raise BadComparison(
            "nothing is named to compare with: a folder, a file, a revision (`warpcost diff main`), or --base-json"
        )
    if args.head is not None and os.path.exists(args.base) and os.path.exists(args.head):
        one_file = os.path.isfile(args.base)
        if one_file != os.path.isfile(args.head):
            raise BadComparison("a file is compared with a file, and a folder with a folder")
        before, after = (_narrowed(root_of(path), args.only) for path in (args.base, args.head))
        yield before, after, one_file, ()
    else:
        with ExitStack() as stack:
            asked = _unwound_when_told_to_end(stack)
            try:
                yield _revisions(args, stack)
            finally:
                for one in asked:
                    signal.signal(one, signal.SIG_IGN)


def _unwound_when_told_to_end(stack: ExitStack) -> list[signal.Signals]:
    """Signals that would end the process where it stands leave through the stack instead, so that its folders are removed; until these are gone they
    are not heard again.  Returned are those that are heard: none outside of the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return []
    ending = [
        one for one in signal.Signals if one.name in ("SIGTERM", "SIGHUP") and signal.getsignal(one) is signal.SIG_DFL
    ]

    def leave(number: int, _: object) -> NoReturn:
        for one in ending:
            signal.signal(one, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for one in ending:
        stack.callback(signal.signal, one, signal.SIG_DFL)
        signal.signal(one, leave)
    return ending


def root_of(path: str) -> Root:
    """A folder or a file as a side."""
    if path == STDIN or not os.path.exists(path):
        raise BadComparison(f"cannot read {path}: no such file or directory")
    full = os.path.abspath(path)
    return Root(path, full if os.path.isdir(full) else os.path.dirname(full), (full,))


def _narrowed(root: Root, only: list[str]) -> Root:
    """The side with these paths alone, as far as they are there."""
    if not only:
        return root
    paths = tuple(os.path.normpath(os.path.join(root.folder, path)) for path in only)
    return Root(root.shown, root.folder, tuple(path for path in paths if os.path.exists(path)))


def _revisions(args: Namespace, stack: ExitStack) -> Roots:
    from analysis_core.workspace.revisions import Repository

    base, dots, head = _parted(args)
    repository = stack.enter_context(Repository(os.getcwd()))
    top = repository.top
    only = [os.path.relpath(os.path.realpath(path), top) for path in args.only]
    if any(path.startswith(os.pardir) for path in only):
        raise BadComparison(f"--only names something outside of {top}")
    problems: list[Problem] = []

    def side(commit: bytes, name: str) -> Root:
        folder = os.path.realpath(stack.enter_context(tempfile.TemporaryDirectory(prefix="warpcost-")))
        problems.extend(repository.written(commit, folder))
        digits = commit.decode()[:9]
        return _narrowed(Root(name if name.startswith(digits[:7]) else f"{name} ({digits})", folder, (folder,)), only)

    first = repository.common(base, head or "HEAD") if dots == "..." else repository.commit(base)
    last = None if head is None else repository.commit(head)
    before = side(first, base)
    after = (
        side(last, head)
        if last is not None and head is not None
        else _narrowed(Root("working tree", top, (top,)), only)
    )
    if not before.paths and not after.paths:
        raise BadComparison(f"--only: there is no {' or '.join(args.only)} on either side")
    return before, after, False, tuple(problems)


def _parted(args: Namespace) -> tuple[str, str, str | None]:
    """The revisions, and what stands between them: "main..topic", "main...topic", "main..", which is the working tree."""
    if args.head is not None:
        return args.base, "..", args.head
    for dots in ("...", ".."):
        base, found, head = args.base.partition(dots)
        if found:
            return base or "HEAD", dots, head or None
    return args.base, "..", None
