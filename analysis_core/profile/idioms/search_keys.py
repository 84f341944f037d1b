"""What the lanes of a search look for: where their keys come from.

    key = mine[i];  while (lo < hi) { .. if (theirs[mid] < key) .. }        loads at places in the order of lanes
    while (lo < hi) { .. if (first[mid] <= i) .. }                          the lane's own number

An array that is searched is sorted.  So are keys that are elements of one that is: neighbours look for neighbours then, as in a merge, where each
thread looks for the place of its element in the other list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from analysis_core.ir.nodes import (
    AccessId,
    AddressOf,
    Assign,
    Binary,
    Builtin,
    BuiltinKind,
    Const,
    Expr,
    If,
    Intrinsic,
    Load,
    Local,
    Loop,
    Select,
    Stmt,
    Switch,
    UnknownExpr,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.walk import children, expressions_of, statements, subexpressions
from analysis_core.text.records import dataclass

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||"})

DEEPEST = 64
"""Variables that are made of each other, one through the next."""

_MIXING = frozenset({"%", "&", "|", "^", ">>"})
"""What leaves nothing of the order of lanes' numbers; of the elements of a list it may ask what it likes."""

_KEEPING = frozenset({"min", "max", "mul24", "floor", "ceil", "fma"})


@dataclass(frozen=True, slots=True)
class Keys:
    """What the keys of a search are made of. `loads`: loads at places in the order of lanes; `numbers`: the lanes'
    numbers are among them."""

    loads: frozenset[AccessId]
    numbers: bool


@dataclass(slots=True)
class _Trace:
    """`found`: the variables in which searches leave places that are in the order of lanes."""

    sources: Mapping[VarId, Sequence[Stmt]]
    is_shared: Callable[[VarId], bool]
    found: Collection[VarId] = ()
    seen: dict[VarId, _Made | None] = field(default_factory=dict)
    depth: int = 0

    def of(self, values: Iterable[Expr]) -> _Made | None:
        """What values are made of; None of what no order is known of."""
        found = _Made()
        pending = list(values)
        while pending:
            match pending.pop():
                case Local(var=var) if var in self.found:
                    found = found.with_(_Made(numbers=True, found=True))
                case Local(var=var):
                    part = _Made() if self.is_shared(var) else self._of_variable(var)
                    if part is None:
                        return None
                    found = found.with_(part)
                case Builtin(kind=BuiltinKind.THREAD_IDX):
                    found = found.with_(_Made(numbers=True))
                case Const() | AddressOf() | Builtin():
                    pass
                case UnknownExpr():
                    return None
                case (Binary() | Intrinsic()) as node if _is_mixing(node):
                    part = self.of(children(node))
                    if part is None or part.numbers:
                        return None
                    found = found.with_(part)
                case other:
                    pending += children(other)
        return found

    def _of_variable(self, var: VarId) -> _Made | None:
        if var not in self.seen and self.depth < DEEPEST:
            self.seen[var] = None  # what it is made of itself has no order that anybody knows
            self.depth += 1
            parts = [self._of_source(stmt) for stmt in self.sources.get(var, ())]
            self.depth -= 1
            self.seen[var] = _sum(parts) if parts else None
        return self.seen.get(var)

    def _of_source(self, stmt: Stmt) -> _Made | None:
        if isinstance(stmt, Assign):
            return self.of((stmt.value,))
        made = self.of((stmt.address,)) if isinstance(stmt, Load) else None
        if made is None or not isinstance(stmt, Load) or made.loads:
            return made
        return _Made(loads=frozenset({stmt.access.id})) if made.numbers else made


def _is_mixing(node: Expr) -> bool:
    return node.name not in _KEEPING if isinstance(node, Intrinsic) else getattr(node, "op", "") in _MIXING


@dataclass(frozen=True, slots=True)
class _Made:
    loads: frozenset[AccessId] = frozenset()
    numbers: bool = False
    found: bool = False

    def with_(self, other: _Made) -> _Made:
        return _Made(self.loads | other.loads, self.numbers or other.numbers, self.found or other.found)


def _sum(parts: Sequence[_Made | None]) -> _Made | None:
    found = _Made()
    for part in parts:
        if part is None:
            return None
        found = found.with_(part)
    return found


def keys_of(
    loop: Loop,
    placed: Collection[VarId],
    sources: Mapping[VarId, Sequence[Stmt]],
    is_shared: Callable[[VarId], bool],
) -> Keys | None:
    """What the keys of a search are made of; None where no order of them is known.

    `placed`: the variables that comparisons alone decide; `sources`: what is assigned to all variables, anywhere in the kernel."""
    body = list(statements((loop,)))
    if any(isinstance(stmt, UnknownStmt) for stmt in body):
        return None
    trace = _Trace(sources, lambda var: var in placed or is_shared(var))
    made = trace.of(asked for stmt in body for asked in _asked(stmt))
    return None if made is None else Keys(made.loads, made.numbers)


def leads_on(
    address: Expr,
    found: Collection[VarId],
    sources: Mapping[VarId, Sequence[Stmt]],
    is_shared: Callable[[VarId], bool],
) -> bool:
    """Whether lanes differ in an address only by what a search found, and by their numbers."""
    made = _Trace(sources, is_shared, found).of((address,))
    return made is not None and made.found and not made.loads


def _asked(stmt: Stmt) -> Iterator[Expr]:
    """What decides which way a lane goes, or what it takes."""
    if isinstance(stmt, If | Loop | Switch):
        yield from expressions_of(stmt)
    elif isinstance(stmt, Assign):
        for node in subexpressions(stmt.value):
            if isinstance(node, Select):
                yield node.condition
            elif isinstance(node, Binary) and node.op in COMPARISONS:
                yield node
