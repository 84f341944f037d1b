"""Loops of the host that fill an array with numbers in order.

    for (int i = 0; i < n; i++) next[i] = (i + 1) % n;            the counter, and what keeps its steps
    for (int j = 0; j < n; j++) if (used[j]) columns.push_back(j);    one behind the other, some left out
    for (int i = 0; i < n; i++) bonds[i] = {i + 1, type()};       the first member of records
    for (..) places[count++] = first + j;                         places that are counted themselves

Each loop is asked about its own counter alone, so that of nested loops the innermost one decides.  For findings only: what leads to an
array by another name, and how the loop is left, is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.orderings import APPENDED
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.records import dataclass

Loops = syn.For | syn.While | syn.DoWhile

_MEMBERS = "xyzw"


@dataclass(frozen=True, slots=True)
class Filled:
    """What a loop stores to arrays, by their name or, for records, name and member: in rising order, or in none."""

    rising: frozenset[str]
    others: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Loop:
    """`counters`: names that each round makes one more, or less; `counted`: those that it counts with where a condition holds;
    `changed`: all others that it assigns."""

    counters: frozenset[str]
    counted: frozenset[str]
    changed: frozenset[str]

    def slope(self, expr: syn.Expr) -> int | None:
        """How much more the expression is with each step of the counter; None where nobody can say."""
        match uncast(expr):
            case syn.Name(name=name):
                return None if name in self.changed else int(name in self.counters or name in self.counted)
            case syn.IncDec(operand=syn.Name()):
                return 1
            case syn.Literal():
                return 0
            case syn.Member(base=base):
                return 0 if self.slope(base) == 0 else None
            case syn.Unary(op="-", operand=operand):
                slope = self.slope(operand)
                return None if slope is None else -slope
            case syn.Conditional(then=then, otherwise=otherwise):
                slopes = {self.slope(arm) for arm in (then, otherwise)} - {0}
                return slopes.pop() if len(slopes) == 1 else None if slopes else 0
            case syn.Binary(op=op, left=left, right=right):
                return _combined(op, self.slope(left), self.slope(right))
            case _:
                return None


def _combined(op: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "%" if right == 0:
            return left
        case _:
            return 0 if left == right == 0 else None


def has_fill(loop: Loops) -> bool:
    """Whether the loop leaves something in order."""
    return bool(filled(loop).rising)


def filled(loop: Loops) -> Filled:
    """What the loop stores by its counter, or by what it counts."""
    stores = list(_stores(loop.body))
    if not stores:
        return Filled(frozenset(), frozenset())
    own = _loop(loop)
    rising: set[str] = set()
    others: set[str] = set()
    for name, index, value in stores:
        placed = index is None or own.slope(index) == 1
        for member, part in _parts(value):
            if not isinstance(uncast(part), syn.Literal):
                in_order = placed and own.slope(part) in (1, -1)
                (rising if in_order else others).add(name + member)
    return Filled(frozenset(rising - others), frozenset(others))


def _parts(value: syn.Expr) -> Iterator[tuple[str, syn.Expr]]:
    if not isinstance(value, syn.InitList):
        yield "", value
    elif len(value.items) <= len(_MEMBERS) and not any(value.designators):
        yield from ((f".{member}", item) for member, item in zip(_MEMBERS, value.items, strict=False))


def _stores(body: syn.Node) -> Iterator[tuple[str, syn.Expr | None, syn.Expr]]:
    """The array with its member, the index (None: behind the last one) and the value of each store to an element."""
    for node in inside(body):
        match node:
            case syn.Assign(op="=", target=syn.Subscript() as target, value=value):
                if (name := _array(target)) is not None:
                    yield name, target.index, value
            case syn.Assign(op="=", target=syn.Member(base=syn.Subscript() as target, name=member), value=value):
                if (name := _array(target)) is not None:
                    yield f"{name}.{member}", target.index, value
            case syn.Assign(target=syn.Subscript() as target):
                if (name := _array(target)) is not None:
                    yield name, target.index, target  # `+=`: of what it was before
            case syn.Call(callee=syn.Member(base=syn.Name(name=name), name=called), args=args):
                if called in APPENDED and len(args) == 1:
                    yield name, None, args[0]
            case _:
                pass


def _array(target: syn.Subscript) -> str | None:
    base: syn.Expr = target
    while isinstance(base, syn.Subscript):
        base = base.base
    return base.name if isinstance(base, syn.Name) else None


def _loop(loop: Loops) -> _Loop:
    step = loop.step if isinstance(loop, syn.For) else None
    counters = frozenset[str]() if step is None else frozenset(_stepped(step))
    counted = frozenset(_stepped(loop.body))
    changed = {n.target.name for n in inside(loop.body) if isinstance(n, syn.Assign) and isinstance(n.target, syn.Name)}
    changed |= {n.name for n in inside(loop.body) if isinstance(n, syn.VarDecl)}
    return _Loop(counters, counted - counters, frozenset(changed))


def _stepped(root: syn.Node) -> Iterator[str]:
    for node in inside(root):
        match node:
            case syn.IncDec(operand=syn.Name(name=name)):
                yield name
            case syn.Assign(op="+=" | "-=", target=syn.Name(name=name), value=syn.Literal(text="1")):
                yield name
            case _:
                pass
