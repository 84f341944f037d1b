"""Launches over far less than others beside them: the boundary of a grid, beside what is done for all of it.

    dim3 all((w + 15) / 16, (h + 15) / 16), side((h + 255) / 256);
    for (int i = 0; i < steps; i++) {
        inner<<<all, dim3(16, 16)>>>(p, w, h);
        left_side<<<side, 256>>>(p, w, h);         // h threads, beside w * h
        sums<<<(h + 65535) / 65536, 256>>>(p, h);  // h / 256 threads, beside h
    }

Numbers of blocks and threads are read as sums of products of sizes (size_products.py), and so are the rounds of loops that count up.  Each product of a lesser launch is a proper part of
one of the other's, or one of them with far more threads.  That says nothing of what a thread does: it may go over the
dimension that is missing in a loop.  Where no size is in it, numbers of threads are compared, of launches in one loop: a few warps are less
than as many blocks as some size says, and any threads than 64 times as many.  (Outside of loops kernels may have nothing to do with each other.)
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from analysis_core.machine.sizes import WARP
from analysis_core.program.host.held_sizes import Held, settings_in
from analysis_core.program.host.host_calls import bare_name
from analysis_core.program.host.size_products import (
    Names,
    Product,
    Sizes,
    Steps,
    constant_of,
    is_part,
    product_of,
    sizes_of,
)
from analysis_core.program.launch_choices import Choices, Choosing
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast
from analysis_core.text.span import Span

FAR_MORE = 64
"""Times as many threads, beside which a launch takes next to no time."""

_USUAL = 1024
"""What a size is taken for, as in findings."""

FEW_WARPS = 4
"""Warps of one multiprocessor, none of which it needs to wait for."""

_NONE = Fraction(0)


@dataclass(frozen=True, slots=True)
class Launched:
    """A launch in a function: `kernel`, its name; `blocks`: their number, `threads`: those of all blocks, None where these cannot be
    read; `rounds`: of the loops around it, by these, in the same way; `choices`: which of several launches it is that a run makes."""

    span: Span
    kernel: str
    blocks: Sizes | None
    rounds: Mapping[Span, Sizes | None]
    threads: Sizes | None = None
    choices: Choices = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a function that leads to launches.  `handed`: what its arguments are, `rounds`: of the loops around it; `names`: of
    arguments that are names that no loop around it changes, and `choices`, as of launches."""

    name: str
    span: Span
    handed: Sequence[Sizes | None]
    rounds: Mapping[Span, Sizes | None]
    names: Sequence[str] = ()
    choices: Choices = field(default_factory=dict)


class Places:
    """What sizes are at places of a function.  `names`: what names stand for outside of it."""

    def __init__(self, nodes: Sequence[syn.Node], names: Names) -> None:
        self._nodes, self._settings = nodes, settings_in(nodes)
        variables = [node for node in nodes if isinstance(node, syn.VarDecl)]
        own = {node.name: node.init for node in variables if node.name not in self._settings.made}
        self._names = replace(names, values={**names.values, **own})
        self._loops = [node for node in nodes if isinstance(node, syn.Loop)]
        self._choosing = Choosing(nodes)
        self.locals = frozenset(node.name for node in variables)

    def launches(self) -> Iterator[Launched]:
        """The launches, in source order."""
        for node in self._nodes:
            if isinstance(node, syn.KernelLaunch) and node.config:
                grid, block = node.config[0], node.config[1] if len(node.config) > 1 else None
                within = self._at(node.span)
                blocks = sizes_of(grid, within)
                threads = None if block is None else product_of((blocks, sizes_of(block, within)))
                rounds = self._rounds_around(node.span, within)
                choices = self._choosing.at(node.span)
                yield Launched(node.span, bare_name(uncast(node.callee)), blocks, rounds, threads, choices)

    def calls(self, wanted: Container[str]) -> Iterator[Called]:
        """The calls of these functions."""
        for node in self._nodes:
            if isinstance(node, syn.Call) and (name := bare_name(node.callee)) in wanted:
                within = self._at(node.span)
                handed = tuple(sizes_of(arg, within) for arg in node.args)
                rounds, names = self._rounds_around(node.span, within), self._choosing.names(node)
                yield Called(name, node.span, handed, rounds, names, self._choosing.at(node.span))

    def _at(self, place: Span) -> Names:
        names = replace(self._names, steps=Steps())
        return replace(names, known=Held(self._settings, place, names))

    def _rounds_around(self, place: Span, names: Names) -> dict[Span, Sizes | None]:
        return {loop.span: _rounds(loop, names) for loop in self._loops if loop.span.encloses(place)}


def _rounds(loop: syn.Stmt, names: Names) -> Sizes | None:
    """How many rounds a loop makes that counts up, at most."""
    match loop:
        case syn.For(condition=syn.Binary(op="<" | "<=" | "!=", right=end), step=syn.IncDec(op="++")):
            return sizes_of(end, names)
        case syn.For(condition=syn.Binary(op="<" | "<=" | "!=", right=end), step=syn.Assign(op="+=", value=step)):
            by = sizes_of(step, names)
            return None if by is None or constant_of(by) is None else sizes_of(end, names)
        case _:
            return None


def times_lesser(one: Launched, other: Launched) -> int:
    """How many times more threads another launch has, rounds of loops that only one of them is in counted with its own; 0 where it is not far
    more for certain.  (What stands outside of all loops is a matter of launch_rounds.py: loops may repeat something to time it.)"""
    if not one.rounds:
        return times_more(one, other)
    own = [sizes for loop, sizes in one.rounds.items() if loop not in other.rounds]
    more = [sizes for loop, sizes in other.rounds.items() if loop not in one.rounds and sizes is not None]
    return 0 if None in own else times_more(_repeated(one, own), _repeated(other, more))


def _repeated(launch: Launched, rounds: Sequence[Sizes | None]) -> Launched:
    """All launches that so many rounds make."""
    if not rounds:
        return launch
    return replace(launch, blocks=product_of((launch.blocks, *rounds)), threads=product_of((launch.threads, *rounds)))


def times_more(one: Launched, other: Launched) -> int:
    """How many times the threads of one launch another has at usual sizes, if far more for certain: every product of sizes is a part of one of
    the other's, constants being part of all sums; else 0."""
    few = None if one.threads is None else constant_of(one.threads)
    if few is not None and few > 0:
        return _times_more_than(few, one, other) if one.rounds.keys() & other.rounds.keys() else 0
    if one.threads is not None and other.threads is not None:
        found = least_times(one.threads, other.threads)
    elif one.blocks is not None and other.blocks is not None:
        found = least_times(one.blocks, other.blocks)
    else:
        return 0
    return int(found) if found >= FAR_MORE else 0


def times_as_many(one: Launched, other: Launched) -> Fraction:
    """How many times the threads of one launch another has, about; 0 where nobody knows.  Of numbers that rest on different sizes, one of these may
    be as small as 1 where all are taken for the same."""
    if one.threads is not None and other.threads is not None:
        mine, theirs = one.threads, other.threads
    elif one.blocks is not None and other.blocks is not None:
        mine, theirs = one.blocks, other.blocks
    else:
        return _NONE
    usual = _usual(theirs) / (_usual(mine) or 1)
    return (least_times(mine, theirs) or usual / _USUAL) if _sized(mine) else usual


def _times_more_than(few: Fraction, one: Launched, other: Launched) -> int:
    """The same of a launch of so many threads, whatever sizes are; both are in one loop."""
    if other.threads is not None:
        found = _usual(other.threads) / few
        if found >= FAR_MORE:
            return int(found)
    sized = bool(other.blocks) and not is_one_size(other)
    return FAR_MORE if few <= FEW_WARPS * WARP and sized else 0


def least_times(one: Sizes, other: Sizes) -> Fraction:
    """How many times each product of one sum is there in another at least, which may be with more sizes; 0 where one is not."""
    there = _sized(other)
    return min(
        (max((_times(p, c, q, d) for q, d in there.items()), default=_NONE) for p, c in _sized(one).items()),
        default=_NONE,
    )


def _times(one: Product, number: Fraction, other: Product, more: Fraction) -> Fraction:
    if one != other and not is_part(one, other):
        return _NONE
    return more / number * Fraction(_USUAL) ** (_degree(other) - _degree(one))


def _degree(product: Product) -> int:
    return sum(power for _, power in product)


def _usual(sizes: Sizes) -> Fraction:
    """What a sum is where sizes are what they are taken for."""
    return sum((number * Fraction(_USUAL) ** _degree(product) for product, number in sizes.items()), _NONE)


def _sized(sizes: Sizes) -> Mapping[Product, Fraction]:
    """The products that grow with something."""
    return {p: number for p, number in sizes.items() if number > 0 and any(power > 0 for _, power in p)}


def is_one_size(launch: Launched) -> bool:
    """Whether no size is in the number of its blocks."""
    return launch.blocks is not None and not _sized(launch.blocks)
