"""Gates: the questions that are asked of a loss, in order, to settle whether it is told, and how loudly.

A rule begins at the loudest level that it has.  Each gate asks one question; where the answer is yes, the loss is told at most at the gate's level, or
not at all.  The tables of gates are the rules' own (`checks/`), and `explain --why` prints them with their answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from analysis_core.profile.evidence import Evidence
from analysis_core.report.findings.model import Level, Reason
from analysis_core.text.records import dataclass

S = TypeVar("S")

ASSUMED_BLOCK = "assumed block"
"""The name of the gates that ask whether a loss rests on the shape of a block that is a guess."""


@dataclass(frozen=True, slots=True)
class Gate(Generic[S]):
    """One question.  `asks`: what holds if the answer is yes, in words; `at_most`: how loud the loss may be then, None for silent; `only_at`: the
    question is asked only of a loss that has come to this level; `because`: the answer in numbers."""

    name: str
    evidence: Evidence
    asks: str
    holds: Callable[[S], bool]
    at_most: Level | None = None
    only_at: Level | None = None
    because: Callable[[S], str] | None = None

    def matters(self, level: Level) -> bool:
        """Whether a yes would change anything for a loss of this level."""
        if self.only_at is not None and level is not self.only_at:
            return False
        return self.at_most is None or self.at_most.rank < level.rank


def asked(gates: Sequence[Gate[S]], subject: S, level: Level) -> tuple[Level | None, tuple[Reason, ...]]:
    """How loud a loss may be that begins at `level`, None where some gate silences it; and the gates with their answers, up to that one."""
    reasons: list[Reason] = []
    for gate in gates:
        holds = gate.holds(subject) if gate.matters(level) else None
        after = level if not holds else gate.at_most
        because = "" if gate.because is None or holds is None else gate.because(subject)
        reasons.append(Reason(gate.name, gate.evidence, gate.asks, holds, after, because))
        if after is None:
            return None, tuple(reasons)
        level = after
    return level, tuple(reasons)


def passes(gates: Sequence[Gate[S]], subject: S, level: Level) -> Level | None:
    """How loud a loss may be that begins at `level`; None where some gate silences it."""
    return asked(gates, subject, level)[0]
