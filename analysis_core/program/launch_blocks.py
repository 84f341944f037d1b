"""The block of a launch: what constants of the host make it, or the most that it is.

k<<<blocks, 256>>>(p);                   256
k<<<blocks, min(n, 256)>>>(p);           256, the most that it is
k<<<blocks, n>>>(p);                     not known
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.spelling import spelling
from analysis_core.lower.context import Lowering
from analysis_core.lower.values import StructValue
from analysis_core.machine.block_shape import is_launchable
from analysis_core.program.host import host_cases, host_constants, host_flow, host_limits, host_ways
from analysis_core.program.host.host_state import HostWalk
from analysis_core.support.facts import Assumption
from analysis_core.syntax.read import tree as syn

_THREADS_PER_BLOCK = 1024


def sides_of(host: HostWalk, block: syn.Expr | None) -> list[syn.Expr | None]:
    """What is written for a block, for each way that its conditionals may go, where these are all known."""
    each = [] if block is None else host_ways.sides(host.ctx, block, host.known.conditions)
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
    most = {name: most for name, most in host.known.most.items() if name in names}
    numbers = ((n, number) for n, (value, _) in most.items() if (number := host_cases.integer(value)) is not None)
    with host_cases.known_to_be(ctx, host.known.shapes, numbers), ctx.nested_scope() as scope:
        for name, (value, _) in most.items():
            if isinstance(value, StructValue):
                scope.bind(name, value)
        shape, said = _block(ctx, block), None
        if shape is None and (found := host_limits.most_of(ctx, block)) is not None:
            shape, said = found
    if shape is None or not is_launchable(shape):
        return None, ()
    own = () if said is None else (Assumption(f"block {said}", block.span),)
    return shape, (*(assumption for _, assumption in most.values()), *own)


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
