"""What an analysis from scratch says: the oracle of what is kept between edits. Tests come to the same texts again and again, so that the
last few reports are remembered."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from functools import lru_cache

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings


def from_scratch(path: str, contents: Mapping[str, bytes], settings: Settings, last_good: bytes | None) -> FileReport:
    """The report on one of these files, by a process that remembers nothing of earlier texts."""
    return _report(path, tuple(sorted(contents.items())), pickle.dumps(settings), last_good)


def forget() -> None:
    """To be called where a test has changed what an analysis says of the same text, before and after it."""
    _report.cache_clear()


@lru_cache(maxsize=40)
def _report(path: str, contents: tuple[tuple[str, bytes], ...], settings: bytes, last_good: bytes | None) -> FileReport:
    """`settings`: pickled, since what holds mappings is no key."""
    return analyse_file(path, MemoryFiles(dict(contents)), pickle.loads(settings), last_good=last_good, strict=True)
