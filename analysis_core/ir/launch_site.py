"""What the host says of a launch: its shape, and what reaches the kernel's parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from analysis_core.machine.sizes import WARP
from analysis_core.support.facts import Assumption
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Amount = tuple[tuple[tuple[tuple[str, int], ...], Fraction], ...]
"""A sum of products of sizes, as `size_products.Sizes` has it: each product with its coefficient."""


@dataclass(frozen=True, slots=True)
class SizeRange:
    """What is seen of an integer parameter: it is `least` or more, `most` or less; `step`: a loop of the host counts it up by
    that; `condition`: the launch stands under conditions of the host that say so; `run`: what the program is run with does."""

    name: str
    least: int | None
    most: int | None
    step: int | None = None
    condition: bool = False
    run: bool = False


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the host says of what reaches the kernel's parameters, by their names.

    `aligned`: bytes of proven offset alignment, for `p + c` (others: the allocator's); `ranges`: of the values of integers;
    `rooms`: bytes allocated for pointers, where few and known; `unplaced`: pointers that may have been moved; `scaled`: sizes that
    a loop of the host doubles or halves; `same`: pointers into one array, and how many bytes the second lies behind the first, if that is known."""

    aligned: tuple[tuple[str, int], ...] = ()
    ranges: tuple[SizeRange, ...] = ()
    rooms: tuple[tuple[str, int], ...] = ()
    unplaced: tuple[str, ...] = ()
    scaled: tuple[str, ...] = ()
    same: tuple[tuple[str, str, int | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a loop of the host around a launch: at `least`, and at `most`, None where nobody knows; `changed`: the names that it sets."""

    loop: Span
    least: Amount
    most: Amount | None
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Execution:
    """One way in which a program makes a launch, in the words of `root`, a function that nobody calls (program/launch_profile.py).

    `least`, `most`: its threads, all blocks together, None where nobody knows; `rounds`: of the loops around it; `choices`: by test of which a
    run takes one side, that side and the name that decides; `handed`: what the kernel's parameters, and `gridDim`, are."""

    root: Span
    least: Amount | None
    most: Amount | None
    rounds: tuple[Rounds, ...]
    choices: tuple[tuple[Span, tuple[int, str]], ...]
    handed: tuple[tuple[str, Amount], ...]


@dataclass(frozen=True, slots=True)
class LaunchProfile:
    """What a launch is to the program that makes it.

    `executions`: all ways in which it is made, () where nobody knows; `verifies`: the name of the host that says that the launch only verifies
    something, else ""; `by_main`: a `main` in view leads to it; `warps`: how many it has at the numbers that reach it through calls and from the
    command line (launch_sizes.py), all blocks together, None where nobody knows; `elsewhere`: other files launch the kernel, too."""

    executions: tuple[Execution, ...] = ()
    verifies: str = ""
    by_main: bool = False
    warps: int | None = None
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class LaunchSite:
    """One `k<<<grid, block>>>` of the project.

    `block` holds three ints where constant, else None, and `extents` those of them that are known; `grid` and `block_text` as spelled;
    `rests_on`: what tells the block if taken for granted; `dead`: a constant condition leaves it out; `handed`: the block is the
    caller's; `usual`: the block that numbers of callers and of the command line lead to, where it is not constant
    (launch_sizes.py); `shared`: the bytes of dynamic shared memory, 0 where they are no constant."""

    span: Span
    block: tuple[int, int, int] | None
    grid: tuple[int | None, int | None, int | None]
    block_text: str
    grid_text: str
    template_args: tuple[str, ...]
    rests_on: tuple[Assumption, ...] = ()
    dead: bool = False
    extents: tuple[int | None, int | None, int | None] = (None, None, None)
    handed: bool = False
    usual: tuple[int, int, int] | None = None
    arguments: Arguments = Arguments()
    profile: LaunchProfile = LaunchProfile()
    shared: int = 0


def made_launches(sites: Iterable[LaunchSite]) -> tuple[LaunchSite, ...]:
    """Those that no constant condition leaves out."""
    return tuple(site for site in sites if not site.dead)


def warps_of(site: LaunchSite) -> int | None:
    """The warps of a launch, where that is a constant or what callers and the run of the program tell."""
    blocks = [number for number in site.grid if number is not None]
    if site.block is None or len(blocks) < len(site.grid):
        return site.profile.warps
    return prod(blocks) * -(-prod(site.block) // WARP)


def not_alone(site: LaunchSite | None) -> LaunchSite | None:
    """A launch beside which other files launch the kernel, too: what it says of how often that is, and why, is not all."""
    return None if site is None else replace(site, profile=LaunchProfile(elsewhere=True))


def with_names(site: LaunchSite, names: Mapping[str, str]) -> LaunchSite:
    """The launch with other names of the kernel's parameters; what is said of those that have none goes."""
    told = site.arguments
    arguments = Arguments(
        tuple(_named(told.aligned, names)),
        tuple(replace(one, name=names[one.name]) for one in told.ranges if one.name in names),
        tuple(_named(told.rooms, names)),
        tuple(names[name] for name in told.unplaced if name in names),
        tuple(names[name] for name in told.scaled if name in names),
        tuple((names[one], names[two], by) for one, two, by in told.same if one in names and two in names),
    )
    profile = replace(
        site.profile,
        executions=tuple(
            replace(one, handed=tuple((names.get(name, name), amount) for name, amount in one.handed))
            for one in site.profile.executions
        ),
    )
    return replace(site, arguments=arguments, profile=profile)


def _named(said: Sequence[tuple[str, int]], names: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    return ((names[name], number) for name, number in said if name in names)


def is_assumed(source: str) -> bool:
    """Whether a launch of this source is a guess of ours rather than something the user wrote."""
    return source in ("shape", "launch_bounds", "default")
