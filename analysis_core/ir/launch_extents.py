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

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from analysis_core.ir.held_sizes import Held, settings_in
from analysis_core.ir.host_calls import bare_name
from analysis_core.ir.size_products import Names, Product, Sizes, constant_of, is_part, product_of, sizes_of
from analysis_core.ir.walk_syntax import uncast
from analysis_core.machine.sizes import WARP
from analysis_core.syntax import tree as syn
from analysis_core.text.span import Span

_FAR_MORE = 64
"""Times as many threads, beside which a launch takes next to no time."""

FEW_WARPS = 4
"""Warps of one multiprocessor, none of which it needs to wait for."""


def lesser_launches(hosts: Iterable[Sequence[Launched]]) -> frozenset[Span]:
    """The launches beside which, in the same function, another has blocks for one dimension more, or far more threads; rounds of loops that
    only one of them is in count with its own."""
    return frozenset(
        one.span for launches in hosts for one in launches if any(_is_lesser(one, other) for other in launches)
    )


@dataclass(frozen=True, slots=True)
class Launched:
    """A launch in a function: `kernel`, its name; `blocks`: their number, `threads`: those of all blocks, None where these cannot be
    read; `rounds`: of the loops around it, by these, in the same way."""

    span: Span
    kernel: str
    blocks: Sizes | None
    rounds: Mapping[Span, Sizes | None]
    threads: Sizes | None = None


def launches_in(nodes: Collection[syn.Node], names: Names) -> Sequence[Launched]:
    """The launches among the nodes of a function.  `names`: what names stand for outside of it."""
    launches = [node for node in nodes if isinstance(node, syn.KernelLaunch) and node.config]
    if not launches:
        return ()
    loops = [node for node in nodes if isinstance(node, syn.Loop)]
    settings = settings_in(nodes)
    values = {n.name: n.init for n in nodes if isinstance(n, syn.VarDecl) and n.name not in settings.made}
    fixed = replace(names, values={**names.values, **values})
    found: list[Launched] = []
    for node in launches:
        within = replace(fixed, known=Held(settings, node.span, fixed))
        blocks = sizes_of(node.config[0], within)
        rounds = {loop.span: _rounds(loop, within) for loop in loops if loop.span.encloses(node.span)}
        threads = product_of((blocks, sizes_of(node.config[1], within))) if len(node.config) > 1 else None
        found.append(Launched(node.span, bare_name(uncast(node.callee)), blocks, rounds, threads))
    return found


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


def _is_lesser(one: Launched, other: Launched) -> bool:
    """Whether a launch, with the rounds of loops that only it is in, is less than another with those that only that is in.  (What stands
    outside of all loops is a matter of launch_rounds.py: loops may repeat something to time it.)"""
    if not one.rounds:
        return is_less(one, other)
    own = [sizes for loop, sizes in one.rounds.items() if loop not in other.rounds]
    more = [sizes for loop, sizes in other.rounds.items() if loop not in one.rounds and sizes is not None]
    return None not in own and is_less(_repeated(one, own), _repeated(other, more))


def _repeated(launch: Launched, rounds: Sequence[Sizes | None]) -> Launched:
    """All launches that so many rounds make."""
    if not rounds:
        return launch
    return replace(launch, blocks=product_of((launch.blocks, *rounds)), threads=product_of((launch.threads, *rounds)))


def is_less(one: Launched, other: Launched) -> bool:
    """Whether every product of the blocks is a proper part of one of the other's, constants being part of all sums; or by far fewer
    threads."""
    few = None if one.threads is None else constant_of(one.threads)
    if few is not None and one.rounds.keys() & other.rounds.keys():
        many = None if other.threads is None else constant_of(other.threads)
        if many is not None:
            return few * _FAR_MORE <= many
        if few <= FEW_WARPS * WARP and other.blocks and not is_one_size(other):
            return True
    if one.blocks is None or other.blocks is None:
        return False
    if _all_less(one.blocks, other.blocks, None):
        return True
    return one.threads is not None and other.threads is not None and _all_less(one.threads, other.threads, _FAR_MORE)


def _all_less(one: Sizes, other: Sizes, far: int | None) -> bool:
    """Whether each product of sizes is part of another sum, or there so many times as often."""
    sized = _sized(one)
    return bool(sized) and all(
        any(is_part(p, q) or (far is not None and p == q and number * far <= more) for q, more in _sized(other).items())
        for p, number in sized.items()
    )


def _sized(sizes: Sizes) -> Mapping[Product, Fraction]:
    """The products that grow with something."""
    return {p: number for p, number in sizes.items() if number > 0 and any(power > 0 for _, power in p)}


def is_one_size(launch: Launched) -> bool:
    """Whether no size is in the number of its blocks."""
    return launch.blocks is not None and not _sized(launch.blocks)
