"""Our own bugs: states that cannot happen if the code is right.

Broken user code, limits of the analysis and stale work have shapes of their own (STYLE.md, habit 11); only what
is our fault comes here.  `never` raises; the pipeline decides per kernel: tests let it through, the editor logs it,
reports the one kernel as not analysed and keeps the others.
"""

from __future__ import annotations

from typing import NoReturn


class InternalError(AssertionError):
    """A bug of the analysis itself."""


def never(reason: str) -> NoReturn:
    """Raises `InternalError`: the caller has reached a state that should be impossible."""
    raise InternalError(reason)
