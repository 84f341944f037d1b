"""Loads pulp, without the libraries that it looks for by bare names.

As it is imported it asks for those of other solvers.  Where a loader is told to look in the working folder (by an empty entry of
LD_LIBRARY_PATH, on Windows always), a file of that name there would be run.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def pulp() -> Any:
    """The module `pulp`, imported at the first use."""
    with _full_names():
        import pulp
    return pulp


@contextmanager
def _full_names() -> Iterator[None]:
    """Libraries are loaded by full names alone, by whatever kind of loader."""
    load = ctypes.CDLL.__init__

    def guarded(self: ctypes.CDLL, name: str | None, *more: Any, **named: Any) -> None:
        if name is not None and not os.path.isabs(name):
            raise OSError(f"{name} is not looked for")
        load(self, name, *more, **named)

    ctypes.CDLL.__init__ = guarded  # type: ignore[method-assign]
    try:
        yield
    finally:
        ctypes.CDLL.__init__ = load  # type: ignore[method-assign]
