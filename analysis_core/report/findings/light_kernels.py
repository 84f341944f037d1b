"""Kernels that do little beside others that are launched wherever they are: what they waste is no warning.

    for (int i = 0; i < steps; i++) {
        forces<<<n / 256, 256>>>(p, q, m, n);    // each thread goes through m places
        move<<<n / 256, 256>>>(p, n);            // each thread moves one particle
    }

How much a thread does is reckoned roughly, by what it does most often: loops of unknown length have as many rounds as in findings.  So findings of
`move` stay, as information; also where the others are fewer threads, whose rounds make up for it: a kernel that fills the borders of an array, a
thread for each place, beside one whose few threads go through all of the array.  They are hints where the other's threads all together do something thousands of times as often: a
loop in a loop, or far more threads, or launches in a loop inside; or where each of these makes as many rounds as there are threads, however many
(profile/idioms/all_pairs.py), and a thread of the light kernel does nothing more than a few times.  Not if what they do rests on a loop of unknown length themselves.
A kernel that only clears (profile/idioms/clears.py) goes once over an array for others, and is nothing beside these where nobody knows how long that is: hints.

A kernel that is launched over a fixed number of threads, which by constants alone are soon done, is no warning beside one that grows with the input
(program/fixed_stages.py): by its blocks, or, if an integer is all that it is handed, by what is not fixed of what its threads do.

This is asked where the report of a file is put together: the report of one kernel never rests on the body of another, so that an edit
of a kernel makes that one stale alone.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from analysis_core.expressions.expression import Expression, symbols
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.profile.sizes import representative_sizes, symbol_infos
from analysis_core.report.findings.model import Finding, KernelReport, Level
from analysis_core.support.settings import Settings

_FAR_MORE = 64
"""Times as often as a thread of one kernel does anything, a thread of another does something, and all its threads together do."""

_NOTHING = 4096
"""Times as often as all threads of one kernel together, beside which it is nothing in a program."""


_ONCE = 8
"""Executions by a warp up to which a thread does what it does for its one place."""


_FEW = 64
"""Executions by a warp that take less time than a launch."""

_SOON = 1 << 20
"""Executions by all threads of a launch together that take little longer than a launch, whatever their lanes do."""


def most_often(profile: KernelProfile, settings: Settings) -> int:
    """How often a warp does what it does most often, at representative sizes; once at least."""
    sizes = representative_sizes(profile, settings)
    return max((sizes.executions(one, settings) for one in _times(profile)), default=1) or 1


def is_settled(profile: KernelProfile) -> bool:
    """Whether constants and sizes say how often a warp does all that it does, not a guess how long a loop is."""
    guessed = {
        name
        for name, info in symbol_infos(profile.facts).items()
        if info.kind == "trip" and info.source not in profile.settled
    }
    return all(times is not None and guessed.isdisjoint(symbols(times)) for times in _times(profile))


def is_fixed(profile: KernelProfile) -> bool:
    """Whether constants alone say how often a warp does all that it does."""
    names = {
        name
        for name, info in symbol_infos(profile.facts).items()
        if info.kind != "grid" and info.source not in profile.settled
    }
    return all(times is not None and names.isdisjoint(symbols(times)) for times in _times(profile))


def _times(profile: KernelProfile) -> tuple[Expression | None, ...]:
    return (*(access.fact.times for access in profile.accesses), *(branch.fact.times for branch in profile.branches))


def quieter_where_light(kernels: Sequence[KernelReport]) -> tuple[KernelReport, ...]:
    """The kernels of a file, those without warnings that are light beside others of it, and with hints only that are nothing beside them."""
    if not any((kernel.peers or kernel.growing) and kernel.findings for kernel in kernels):
        return tuple(kernels)
    done: dict[str, _Done] = {}
    for kernel in kernels:
        before = done.get(kernel.name, _Done(0, 0.0))
        done[kernel.name] = _Done(max(before.often, kernel.often), max(before.evenly, kernel.evenly))
    pairs = {kernel.name for kernel in kernels if kernel.all_pairs}
    fixed = {kernel.name for kernel in kernels if kernel.fixed}
    levels = [_loudest(kernel, done, pairs) or _outgrown(kernel, fixed) for kernel in kernels]
    return tuple(_at_most(level, kernel) if level else kernel for kernel, level in zip(kernels, levels, strict=True))


def _outgrown(kernel: KernelReport, fixed: Container[str]) -> Level | None:
    """Information, if it stays the same however large the input is that another kernel grows with, and is soon done."""
    if not kernel.fixed or kernel.threads is None or kernel.often > _FEW or kernel.often * kernel.threads > _SOON:
        return None
    grown = any(blocks or name not in fixed for name, blocks in kernel.growing)
    return Level.INFORMATION if grown else None


@dataclass(frozen=True, slots=True)
class _Done:
    """How often the warps of a kernel do what they do most often: one of them, and each if all did as much."""

    often: int
    evenly: float

    def times(self, own: _Done) -> tuple[Fraction, float]:
        """The same of this kernel for each time of another."""
        return Fraction(self.often, own.often), self.evenly / own.evenly


def _loudest(kernel: KernelReport, done: Mapping[str, _Done], pairs: Container[str]) -> Level | None:
    """The level that what it wastes is worth at most, None where it may be the program."""
    own = done[kernel.name]
    if kernel.settled and own.often <= _ONCE and any(times >= 1 for peer, times in kernel.peers if peer in pairs):
        return Level.HINT
    beside = [(*done[peer].times(own), threads) for peer, threads in kernel.peers if peer in done]
    light = any(rounds >= _FAR_MORE and rounds * threads >= _FAR_MORE for rounds, _, threads in beside)
    is_beside = any(rounds >= _FAR_MORE and threads >= 1 for rounds, _, threads in beside)
    for rounds, evenly, threads in beside if kernel.settled else ():
        longer = rounds * threads >= _NOTHING or (is_beside and rounds >= _FAR_MORE)
        if longer and evenly * float(threads) >= _NOTHING:
            return Level.HINT
    if not light:
        return None
    return Level.HINT if kernel.clears and not kernel.settled else Level.INFORMATION


def _at_most(level: Level, kernel: KernelReport) -> KernelReport:
    found = (replace(f, level=level) if _is_louder(f, level) else f for f in kernel.findings)
    return replace(kernel, findings=tuple(found))


def _is_louder(finding: Finding, level: Level) -> bool:
    return finding.share is not None and finding.level.rank > level.rank
