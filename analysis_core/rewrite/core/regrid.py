"""The launches of a kernel that are in view, and their grids as text: edited together with the kernel, all of them or none.

//@ launch block=256 grid=(ceil(n/256))                          ->   grid=4
k<<<(n + 255) / 256, 256>>>(a, n);  dim3 g(..); k<<<g, 256>>>    ->   k<<<4, 256>>>(a, n);
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analysis_core.ir.launch_site import is_assumed, made_launches
from analysis_core.ir.literals import literal
from analysis_core.ir.nodes import BuiltinKind, Kernel
from analysis_core.ir.stated import GridValue
from analysis_core.lower.names.annotation_values import constant_value
from analysis_core.program.launch import Launch
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.threads import Locals
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.annotation_tree import LaunchAnnotation, Number
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Grid:
    """The blocks of a launch along x at `span`: `text` as a number, "" where no text is known to be one; `number`, where that is a constant.  `call`: the launch of the host, None of one that an
    annotation states; `launch`: as it is analysed."""

    span: Span
    text: str
    number: int | None
    call: syn.KernelLaunch | None
    launch: Launch


def grids_of(unit: Unit, kernels: Sequence[Kernel]) -> list[Grid] | str:
    """All launches of a kernel, flat ones of which the block is known; or why one of them cannot be edited."""
    found: dict[Span, Grid] = {}
    calls = {n.span: n for d in unit.tree.declarations for n in inside(d) if isinstance(n, syn.KernelLaunch)}
    stated = {c.said.span: c.said for c in unit.tree.annotations if isinstance(c.said, LaunchAnnotation)}
    for kernel in kernels:
        for launch in unit.launches(kernel):
            if launch.block[1:] != (1, 1):
                return "its blocks are no rows of threads"
            if is_assumed(launch.source) or launch.span is None:
                return UNKNOWN
            if launch.source == "annotation":
                one = _of_annotation(unit, kernel, launch, stated.get(launch.span))
                if isinstance(one, str):
                    return one
                found[one.span] = one
            elif launch.source != "call":
                return "the settings say how it is launched, which an edit does not change"
        for site in made_launches(kernel.launches):
            launch = next((x for x in unit.launches(kernel) if x.block == site.block), unit.launches(kernel)[0])
            call = calls.get(site.span)
            if site.profile.elsewhere or call is None:
                return "a launch of it does not stand in this file as `<<<..>>>`"
            if site.block is None and launch.source != "annotation":
                return UNKNOWN
            if site.grid[1:] != (1, 1) or not call.config or call.config[0].expansion is not None:
                return f"the grid of a launch is no row of blocks (line {unit.line(site.span)})"
            grid = call.config[0]
            own = next((x for x in unit.launches(kernel) if x.span == site.span), launch)
            found[grid.span] = Grid(grid.span, _blocks_text(unit, call), site.grid[0], call, own)
    return list(found.values()) or UNKNOWN


UNKNOWN = "the total number of threads is not known"


def _host_of(unit: Unit, call: syn.Node) -> syn.FunctionDecl | None:
    """The function of the file that a launch stands in."""
    every = (d for d in unit.tree.declarations if isinstance(d, syn.FunctionDecl) and d.body is not None)
    return next((d for d in every if d.span.encloses(call.span)), None)


_WHOLE = frozenset({"int", "unsigned int", "unsigned", "long", "size_t", "const int", "uint", "long long"})


def _blocks_text(unit: Unit, call: syn.KernelLaunch) -> str:
    """The number of blocks along x, as text that stands at a launch."""
    grid, host = call.config[0], _host_of(unit, call)
    match grid:
        case syn.Binary() | syn.Literal():
            return unit.spelled(grid.span)
        case syn.Construct(type=syn.NamedType(name="dim3"), args=(first, *_)):
            return f"({unit.spelled(first.span)})"
        case syn.Cast(style="functional", type=syn.NamedType(name="dim3"), operand=operand):
            return f"({unit.spelled(operand.span)})"
        case syn.Name(name=name) if host is not None:
            made = [d for d in inside(host) if isinstance(d, syn.VarDecl | syn.Parameter) and d.name == name]
            type_ = made[0].type if len(made) == 1 else None
            if isinstance(type_, syn.NamedType) and type_.name == "dim3":
                return f"{name}.x"
            return name if isinstance(type_, syn.NamedType) and type_.name in _WHOLE else ""
        case _:
            return ""


def _of_annotation(unit: Unit, kernel: Kernel, launch: Launch, said: LaunchAnnotation | None) -> Grid | str:
    if said is None or said.span.file != unit.file:
        return "a launch that is stated does not stand in this file"
    if not said.grid:
        return UNKNOWN
    if any(not isinstance(term, Number) or term.value != 1 for term in launch.stated_grid[1:]):
        return "the grid is no row of blocks"
    term = said.grid[0]
    number = constant_value(term, dict(kernel.annotations.names))
    return Grid(term.span, unit.spelled(term.span), number, None, launch)


def speaks_of_grid(kernels: Sequence[Kernel]) -> bool:
    """Whether something that is assumed of a kernel speaks of its grid, and may not hold with another one."""
    kinds = (BuiltinKind.GRID_DIM, BuiltinKind.BLOCK_IDX)
    return any(
        isinstance(meaning, GridValue) and meaning.kind in kinds
        for kernel in kernels
        for _, meaning in kernel.annotations.names
    )


def regridded(grids: Sequence[Grid], text: Callable[[Grid], str]) -> tuple[Edit, ...]:
    """The edits that give all launches another number of blocks."""
    return tuple(Edit(grid.span, text(grid)) for grid in grids)


# --- does the host launch enough threads? -----------------------------------------------------------------------------


def rounds_up(unit: Unit, kernel: Kernel, grid: Grid, end: syn.Expr) -> bool:
    """Whether a call launches so many blocks that there is a thread for each number below `end`, a parameter: (n + 255) / 256 of 256 for what is passed
    as n, or more."""
    call = grid.call
    names = [kernel.variables[p].name for p in kernel.parameters]
    if call is None or not isinstance(end, syn.Name) or end.name not in names or names.count(end.name) != 1:
        return False
    at = names.index(end.name)
    host = _host_of(unit, call)
    if host is None or at >= len(call.args) or len(names) != len(call.args):
        return False
    known = Locals(unit, host)
    blocks, passed = _plain(known, call.config[0]), _value(known, call.args[at])
    if grid.number is not None:
        return passed is not None and grid.number * grid.launch.block[0] >= passed
    return blocks is not None and _is_quotient(unit, known, blocks, call.args[at], grid.launch.block[0])


def _plain(known: Locals, expr: syn.Expr) -> syn.Expr | None:
    """What a number of blocks is computed as: through variables that are never changed, and `dim3`."""
    for _ in range(8):
        match expr:
            case syn.Construct(type=syn.NamedType(name="dim3"), args=(first, *_)):
                expr = first
            case syn.Cast(style="functional", type=syn.NamedType(name="dim3"), operand=operand):
                expr = operand
            case syn.Name(name=name) if (variable := known.variable(name)) is not None and variable.init is not None:
                expr = variable.init
            case _:
                return expr
    return None


def _is_quotient(unit: Unit, known: Locals, expr: syn.Expr, passed: syn.Expr, block: int) -> bool:
    """(x + block - 1) / block, or (x - 1) / block + 1, where x is what is passed and nothing changes between."""
    match expr:
        case syn.Binary(
            op="+", left=syn.Binary(op="/", left=syn.Binary(op="-", left=whole, right=one), right=by), right=more
        ):
            fits = _value(known, one) == 1 and _value(known, more) == 1
        case syn.Binary(
            op="/", left=syn.Binary(op="-", left=syn.Binary(op="+", left=whole, right=room), right=one), right=by
        ):
            fits = _value(known, room) == block and _value(known, one) == 1
        case syn.Binary(op="/", left=syn.Binary(op="+", left=whole, right=room), right=by):
            fits = _value(known, room) == block - 1
        case _:
            return False
    same = isinstance(whole, syn.Name) and isinstance(passed, syn.Name) and whole.name == passed.name
    steady = isinstance(whole, syn.Name) and whole.name not in known.changed
    return fits and _value(known, by) == block and ((same and steady) or _equal_numbers(known, whole, passed))


def _equal_numbers(known: Locals, one: syn.Expr, other: syn.Expr) -> bool:
    value = _value(known, one)
    return value is not None and value == _value(known, other)


def _value(known: Locals, expr: syn.Expr, depth: int = 8) -> int | None:
    """A constant of the host, as far as its text tells."""
    if depth == 0:
        return None
    match expr:
        case syn.Literal(kind=syn.LiteralKind.INT):
            found = literal(expr)
            return int(found.value) if found is not None else None
        case syn.Name(name=name):
            variable = known.variable(name) or next(
                (
                    d
                    for d in known.unit.tree.declarations
                    if isinstance(d, syn.VarDecl) and d.name == name and "const" in d.type.qualifiers | d.storage
                ),
                None,
            )
            return None if variable is None or variable.init is None else _value(known, variable.init, depth - 1)
        case syn.Binary(op="+" | "-" | "*" | "/" as op, left=left, right=right):
            one, other = _value(known, left, depth - 1), _value(known, right, depth - 1)
            if one is None or other is None or (op == "/" and other <= 0) or min(one, other) < 0:
                return None
            return {"+": one + other, "-": one - other, "*": one * other, "/": one // max(1, other)}[op]
        case _:
            return None
