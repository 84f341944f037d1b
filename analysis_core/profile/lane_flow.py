"""What lanes may differ by, read off the statements: nothing, the lane and what all share, or contents of memory of their own.

    for (int j = 0; j < rank; j++) { at += stride[j] * (i % extent[j]); i /= extent[j]; }      of `at` all lanes share the tables

Where a loop is summarised, or a number is no integer, interpretation knows that memory had a say, and not that it was the same for all
lanes.  The statements say so: a variable is what its assignments make of it, whichever of them came last, and where lanes part, what they
assign and take along is theirs.  For findings only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.choices import Sides, choices
from analysis_core.ir.early_exits import may_leave
from analysis_core.ir.nodes import (
    AccessId,
    AddressOf,
    Assign,
    Atomic,
    Binary,
    Block,
    Builtin,
    BuiltinKind,
    Const,
    Expr,
    If,
    Inlined,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Loop,
    Shuffle,
    Stmt,
    Store,
    Switch,
    UnknownExpr,
    UnknownStmt,
    VarId,
    Vote,
)
from analysis_core.ir.types import ScalarKind, ScalarType, Space
from analysis_core.ir.walk import blocks_of, expressions_of, fold, statements, statements_of, subexpressions
from analysis_core.support.derived import derived
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.records import dataclass

_MOST_PASSES = 12
_LARGE = 1 << 12
"""Factors from here on are those of hash functions."""

_KEEPING = frozenset({"min", "max", "abs", "floor", "ceil", "mul24"})
"""Functions that move no two lanes further apart than their arguments are."""


LANE, OWN, DATA = 1, 3, 4
"""What lanes that run a statement together may differ by in a value: their numbers, or contents of their own, too; and whether contents of
memory went into it.  Of two values together, the bits of both."""

_ANY = OWN | DATA
_PARTS = OWN


@dataclass(frozen=True, slots=True)
class LaneFlow:
    """In what lanes differ, as the statements of one kernel tell. `accesses`: by what the addresses of accesses differ."""

    accesses: Mapping[AccessId, int]

    @staticmethod
    def of(kernel: Kernel) -> LaneFlow:
        """The flow of one kernel."""
        walk = _Walk(kernel, *_places(kernel.body))
        for _ in range(_MOST_PASSES):
            before = dict(walk.known)
            walk.block(kernel.body)
            if before == walk.known:
                break
        else:
            return LaneFlow({})
        body = statements_of(kernel)
        accesses = [s for s in body if isinstance(s, Load | Store | Atomic)]
        return LaneFlow({s.access.id: walk.flow(s.address) & _PARTS for s in accesses})


@dataclass(frozen=True)  # no slots: the flow is found once, where somebody asks
class LaneFlows:
    """The flow of lanes in one kernel, computed when it is asked for."""

    kernel: Kernel

    @derived
    def found(self) -> LaneFlow:
        """What lanes differ by, all over the kernel."""
        return LaneFlow.of(self.kernel)

    @derived
    def sides(self) -> Mapping[AccessId, Sides]:
        """Of tests of which a warp takes one side, those that accesses stand on."""
        return choices(self.kernel).sides

    def of_access(self, group: Sequence[AccessEvent], cause: Cause) -> Cause | None:
        """Why the lanes of these executions do not go anywhere, though memory is told as the cause; None if they may."""
        ids = {event.access.id for event in group}
        if all(self.found.accesses.get(id, OWN) != OWN for id in ids):
            return Cause(
                CauseKind.ANALYSIS, f"a function of the lane and of what all lanes share: {cause.reason}", cause.span
            )
        return None


_Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Uses:
    """Of a variable: the innermost block that holds all its uses, where the first of them assigns it anew each time the block is run
    (None: elsewhere), and the places of its first and last use in the text."""

    home: bool
    first: int
    last: int


def _places(body: Block) -> tuple[Mapping[VarId, _Uses], Mapping[int, tuple[int, int]]]:
    """The uses of all variables, and by identity of a statement its first and last place."""
    uses: dict[VarId, list[tuple[int, _Path, bool]]] = {}
    ends: dict[int, tuple[int, int]] = {}
    clock = 0

    def visit(block: Block, path: _Path) -> None:
        nonlocal clock
        for stmt in block:
            clock += 1
            start = clock
            for var in _read(stmt):
                uses.setdefault(var, []).append((clock, path, False))
            clock += 1
            for var in _written(stmt):
                uses.setdefault(var, []).append((clock, path, True))
            for number, inner in enumerate(blocks_of(stmt)):
                visit(inner, path if isinstance(stmt, Inlined) else (*path, id(stmt), number))
            ends[id(stmt)] = (start, clock)

    visit(body, ())
    found: dict[VarId, _Uses] = {}
    for var, each in uses.items():
        first = each[0]
        common = min((path for _, path, _ in each), key=len)
        home = first[2] and first[1] == common and all(path[: len(common)] == common for _, path, _ in each)
        found[var] = _Uses(home, first[0], each[-1][0])
    return found, ends


def _read(stmt: Stmt) -> Iterator[VarId]:
    return (n.var for expr in expressions_of(stmt) for n in subexpressions(expr) if isinstance(n, Local))


def _written(stmt: Stmt) -> tuple[VarId, ...]:
    match stmt:
        case Assign(var=var) | Shuffle(var=var) | Vote(var=var):
            return (var,)
        case Load(vars=vars):
            return vars
        case Atomic(var=var):
            return () if var is None else (var,)
        case UnknownStmt(changes=changes):
            return changes
        case _:
            return ()


@dataclass(slots=True)
class _Walk:
    kernel: Kernel
    uses: Mapping[VarId, _Uses]
    ends: Mapping[int, tuple[int, int]]
    known: dict[VarId, int] = field(default_factory=dict)
    _made: dict[int, _Made] = field(default_factory=dict)

    def block(self, block: Block) -> None:
        """One pass over statements."""
        for stmt in block:
            self._statement(stmt)
            if isinstance(stmt, If | Loop | Switch | Inlined):
                for inner in blocks_of(stmt):
                    self.block(inner)
                self._apart(stmt)

    def _statement(self, stmt: Stmt) -> None:
        match stmt:
            case Assign(var=var, value=value):
                self._set(var, self.flow(value))
            case Load(vars=vars):
                loaded = self._loaded(stmt)
                for var in vars:
                    self._set(var, loaded)
            case Atomic() | UnknownStmt():
                for var in _written(stmt):
                    self._set(var, _ANY)
            case Shuffle(var=var, value=value, lane=lane):
                found = self.flow(value) | self.flow(lane)
                self._set(var, _ANY if found & _PARTS else found)
            case Vote(var=var):
                self._set(var, DATA)
            case _:
                pass

    def _set(self, var: VarId, flow: int) -> None:
        self.known[var] = self.known.get(var, 0) | flow

    def _loaded(self, stmt: Load) -> int:
        return _ANY if self.flow(stmt.address) & _PARTS or self._is_local(stmt.address) else DATA

    def _is_local(self, address: Expr) -> bool:
        objects = (n.object for n in subexpressions(address) if isinstance(n, AddressOf))
        return any(self.kernel.objects[one].space is Space.LOCAL for one in objects)

    def condition(self, stmt: If | Loop | Switch) -> int:
        """What the lanes that run the statement differ by in its condition."""
        asked = stmt.selector if isinstance(stmt, Switch) else stmt.condition
        return 0 if asked is None else self.flow(asked)

    def _parting(self, stmt: If | Loop | Switch) -> int:
        """By what lanes part that run the statement, or rounds of it."""
        part = self.condition(stmt)
        if isinstance(stmt, Loop):
            for test in statements((*stmt.test, *stmt.body)):
                if isinstance(test, If | Switch) and part & _PARTS != OWN and may_leave((test,), returns=False):
                    part |= self.condition(test)
        return part

    def _apart(self, stmt: If | Loop | Switch | Inlined) -> None:
        """What lanes that part assign and take along is theirs."""
        part = 0 if isinstance(stmt, Inlined) else self._parting(stmt)
        if not part & _PARTS:
            return
        start, end = self.ends[id(stmt)]
        for inner in statements((stmt,)):
            for var in _written(inner):
                uses = self.uses[var]
                if not (uses.home and start <= uses.first and uses.last <= end):
                    self._set(var, part)

    def flow(self, expr: Expr) -> int:
        """What lanes differ by in a value."""
        made = self._made.get(id(expr))
        if made is None:
            made = self._made[id(expr)] = _made_of(expr)
        if made.mixes:
            return fold(expr, self._combined)
        found = made.flow
        for var in made.variables:
            found |= self.known.get(var, 0)
        return found

    def _combined(self, node: Expr, parts: Sequence[int]) -> int:
        if isinstance(node, Local):
            return self.known.get(node.var, 0)
        found = _flow_of(node)
        for part in parts:
            found |= part
        return _ANY if found & DATA and found & _PARTS and _mixes(node, parts) else found


@dataclass(frozen=True, slots=True)
class _Made:
    """What an expression is made of: variables, and what lanes differ by beside these.  `mixes`: it is more than what these are."""

    variables: tuple[VarId, ...]
    flow: int
    mixes: bool


def _made_of(expr: Expr) -> _Made:
    variables: dict[VarId, None] = {}
    flow, mixes = 0, False
    for node in subexpressions(expr):
        if isinstance(node, Local):
            variables[node.var] = None
        else:
            flow |= _flow_of(node)
            mixes = mixes or _mixes(node, (LANE, LANE))
    return _Made(tuple(variables), flow, mixes)


def _flow_of(node: Expr) -> int:
    """What lanes differ by in a node that has no operands."""
    if isinstance(node, Builtin):
        return LANE if node.kind is BuiltinKind.THREAD_IDX else 0
    return _ANY if isinstance(node, UnknownExpr) else 0


def _mixes(node: Expr, parts: Sequence[int]) -> bool:
    """Whether nothing of the order of lanes is left of contents: bits are mixed, products are large, lanes are turned by an angle."""
    if isinstance(node, Intrinsic):
        return node.name not in _KEEPING
    if not isinstance(node, Binary):
        return False
    if node.op in ("^", "|"):
        return True
    if node.op == "*":
        return any(isinstance(c, Const) and abs(c.value) >= _LARGE for c in (node.left, node.right))
    return node.op in ("+", "-") and not _is_integer(node) and all(part & _PARTS for part in parts)


def _is_integer(node: Expr) -> bool:
    type_ = getattr(node, "type", None)
    return not isinstance(type_, ScalarType) or type_.kind is not ScalarKind.FLOAT
