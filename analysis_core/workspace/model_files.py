"""The files that the globs of `models` in a settings file stand for.

Whoever opens a project did not write its settings: names of folders are looked through up to a number of them, for all globs together.
"""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Iterator, Sequence

from analysis_core.text.records import dataclass

MOST_FILES = 64
_MOST_NAMES = 5_000
"""Names in folders that are looked through."""


@dataclass(slots=True)
class _Account:
    left: int


def model_files(patterns: Sequence[str]) -> tuple[tuple[str, ...], dict[int, str]]:
    """The files in order, each once, and what is wrong with which pattern."""
    account, found, wrong = _Account(_MOST_NAMES), dict[str, None](), dict[int, str]()
    for number, pattern in enumerate(patterns):
        files = sorted(_matching(pattern, account))
        if account.left < 0:
            wrong[number] = f"folders have more than {_MOST_NAMES} names that this may mean: not all are looked through"
        elif not files:
            wrong[number] = "no such file: what it would say of libraries is not known"
        elif len(found) + len(files) > MOST_FILES:
            wrong[number] = f"more than {MOST_FILES} files: the rest is left out"
        found.update(dict.fromkeys(files))
    return tuple(found)[:MOST_FILES], wrong


def _matching(pattern: str, account: _Account) -> Iterator[str]:
    """The files of one glob, with `*`, `?` and `[..]` within names."""
    if not glob.has_magic(pattern):
        return iter([pattern] if os.path.isfile(pattern) else [])
    parts = pattern.split(os.sep)
    first = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    return _below(os.sep.join(parts[:first]) or os.sep, parts[first:], account)


def _below(folder: str, parts: Sequence[str], account: _Account) -> Iterator[str]:
    """What the rest of a glob means in a folder."""
    here, rest = parts[0], parts[1:]
    for name in _names(folder, here, account):
        path = os.path.join(folder, name)
        if rest:
            yield from _below(path, rest, account)
        elif os.path.isfile(path):
            yield path


def _names(folder: str, part: str, account: _Account) -> list[str]:
    if not glob.has_magic(part):
        return [part] if os.path.lexists(os.path.join(folder, part)) else []
    wanted = re.compile(fnmatch.translate(part))
    found: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                account.left -= 1
                if account.left < 0:
                    break
                if wanted.match(entry.name) and not entry.name.startswith("."):
                    found.append(entry.name)
    except OSError:
        return []
    return sorted(found)
