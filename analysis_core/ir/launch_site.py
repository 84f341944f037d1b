"""What the host says of a launch: its shape, and what reaches the kernel's parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from analysis_core.support.facts import Assumption
from analysis_core.text.span import Span

Peers = tuple[tuple[str, Fraction], ...]
"""Names of kernels, with how many times as many threads they have, about (launch_extents.times_as_many)."""


Growing = tuple[tuple[str, bool], ...]
"""Names of kernels that grow with the input, each with whether the number of their blocks does."""


@dataclass(frozen=True, slots=True)
class SizeRange:
    """What is seen of an integer parameter: it is `least` or more, `most` or less; `step`: a loop of the host counts it up by
    that; `condition`: the launch stands under conditions of the host that say so; `run`: what the program is run with does; `filled`: no launch says so, but the elements that the
    kernel accesses of each row do (filled_rows.py)."""

    name: str
    least: int | None
    most: int | None
    step: int | None = None
    condition: bool = False
    run: bool = False
    filled: bool = False


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the host says of what reaches the kernel's parameters, by their names.

    `aligned`: bytes of proven offset alignment, for `p + c` (others: the allocator's); `ranges`: of the values of integers;
    `rooms`: bytes allocated for pointers, where few and known; `unplaced`: pointers that may have been moved; `orders`: those that lead
    to rising numbers; `few`: those that lead to few different ones, with how many; `held`: those that lead to whole numbers of which the
    greatest is known; `scaled`: sizes that a loop of the host doubles or halves."""

    aligned: tuple[tuple[str, int], ...] = ()
    ranges: tuple[SizeRange, ...] = ()
    rooms: tuple[tuple[str, int], ...] = ()
    unplaced: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    few: tuple[tuple[str, int], ...] = ()
    held: tuple[tuple[str, int], ...] = ()
    scaled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LaunchProfile:
    """What a launch is to the program that makes it.

    `lesser`: how many times more threads another has beside it, 0 if not far more;
    `single`: it is made once, beside a loop of launches of other kernels, and `in_turn`, so in each round of a loop around both;
    `verifies`: it is made only to verify something, as this name of the host says; `peers`: kernels that are launched in the loops in
    which it is, with how many times as many threads; `beside_main`: it is one of several kernels that a `main` in view leads to, and in
    no loop; `warps`: how many it has at the numbers that reach it through calls and from the command line (launch_sizes.py), all blocks
    together, None where nobody knows; `elsewhere`: other files launch the kernel, too; `alike`: another kernel beside it is handed the
    same arrays and sizes (handed_alike.py); `outnumbered`: made once beside a loop, how many times as many threads the launches in that
    have, all together, 0 if not far more each (outnumbered.py); `growing`: kernels that are launched wherever this launch of a fixed
    number of threads is made, over the same arrays (fixed_stages.py); `first`: it is over the first of many parts, of which a loop behind
    takes the others (first_parts.py)."""

    lesser: int = 0
    single: bool = False
    in_turn: bool = False
    verifies: str = ""
    peers: Peers = ()
    beside_main: bool = False
    warps: int | None = None
    elsewhere: bool = False
    alike: bool = False
    outnumbered: int = 0
    growing: Growing = ()
    first: bool = False


@dataclass(frozen=True, slots=True)
class LaunchSite:
    """One `k<<<grid, block>>>` of the project.

    `block` holds three ints where constant, else None, and `extents` those of them that are known; `grid` and `block_text` as spelled;
    `rests_on`: what tells the block if taken for granted; `dead`: a constant condition leaves it out; `handed`: the block is the
    caller's; `divided`: what a block is taken for whose extents share out a number of threads (divided_blocks.py); `usual`: the block
    that numbers of callers and of the command line lead to, where it is not constant (launch_sizes.py)."""

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
    divided: tuple[int, int, int] | None = None
    usual: tuple[int, int, int] | None = None
    arguments: Arguments = Arguments()
    profile: LaunchProfile = LaunchProfile()


def made_launches(sites: Iterable[LaunchSite]) -> tuple[LaunchSite, ...]:
    """Those that no constant condition leaves out."""
    return tuple(site for site in sites if not site.dead)


def peers_of_all(sites: Iterable[LaunchSite]) -> Peers:
    """The kernels that are launched wherever these launches are made."""
    return least_of([site.profile.peers for site in made_launches(sites)])


def growing_beside_all(sites: Iterable[LaunchSite]) -> Growing:
    """The kernels that grow with the input wherever these launches are made."""
    several = [dict(site.profile.growing) for site in made_launches(sites)]
    if not several:
        return ()
    common = (name for name in several[0] if all(name in of for of in several))
    return tuple((name, all(of[name] for of in several)) for name in common)


def threads_of_any(sites: Iterable[LaunchSite]) -> int | None:
    """The threads of the largest of these launches, all blocks together, None where nobody knows."""
    most = 0
    for site in made_launches(sites):
        numbers = [*site.grid, *(site.block or (None,))]
        if None in numbers:
            return None
        most = max(most, prod(number for number in numbers if number is not None))
    return most or None


def least_of(several: Sequence[Peers]) -> Peers:
    """Those that all of these have, with the least number that one says."""
    if not several:
        return ()
    numbers = [dict(peers) for peers in several]
    return tuple((name, min(of[name] for of in numbers)) for name in numbers[0] if all(name in of for of in numbers))


def not_alone(site: LaunchSite | None) -> LaunchSite | None:
    """A launch beside which other files launch the kernel, too: what it says of how often that is, and why, is not all."""
    if site is None:
        return None
    told = site.profile
    kept = LaunchProfile(told.lesser, warps=told.warps, elsewhere=True, alike=told.alike, first=told.first)
    return replace(site, profile=kept)


def with_names(site: LaunchSite, names: Mapping[str, str]) -> LaunchSite:
    """The launch with other names of the kernel's parameters; what is said of those that have none goes."""
    told = site.arguments
    orders = ((order.partition(".")[0], order) for order in told.orders)
    arguments = Arguments(
        tuple(_named(told.aligned, names)),
        tuple(replace(one, name=names[one.name]) for one in told.ranges if one.name in names),
        tuple(_named(told.rooms, names)),
        tuple(names[name] for name in told.unplaced if name in names),
        tuple(names[name] + order[len(name) :] for name, order in orders if name in names),
        tuple(_named(told.few, names)),
        tuple(_named(told.held, names)),
        tuple(names[name] for name in told.scaled if name in names),
    )
    return replace(site, arguments=arguments)


def _named(said: Sequence[tuple[str, int]], names: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    return ((names[name], number) for name, number in said if name in names)


def is_assumed(source: str) -> bool:
    """Whether a launch of this source is a guess of ours rather than something the user wrote."""
    return source in ("shape", "launch_bounds", "default")
