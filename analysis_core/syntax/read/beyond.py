"""What host code in other files of a program says of a translation unit (found by `program/other_files.py`), as data.

For messages, levels and usual figures only: which files make a program is a guess, so no bound may rest on it.
"""

from __future__ import annotations

from typing import Any

from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Beyond:
    """What other files of the program say about a unit, by the names of functions; sorted, so that equal contents have
    one text.

    `numbers`: the numbers that all calls in other files pass to a function of this unit (None: not one number), () where
    that is not known; `run_numbers`: likewise, as the program is run. `launches`: launches of this
    unit's kernels (`ir/launch_site.LaunchSite`, which this folder does not know; parameters by number). `assigned`:
    variables that functions without a body in view may change. `mentions`: which functions of this unit they mention,
    and "main" where one defines it (mentions.py); None where nobody looked."""

    numbers: tuple[tuple[str, tuple[int | None, ...]], ...] = ()
    run_numbers: tuple[tuple[str, tuple[int | None, ...]], ...] = ()
    launches: tuple[tuple[str, Any], ...] = ()
    assigned: tuple[str, ...] = ()
    mentions: tuple[str, ...] | None = None
