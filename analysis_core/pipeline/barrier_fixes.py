"""Fixes of races and of idle barriers: a barrier is put in, or taken away, and the edited text is looked at for races again.

A barrier is offered where all pairs of the array are ordered that surely race, nothing else is open that was not before, and all threads come there, in
every kernel that runs the function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains.shape import WARP, BoolVector
from analysis_core.domains.symbol import Level
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.trace import Barred, Chosen, Looped, Node, walk
from analysis_core.interp.interpret import interpret
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.checked_fixes import Place, Trials
from analysis_core.program.launch import choose_launches
from analysis_core.races.decide import race_report
from analysis_core.races.verdicts import Race, RaceReport, Scope, Verdict
from analysis_core.report.annotate import annotation_edit
from analysis_core.report.checks.idle_barrier import CODE as IDLE_BARRIER
from analysis_core.report.checks.lock_step import CODE as LOCK_STEP
from analysis_core.report.findings.model import Edit, FileReport, Finding, Fix, KernelReport
from analysis_core.report.findings.race_words import array_of, told
from analysis_core.report.findings.wording import times_words
from analysis_core.report.fixes.edits import applied, moved
from analysis_core.report.fixes.insert_barrier import body_around, insertions, without
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.syntax.read.tree import SyntaxTree
from analysis_core.text.span import FileId, Span

_Key = tuple[str, str, str, str]
_ALL = (1 << WARP) - 1


class BarrierFixes:
    """The fixes of one file; the text is read once."""

    def __init__(self, report: FileReport, trials: Trials, sources: Sources) -> None:
        self._report, self._trials, self._place = report, trials, trials.place
        self._index = sources.index(FileId(trials.place.path))
        self._tree: SyntaxTree | None = None

    def of(self, finding: Finding) -> tuple[Fix, ...]:
        """What can be done about one finding."""
        for kernel in self._report.kernels:
            if kernel.span.file != self._place.path:
                continue
            reports = [launch.profile.races for launch in kernel.launches if launch.profile.races is not None]
            if finding.check == IDLE_BARRIER:
                if any(b.barrier == finding.span and b.is_idle for r in reports for b in r.barriers):
                    return self._removed(finding.span)
                continue
            for race in (race for one in reports for race in one.races):
                if told(race).span == finding.span and (race.scope is Scope.WARP) == (finding.check == LOCK_STEP):
                    return (*self._assumed(race, kernel), *self._ordered(race))
        return ()

    def _assumed(self, race: Race, kernel: KernelReport) -> tuple[Fix, ...]:
        """The condition that keeps the threads apart, stated."""
        if race.required is None or race.verdict is not Verdict.CONDITIONAL:
            return ()
        annotation = f"//@ assume {race.required.text}"
        edit = annotation_edit(annotation, kernel.span, self._index, False)
        trial = None if edit is None else self._tried((edit,), kernel.span)
        if (
            edit is None
            or trial is None
            or not trial.adds_nothing
            or any(_is_left(race, *both) for both in trial.pairs)
        ):
            return ()
        return (Fix(f"Insert `{annotation}`: no data race on `{array_of(race)}` then", (edit,)),)

    def _ordered(self, race: Race) -> tuple[Fix, ...]:
        loud = race.verdict in (Verdict.CERTAIN, Verdict.CONDITIONAL, Verdict.LOCK_STEP)
        if not loud or race.scope is Scope.GRID or race.first.span == race.second.span:
            return ()
        body = body_around(self._read(), race.first.span, race.second.span)
        if body is None:
            return ()
        whole = "__syncwarp()" if race.scope is Scope.WARP else "__syncthreads()"
        places = insertions(body, race.first.span, race.second.span, whole, self._index)
        for edits in (*((one,) for one in places), *self._two(race, places, whole)):
            trial = self._tried(edits, body.span, whole)
            if trial is None:
                return ()
            barrier = whole if race.scope is Scope.BLOCK else trial.for_lanes(race)
            if barrier is None:
                continue
            named = tuple(replace(one, text=one.text.replace(whole, barrier)) for one in edits)
            if barrier != whole:
                trial = self._tried(named, body.span, barrier)
                if trial is None:
                    return ()
            if trial.adds_nothing and not any(_is_left(race, *both) for both in trial.pairs):
                return (Fix(self._title(race, named, barrier, trial), named),)
        return ()

    def _two(self, race: Race, places: Sequence[Edit], barrier: str) -> Iterator[tuple[Edit, ...]]:
        """Two places at once, where one cannot order all pairs: one of these, and one of another pair of the array."""
        if race.scope is not Scope.BLOCK or race.verdict is not Verdict.CERTAIN:
            return
        reports = [launch.profile.races for kernel in self._report.kernels for launch in kernel.launches]
        certain = [one for r in reports if r is not None for one in r.races if one.verdict is Verdict.CERTAIN]
        every = dict.fromkeys(places)
        for one in certain:
            body = body_around(self._read(), one.first.span, one.second.span)
            if body is not None and array_of(one) == array_of(race) and one.first.span != one.second.span:
                every |= dict.fromkeys(insertions(body, one.first.span, one.second.span, barrier, self._index))
        for pair in combinations(sorted(every, key=lambda edit: edit.span.start), 2):
            if pair[0].span.end < pair[1].span.start:
                yield pair

    def _title(self, race: Race, edits: Sequence[Edit], barrier: str, trial: _Trial) -> str:
        lines = []
        for n, edit in enumerate(edits):
            added = sum(before.text.count("\n") for before in edits[:n])
            line = self._index.line_of(edit.span.start) + added
            lines.append(str(line + edit.text[: edit.text.index(barrier)].count("\n")))
        gain = f"no data race on `{array_of(race)}` left" if race.scope is Scope.BLOCK else "orders these lanes"
        different = list(dict.fromkeys(lines))
        where = f"line{'s' * (len(different) > 1)} {' and '.join(different)}"
        return f"Insert `{barrier}` in {where}: {gain}, {_cost(trial.times, len(lines))}"

    def _removed(self, barrier: Span) -> tuple[Fix, ...]:
        body = body_around(self._read(), barrier, barrier)
        edit = None if body is None else without(body, barrier, self._index)
        if body is None or edit is None:
            return ()
        trial = self._tried((edit,), body.span)
        if trial is None or not trial.adds_nothing:
            return ()
        text = self._index.data[barrier.start : barrier.end].decode("utf-8", "replace")
        return (Fix(f"Remove this `{text}`: it orders nothing", (edit,)),)

    def _read(self) -> SyntaxTree:
        from analysis_core.pipeline.pipeline import read

        if self._tree is None:
            self._tree = read(self._place.path, self._place.files, self._place.settings, store=self._place.store)
        return self._tree

    def _tried(self, edits: tuple[Edit, ...], body: Span, barrier: str = "") -> _Trial | None:
        """What becomes of all kernels that come to the body of a function; None if too much was tried. `edits` in the order of the text; `barrier`: what
        they insert."""
        from analysis_core.pipeline.pipeline import load

        if not self._trials.pay():
            return None
        place: Place = self._place
        text = self._trials.text
        for edit in reversed(edits):
            text = applied(text, edit)
        files = MemoryFiles({place.path: text}, place.files)
        _, module = load(place.path, files, place.settings, units=place.units, store=place.store)
        inserted = frozenset(_moved(_inserted(edit, barrier), edits[:n]) for n, edit in enumerate(edits) if barrier)
        trial = _Trial(edits)
        for old in self._report.kernels:
            if not _comes_to(old, body):
                continue
            there = _moved(old.name_span, edits)
            new = [k for k in module.kernels if k.name_span == there and k.instantiation == old.instantiation]
            trial.add(old, new, self._place.settings, inserted)
        return trial


class _Trial:
    """Kernels before and after edits. `times`: how often a warp comes to the inserted barriers, at most."""

    def __init__(self, edits: tuple[Edit, ...]) -> None:
        self._edits = edits
        self._events: list[tuple[Kernel, Events, frozenset[Span]]] = []
        self.pairs: list[tuple[RaceReport, RaceReport]] = []
        self.times: Expression = ex.ZERO
        self._lost = False

    def add(self, old: KernelReport, new: Sequence[Kernel], settings: Settings, inserted: frozenset[Span]) -> None:
        """Looks at a kernel under its launches."""
        launches = [(kernel, launch) for kernel in new for launch in choose_launches(kernel, settings)]
        self._lost = self._lost or len(launches) != len(old.launches)
        for (kernel, launch), before in zip(launches, old.launches, strict=False):
            events = interpret(kernel, launch, settings)
            if before.profile.races is not None:
                after = race_report(kernel, launch, events, is_assumed(launch.source))
                self.pairs.append((before.profile.races, after))
            self.times = ex.maximum(self.times, _times(events.trace, inserted))
            self._events.append((kernel, events, inserted))

    def for_lanes(self, race: Race) -> str | None:
        """`__syncwarp()` with the mask of the lanes that come to it, if these are the same in all warps that come, and make both accesses;
        None if they are not known."""
        masks = {_lanes_at(*one) for one in self._events}
        mask = next(iter(masks)) if len(masks) == 1 else None
        if mask is None or mask == _ALL:
            return None if mask is None else "__syncwarp()"
        spans = {_moved(race.first.span, self._edits), _moved(race.second.span, self._edits)}
        for _, events, _ in self._events:
            makers = [_lanes_of(e.mask.may) for e in events.accesses if e.access.span in spans]
            if any(lanes & ~mask for by_warp in makers for lanes in by_warp):
                return None
        return f"__syncwarp(0x{mask:08x})"

    @property
    def adds_nothing(self) -> bool:
        """Whether no pair is open that was not before, and all threads come to all barriers to which they came."""
        return not self._lost and bool(self.pairs) and all(_adds_nothing(before, after) for before, after in self.pairs)


def _comes_to(kernel: KernelReport, body: Span) -> bool:
    """Whether it makes an access in the body of this function."""
    spans = (access.span for launch in kernel.launches for access in launch.facts.accesses)
    return any(s.file == body.file and body.start <= s.start < body.end for s in spans)


def _is_left(race: Race, before: RaceReport, after: RaceReport) -> bool:
    """Whether a pair is left that is to be ordered: of certain ones all of the array."""
    kept = {_key(one) for one in after.races}
    loud = [one for one in before.races if one.verdict is Verdict.CERTAIN and array_of(one) == array_of(race)]
    return any(_key(one) in kept for one in (race, *(loud if race.verdict is Verdict.CERTAIN else ())))


def _adds_nothing(before: RaceReport, after: RaceReport) -> bool:
    known = {_key(one) for one in before.races}
    return (
        not after.cause
        and all(_key(one) in known for one in after.races)
        and len(after.divergences) <= len(before.divergences)
    )


def _key(race: Race) -> _Key:
    return race.first.text, race.first.does, race.second.text, race.second.does


def _inserted(edit: Edit, barrier: str) -> Span:
    start = edit.span.start + len(edit.text[: edit.text.rindex(barrier)].encode("utf-8", "surrogateescape"))
    return Span(edit.span.file, start, start + len(barrier))


def _moved(span: Span, edits: Iterable[Edit]) -> Span:
    for edit in reversed(tuple(edits)):
        span = moved(span, edit)
    return span


def _lanes_at(kernel: Kernel, events: Events, barriers: frozenset[Span]) -> int | None:
    """The lanes that come to the barriers, the same in all warps of which any does; None if parameters or memory decide, or they differ.
    Those that have left the kernel need not be named."""
    found: set[int] = set()
    outermost = {id(node) for node in events.trace}
    for node in walk(events.trace):
        if (
            isinstance(node, Barred)
            and node.span in barriers
            and id(node) in outermost
            and kernel.span.encloses(node.span)
        ):
            found.add(_ALL)
        elif isinstance(node, Barred) and node.span in barriers:
            if any(cond.open_level(entry.formula) is Level.LANE for entry in node.mask.literals):
                return None
            missing = events.shape.padded - int(events.shape.real.sum())
            lanes = _lanes_of(node.mask.may)
            if missing and lanes and lanes[-1] | (_ALL << WARP - missing & _ALL) == _ALL:
                lanes[-1] = _ALL  # the last warp has no more
            found |= {one for one in lanes if one}
    return found.pop() if len(found) == 1 else None


def _lanes_of(lanes: BoolVector) -> list[int]:
    """Bit l: lane l; one number per warp."""
    return [sum(1 << int(lane) for lane in np.flatnonzero(warp)) for warp in lanes.reshape(-1, WARP)]


def _times(nodes: Iterable[Node], barriers: frozenset[Span]) -> Expression:
    """How often a warp comes to barriers, at most."""
    total: Expression = ex.ZERO
    for node in nodes:
        match node:
            case Barred(span=span) if span in barriers:
                total = ex.add(total, ex.integer(1))
            case Chosen(arms=arms):
                total = ex.add(total, ex.maximum(ex.ZERO, *(_times(arm, barriers) for arm in arms)))
            case Looped(trips=trips, test=test, body=body):
                total = ex.add(total, ex.multiply(trips, _times((*test, *body), barriers)))
            case _:
                pass
    return total


def _cost(times: Expression, count: int) -> str:
    """ "one barrier more, executed 8 times per warp"."""
    what = "one barrier more" if count == 1 else "two barriers more"
    return f"{what}, executed {times_words(times)} per warp"
