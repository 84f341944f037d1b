"""Which `float` constants and which names of a kernel say nothing to the analysis, so that others there are no other kernel.

What a test, an address, or what lanes do together is computed from, is read as it is, and so is every number that comes by assignments
to a variable there.  Any other number counts as one that differs from those that are written differently: the analysis asks of it whether it is zero or
one, large, or the same as another.  The names of `float` variables that nothing of that is computed from are only printed, if at all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from analysis_core.ir.nodes import Assign, Const, Expr, Kernel, Local, Shuffle, Stmt, Store, VarId
from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.ir.walk import expressions_of, statements, subexpressions
from analysis_core.text.records import dataclass

_LARGE = 1000.0


@dataclass(frozen=True, slots=True)
class Flow:
    """Of one statement and all in it: `asked`, the variables and numbers that are read; `made`, for each assignment to a variable the variables and
    numbers that it is made from."""

    asked: tuple[frozenset[VarId], frozenset[str]]
    made: tuple[tuple[VarId, frozenset[VarId], frozenset[str]], ...]


def flow_of(stmt: Stmt) -> Flow:
    """What numbers come to in a statement."""
    variables, numbers = set[VarId](), set[str]()
    made: list[tuple[VarId, frozenset[VarId], frozenset[str]]] = []
    for one in statements((stmt,)):
        expressions = expressions_of(one)
        match one:
            case Assign(var=var, value=value) | Shuffle(var=var, value=value):
                made.append((var, *_read_in((value,))))
                expressions = tuple(e for e in expressions if e is not value)
            case Store(address=address):
                expressions = (address,)
            case _:
                pass
        here = _read_in(expressions)
        variables |= here[0]
        numbers |= here[1]
    return Flow((frozenset(variables), frozenset(numbers)), tuple(made))


def _read_in(expressions: Iterable[Expr]) -> tuple[frozenset[VarId], frozenset[str]]:
    nodes = [node for expr in expressions for node in subexpressions(expr)]
    variables = frozenset(node.var for node in nodes if isinstance(node, Local))
    numbers = frozenset(
        spelled(node.value) for node in nodes if isinstance(node, Const) and isinstance(node.value, float)
    )
    return variables, numbers


def spelled(value: float) -> str:
    """A number as a text that tells it from all others."""
    return value.hex()


def read_in(flows: Sequence[Flow]) -> tuple[frozenset[VarId], frozenset[str]]:
    """The variables and the numbers of a kernel that are read."""
    made_from: dict[VarId, list[tuple[frozenset[VarId], frozenset[str]]]] = {}
    pending, numbers = list[VarId](), set[str]()
    for flow in flows:
        pending.extend(flow.asked[0])
        numbers |= flow.asked[1]
        for var, variables, said in flow.made:
            made_from.setdefault(var, []).append((variables, said))
    seen = set[VarId]()
    while pending:
        var = pending.pop()
        if var in seen:
            continue
        seen.add(var)
        for variables, said in made_from.get(var, ()):
            pending.extend(variables)
            numbers |= said
    return frozenset(seen), frozenset(numbers)


def single_names(kernel: Kernel) -> dict[VarId, str]:
    """The names of variables that hold a `float`, as far as they stand for nothing else."""
    uses = Counter([one.name for one in kernel.variables] + [one.name for one in kernel.objects])
    return {
        one.id: one.name
        for one in kernel.variables
        if isinstance(one.type, ScalarType) and one.type.kind is ScalarKind.FLOAT and not one.parameter
        if uses[one.name] == 1 and one.name.isascii() and one.name.isidentifier()
    }


def meanings(numbers: Sequence[str], read: frozenset[str]) -> tuple[str, ...]:
    """What the analysis can see of each of the numbers of a kernel, in the order in which they stand there."""
    ranks: dict[str, int] = {}
    return tuple(
        one if one in read or _is_special(float.fromhex(one)) else f"#{ranks.setdefault(one, len(ranks))}"
        for one in numbers
    )


def _is_special(value: float) -> bool:
    return not math.isfinite(value) or value in (0.0, 1.0, -1.0) or abs(value) >= _LARGE
