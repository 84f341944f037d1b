"""Blocks whose extents share out a number of threads: `k<<<m, dim3(1024 / n, n)>>>(p, n)`.

Nobody sees n, but it leaves as many lanes of x as make 1024 threads with it, or nearly: a block of 16 by 16 is none of these, and n is no size
of 1024 elements.  So the block is taken to be about as wide as it is high, and what is passed of n no more than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from analysis_core.ir.launch_site import LaunchSite, SizeRange
from analysis_core.program.host.size_products import Names, dimension, sizes_of
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast

_MOST_THREADS = 1024


def with_divided(
    site: LaunchSite,
    body: syn.Compound | None,
    block: syn.Expr | None,
    parameters: Sequence[syn.Parameter],
    args: Sequence[syn.Expr],
) -> LaunchSite:
    """The launch with the block shape that is assumed for a block which shares out a number of threads, and with what
    that says of parameters that are passed its extents."""
    if site.block is not None or block is None or body is None:
        return site
    found = _divided(body, block)
    if found is None:
        return site
    shape, name, extent = found
    told = site.arguments
    known = {one.name for one in told.ranges}
    passed = (p.name for p, arg in zip(parameters, args) if _is_named(uncast(arg), name))
    ranges = tuple(SizeRange(one, 1, extent) for one in passed if one is not None and one not in known)
    return replace(site, divided=shape, arguments=replace(told, ranges=told.ranges + ranges))


def _is_named(expr: syn.Expr, name: str) -> bool:
    return isinstance(expr, syn.Name) and expr.name == name


def _divided(body: syn.Compound, block: syn.Expr) -> tuple[tuple[int, int, int], str, int] | None:
    """The shape, the name of the extent that divides, and what that is taken for."""
    whole = _declared(body, uncast(block))
    parts = [None if whole is None else dimension(whole, axis) for axis in range(3)]
    shares = [None if part is None else _share(part) for part in parts]
    numbers = [one for one in shares if one is not None]
    by_power = {power: (axis, name, number) for axis, (name, power, number) in enumerate(numbers) if power}
    if len(numbers) != 3 or len(by_power) != 2 or set(by_power) != {1, -1}:
        return None
    (own, name, factor), (other, divisor, threads) = by_power[1], by_power[-1]
    ((_, _, third),) = [one for one in numbers if not one[1]]
    if name != divisor or factor != 1 or third != 1 or threads.denominator != 1 or not 1 < threads <= _MOST_THREADS:
        return None
    extent = 1
    while (2 * extent) ** 2 <= threads:
        extent *= 2
    extents = [1, 1, 1]
    extents[own], extents[other] = extent, int(threads) // extent
    return (extents[0], extents[1], extents[2]), name, extent


def _share(part: syn.Expr) -> tuple[str, int, Fraction] | None:
    """Of a product of one name and a number: the name, 1 where it is multiplied and -1 where it divides, and the number; of a number, no
    name."""
    sizes = sizes_of(part, Names())
    if sizes is None or len(sizes) != 1:
        return None
    ((product, number),) = sizes.items()
    if not product:
        return "", 0, number
    return (*product[0], number) if len(product) == 1 else None


def _declared(body: syn.Compound, block: syn.Expr) -> syn.Expr | None:
    """What a shape is made of, where it is spelled here or a variable that is never set again."""
    if not isinstance(block, syn.Name):
        return block
    made = list(_settings(body, block.name))
    return made[0] if len(made) == 1 else None


def _settings(body: syn.Compound, name: str) -> Iterator[syn.Expr | None]:
    """What is assigned to a variable, or to a member of it."""
    for node in inside(body):
        match node:
            case syn.VarDecl(name=declared, init=init) if declared == name:
                yield init
            case syn.Assign(target=syn.Name(name=target) | syn.Member(base=syn.Name(name=target))) if target == name:
                yield None
            case syn.Unary(op="&", operand=syn.Name(name=target)) if target == name:
                yield None
            case _:
                pass
