"""The launches of a program beside each other: which of them certainly do many times as much as others, whatever the sizes are.

    fill<<<n / 256, 256>>>(p, n);                      // n threads, a request each
    for (int i = 0; i < steps; i++) {
        move<<<n / 256, 256>>>(p, n);                  // n * steps
        pull<<<n / 256, 256>>>(p, n);                  // n * steps threads, each of which goes through n elements
        side<<<h / 256, 256>>>(p, h);                  // h * steps: nobody knows whether that is less than n
    }

A program is what a function leads to that nobody calls.  Threads, rounds of the host's loops and requests of a warp are multiplied, in the words of that
function (launch_profile.py, profile/launch_work.py); rounds of loops around both launches count for neither.  What the lesser launch does is taken at
the most that it may be, and the other at the least.  A size is at least 1 where both have it, and `USUAL` where only the greater one has it; a loop of unknown length
around the lesser launch leaves the question open, and one around the other makes as many rounds as findings take it for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from analysis_core.ir.launch_site import Amount, Execution, LaunchProfile, LaunchSite, Rounds
from analysis_core.machine.block_shape import MAXIMUM_THREADS
from analysis_core.machine.sizes import WARP
from analysis_core.program.host.host_calls import Calls
from analysis_core.program.host.size_products import (
    ONE,
    Names,
    Sizes,
    amount,
    itself,
    least_times,
    product_of,
    returning,
    roughly,
    substituted,
    text_of,
)
from analysis_core.program.launch_choices import are_alternatives
from analysis_core.program.launch_profile import MOST, Launched, Leading, launches_below
from analysis_core.program.verifying import verifying_parts
from analysis_core.support.derived import derived
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.hidden_names import HiddenNames
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_HOT: Sizes = {(): Fraction(32)}
"""Rounds of a loop of unknown length, as in findings (`Settings.representative_trips`)."""


@dataclass(frozen=True, slots=True)
class Domination:
    """Another kernel does `times` as much work. `because`: what both do, in sizes."""

    kernel: str
    times: Fraction
    because: str


_NEAR = 4
"""Times as much work at usual sizes, below which no launch does `report/findings/program_gates.MORE` times as much for all sizes: sums of a few
products, whose constants count for nothing beside sizes, are no further from that."""


@dataclass(frozen=True)  # no slots: what it does at usual sizes lies with it
class Made:
    """One way in which a kernel is launched, with the requests of a warp in the kernel's own names: at `least`, and at
    `most` (None: nobody knows)."""

    kernel: str
    execution: Execution
    least: Amount
    most: Amount | None
    traffic: float = 0.0

    @derived
    def usual(self) -> float | None:
        """The requests of all its threads in all rounds where each size is `USUAL`; None if nobody knows."""
        work, threads = _in_words(self, self.least, True), self.threads
        return None if work is None or threads is None else roughly(work.items()) * threads

    @derived
    def threads(self) -> float | None:
        """Its threads in all rounds of the host's loops, at least, where each size is `USUAL`; None if nobody knows."""
        if self.execution.least is None:
            return None
        return roughly(self.execution.least) * prod(roughly(each.least) for each in self.execution.rounds)


def may_dominate(one: Made, other: Made) -> bool:
    """Whether another launch may do far more: a question of two numbers, asked before `dominates`."""
    few, many = one.usual, other.usual
    return few is None or many is None or many >= _NEAR * few


def dominates(one: Made, other: Made) -> Domination | None:
    """How many times as much work `other` certainly does, and why; None where nobody knows, or it may be less."""
    mine, theirs = one.execution, other.execution
    if one.kernel == other.kernel or mine.root != theirs.root or one.most is None or mine.most is None:
        return None
    if theirs.least is None or are_alternatives(dict(mine.choices), dict(theirs.choices)):
        return None
    common = {rounds.loop for rounds in mine.rounds} & {rounds.loop for rounds in theirs.rounds}
    loops = (rounds.most for rounds in mine.rounds if rounds.loop not in common)
    few = product_of(
        (dict(mine.most), _in_words(one, one.most, False), *(None if most is None else dict(most) for most in loops))
    )
    many = product_of((dict(theirs.least), _in_words(other, other.least, True)))
    if few is not None and many is not None:
        many = _in_all_rounds(many, [r for r in theirs.rounds if r.loop not in common], theirs.rounds, _names(few))
    times = Fraction(0) if few is None or many is None else least_times(few, many)
    if few is None or many is None or not times:
        return None
    return Domination(other.kernel, times, f"{text_of(many)} requests of threads, beside {text_of(few)}")


def parts_of(kernels: Sequence[Sequence[Made]]) -> list[float | None]:
    """About which part of the traffic of a program each of these kernels moves, all loops and sizes as they usually are: of the program of which
    it is most.  None of kernels of which nobody knows how they are launched, and where a program launches no other."""
    moved: dict[Span, dict[int, float]] = {}
    for number, launches in enumerate(kernels):
        for made in launches:
            program = moved.setdefault(made.execution.root, {})
            if made.threads is not None:
                program[number] = program.get(number, 0.0) + made.threads * made.traffic
    found: list[float | None] = [None] * len(kernels)
    for program in moved.values():
        whole = sum(program.values())
        for number, own in program.items() if len(program) > 1 and whole > 0 else ():
            found[number] = max(found[number] or 0.0, own / whole)
    return found


def _in_all_rounds(
    each: Sizes, own: Sequence[Rounds], around: Sequence[Rounds], shared: Collection[str]
) -> Sizes | None:
    """What is done in all rounds of `own` loops, at least.  A name that a loop around it sets may be as small as 1, unless the lesser launch has it, too
    (`shared`); where that takes something away, only the first round is counted."""
    less = _names({p: c for p, c in each.items() if c < 0}) | {n for p in each for n, power in p if power < 0}
    changed = frozenset[str]().union(*(rounds.changed for rounds in around))
    small = {name for name in _names(each) - set(shared) if _bare(name) in changed}
    first = substituted(each, {name.partition(".")[0]: ONE for name in small - less})
    steady = (rounds.least for rounds in own if {_bare(name) for name in less}.isdisjoint(rounds.changed))
    return product_of((first, *map(dict, steady)))


def _names(sizes: Sizes) -> frozenset[str]:
    return frozenset(name for product in sizes for name, _ in product)


def _in_words(made: Made, work: Amount, is_least: bool) -> Sizes | None:
    """Requests of a warp in the words of the host.  What that does not hand to the kernel is a size of the kernel's own, which may be as small as 1."""
    handed: dict[str, Sizes | None] = {name: dict(passed) for name, passed in made.execution.handed}
    for name in {name.partition(".")[0] for product, _ in work for name, _ in product} - handed.keys():
        handed[name] = ONE if is_least else itself(f"{name}@{made.kernel}")
    return substituted(dict(work), handed)


def _bare(name: str) -> str:
    """The variable whose member, or whose namesake in another function, a name stands for."""
    return name.partition("'")[0].partition(".")[0]


def profiles_of(
    functions: Collection[syn.FunctionDecl], calls: Calls, constants: Mapping[str, syn.Expr], hidden: HiddenNames
) -> Callable[[syn.FunctionDecl, LaunchSite], LaunchSite]:
    """For each launch of a kernel, what it is to its program, as these host functions tell. `constants`: those of the
    file."""
    hosts = _leading(functions, calls)
    outside = Names(constants, functions=returning(functions))
    leading = [Leading.of(d, {d.name for d in hosts}, outside) for d in hosts]
    by_name = {function.name: function for function in leading}
    executions = _executions(leading, by_name)
    reached = {"main", *_reached("main", by_name)} if "main" in by_name else ()
    by_main = {one.span for name in reached if name in by_name for one in by_name[name].launches}
    verifying = [part for d in hosts for part in verifying_parts(d, inside(d.body) if d.body is not None else ())]

    def profiled(kernel: syn.FunctionDecl, site: LaunchSite) -> LaunchSite:
        names = [None if isinstance(p.type, syn.PointerTo) else p.name for p in kernel.parameters]
        is_row = site.grid[1:] == (1, 1)
        made = tuple(_made(one, root, names, is_row) for root, one in executions.get(site.span, ()))
        said = next((name for span, name in verifying if span.encloses(site.span)), "")
        profile = LaunchProfile(made, said, site.span in by_main, site.profile.warps)
        return replace(site, profile=_renamed(profile, hidden.shown) if hidden else profile)

    return profiled


def _renamed(profile: LaunchProfile, name: Callable[[str], str]) -> LaunchProfile:
    """The profile with other names in place of those of the host."""

    def sizes(amount: Amount | None) -> Amount | None:
        if amount is None:
            return None
        return tuple((tuple((name(one), power) for one, power in product), number) for product, number in amount)

    def rounds(one: Rounds) -> Rounds:
        return Rounds(one.loop, sizes(one.least) or (), sizes(one.most), tuple(map(name, one.changed)))

    def execution(one: Execution) -> Execution:
        choices = tuple((test, (side, name(decides))) for test, (side, decides) in one.choices)
        handed = tuple((parameter, sizes(passed) or ()) for parameter, passed in one.handed)
        return Execution(one.root, sizes(one.least), sizes(one.most), tuple(map(rounds, one.rounds)), choices, handed)

    executions = tuple(map(execution, profile.executions))
    return replace(profile, executions=executions, verifies=name(profile.verifies))


def _leading(functions: Collection[syn.FunctionDecl], calls: Calls) -> Sequence[syn.FunctionDecl]:
    """The functions that launch, or call one that does."""
    found = {id(d) for d in functions if calls[id(d)][0]}
    names = {d.name for d in functions if id(d) in found}
    while more := [d for d in functions if id(d) not in found and not names.isdisjoint(calls[id(d)][1])]:
        found.update(map(id, more))
        names.update(d.name for d in more)
    return [d for d in functions if id(d) in found]


@dataclass(frozen=True, slots=True)
class _Root:
    """A function that nobody calls, where it is named; what is known of the loops below it."""

    span: Span
    hot: Collection[Span]
    changed: Mapping[Span, frozenset[str]]


def _executions(
    functions: Sequence[Leading], by_name: Mapping[str, Leading]
) -> Mapping[Span, Sequence[tuple[_Root, Launched]]]:
    """By launch: all ways in which it is made.  None of a launch in a function that calls itself: nobody knows how often that is."""
    if len(by_name) < len(functions):
        return {}  # Nobody knows which of two is called.
    called = {call.name for function in functions for call in function.calls}
    hot = frozenset[Span]().union(*(function.hot for function in functions))
    changed = {loop: names for function in functions for loop, names in function.changed.items()}
    again = {one.span for name in by_name if name in _reached(name, by_name) for one in by_name[name].launches}
    found: dict[Span, list[tuple[_Root, Launched]]] = {}
    for function in functions:
        launches = [] if function.name in called else launches_below(function, by_name)
        for one in launches:
            if one.span not in again and len(launches) <= MOST:
                found.setdefault(one.span, []).append((_Root(function.span, hot, changed), one))
    return found


def _made(launch: Launched, root: _Root, parameters: Sequence[str | None], is_row: bool) -> Execution:
    """`is_row`: the grid has one dimension."""
    blocks = launch.blocks
    least = launch.threads or product_of((blocks, {(): Fraction(WARP)}))
    most = launch.threads or product_of((blocks, {(): Fraction(MAXIMUM_THREADS)}))
    handed = zip(parameters, launch.handed)
    passed = [(name, amount(sizes)) for name, sizes in handed if name is not None and sizes is not None]
    if is_row and blocks is not None:
        passed.append(("gridDim", amount(blocks)))
    extents = zip("xyz", launch.extents, strict=False)
    passed += [(f"gridDim.{axis}", amount(extent)) for axis, extent in extents if extent is not None]
    return Execution(
        root.span,
        None if least is None else amount(least),
        None if most is None else amount(most),
        tuple(_rounds(launch, root)),
        tuple(sorted(launch.choices.items())),
        tuple(passed),
    )


def _rounds(launch: Launched, root: _Root) -> Iterator[Rounds]:
    for loop, sizes in launch.rounds.items():
        least = sizes if sizes is not None else _HOT if loop in root.hot else ONE
        most = None if sizes is None else amount(sizes)
        yield Rounds(loop, amount(least), most, tuple(sorted(root.changed.get(loop, ()))))


def _reached(name: str, by_name: Mapping[str, Leading]) -> set[str]:
    """The functions that one calls, or that these do."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        function = by_name.get(waiting.pop())
        more = set() if function is None else {call.name for call in function.calls} - found
        found |= more
        waiting += more
    return found
