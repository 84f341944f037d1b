"""Cost programs for tests, written briefly, and a tiny machine that runs them in all ways there are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from analysis_core.bounds.program import (
    Affine,
    Arm,
    Assign,
    Branch,
    Choose,
    CostProgram,
    Parameter,
    Stmt,
    Tick,
    While,
    affine,
    plus,
    times,
)
from analysis_core.expressions.expression import symbol

WINDOW = (-3, 9)
"""Choices without an end stay in here when programs are run."""


def a(constant: int = 0, **terms: int) -> Affine:
    return affine(constant, terms)


def v(name: str) -> Affine:
    return affine(0, {name: 1})


def less(x: Affine, y: Affine) -> Affine:
    """x < y."""
    return plus(plus(y, times(-1, x)), Affine(-1))


def at_most(x: Affine, y: Affine) -> Affine:
    return plus(y, times(-1, x))


def tick(high: int = 1, low: int | None = None) -> Tick:
    return Tick((("c", high if low is None else low, high),), None)


def step(name: str, by: int = 1) -> Assign:
    return Assign(name, a(by, **{name: 1}))


def loop(guard: Affine | tuple[Affine, ...], *body: Stmt, may_stop: bool = False) -> While:
    return While(guard if isinstance(guard, tuple) else (guard,), body, None, may_stop)


def either(*arms: tuple[Stmt, ...] | Arm) -> Branch:
    """Arms; a plain tuple of statements is an arm that may always run."""
    return Branch(tuple(arm if isinstance(arm, Arm) else Arm((), arm) for arm in arms), None)


def when(guard: Affine, *body: Stmt) -> Arm:
    return Arm((guard,), body)


def halve(name: str) -> tuple[Stmt, ...]:
    """name = name / 2, rounded down: the language has no division, so it is chosen and checked."""
    before, after = v("before"), v(name)
    double = times(2, after)
    checked = Arm((at_most(double, before), at_most(before, plus(double, Affine(1)))), ())
    return Assign("before", v(name)), Choose(name, None, None), Branch((checked,), None)


def parameter(name: str, low: int | None = 0, high: int | None = None) -> Parameter:
    return Parameter(name, low, high, symbol(name))


def program(parameters: str | tuple[Parameter, ...], *body: Stmt, facts: tuple[Affine, ...] = ()) -> CostProgram:
    """`parameters`: names of sizes >= 0, or the parameters."""
    if isinstance(parameters, str):
        parameters = tuple(parameter(name) for name in parameters.split())
    return CostProgram(parameters, body, facts)


# --- running ------------------------------------------------------------------------------------------------------

State = tuple[tuple[Stmt, ...], tuple[tuple[str, int], ...]]
"""What is still to be run, and the variables."""


def value(e: Affine, env: Mapping[str, int]) -> int:
    return e.constant + sum(c * env.get(n, 0) for n, c in e.terms)


def holds(guard: tuple[Affine, ...], env: Mapping[str, int]) -> bool:
    return all(value(g, env) >= 0 for g in guard)


def following(state: State, parameters: Mapping[str, int]) -> list[tuple[int, int, State]]:
    """(least, greatest cost, state) of all that can happen next."""
    (stmt, *tail), variables = state
    rest = tuple(tail)
    env = {**parameters, **dict(variables)}

    def after(name: str, number: int) -> tuple[tuple[str, int], ...]:
        return tuple(sorted({**dict(variables), name: number}.items()))

    match stmt:
        case Tick(costs):
            low, high = sum(c[1] for c in costs if c[0] == "c"), sum(c[2] for c in costs if c[0] == "c")
            return [(low, high, (rest, variables))]
        case Assign(name, new):
            return [(0, 0, (rest, after(name, value(new, env))))]
        case Choose(name, low_end, high_end):
            low = WINDOW[0] if low_end is None else value(low_end, env)
            high = WINDOW[1] if high_end is None else value(high_end, env)
            if low_end is None and high_end is not None:
                low = min(low, high)
            if high_end is None and low_end is not None:
                high = max(high, low)
            return [(0, 0, (rest, after(name, x))) for x in range(low, high + 1)]
        case Branch(arms):
            return [(0, 0, (arm.body + rest, variables)) for arm in arms if holds(arm.guard, env)]
        case While(guard, body, _, may_stop):
            goes = holds(guard, env)
            found = [(0, 0, (body + (stmt, *rest), variables))] if goes else []
            if not goes or may_stop:
                found.append((0, 0, (rest, variables)))
            return found


def extremes(p: CostProgram, parameters: Mapping[str, int], most: int = 30_000) -> tuple[int, int] | None:
    """The least and the greatest cost of all runs to the end; None if there are too many states, a cycle, or no such run."""
    start: State = (p.body, ())
    known: dict[State, tuple[int, int] | None] = {}
    open_: set[State] = set()
    stack = [start]
    while stack:
        state = stack[-1]
        if state in known:
            stack.pop()
            continue
        if not state[0]:
            known[state] = (0, 0)
            stack.pop()
            continue
        successors = following(state, parameters)
        missing = [s for _, _, s in successors if s not in known]
        if missing:
            if state in open_ or len(known) + len(open_) > most:
                return None
            open_.add(state)
            stack.extend(missing)
            continue
        open_.discard(state)
        ends = [(low + end[0], high + end[1]) for low, high, s in successors if (end := known[s]) is not None]
        known[state] = (min(e[0] for e in ends), max(e[1] for e in ends)) if ends else None
        stack.pop()
    return known[start]


def random_runs(
    p: CostProgram, parameters: Mapping[str, int], rng: random.Random, runs: int, steps: int = 3000
) -> Iterator[tuple[int, int, bool]]:
    """(least, greatest cost, whether it came to the end) of some runs; what gets stuck is left out."""
    for _ in range(runs):
        state: State = (p.body, ())
        low = high = 0
        for _ in range(steps):
            if not state[0]:
                break
            successors = following(state, parameters)
            if not successors:
                break
            x, y, state = rng.choice(successors)
            low, high = low + x, high + y
        if not state[0] or following(state, parameters):
            yield low, high, not state[0]
