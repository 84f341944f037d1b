"""Broken claims, and how they are collected."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Broken:
    """A claim that a launch broke: its kind (`bound.upper`, `access.worst`), what is said and what was counted."""

    kind: str
    text: str


@dataclass
class Findings:
    """What a comparison came to.  `checks`: claims that were asked."""

    broken: list[Broken] = field(default_factory=list)
    checks: int = 0

    def check(self, holds: bool, kind: str, text: str) -> None:
        """Counts a claim, and keeps it if it does not hold."""
        self.checks += 1
        if not holds:
            self.broken.append(Broken(kind, text))
