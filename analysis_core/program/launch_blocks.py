"""The block of a launch: what constants of the host make it, or the most that it is.

k<<<blocks, 256>>>(p);                   256
k<<<blocks, min(n, 256)>>>(p);           256, the most that it is
k<<<blocks, n>>>(p);                     not known
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.spelling import spelling
from analysis_core.lower.context import Lowering
from analysis_core.machine.block_shape import is_launchable
from analysis_core.program.host import host_constants, host_flow, host_limits, host_made, host_ways
from analysis_core.program.host.host_state import HostWalk
from analysis_core.support.facts import Assumption
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.rewrite_syntax import rewritten

_THREADS_PER_BLOCK = 1024


def sides_of(host: HostWalk, block: syn.Expr | None) -> list[syn.Expr | None]:
    """What is written for a block, for each way that its conditionals may go, where these are all known."""
    each = [] if block is None else host_ways.sides(host.ctx, block, host.told)
    return [*each] if each and all(_block(host.ctx, one) is not None for one in each) else [block]


def block_of(
    host: HostWalk, block: syn.Expr | None, flow: host_flow.Flow, settled: Mapping[str, Assumption]
) -> tuple[tuple[int, int, int] | None, tuple[Assumption, ...]]:
    """The block of a launch where it is known, and what that rests on: the most that numbers are, where nothing else tells them."""
    ctx = host.ctx
    shape = _block(ctx, block)
    if block is None:
        return None, ()
    names = flow.behind(host_flow.names_in(block))
    if shape is not None:
        return shape, tuple(settled[name] for name in sorted(settled.keys() & names))
    block = _with_equal_parts(host, block)
    with host_made.at_most(ctx, host.known.made, names, host.told) as rests:
        shape = _block(ctx, block)
        if shape is None and (found := host_limits.most_of(ctx, block)) is not None:
            shape, said = found
            rests.append(Assumption(f"block {said}", block.span))
    return (shape, tuple(rests)) if shape is not None and is_launchable(shape) else (None, ())


def _with_equal_parts(host: HostWalk, block: syn.Expr) -> syn.Expr:
    """The block with constants in place of what a condition around says is equal to them: `if (c / h == 64) k<<<4, c / h>>>(p);`."""
    for condition, holds in host.told:
        if holds and isinstance(condition, syn.Binary) and condition.op == "==":
            if host_constants.host_constant(host.ctx, condition.right) is not None:
                block = _with(block, spelling(condition.left), condition.right)
    return block


def _with(expr: syn.Expr, text: str, value: syn.Expr) -> syn.Expr:
    """An expression with a value in place of what is spelled like this."""
    return rewritten(expr, lambda part: value if isinstance(part, syn.Expr) and spelling(part) == text else None)


def _block(ctx: Lowering, expr: syn.Expr | None) -> tuple[int, int, int] | None:
    """The block's shape if it is constant and one that the hardware can run."""
    if expr is None:
        return None
    x, y, z = host_constants.dims(ctx, expr)
    if x is None or y is None or z is None or min(x, y, z) < 1 or x * y * z > _THREADS_PER_BLOCK:
        return None
    return x, y, z


def dims_text(expr: syn.Expr) -> str:
    """`dim3(16, 16)` is shown as "16, 16"; anything else as spelled."""
    match expr:
        case syn.Construct(type=syn.NamedType(name="dim3"), args=args) if args:
            return ", ".join(spelling(arg) for arg in args)
        case syn.Cast(type=syn.NamedType(name="dim3"), operand=operand):
            return spelling(operand)
        case _:
            return spelling(expr)
