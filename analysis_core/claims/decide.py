"""`claims_of(kernel, launch, settings, races)`: every claim of a kernel under one launch, proved, refuted by a run, or undecided.

    the kernel with claims, interpreted  ->  what is known of all threads decides  ->  else a solver, for one thread  ->  a run of the simulator
                                                                                  ->  of straight-line code a solver with all that it stores

A claim that asks for what an array holds rests on what the thread itself has stored there, which holds as long as nobody else writes it:
where threads may race for the array, nothing is proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from analysis_core.claims.from_memory import arrays_loaded, resting_on_memory
from analysis_core.claims.required import required_of
from analysis_core.claims.verdicts import Judged, Standing
from analysis_core.domains import condition as cond
from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.core.events import ClaimEvent, Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Claim, Kernel
from analysis_core.ir.walk import statements_of
from analysis_core.program.launch import Launch
from analysis_core.races.verdicts import RaceReport, Verdict
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.support.settings import Settings

if TYPE_CHECKING:
    from analysis_core.claims.straight import Straight

_QUESTIONS = 24
"""Questions to the solver about one kernel under one launch."""

_NEVER, _BY_VALUES, _BY_SOLVER = (
    "no thread comes here",
    "the ranges and the arithmetic of its values",
    "a solver (z3) finds no thread that breaks it",
)

_BY_THREAD = "a solver (z3) finds no thread that breaks it, with all that the thread stores followed"


def claims_of(kernel: Kernel, launch: Launch, settings: Settings, races: RaceReport | None) -> tuple[Judged, ...]:
    """In the order of the text, each claim once, wherever it was inlined; and what is required of the launch."""
    required = tuple(required_of(kernel, launch))
    claimed = kernel.claimed
    if claimed is None:
        return required
    events = interpret(claimed, launch, settings)
    claims = {
        stmt.span: stmt for stmt in statements_of(claimed) if isinstance(stmt, Claim) and stmt.condition is not None
    }
    decider = _Decider(claimed, launch, events, races)
    order = sorted(claims, key=lambda span: (span.file, span.start))
    found = tuple(decider.judged(claims[span], [e for e in events.claims if e.claim.span == span]) for span in order)
    return (*required, *found)


class _Decider:
    """Decides the claims of one kernel."""

    def __init__(self, kernel: Kernel, launch: Launch, events: Events, races: RaceReport | None) -> None:
        self._kernel, self._launch, self._events, self._races = kernel, launch, events, races
        self._left, self._taken = _QUESTIONS, 0
        self._from_memory = resting_on_memory(kernel)
        self._race = self._raced() if self._from_memory else None
        self._straight: Straight | None = None
        ranges = (r for r in launch.arguments.ranges if not r.run and not r.condition)
        self._passed = {r.name: (r.least, r.most) for r in ranges}

    def judged(self, claim: Claim, executions: Sequence[ClaimEvent]) -> Judged:
        """The loudest of what is found of its executions."""
        found = [self._one(claim, event) for event in executions]
        unknown = next(iter(self._events.unknowns), None)
        if unknown is not None:
            found = [one for one in found if one.standing is Standing.REFUTED] or [_undecided(claim, unknown)]
        if not found:
            return _judged(claim, Standing.PROVED, _NEVER)
        return min(found, key=lambda one: (one.standing.rank, one.how != _BY_SOLVER))

    def _one(self, claim: Claim, event: ClaimEvent) -> Judged:
        race = self._race if claim.span in self._from_memory else None
        if not bool((event.mask.may & ~event.condition.true).any()):
            return _judged(claim, Standing.PROVED, _BY_VALUES) if race is None else _undecided(claim, race)
        self._left -= 1
        if self._left < 0:
            return _judged(claim, Standing.UNDECIDED, cause="the kernel has too many claims to ask a solver about all")
        try:
            from analysis_core.claims.formulas import WORK_OF_KERNEL, broken
        except ImportError:
            return _judged(claim, Standing.UNDECIDED, cause="there is no solver: z3 is not installed")
        found = broken(self._events, event, WORK_OF_KERNEL - self._taken, dict(self._passed))
        self._taken += found.taken
        if found.possible is False:
            return _judged(claim, Standing.PROVED, _BY_SOLVER) if race is None else _undecided(claim, race)
        if race is not None:
            return _undecided(claim, race)
        why = next(_why_open(event), None)
        if found.possible is None or found.inner or why is not None:
            if claim.span in self._from_memory and self._is_straight(claim):
                return _judged(claim, Standing.PROVED, _BY_THREAD)
            return (
                _judged(claim, Standing.UNDECIDED, cause="the solver does not decide it")
                if why is None
                else _undecided(claim, why)
            )
        return self._replayed(claim, dict(found.values))

    def _replayed(self, claim: Claim, values: dict[str, int]) -> Judged:
        from analysis_core.claims.replay import shown

        grid = {f"gridDim.{axis}": n for axis, n in zip("xyz", self._launch.grid, strict=True) if n is not None}
        seen = shown(self._kernel, self._launch.block, claim.span, {**values, **grid})
        if isinstance(seen, str):
            return _judged(claim, Standing.UNDECIDED, cause=seen)
        return Judged(claim.word, claim.text, claim.span, Standing.REFUTED, thread=seen.thread, values=seen.values)

    def _raced(self) -> Cause | None:
        """Why others may write what the kernel loads."""
        if self._races is None:
            return None
        if self._races.cause:
            return Cause(
                CauseKind.ANALYSIS, f"another thread may write to it: {self._races.cause}", self._races.because
            )
        read = arrays_loaded(self._kernel)
        for one, other, _ in self._launch.arguments.same:
            if {one, other, "?"} & read:
                reason = f"`{one}` and `{other}` lead into one array in this launch"
                return Cause(CauseKind.ANALYSIS, reason, self._launch.span)
        known = {v.name for v in self._kernel.variables if v.parameter} | {o.name for o in self._kernel.objects}
        for race in self._races.races:
            for place in (race.first, race.second) if race.verdict is not Verdict.ABSENT else ():
                word = re.match(r"\W*(\w+)", place.text)
                name = word[1] if word is not None else ""
                if "?" in read or name in read or name not in known:
                    return Cause(CauseKind.ANALYSIS, f"another thread may write `{place.text}` meanwhile", place.span)
        return None

    def _is_straight(self, claim: Claim) -> bool:
        """Whether it holds in straight-line code, of which one thread is followed with what it stores."""
        if self._straight is None:
            from analysis_core.claims.straight import Straight

            self._straight = Straight(self._kernel, self._launch)
        return self._straight.proves(claim.span)


def _why_open(event: ClaimEvent) -> Iterator[Cause]:
    """What in memory, or outside of the analysis, decides the claim."""
    for atom in cond.atoms(event.condition):
        if atom.poly is None and atom.cause is not None:
            yield atom.cause
        for symbol in () if atom.poly is None else atom.poly.symbols():
            if symbol.kind in (SymbolKind.DATA, SymbolKind.UNKNOWN) and symbol.cause is not None:
                yield symbol.cause


def _judged(claim: Claim, standing: Standing, how: str = "", cause: str = "") -> Judged:
    return Judged(claim.word, claim.text, claim.span, standing, how, cause)


def _undecided(claim: Claim, cause: Cause) -> Judged:
    return Judged(claim.word, claim.text, claim.span, Standing.UNDECIDED, "", cause.reason, cause.span)
