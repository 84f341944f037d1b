"""What host code in other files of a program says of a translation unit (found by `program/program.py`), as data.

For messages, levels and usual figures only: which files make a program is a guess, so no bound may rest on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Part = tuple[int, str]
"""An argument, and of records the member behind a dot."""

Once = tuple[tuple[str, int], ...]
"""Functions that are called once, beside loops in which so many kernels are launched."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """By name of a function.  `left`: the arguments that functions of other files leave in order; `given`: what all calls in other
    files hand to a function of this unit in order, which may be nothing; `numbers`: and which numbers
    (None: not one), () where that is not known, `run_numbers`: likewise, as the program is run; `launches`: of kernels of this unit, by name
    (`ir/launch_site.LaunchSite`, which this folder does not know; parameters by number); `assigned`: variables that functions may change of which nobody has
    read the bodies; `mentions`: what they mention of the functions of this unit, and "main" where one defines it (mentions.py), None
    where nobody looked; `once`: functions of this unit that other files call once, beside loops of launches (sibling_loops.py).  Sorted, so that equal ones have one text."""

    left: tuple[tuple[str, tuple[int, ...]], ...] = ()
    given: tuple[tuple[str, tuple[Part, ...]], ...] = ()
    numbers: tuple[tuple[str, tuple[int | None, ...]], ...] = ()
    run_numbers: tuple[tuple[str, tuple[int | None, ...]], ...] = ()
    launches: tuple[tuple[str, Any], ...] = ()
    assigned: tuple[str, ...] = ()
    mentions: tuple[str, ...] | None = None
    once: Once = ()
