"""How many rounds a loop has at most because of the numbers that the host left in an array.

    for (int i = 0; i < n; i++) lengths[i] = rand() % 61;             60 at most
    int length = lengths[id]; while (length > 12) { ..; length -= 12; }    4 rounds
    for (int j = 0; j < lengths[id]; j++) ..                               60

For the sizes of shares, like all that is seen of the host (`host_contents`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis_core.ir.effects import assigned_by, assigned_in
from analysis_core.ir.nodes import Assign, Binary, Block, Const, Expr, Kernel, Load, Local, Loop, PtrAdd, VarId
from analysis_core.ir.walk import blocks_of, statements, statements_of, uncast
from analysis_core.text.span import Span

_DEEPEST = 8
"""Variables that are copies of variables."""


def held_rounds(kernel: Kernel, held: Mapping[str, int]) -> Mapping[Span, int]:
    """By the whole statement.  `held`: by the name of a parameter, the most that an element of its array is."""
    pointers = {p: held[name] for p in kernel.parameters if (name := kernel.variables[p].name) in held}
    if not pointers:
        return {}
    given = _assignments(kernel)
    loaded = _loaded(kernel, pointers, given)
    found: dict[Span, set[int | None]] = {}
    for loop, begun in _loops(kernel.body, {}):
        found.setdefault(loop.whole, set()).add(_rounds(loop, begun, loaded, given))
    single = {loop: next(iter(each)) for loop, each in found.items() if len(each) == 1}
    return {loop: rounds for loop, rounds in single.items() if rounds is not None}


Given = Mapping[VarId, tuple[Expr | Load, ...]]
"""All that a variable is ever given."""


def _assignments(kernel: Kernel) -> Given:
    found: dict[VarId, list[Expr | Load]] = {}
    for stmt in statements_of(kernel):
        if isinstance(stmt, Assign):
            found.setdefault(stmt.var, []).append(stmt.value)
        elif isinstance(stmt, Load):
            for var in stmt.vars:
                found.setdefault(var, []).append(stmt)
    return {var: tuple(values) for var, values in found.items()}


def _loaded(kernel: Kernel, pointers: Mapping[VarId, int], given: Given) -> Mapping[VarId, int]:
    """The variables that elements of these arrays are loaded into, and nothing else, with the most that they are."""
    changed = assigned_in(kernel.body)
    found: dict[VarId, int] = {}
    for var, values in given.items():
        if len(values) == 1 and isinstance(values[0], Load) and len(values[0].vars) == 1:
            base = _base(values[0].address)
            if base is not None and base in pointers and base not in changed:
                found[var] = pointers[base]
    return found


def _base(address: Expr) -> VarId | None:
    address = uncast(address)
    while isinstance(address, PtrAdd):
        address = uncast(address.pointer)
    return address.var if isinstance(address, Local) else None


def _loops(block: Block, around: Mapping[VarId, Expr]) -> Iterator[tuple[Loop, Mapping[VarId, Expr]]]:
    """All loops, each with what was assigned last before it, as far as nothing assigns it in a statement between."""
    begun = dict(around)
    for stmt in block:
        if isinstance(stmt, Assign):
            begun[stmt.var] = stmt.value
            continue
        inner = tuple(blocks_of(stmt))
        changed = frozenset(assigned_by(stmt)).union(*map(assigned_in, inner))
        kept = {var: value for var, value in begun.items() if var not in changed}
        if isinstance(stmt, Loop):
            yield stmt, begun
        for part in inner:
            yield from _loops(part, kept)
        begun = kept


def _rounds(loop: Loop, begun: Mapping[VarId, Expr], loaded: Mapping[VarId, int], given: Given) -> int | None:
    """Of `for (i = a; i < x; i += c)` and `for (i = x; i > a; i -= c)`, with x from memory."""
    condition = None if loop.condition is None else uncast(loop.condition)
    if not isinstance(condition, Binary) or condition.op not in ("<", "<=", ">", ">=") or loop.kind.value == "do":
        return None
    counter = uncast(condition.left)
    if not isinstance(counter, Local):
        return None
    step = _step(loop, counter.var)
    start = begun.get(counter.var)
    if step is None or start is None:
        return None
    up = condition.op in ("<", "<=")
    first, last = (uncast(start), uncast(condition.right)) if up else (uncast(condition.right), uncast(start))
    most = _most(last, loaded, given)
    if most is None or not isinstance(first, Const) or not isinstance(first.value, int) or (step > 0) is not up:
        return None
    return max(0, -(-(most + (condition.op in ("<=", ">=")) - first.value) // abs(step)))


def _most(value: Expr, loaded: Mapping[VarId, int], given: Given) -> int | None:
    """The most that a value is that was loaded, or copied from what was."""
    for _ in range(_DEEPEST):
        if not isinstance(value, Local):
            return None
        if value.var in loaded:
            return loaded[value.var]
        values = given.get(value.var, ())
        if len(values) != 1 or isinstance(values[0], Load):
            return None
        value = uncast(values[0])
    return None


def _step(loop: Loop, counter: VarId) -> int | None:
    """What each round adds to the counter, by one assignment that all rounds come to."""
    each = [s for s in (*loop.body, *loop.step) if isinstance(s, Assign) and s.var == counter]
    parts = (loop.test, loop.body, loop.step)
    everywhere = [s for part in parts for s in statements(part) if counter in assigned_by(s)]
    if len(each) != 1 or len(everywhere) != 1:
        return None
    value = uncast(each[0].value)
    if not isinstance(value, Binary) or value.op not in ("+", "-"):
        return None
    left, right = uncast(value.left), uncast(value.right)
    if not isinstance(left, Local) or left.var != counter or not isinstance(right, Const):
        return None
    return None if not isinstance(right.value, int) else right.value if value.op == "+" else -right.value
