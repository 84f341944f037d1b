"""How often loops run whose number of rounds no expression gives: one table of estimators, of which the first that knows anything counts.

An estimator reads what the text says of a loop (`ir/loop_info`) beside what launches and the interpretation tell (`Told`).  For the sizes of shares;
bounds know nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from analysis_core.expressions.expression import Symbol
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.trace import Looped, walk
from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.loop_info import LoopInfo, loops_of
from analysis_core.ir.nodes import Kernel
from analysis_core.profile.counted_rounds import counted_rounds, extent_indexed, most_counted_rounds
from analysis_core.profile.evidence import Estimate, Evidence
from analysis_core.profile.idioms.open_tables import PROBES, looks_for_a_key
from analysis_core.profile.idioms.searches import halving_ends, halving_step
from analysis_core.profile.idioms.waits import waits
from analysis_core.profile.launch_numbers import LaunchNumbers
from analysis_core.profile.search_rounds import extent_of, most_step_rounds
from analysis_core.profile.walked_rounds import walked_rounds
from analysis_core.program.launch import Launch
from analysis_core.support.derived import derived
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True)  # no slots: answers are kept
class Told:
    """What estimators of trip counts may ask about besides the loop's text. `ranges`: what is seen of the values of
    parameters."""

    kernel: Kernel
    launch: Launch
    events: Events
    ranges: Sequence[SizeRange]
    settings: Settings

    @derived
    def numbers(self) -> LaunchNumbers:
        """The numbers that expressions have at the launches in view."""
        return LaunchNumbers.of(self.kernel, self.ranges, self.launch)

    @derived
    def walked(self) -> Mapping[Span, int]:
        """The rounds that loops make, counted by following the kernel at the sizes that findings speak of."""
        asked = {loop for _, loop in self.events.trips}
        return walked_rounds(self.kernel, self.launch, self.ranges, asked, self.settings)

    @derived
    def summarised(self) -> Mapping[Span, Sequence[Looped]]:
        """For each loop (the whole statement), its executions that are summarised and whose number of rounds has a
        name."""
        names = {name for name, _ in self.events.trips}
        found: dict[Span, list[Looped]] = {}
        for node in walk(self.events.trace):
            if isinstance(node, Looped) and isinstance(node.trips, Symbol) and node.trips.name in names:
                found.setdefault(node.loop.whole, []).append(node)
        return found

    def executions(self, info: LoopInfo) -> Sequence[Looped]:
        """The executions of one loop, without those in other calls of an inlined function, which have variables of
        their own."""
        every = self.summarised.get(info.loop.whole, ())
        return [node for node in every if LoopInfo(node.loop).changes.keys() == info.changes.keys()]


def _waits(info: LoopInfo, _: Told) -> Estimate | None:
    return Estimate(1, 1) if waits(info) else None


def _counted(info: LoopInfo, told: Told) -> Estimate | None:
    return _exactly(counted_rounds(info, told.numbers))


def _walked(info: LoopInfo, told: Told) -> Estimate | None:
    return _exactly(told.walked.get(info.loop.whole))


def _indexes(info: LoopInfo, _: Told) -> Estimate | None:
    return _at_most(extent_indexed(info))


def _most_counted(info: LoopInfo, told: Told) -> Estimate | None:
    return _at_most(most_counted_rounds(info, told.numbers))


def _shrinking_step(info: LoopInfo, told: Told) -> Estimate | None:
    return _at_most(most_step_rounds(info, told.executions(info), told.kernel))


def _halves(info: LoopInfo, told: Told) -> Estimate | None:
    ends, step = halving_ends(info), halving_step(info)
    if not ends and step is None:
        return None
    extents = {extent_of(ends, step, node.entry) for node in told.executions(info)}
    return Estimate(halves=(extents.pop() if len(extents) == 1 else None,))


def _open_table(info: LoopInfo, _: Told) -> Estimate | None:
    return _at_most(PROBES) if looks_for_a_key(info) else None


def _exactly(rounds: int | None) -> Estimate | None:
    return None if rounds is None else Estimate(rounds, rounds)


def _at_most(rounds: int | None) -> Estimate | None:
    return None if rounds is None else Estimate(high=rounds)


Estimator = Callable[[LoopInfo, Told], Estimate | None]

ESTIMATORS: Sequence[tuple[str, Evidence, Estimator]] = (
    ("it waits for other threads, which are done before as a rule", Evidence.PATTERN, _waits),
    ("it counts to a number that launches pass", Evidence.SEEN, _counted),
    ("two warps were followed at these sizes", Evidence.SEEN, _walked),
    ("its counter is an index into an array of so many elements", Evidence.PROVED, _indexes),
    ("it counts down to 0 from a number, or from the counter of a loop around it", Evidence.SEEN, _most_counted),
    ("it searches by a step that shrinks until it rests", Evidence.PATTERN, _shrinking_step),
    ("it halves what is left to be searched", Evidence.PATTERN, _halves),
    ("it looks for a key in a table that has free slots", Evidence.PATTERN, _open_table),
)
"""What is said of a loop, how well that is founded, and who finds it."""


def trip_estimates(told: Told) -> Mapping[str, Estimate]:
    """Estimates of how many rounds loops make, by the name of the loop's length."""
    if not told.events.trips:
        return {}
    loops: dict[Span, list[LoopInfo]] = {}
    for info in loops_of(told.kernel):
        loops.setdefault(info.loop.whole, []).append(info)
    named = {node.trips: info for infos in loops.values() for info in infos for node in told.executions(info)}
    found: dict[str, Estimate] = {}
    for name, loop in told.events.trips:
        one = named.get(Symbol(name))
        estimate = next(_estimates([one] if one is not None else loops.get(loop, []), told), None)
        if estimate is not None:
            found[name] = estimate
    return found


def _estimates(infos: Sequence[LoopInfo], told: Told) -> Iterator[Estimate]:
    """What is known of a loop; of one that is inlined in several places, what is the same in all of them."""
    for because, evidence, estimator in ESTIMATORS:
        each = {estimator(info, told) for info in infos}
        only = each.pop() if len(each) == 1 else None
        if only is not None:
            yield replace(only, because=because, evidence=evidence)
