"""The most that numbers of the host are, where nothing tells them.

int threads = min(n, 1024);                                     1024
int threads = (n + 31) / 32 * 32;                               some number of whole warps: as many as are usual
int lanes = properties.warpSize;                                32
cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, scale);   1024, or what `scale` is promised
"""

from __future__ import annotations

from analysis_core.ir import constants
from analysis_core.ir.spelling import spelling
from analysis_core.lower.context import Lowering
from analysis_core.lower.values import FunctionName
from analysis_core.program.host import host_operands, host_ways
from analysis_core.program.host.host_constants import dims, host_constant
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside

Extents = tuple[int, int, int]

_THREADS = 1024
"""In a block of any device."""

OCCUPANCY = frozenset({"cudaOccupancyMaxPotentialBlockSize", "hipOccupancyMaxPotentialBlockSize"})
"""Functions that find the block with most warps on a multiprocessor: `(&blocks, &threads, kernel, shared bytes, most threads)`."""


def most_of(ctx: Lowering, expr: syn.Expr) -> tuple[Extents, str] | None:
    """The most that a number or a dim3 is, and what tells it; None where nothing does."""
    if isinstance(expr, syn.Call) and isinstance(expr.callee, syn.Name) and expr.callee.name in OCCUPANCY:
        return (most := _most_by_occupancy(ctx, expr), 1, 1), f"{most}, the most that `{expr.callee.name}` gives"
    within = capped(ctx, expr)
    if within is not None and (found := _known(dims(ctx, within))) is not None:
        shown = ", ".join(map(str, found if found[2] > 1 else found[:2] if found[1] > 1 else found[:1]))
        return found, f"{shown}, the most that `{spelling(expr)}` is"
    if is_whole_warps(ctx, expr) and dims(ctx, expr) == (None, 1, 1):
        usual = ctx.settings.default_blocks[0][0]
        return (usual, 1, 1), f"{usual}: nothing tells which multiple of 32 `{spelling(expr)}` is"
    return None


def _known(found: tuple[int | None, int | None, int | None]) -> Extents | None:
    x, y, z = found
    return None if x is None or y is None or z is None else (x, y, z)


def _most_by_occupancy(ctx: Lowering, call: syn.Call) -> int:
    """The most threads that a function of `OCCUPANCY` gives."""
    limit = constants.whole(host_constant(ctx, call.args[4])) if len(call.args) > 4 else None
    promised = [p for k in host_operands.kernels_named(ctx, call.args[2], {}) for p in _promised(ctx, k)]
    return min([_THREADS, *([limit] if limit else []), *([max(promised)] if promised else [])])


def _promised(ctx: Lowering, kernel: FunctionName) -> list[int]:
    """What `__launch_bounds__` says of a kernel."""
    bounds = [d.launch_bounds[0] for d in kernel.declarations if d.launch_bounds]
    return [most for one in bounds if (most := constants.whole(host_constant(ctx, one))) is not None and most > 0]


_MINIMA = frozenset({"min", "umin", "ullmin", "llmin"})


def capped(ctx: Lowering, expr: syn.Expr) -> syn.Expr | None:
    """An expression with the most that minima in it are in place of these; None where there are none."""
    for node in inside(expr, lambdas=False):
        match node:
            case syn.Call(callee=syn.Name(name=name), args=[one, other]) if name.rpartition("::")[2] in _MINIMA:
                known = [part for part in (one, other) if host_constant(ctx, capped(ctx, part) or part) is not None]
            case syn.Conditional():
                known = _least_of(ctx, node)
            case syn.Call(callee=syn.Name(name=name) | syn.Member(name=name)) | syn.Member(name=name):
                known = _of_device(ctx, node, name)
            case _:
                continue
        if len(known) == 1:
            within = host_ways.replaced(expr, node, known[0])
            return capped(ctx, within) or within
    return None


def _of_device(ctx: Lowering, node: syn.Expr, name: str) -> list[syn.Expr]:
    """What every device has where a member or a function is asked for it: 32 threads in a warp, at most 1024 in a block
    (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")."""
    word = name.rpartition("::")[2].replace("_", "").lower()
    most = "32" if "warpsize" in word else "1024" if "maxthreads" in word else None
    if most is None or host_constant(ctx, node) is not None:
        return []
    return [syn.Literal(span=node.span, kind=syn.LiteralKind.INT, text=most)]


def is_whole_warps(ctx: Lowering, expr: syn.Expr) -> bool:
    """Whether a number is a multiple of 32, whatever it is."""
    value = constants.whole(host_constant(ctx, expr))
    if value is not None:
        return value % 32 == 0
    match expr:
        case syn.Cast(operand=inner) | syn.Construct(args=[inner]):
            return is_whole_warps(ctx, inner)
        case syn.Binary(op="*", left=left, right=right):
            return is_whole_warps(ctx, left) or is_whole_warps(ctx, right)
        case syn.Binary(op="+" | "-", left=left, right=right):
            return is_whole_warps(ctx, left) and is_whole_warps(ctx, right)
        case syn.Conditional(then=then, otherwise=otherwise):
            return is_whole_warps(ctx, then) and is_whole_warps(ctx, otherwise)
        case _:
            return False


def _least_of(ctx: Lowering, node: syn.Conditional) -> list[syn.Expr]:
    """The constants that `n < 1024 ? n : 1024` chooses from as a minimum; none where it is something else."""
    condition = node.condition
    if not isinstance(condition, syn.Binary) or condition.op not in ("<", "<=", ">", ">="):
        return []
    below, above = (node.then, node.otherwise) if condition.op[0] == "<" else (node.otherwise, node.then)
    names = spelling(condition.left) == spelling(below) and spelling(condition.right) == spelling(above)
    known = [side for side in (below, above) if host_constant(ctx, side) is not None]
    return known if names else []
