"""Where our lowering is known to differ from clang, each with the reason and a program that shows it.

An entry that its program shows no longer is an error (`test_libclang.py`): it would hide the next fault of the kind.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Excuse:
    """Differences of programs about `feature`; `witness` is the number of a program that has one."""

    feature: str
    witness: int
    reason: str


EXCUSES: tuple[Excuse, ...] = ()
