"""The cost program: what one warp may pay, as a small integer program (docs/decisions/07-cost-programs-and-certificates.md).

    Program = parameters, body
    Stmt    = Tick | Assign | Choose | Branch | While

All variables are integers that one warp shares.  Guards are conjunctions of `affine >= 0` over variables and parameters; a
product of parameters, or a trip count that no polynomial gives, is a parameter of its own with the expression it stands for.
A warp's real cost lies between the least and the greatest cost of some run of the program:

    Tick     pays between `lower` and `upper` of each metric (0 below where execution is not certain)
    Choose   gives a variable any value between two ends
    Branch   runs one arm whose guard holds (if several hold, any of them)
    While    makes a round as long as its guard holds; if `may_stop`, it may also end before

What the warp does beside that (floats, memory, lanes) has become ticks and choices.  `lp/` infers bounds from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from analysis_core.expressions.expression import Expression
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Affine:
    """constant + sum of coefficient * name; `terms` are ordered by name, without zeros (`affine` makes them)."""

    constant: int
    terms: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Tick:
    """(metric, lower, upper) for each metric that is paid here.  `label`: the text of what costs, for people."""

    costs: tuple[tuple[str, int, int], ...]
    span: Span | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Assign:
    var: str
    value: Affine


@dataclass(frozen=True, slots=True)
class Choose:
    """`var` becomes any integer from `low` to `high`, both in terms of the values before; None: without end.  If the range
    is empty, the program does not go on here (nothing that is real does this)."""

    var: str
    low: Affine | None
    high: Affine | None


@dataclass(frozen=True, slots=True)
class Arm:
    guard: tuple[Affine, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    arms: tuple[Arm, ...]
    span: Span | None


@dataclass(frozen=True, slots=True)
class While:
    guard: tuple[Affine, ...]
    body: tuple[Stmt, ...]
    span: Span | None
    may_stop: bool = False


Stmt = Tick | Assign | Choose | Branch | While


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name that never changes.  `low`, `high`: its range (None: without end).  `stands_for`: the expression that is put in
    its place in what is shown; a symbol for a parameter of the kernel."""

    name: str
    low: int | None
    high: int | None
    stands_for: Expression


@dataclass(frozen=True, slots=True)
class CostProgram:
    """`facts`: what is known of the parameters (affine >= 0), from assumptions."""

    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    facts: tuple[Affine, ...] = ()


def affine(constant: int, terms: Mapping[str, int] | Iterable[tuple[str, int]] = ()) -> Affine:
    """The normal form."""
    total: dict[str, int] = {}
    for name, coefficient in terms.items() if isinstance(terms, Mapping) else terms:
        total[name] = total.get(name, 0) + coefficient
    return Affine(constant, tuple(sorted((n, c) for n, c in total.items() if c)))


def plus(a: Affine, b: Affine) -> Affine:
    if not a.terms or not b.terms:
        return Affine(a.constant + b.constant, a.terms or b.terms)
    return affine(a.constant + b.constant, (*a.terms, *b.terms))


def times(factor: int, a: Affine) -> Affine:
    if factor == 0:
        return Affine(0)
    return Affine(factor * a.constant, tuple((n, factor * c) for n, c in a.terms))


def put(a: Affine, values: Mapping[str, Affine]) -> Affine:
    """The affine expression with names replaced by other affine expressions."""
    if not any(name in values for name, _ in a.terms):
        return a
    constant = a.constant
    total: dict[str, int] = {}
    for name, coefficient in a.terms:
        value = values.get(name)
        if value is None:
            total[name] = total.get(name, 0) + coefficient
            continue
        constant += coefficient * value.constant
        for inner, factor in value.terms:
            total[inner] = total.get(inner, 0) + coefficient * factor
    return affine(constant, total)


def numbered(program: CostProgram) -> CostProgram:
    """The program with its parameters named by their places: warps that differ in what these stand for have alike programs."""
    new = {p.name: f"p{i}" for i, p in enumerate(program.parameters)}
    parameters = tuple(replace(p, name=new[p.name]) for p in program.parameters)
    return CostProgram(parameters, renamed(program.body, new), _put_all(program.facts, _values(new)))


def renamed(body: Iterable[Stmt], new: Mapping[str, str]) -> tuple[Stmt, ...]:
    """The block with new names for variables and parameters."""
    values = _values(new)
    result: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Tick():
                result.append(stmt)
            case Assign(var, value):
                result.append(Assign(new.get(var, var), put(value, values)))
            case Choose(var, low, high):
                ends = (None if end is None else put(end, values) for end in (low, high))
                result.append(Choose(new.get(var, var), *ends))
            case Branch(arms, span):
                inner = (Arm(_put_all(arm.guard, values), renamed(arm.body, new)) for arm in arms)
                result.append(Branch(tuple(inner), span))
            case While(guard, inside, span, may_stop):
                result.append(While(_put_all(guard, values), renamed(inside, new), span, may_stop))
    return tuple(result)


def _values(new: Mapping[str, str]) -> Mapping[str, Affine]:
    return {old: Affine(0, ((name, 1),)) for old, name in new.items()}


def _put_all(items: tuple[Affine, ...], values: Mapping[str, Affine]) -> tuple[Affine, ...]:
    return tuple(put(item, values) for item in items)
