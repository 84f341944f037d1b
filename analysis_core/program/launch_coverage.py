"""How far the launches of a file were read: there may be more than anybody can wait for."""

from __future__ import annotations

from dataclasses import field

from analysis_core.support.facts import Assumption
from analysis_core.text.records import dataclass


@dataclass(slots=True)
class LaunchCoverage:
    """How far the launches of a file were read.  `unread`: why not to their end; `crowded`: they took more than half of the work that they
    may take, so that few more are too many."""

    unread: list[Assumption] = field(default_factory=list)
    crowded: bool = False
