"""Why an index differs between the lanes of a warp, told in the names of the source.

    `x` follows threadIdx.x (line 5) and is multiplied by `h` (here)

The IR is read backwards from the address: which variables in it depend on a component of threadIdx that differs within a
warp (*sources*), through which assignments (*hops*), and what is done to them on the way that changes the distance of the
lanes (*factors*).  Of several assignments the chain takes the one nearest to threadIdx.  It is an explanation and no
analysis: costs never come from here.

The same reading gives the bank of a shared access, `(threadIdx.y + j) % 32`: the address as a sum of names with constant
coefficients, without the terms that are multiples of 128 bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analysis_core.ir.nodes import (
    AccessId,
    AddressOf,
    Assign,
    Atomic,
    Binary,
    Builtin,
    BuiltinKind,
    Cast,
    Const,
    Expr,
    If,
    Kernel,
    Load,
    Local,
    Loop,
    PtrAdd,
    Store,
    Switch,
    VarId,
)
from analysis_core.ir.walk import fold, statements_of, subexpressions, uncast
from analysis_core.machine.shared_memory import BANKS, WORD_BYTES
from analysis_core.requests.facts import Factor, Hop, IndexStory, Source
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_SOURCES = 2
_MOST_HOPS = 4
_LONGEST = 24
"""Characters of an expression that is named as a factor."""

_VERBS: Mapping[str, str] = {
    "/": "is divided by",
    "%": "is taken modulo",
    "<<": "is shifted left by",
    ">>": "is shifted right by",
    "&": "is masked with",
    "^": "is xor-ed with",
}


@dataclass(frozen=True, slots=True)
class Definitions:
    """What one kernel says, read once: `addresses` of accesses, `conditions` of branches by their spans, and for each
    variable that depends on the thread the assignments that are nearest to threadIdx."""

    kernel: Kernel
    addresses: Mapping[AccessId, tuple[Expr, int]]
    conditions: Mapping[Span, Expr]
    nearest: Mapping[VarId, tuple[Assign, ...]]
    depth: Mapping[VarId, int]
    axes: frozenset[int]


def definitions(kernel: Kernel, block: tuple[int, int, int]) -> Definitions:
    """Reads the kernel's body; linear in its length."""
    addresses: dict[AccessId, tuple[Expr, int]] = {}
    users: dict[VarId, list[Assign]] = {}
    ready: list[Assign] = []
    conditions: dict[Span, Expr] = {}
    axes = _varying_axes(block)
    for stmt in statements_of(kernel):
        match stmt:
            case Load() | Store() | Atomic():
                addresses[stmt.access.id] = (stmt.address, stmt.access.width)
            case Assign():
                leaves = [e for e in subexpressions(stmt.value) if isinstance(e, Local | Builtin)]
                if any(_is_source(leaf, axes) for leaf in leaves):
                    ready.append(stmt)
                for var in {leaf.var for leaf in leaves if isinstance(leaf, Local)}:
                    users.setdefault(var, []).append(stmt)
            case If() | Switch():
                conditions[stmt.span] = stmt.condition if isinstance(stmt, If) else stmt.selector
            case Loop() if stmt.condition is not None:
                conditions[stmt.span] = stmt.condition
            case _:
                pass
    return Definitions(kernel, addresses, conditions, *_nearest(ready, users), axes)


def _nearest(
    sources: Sequence[Assign], users: Mapping[VarId, Sequence[Assign]]
) -> tuple[Mapping[VarId, tuple[Assign, ...]], Mapping[VarId, int]]:
    """For each variable the assignments with the shortest chain to threadIdx, and its length.  A chain is followed along
    falling lengths, so it ends."""
    nearest: dict[VarId, tuple[Assign, ...]] = {}
    depth: dict[VarId, int] = {}
    wave, length = list(sources), 0
    while wave:
        length += 1
        fresh: dict[VarId, list[Assign]] = {}
        for assign in wave:
            if assign.var not in nearest:
                fresh.setdefault(assign.var, []).append(assign)
        nearest.update((var, tuple(assigns)) for var, assigns in fresh.items())
        depth.update((var, length) for var in fresh)
        wave = [user for var in fresh for user in users.get(var, ())]
    return nearest, depth


def story_of(access: AccessId, place: Span, known: Definitions, banked: bool) -> IndexStory | None:
    """Why the lanes differ at the access at `place`; None where its address holds no name. `banked`: its memory has
    banks."""
    found = known.addresses.get(access)
    if found is None:
        return None
    address, width = found
    sources = _sources(address, width, place, known)
    bank = _bank(address, known.kernel) if banked else None
    return IndexStory(sources, bank) if sources or bank else None


def story_of_branch(place: Span, known: Definitions) -> IndexStory | None:
    """The story of the condition at `place`; None where no name in it depends on the thread."""
    condition = known.conditions.get(place)
    sources = () if condition is None else _sources(condition, 0, place, known)
    return IndexStory(sources, None) if sources else None


def _sources(expr: Expr, width: int, place: Span, known: Definitions) -> tuple[Source, ...]:
    result = []
    for leaf, factors in _paths(expr, known, None, width)[:_MOST_SOURCES]:
        hops, more = _chain(leaf, place, known)
        result.append((tuple(hops), (*more, *factors)))
    return tuple(result)


def _varying_axes(block: tuple[int, int, int]) -> frozenset[int]:
    """The components of threadIdx that differ within a warp: consecutive threads go along x first."""
    x, y, z = block
    return frozenset(
        axis for axis, varies in enumerate((x > 1, y > 1 and x % 32 != 0, z > 1 and x * y % 32 != 0)) if varies
    )


def _is_source(leaf: Expr, axes: frozenset[int]) -> bool:
    return isinstance(leaf, Builtin) and leaf.kind is BuiltinKind.THREAD_IDX and leaf.axis in axes


def _chain(leaf: Local | Builtin, place: Span, known: Definitions) -> tuple[list[Hop], tuple[Factor, ...]]:
    """From a variable back to threadIdx: the hops, and what happens to the value on them."""
    if isinstance(leaf, Builtin):
        return [Hop(_builtin(leaf), None, None)], ()
    hops: list[Hop] = []
    factors: tuple[Factor, ...] = ()
    here: Local | Builtin = leaf
    while isinstance(here, Local) and len(hops) < _MOST_HOPS:
        assign = _reaching(known.nearest[here.var], place)
        paths = _paths(assign.value, known, assign.span, 0)
        if not paths:
            break
        follows, more = min(paths, key=lambda path: known.depth[path[0].var] if isinstance(path[0], Local) else 0)
        name = _name(follows, known.kernel)
        if _name(here, known.kernel) != name:
            hops.append(Hop(_name(here, known.kernel), name, assign.span))
        factors = (*more, *factors)
        here, place = follows, assign.span
    return hops, factors


def _reaching(assigns: Sequence[Assign], place: Span) -> Assign:
    """The last of the assignments that stands before the place; in a loop it may be one that stands after."""
    before = [a for a in assigns if a.span.file == place.file and a.span.start < place.start]
    return max(before, key=lambda a: a.span.start) if before else assigns[0]


# --- what stands in an expression ---------------------------------------------------------------------------------

_Path = tuple[Local | Builtin, tuple[Factor, ...]]


def _paths(expr: Expr, known: Definitions, place: Span | None, width: int) -> tuple[_Path, ...]:
    """The thread-dependent leaves of an expression with what is done to each, in the order of the text."""

    def combine(node: Expr, parts: Sequence[tuple[_Path, ...]]) -> tuple[_Path, ...]:
        match node:
            case Local() if node.var in known.nearest:
                return ((node, ()),)
            case Builtin() if _is_source(node, known.axes):
                return ((node, ()),)
            case Binary(op="*"):
                left = _with(parts[0], "is multiplied by", node.right, known, place)
                return _few(left, _with(parts[1], "is multiplied by", node.left, known, place))
            case Binary() if node.op in _VERBS:
                return _few(_with(parts[0], _VERBS[node.op], node.right, known, place), parts[1])
            case PtrAdd(scale=Const(value=size)) if width and size != width:
                steps = Factor(f"steps over elements of {size} bytes", place)
                return _few(parts[0], tuple((leaf, (*factors, steps)) for leaf, factors in parts[1]))
            case _:
                return _few(*parts)

    return fold(expr, combine)


def _few(*parts: tuple[_Path, ...]) -> tuple[_Path, ...]:
    """The paths of all parts, each leaf once, no more than are of use."""
    found: dict[Local | Builtin, _Path] = {}
    for part in parts:
        for leaf, factors in part:
            found.setdefault(leaf, (leaf, factors))
    return tuple(found.values())[: 2 * _MOST_SOURCES]


def _with(
    paths: tuple[_Path, ...], verb: str, other: Expr, known: Definitions, place: Span | None
) -> tuple[_Path, ...]:
    if not paths:
        return ()
    factor = Factor(f"{verb} {_quoted(other, known.kernel)}", place)
    return tuple((leaf, (*factors, factor)) for leaf, factors in paths)


def _quoted(expr: Expr, kernel: Kernel) -> str:
    """A number, or a short expression in backticks, or "an expression"."""
    expr = uncast(expr)
    if isinstance(expr, Const):
        return str(expr.value)
    text = _spell(expr, kernel)
    return "an expression" if text is None or len(text) > _LONGEST else f"`{text}`"


def _spell(expr: Expr, kernel: Kernel) -> str | None:
    """The expression in names of the source; None where it holds more than sums and products of names."""

    def combine(node: Expr, parts: Sequence[str | None]) -> str | None:
        if any(part is None or len(part) > _LONGEST for part in parts):
            return None
        match node:
            case Const():
                return str(node.value)
            case Local():
                return kernel.variables[node.var].name
            case Builtin():
                return _builtin(node)
            case Cast():
                return parts[0]
            case Binary():
                left, right = (f"({part})" if " " in str(part) and node.op in "*/%" else part for part in parts)
                return f"{left}{node.op}{right}" if node.op in "*/%" else f"{left} {node.op} {right}"
            case _:
                return None

    return fold(expr, combine)


def _name(leaf: Local | Builtin, kernel: Kernel) -> str:
    return _builtin(leaf) if isinstance(leaf, Builtin) else kernel.variables[leaf.var].name


def _builtin(node: Builtin) -> str:
    return f"{node.kind.value}.{'xyz'[node.axis]}"


# --- banks ----------------------------------------------------------------------------------------------------------

_Sum = Mapping[str, int]  # names (products joined by *) with their coefficients; "" is the constant


def _bank(address: Expr, kernel: Kernel) -> str | None:
    """`(threadIdx.y + j) % 32` of an address in bytes, relative to the array; None if it is no sum of whole words."""
    variables = {e.var for e in subexpressions(address) if isinstance(e, Local)}
    if len({kernel.variables[var].name for var in variables}) < len(variables):
        return None  # a name that means two things explains nothing
    total = _linear(address, kernel)
    if total is None:
        return None
    period = BANKS * WORD_BYTES
    rest = {name: (c % period) for name, c in total.items() if c % period}
    if not rest or any(c % WORD_BYTES for c in rest.values()) or len(rest) > 3:
        return None
    terms = [_term(name, c // WORD_BYTES) for name, c in sorted(rest.items(), key=lambda item: item[0] == "")]
    if len(terms) == 1 and "" in rest:
        return terms[0]
    return f"({' + '.join(terms)}) % {BANKS}" if len(terms) > 1 or "*" in terms[0] else f"{terms[0]} % {BANKS}"


def _term(name: str, coefficient: int) -> str:
    if not name:
        return str(coefficient)
    return name if coefficient == 1 else f"{coefficient}*{name}"


def _linear(expr: Expr, kernel: Kernel) -> _Sum | None:
    """The expression as a sum over names.  Conversions are left out: all types keep a value modulo 128."""

    def combine(node: Expr, parts: Sequence[_Sum | None]) -> _Sum | None:
        if any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        match node:
            case AddressOf():
                return {}
            case Const(value=int() as value):
                return {"": value} if value else {}
            case Local():
                return {kernel.variables[node.var].name: 1}
            case Builtin():
                return {_builtin(node): 1}
            case Cast():
                return known[0]
            case Binary(op="+"):
                return _added(known[0], known[1], 1)
            case Binary(op="-"):
                return _added(known[0], known[1], -1)
            case Binary(op="*"):
                return _scaled(known[0], known[1])
            case PtrAdd():
                moved = _scaled(known[1], known[2])
                return None if moved is None else _added(_added(known[0], moved, 1), {"": node.offset}, 1)
            case _:
                return None

    return fold(expr, combine)


def _added(a: _Sum, b: _Sum, sign: int) -> _Sum:
    names: Iterable[str] = dict.fromkeys((*a, *b))
    return {name: total for name in names if (total := a.get(name, 0) + sign * b.get(name, 0))}


def _scaled(a: _Sum, b: _Sum) -> _Sum | None:
    """The product where one side is a number."""
    for number, other in ((a, b), (b, a)):
        if set(number) <= {""}:
            factor = number.get("", 0)
            return {name: factor * c for name, c in other.items() if factor}
    return None
