"""Cost programs as text, for `explain --stage cost`: one statement per line, the source line in front."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from analysis_core.bounds.program import Affine, Assign, Branch, Choose, CostProgram, Parameter, Stmt, Tick, While
from analysis_core.expressions.expression import Symbol, to_text
from analysis_core.text.span import Span

Place = Callable[[Span], str]
"""How a place in the source is shown: usually by its line."""


def affine_text(a: Affine) -> str:
    """`n - 2*i + 1`: positive terms first, the constant last."""
    terms = sorted(a.terms, key=lambda term: (term[1] < 0, term[0]))
    parts = [f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)}*'}{n}" for n, c in terms]
    if a.constant or not parts:
        parts.append(f"{'-' if a.constant < 0 else '+'} {abs(a.constant)}")
    text = " ".join(parts)
    return text[2:] if text.startswith("+ ") else "-" + text[2:]


def guard_text(guard: Iterable[Affine]) -> str:
    """Conditions with positive terms on the left and negative ones on the right: `n > i`."""
    return " and ".join(map(_comparison, guard)) or "true"


def _comparison(g: Affine) -> str:
    left = Affine(0, tuple(term for term in g.terms if term[1] > 0))
    right = Affine(0, tuple((n, -c) for n, c in g.terms if c < 0))
    if g.constant == -1 and left.terms and right.terms:
        return f"{affine_text(left)} > {affine_text(right)}"
    right = Affine(-g.constant, right.terms)
    return f"{affine_text(left)} >= {affine_text(right)}"


def program_text(program: CostProgram, place: Place) -> str:
    """The whole program; ends with a newline."""
    lines = [_parameter(p) for p in program.parameters]
    lines += [f"given {_comparison(fact)}" for fact in program.facts]
    lines += _block(program.body, 0, place)
    return "".join(f"{line}\n" for line in lines)


def _parameter(p: Parameter) -> str:
    text = f"parameter {p.name}"
    if p.low is not None or p.high is not None:
        text += f" in {'..' if p.low is None else p.low} to {'..' if p.high is None else p.high}"
    if p.stands_for != Symbol(p.name):
        text += f", stands for {to_text(p.stands_for)}"
    return text


def _block(block: tuple[Stmt, ...], depth: int, place: Place) -> Iterator[str]:
    """Lines with their indentation; programs are nested no deeper than the source."""
    indent = "    " * depth
    if not block:
        yield f"{indent}nothing"
    for stmt in block:
        match stmt:
            case Tick():
                yield indent + _tick(stmt) + _at(stmt.span, place)
            case Assign(var, value):
                yield f"{indent}{var} = {affine_text(value)}"
            case Choose(var, low, high):
                ends = f"{'..' if low is None else affine_text(low)} to {'..' if high is None else affine_text(high)}"
                yield f"{indent}{var} = any of {ends}"
            case Branch(arms, span):
                yield f"{indent}one of{_at(span, place)}"
                for arm in arms:
                    yield f"{indent}  if {guard_text(arm.guard)}:"
                    yield from _block(arm.body, depth + 1, place)
            case While(guard, body, span, may_stop):
                stops = ", may stop" if may_stop else ""
                yield f"{indent}while {guard_text(guard)}{stops}:{_at(span, place)}"
                yield from _block(body, depth + 1, place)


def _tick(tick: Tick) -> str:
    costs = ", ".join(f"{m} {low if low == high else f'{low} to {high}'}" for m, low, high in tick.costs)
    return f"pay {costs}" + (f"   # {tick.label}" if tick.label else "")


def _at(span: Span | None, place: Place) -> str:
    return f"   [{place(span)}]" if span is not None else ""
