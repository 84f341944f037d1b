"""Findings that are known and accepted: a file that `check --baseline` reads and `--update-baseline` writes.

It is JSON with one entry a line, sorted, so that a review sees which findings came and went.  Paths are relative to the
file's own folder: it can be used from anywhere.  An entry silences the finding with its path and fingerprint
(`fingerprint.py`), and nothing else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from analysis_core.text.records import dataclass

VERSION = 1


class BadBaseline(Exception):
    """Raised if a baseline cannot be used; the text says why, in one line."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """`path` with forward slashes, relative to the baseline's folder."""

    path: str
    code: str
    subject: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The findings that a baseline lists, sorted (`entries`)."""

    path: str
    entries: tuple[Entry, ...] = ()

    def entry(self, path: str, code: str, subject: str, fingerprint: str) -> Entry:
        """The entry for a finding in the file `path`, as the command line names it."""
        folder = os.path.dirname(os.path.abspath(self.path))
        relative = os.path.relpath(os.path.abspath(path), folder)
        return Entry(relative.replace(os.sep, "/"), code, subject, fingerprint)

    def keys(self) -> frozenset[tuple[str, str]]:
        """Path and fingerprint of everything known."""
        return frozenset((entry.path, entry.fingerprint) for entry in self.entries)


def read_baseline(path: str) -> Baseline:
    """The baseline at `path`. Raises `BadBaseline` if the file is missing or is no baseline."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            document = json.load(file)
    except FileNotFoundError:
        raise BadBaseline(f"there is no baseline {path or repr(path)}; --update-baseline writes one") from None
    except OSError as error:
        raise BadBaseline(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise BadBaseline(f"{path} is no baseline: {error}") from None
    if not isinstance(document, dict) or document.get("warpcost-baseline") != VERSION:
        raise BadBaseline(f"{path} is no baseline of version {VERSION}")
    rows = document.get("findings")
    if not isinstance(rows, list) or not all(_is_entry(row) for row in rows):
        raise BadBaseline(f"{path}: `findings` has to be a list of objects with path, code, subject and fingerprint")
    return Baseline(path, tuple(sorted(Entry(**row) for row in rows)))


def _is_entry(row: object) -> bool:
    names = {"path", "code", "subject", "fingerprint"}
    return isinstance(row, dict) and set(row) == names and all(isinstance(value, str) for value in row.values())


def write_baseline(path: str, entries: Iterable[Entry]) -> int:
    """Writes the baseline, in one step; returns how many entries it has."""
    rows = sorted(set(entries))
    lines = ",\n".join(
        "  " + json.dumps({"path": e.path, "code": e.code, "subject": e.subject, "fingerprint": e.fingerprint})
        for e in rows
    )
    text = f'{{"warpcost-baseline": {VERSION}, "findings": [\n{lines}\n]}}\n'
    target = os.path.realpath(path)  # what a link leads to is written, and the link stays
    beside = f"{target}.tmp{os.getpid()}"
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(beside, target)
    except OSError as error:
        raise BadBaseline(f"cannot write {path}: {error.strerror or error}") from None
    return len(rows)
