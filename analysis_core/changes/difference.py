"""What differs between two sides: kernels with their bounds, and findings.  The door of this folder: `difference`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from analysis_core.changes.bounds import Change, Direction, compared
from analysis_core.changes.findings import came_and_went
from analysis_core.changes.loops import PerRound, Taken, per_round, with_names_of
from analysis_core.changes.pairs import paired
from analysis_core.changes.sides import Amount, Found, KernelSide, Launch, Metric, Side
from analysis_core.text.records import dataclass

_WORSE = frozenset({Direction.LARGER, Direction.MIXED, Direction.LOST})
_DECIDED = frozenset({Direction.EQUAL, Direction.SMALLER})
_HIDDEN = frozenset({"excessive_sectors", "wavefronts", "steps"})
"""Metrics that change with others, or that nobody reads first."""


@dataclass(frozen=True, slots=True)
class MetricChange:
    """A metric before and after.  `rounds`: of each region of the bound per warp, what changed per iteration, where that is all."""

    name: str
    warp: Change
    block: Change
    launch: Change
    rounds: tuple[PerRound | None, ...]
    same_block: bool

    @property
    def is_worse(self) -> bool:
        """Whether a bound is larger, for some sizes at least, or lost.  Warps of larger blocks may pay more if the launch does not."""
        if self.launch.direction in _WORSE:
            return True
        return self.warp.direction in _WORSE and (self.same_block or self.launch.direction not in _DECIDED)

    @property
    def is_changed(self) -> bool:
        """Whether there is something to tell."""
        alike = (Direction.EQUAL, Direction.NONE)
        if self.warp.direction in alike and self.launch.direction in (*alike, Direction.UNKNOWN):
            # Larger blocks pay more, each, and there are fewer of them.
            return self.same_block and self.block.direction not in (*alike, Direction.UNKNOWN)
        return True

    @property
    def is_shown(self) -> bool:
        """Whether it is one of those that people read."""
        return self.name not in _HIDDEN


@dataclass(frozen=True, slots=True)
class LaunchChange:
    """A kernel under one launch configuration, before and after.  `taken`: what is taken for granted."""

    block_before: tuple[int, ...]
    block: tuple[int, ...]
    metrics: tuple[MetricChange, ...]
    taken: Taken = Taken()


@dataclass(frozen=True, slots=True)
class KernelChange:
    """A kernel on both sides.  `came`, `went`: its findings that are new, and that are gone."""

    before: KernelSide
    after: KernelSide
    launches: tuple[LaunchChange, ...]
    came: tuple[Found, ...]
    went: tuple[Found, ...]

    @property
    def is_renamed(self) -> bool:
        return self.before.name != self.after.name

    @property
    def is_moved(self) -> bool:
        """Whether it stands in another file than before."""
        return self.before.path != self.after.path

    @property
    def shown(self) -> tuple[tuple[LaunchChange, MetricChange], ...]:
        """What changed of metrics that people read."""
        return tuple((one, m) for one in self.launches for m in one.metrics if m.is_changed and m.is_shown)

    @property
    def is_changed(self) -> bool:
        return bool(self.shown or self.came or self.went)

    @property
    def is_worse(self) -> bool:
        return any(metric.is_worse for _, metric in self.shown)


@dataclass(frozen=True, slots=True)
class Difference:
    """`kernels`: those on both sides.  `came`, `went`: all findings that are new or gone, each once.  `renamed`: files, before and after."""

    kernels: tuple[KernelChange, ...]
    added: tuple[KernelSide, ...]
    removed: tuple[KernelSide, ...]
    came: tuple[Found, ...]
    went: tuple[Found, ...]
    renamed: tuple[tuple[str, str], ...]

    @property
    def is_worse(self) -> bool:
        """Whether a bound is larger or lost, or something is reported that was not: as a warning or an error."""
        return any(kernel.is_worse for kernel in self.kernels) or bool(self.loud)

    @property
    def loud(self) -> tuple[Found, ...]:
        """New warnings and errors."""
        return tuple(one for one in self.came if one.level in ("warning", "error"))

    @property
    def is_empty(self) -> bool:
        changed = any(kernel.is_changed for kernel in self.kernels)
        return not (changed or self.added or self.removed or self.came or self.went)


def difference(before: Side, after: Side, one_file: bool = False) -> Difference:
    """Two sides, held against each other.  `one_file`: each is a single file, whatever it is called."""
    paths = {kernel.path for kernel in after.kernels}
    if one_file and len(paths) == 1:
        before = _called(before, *paths)
    pairs = paired(before.kernels, after.kernels, one_file)
    kernels = [_kernel(*pair) for pair in pairs.same]
    came, went = came_and_went(_moved(before.findings, pairs.files), after.findings)
    every_came = [f for one in kernels for f in one.came] + [f for one in pairs.added for f in one.findings] + [*came]
    every_went = [f for one in kernels for f in one.went] + [f for one in pairs.removed for f in one.findings] + [*went]
    there, here = _held(after), _held(before)
    # Of a device function's finding, several kernels may tell, and one of them is enough.
    new = _once(f for f in every_came if (f.path, f.fingerprint) not in here)
    gone = _once(f for f in every_went if (f.path, f.fingerprint) not in there)
    told = [replace(k, came=_of(k.came, new), went=_of(k.went, gone)) for k in kernels]
    return Difference(tuple(told), pairs.added, pairs.removed, new, gone, tuple(pairs.files.items()))


def _called(side: Side, path: str) -> Side:
    """A side of one file, under the name that it has on the other."""

    def of(findings: Sequence[Found]) -> tuple[Found, ...]:
        return tuple(replace(one, path=path) for one in findings)

    return Side(tuple(replace(k, path=path, findings=of(k.findings)) for k in side.kernels), of(side.findings))


def _moved(findings: Sequence[Found], files: object) -> Sequence[Found]:
    names = dict(files) if isinstance(files, dict) else {}
    return [replace(one, path=names.get(one.path, one.path)) for one in findings]


def _held(side: Side) -> set[tuple[str, str]]:
    every = [*side.findings, *(one for kernel in side.kernels for one in kernel.findings)]
    return {(one.path, one.fingerprint) for one in every}


def _once(findings: Iterable[Found]) -> tuple[Found, ...]:
    found = {(one.path, one.fingerprint, one.line, one.column): one for one in findings}
    return tuple(sorted(found.values(), key=lambda one: (one.path, one.line, one.column, one.code)))


def _of(findings: Sequence[Found], told: Sequence[Found]) -> tuple[Found, ...]:
    return tuple(one for one in findings if one in told)


def _kernel(before: KernelSide, after: KernelSide) -> KernelChange:
    came, went = came_and_went(before.findings, after.findings)
    launches = tuple(_launch(*pair) for pair in _launches(before.launches, after.launches))
    return KernelChange(before, after, launches, came, went)


def _launches(before: Sequence[Launch], after: Sequence[Launch]) -> Iterator[tuple[Launch, Launch]]:
    """Launches of the same block, then the others in their order."""
    left = list(before)
    rest: list[Launch] = []
    for launch in after:
        same = next((one for one in left if one.block == launch.block), None)
        if same is None:
            rest.append(launch)
        else:
            left.remove(same)
            yield same, launch
    yield from zip(left, rest)


def _launch(before: Launch, after: Launch) -> LaunchChange:
    renamed, taken = with_names_of(before, after)
    names = list(dict.fromkeys((*after.metrics, *before.metrics)))
    both = [name for name in names if name in renamed.metrics and name in after.metrics]
    changes = tuple(_metric(renamed, after, name) for name in both)
    return LaunchChange(before.block, after.block, changes, taken)


def _metric(before: Launch, after: Launch, name: str) -> MetricChange:
    mine, theirs = before.metrics[name], after.metrics[name]
    names = {**before.names, **after.names}

    def held(a: Amount, b: Amount) -> Change:
        return compared(a, b, names)

    warp = held(mine.warp, theirs.warp)
    rounds = tuple(per_round(r.before, r.after, (before, mine), (after, theirs)) for r in warp.regions)
    block, launch = held(mine.block, theirs.block), held(mine.launch, theirs.launch)
    return MetricChange(name, warp, block, launch, rounds, before.block == after.block)


def metrics_of(kernel: KernelSide) -> Sequence[Metric]:
    """Those of its first launch that people read."""
    return [m for m in kernel.launches[0].metrics.values() if m.name not in _HIDDEN] if kernel.launches else []
