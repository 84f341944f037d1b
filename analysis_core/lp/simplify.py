"""Cost programs without what no bound depends on: exact, and smaller.

- A variable that no guard depends on, directly or through assignments, is dropped.
- Guards and arms of constants are decided.
- Arms with the same guard that only pay become one payment between the least and the greatest.
- Neighbouring payments stay apart: each keeps its place in the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis_core.bounds.program import Affine, Arm, Assign, Branch, Choose, CostProgram, Stmt, Tick, While


def simplified(program: CostProgram) -> CostProgram:
    needed = _needed(program.body)
    return CostProgram(program.parameters, _block(program.body, needed), program.facts)


def statements(block: Iterable[Stmt]) -> Iterator[Stmt]:
    """All statements below, a construct before its parts."""
    todo = list(block)
    while todo:
        stmt = todo.pop()
        yield stmt
        match stmt:
            case While():
                todo.extend(stmt.body)
            case Branch():
                for arm in stmt.arms:
                    todo.extend(arm.body)
            case Tick() | Assign() | Choose():
                pass


def _needed(body: tuple[Stmt, ...]) -> set[str]:
    """Names that guards depend on."""
    needed: set[str] = set()
    uses: dict[str, set[str]] = {}
    for stmt in statements(body):
        match stmt:
            case While(guard):
                needed |= _names(guard)
            case Branch(arms):
                for arm in arms:
                    needed |= _names(arm.guard)
            case Assign(var, value):
                uses.setdefault(var, set()).update(_names((value,)))
            case Choose(var, low, high):
                uses.setdefault(var, set()).update(_names(e for e in (low, high) if e))
                if low is not None and high is not None:
                    # An empty range ends the run: its ends count like a guard, unless they are ordered constants.
                    difference = _difference(low, high)
                    if difference is None or difference < 0:
                        needed |= _names((low, high))
            case Tick():
                pass
    todo = list(needed)
    while todo:
        for name in uses.get(todo.pop(), set()) - needed:
            needed.add(name)
            todo.append(name)
    return needed


def _difference(low: Affine, high: Affine) -> int | None:
    return high.constant - low.constant if low.terms == high.terms else None


def _names(items: Iterable[Affine]) -> set[str]:
    return {name for item in items for name, _ in item.terms}


def _block(body: tuple[Stmt, ...], needed: set[str]) -> tuple[Stmt, ...]:
    result: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Tick():
                if any(low or high for _, low, high in stmt.costs):
                    result.append(stmt)
            case Assign(var):
                if var in needed:
                    result.append(stmt)
            case Choose(var, low, high):
                if var in needed or (low is not None and high is not None and (_difference(low, high) or 0) < 0):
                    result.append(stmt)
            case While():
                result.append(While(stmt.guard, _block(stmt.body, needed), stmt.span, stmt.may_stop))
            case Branch():
                result.extend(_branch(stmt, needed))
    return tuple(result)


def _branch(stmt: Branch, needed: set[str]) -> Iterator[Stmt]:
    arms: list[Arm] = []
    for arm in stmt.arms:
        guard = tuple(g for g in arm.guard if g.terms or g.constant < 0)
        if all(g.terms for g in guard):
            arms.append(Arm(guard, _block(arm.body, needed)))
    arms = list(_merged(arms, stmt))
    if len(arms) == 1 and not arms[0].guard:
        yield from arms[0].body
    else:
        yield Branch(tuple(arms), stmt.span)


def _merged(arms: list[Arm], stmt: Branch) -> Iterator[Arm]:
    """Arms that only pay, joined per guard; the others as they are."""
    paying: dict[tuple[Affine, ...], list[Arm]] = {}
    for arm in arms:
        if all(isinstance(s, Tick) for s in arm.body):
            paying.setdefault(arm.guard, []).append(arm)
        else:
            yield arm
    for guard, group in paying.items():
        if len(group) == 1:
            yield group[0]
            continue
        totals = [_total(arm.body) for arm in group]
        metrics = sorted({metric for total in totals for metric in total})
        costs = tuple(
            (m, min(t.get(m, (0, 0))[0] for t in totals), max(t.get(m, (0, 0))[1] for t in totals)) for m in metrics
        )
        yield Arm(guard, (Tick(costs, stmt.span, "one of the arms"),) if costs else ())


def _total(body: tuple[Stmt, ...]) -> dict[str, tuple[int, int]]:
    total: dict[str, tuple[int, int]] = {}
    for stmt in body:
        if isinstance(stmt, Tick):
            for metric, low, high in stmt.costs:
                a, b = total.get(metric, (0, 0))
                total[metric] = (a + low, b + high)
    return total
