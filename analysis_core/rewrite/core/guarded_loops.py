"""Loops that some threads of a block do not come to, behind guards: what the guards become where all threads have to make the rounds together.

    if (row < m && col < n) {                float sum = 0;
        float sum = 0;                       const bool inside = row < m && col < n;
        for (..) ..                   ->     for (..) { .. if (inside) .. }
        c[row * n + col] = sum;              if (inside) {
    }                                            c[row * n + col] = sum;
                                             }

Guards stand around the loop, in the kernel's own body, or before it (`if (row >= m) return;`).  Between guards and the loop there are declarations
of plain numbers, whose values do nothing but compute, and divide by nothing that may be zero: all threads make them afterwards; and, behind a guard
around the loop, assignments (`c[i] = 0;`), for which the guards are asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.shape import BoolVector, IntVector
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.events import Events
from analysis_core.ir.nodes import IfKind, Kernel
from analysis_core.ir.types import ArrayType, ScalarType, Type
from analysis_core.rewrite.core.action import Refused
from analysis_core.rewrite.core.guards import leaves
from analysis_core.rewrite.core.source import eol_of, foreign, has_directive, indent_of, spliced, step_of
from analysis_core.rewrite.core.threads import Locals
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_OPENED, _CLOSED = re.compile(r"if\s*\(+"), re.compile(r"\s*\)+\s*\{?")


@dataclass(frozen=True, slots=True)
class GuardedLoop:
    """`left`: guards before the loop that leave the kernel; `around`: those around it, outermost first; `before`: declarations between the first guard and
    the loop; `first`: assignments there; `behind`: statements that the guards are asked for as well, behind the loop; `whole`: all that is written anew."""

    loop: syn.For
    left: tuple[syn.If, ...]
    around: tuple[syn.If, ...]
    before: tuple[syn.DeclStmt, ...]
    first: tuple[syn.ExprStmt, ...]
    behind: tuple[syn.Stmt, ...]
    whole: Span

    @property
    def guards(self) -> tuple[syn.If, ...]:
        return (*self.left, *self.around)

    def joined(self, texts: Sequence[str]) -> str:
        """The condition under which a thread comes to the loop, from the texts of its guards' conditions."""
        parts = [f"!({text})" for text in texts[: len(self.left)]]
        rest = texts[len(self.left) :]
        parts += [text if len(texts) == 1 else f"({text})" for text in rest]
        return " && ".join(parts)


def guarded_loop(unit: Unit, declaration: syn.FunctionDecl, loop: syn.For) -> GuardedLoop | str:
    """The guards of a loop; or why it has more than guards."""
    body = declaration.body.body if declaration.body is not None else ()
    left: list[syn.If] = []
    between: list[syn.Stmt] = []
    for number, statement in enumerate(body):
        if statement.span.encloses(loop.span):
            return _around(unit, loop, tuple(left), between, statement, body[number + 1 :])
        if leaves(statement):
            assert isinstance(statement, syn.If)
            left.append(statement)
        elif (
            gone := next((n for n in inside(statement, lambdas=False) if isinstance(n, syn.Return)), None)
        ) is not None:
            return f"threads may leave the kernel in line {unit.line(gone.span)}"
        elif left:
            between.append(statement)
    return "it does not stand in the kernel itself"


def _around(
    unit: Unit,
    loop: syn.For,
    left: tuple[syn.If, ...],
    between: Sequence[syn.Stmt],
    whole: syn.Stmt,
    rest: tuple[syn.Stmt, ...],
) -> GuardedLoop | str:
    around: list[syn.If] = []
    before = list(between)
    behind: tuple[syn.Stmt, ...] = ()
    node = whole
    while node is not loop:
        match node:
            case syn.If(otherwise=None, init=None, is_constexpr=False):
                if behind:
                    return f"more than it stands behind the guard in line {unit.line(around[-1].span)}"
                around.append(node)
                node = node.then
            case syn.Compound(body=body) if around and node is around[-1].then:
                at = next((n for n, one in enumerate(body) if one.span.encloses(loop.span)), len(body))
                if at == len(body):
                    return "it does not stand in the kernel itself"
                before += body[:at]
                node, behind = body[at], body[at + 1 :]
            case _:
                return "it stands within more than guards"
    if left and around and rest:
        return f"threads leave the kernel in line {unit.line(left[0].span)} before other statements than this one"
    declared = tuple(one for one in before if isinstance(one, syn.DeclStmt))
    first = tuple(
        one for one in before[len(between) :] if isinstance(one, syn.ExprStmt) and isinstance(one.expr, syn.Assign)
    )
    if (
        other := next((one for one in before if not any(one is each for each in (*declared, *first))), None)
    ) is not None:
        return f"there is more than declarations and assignments between a guard and the loop, in line {unit.line(other.span)}"
    if not left and not around:
        return "it has no guard"
    last = whole if around or not rest else rest[-1]
    return GuardedLoop(
        loop,
        left,
        tuple(around),
        declared,
        first,
        behind if around else rest,
        Span(unit.file, whole.span.start, last.span.end),
    )


def unmovable(
    unit: Unit, kernels: Sequence[Kernel], declaration: syn.FunctionDecl, variables: Locals, found: GuardedLoop
) -> str | None:
    """Why what stands before the loop may not be done by all threads, or the guards not asked anew; None if it may."""
    for guard in found.guards:
        if (reason := variables.refusal(guard.condition)) is not None:
            return reason
        if guard.expansion is not None or guard.span.file != unit.file:
            return "a macro makes its guard"
    first = found.left[0].span.start if found.left else found.whole.start
    if has_directive(unit, Span(unit.file, first, found.whole.end)) or b"#" in unit.text[first : found.loop.span.start]:
        return "there are directives of the preprocessor between its guard and what the guard is about"
    if b"//@" in unit.text[first : found.loop.span.start]:
        return "there is an annotation between its guard and the loop"
    types = [{v.span: v.type for v in kernel.variables} for kernel in kernels]
    for made in (*found.before, *found.first):
        if (reason := foreign(unit, made)) is not None:
            return reason
    for statement in found.before:
        for one in statement.declarations:
            if not isinstance(one, syn.VarDecl):
                return f"there is more than variables declared in line {unit.line(statement.span)}"
            if (reason := _not_for_all(unit, declaration, variables, types, found, one)) is not None:
                return f"`{one.name}` in line {unit.line(one.span)} is not for all threads: {reason}"
    return next((reason for end in _ends(found.loop) if (reason := _undefined_at_times(end)) is not None), None)


def _ends(loop: syn.For) -> Iterator[syn.Expr]:
    for one in getattr(loop.init, "declarations", ()):
        if isinstance(one, syn.VarDecl) and one.init is not None:
            yield one.init
    if loop.condition is not None:
        yield loop.condition


def _not_for_all(
    unit: Unit,
    declaration: syn.FunctionDecl,
    variables: Locals,
    types: Sequence[dict[Span, Type]],
    found: GuardedLoop,
    one: syn.VarDecl,
) -> str | None:
    if one.storage - {"const"}:
        return "it is no plain variable"
    for known in types:
        type_ = next((t for span, t in known.items() if one.span.encloses(span)), None)
        while isinstance(type_, ArrayType):
            type_ = type_.element
        if not isinstance(type_, ScalarType):
            return "it is no plain number"
    if len(variables.declared.get(one.name, ())) != 1 or one.name in variables.parameters:
        return "its name stands for something else, too"
    scope = next((g.then.span for g in reversed(found.around) if g.then.span.encloses(one.span)), declaration.span)
    if any(isinstance(n, syn.Name) and n.name == one.name and not scope.encloses(n.span) for n in inside(declaration)):
        return "its name stands for something else, too"
    if one.init is None:
        return None
    return variables.refusal(one.init) or _undefined_at_times(one.init)


def _undefined_at_times(node: syn.Expr) -> str | None:
    """Why an expression may be worth nothing in a thread that a guard keeps away; None if it is worth something."""
    for one in inside(node):
        if isinstance(one, syn.Binary) and one.op in ("/", "%", "<<", ">>"):
            right = one.right
            if not isinstance(right, syn.Literal) or not right.text.isdecimal() or int(right.text) not in range(1, 32):
                return f"`{one.op}` is by a number that may be worth nothing outside of the guard"
    return None


# --- who is inside ------------------------------------------------------------------------------------------------------


def witness(unit: Unit, kernels: Sequence[Kernel], found: GuardedLoop, axis: int) -> int | None:
    """A place along an axis of the block such that the thread there comes to the loop whenever one in its row along this axis does; None where there is
    none that is shown."""
    extents = {launch.block[axis] for kernel in kernels for launch in unit.launches(kernel)}
    if len(extents) != 1:
        return None
    for place in dict.fromkeys((0, extents.pop() - 1)):
        if all(
            _stands_for(unit.events(kernel, launch), guard, axis, place)
            for kernel in kernels
            for launch in unit.launches(kernel)
            for guard in found.guards
        ):
            return place
    return None


def _stands_for(events: Events, guard: syn.If, axis: int, place: int) -> bool:
    """Whether the thread at that place passes a guard if another one along the axis does, by the conditions that the analysis makes of it."""
    shape = events.shape
    stride = (1, shape.dims[0], shape.dims[0] * shape.dims[1])[axis]
    other: IntVector = np.arange(shape.padded) + (place - shape.thread[axis]) * stride
    other = np.where(shape.real, other, 0)
    asked = [e for e in events.branches if e.whole == guard.span and e.kind is IfKind.IF]
    if not asked:
        return False
    for event in asked:
        if len(event.conditions) != 1:
            return False
        condition = event.conditions[0]
        passes = condition.negation if leaves(guard) else condition
        asking = event.mask.may & shape.real
        shown = _implies(passes, other) & event.mask.may[other]
        if bool((asking & ~passes.false & ~shown).any()):
            return False
    return True


def _implies(condition: Condition, other: IntVector) -> BoolVector:
    """For each thread, whether the condition in it implies the one in the other thread."""
    both = condition.undecided & condition.undecided[other]
    return condition.false | condition.true[other] | (both & _formula_implies(condition, other))


def _formula_implies(condition: Condition, other: IntVector) -> BoolVector:
    none = np.zeros_like(condition.true)
    if condition.parts:
        found = ~none
        for part in condition.parts:
            found = found & _implies(part, other)
        return found
    atom = condition.atom
    if atom is None:
        return none
    if atom.poly is None:
        return ~none if atom.level is Level.BLOCK else none
    if any(symbol.level is not Level.BLOCK for symbol in atom.poly.symbols()):
        return none
    moved = pl.map_coefficients(atom.poly, lambda c: c if isinstance(c, int) else c[other])
    apart = pl.subtract(atom.poly, moved)
    if not apart.is_constant:
        return none
    further = np.broadcast_to(np.asarray(apart.constant), none.shape)
    if atom.relation is Relation.NEGATIVE:
        return np.asarray(further >= 0 if condition.positive else further <= 0)
    return np.asarray(further == 0) if atom.relation is Relation.ZERO else none


# --- the text -----------------------------------------------------------------------------------------------------------


def written(unit: Unit, found: GuardedLoop, flags: Sequence[str], loop: str, name: str) -> str | Refused:
    """The text of `whole`: what stood before the loop, the flags, the loop as it is given, and what stood behind it, for threads inside."""
    indent, eol = indent_of(unit, found.whole), eol_of(unit)
    before = _before(unit, found)
    if isinstance(before, Refused):
        return before
    first = [f"if ({name}) {unit.spelled(one.span)}" for one in found.first]
    behind = _behind(unit, found, indent, eol, name)
    if isinstance(behind, Refused):
        return behind
    return f"{eol}{indent}".join([*before, *flags, *first, loop, *behind])


def _before(unit: Unit, found: GuardedLoop) -> list[str] | Refused:
    lines: list[str] = []
    for guard, inner in zip(found.around, (*found.around, found.loop)[1:], strict=True):
        opening = unit.spelled(Span(unit.file, guard.span.start, guard.condition.span.start))
        if not _OPENED.fullmatch(opening.strip()):
            return Refused("there is a comment in its guard")
        between = Span(unit.file, guard.condition.span.end, inner.span.start)
        text = spliced(unit, between, {one.span: "" for one in found.first if between.encloses(one.span)})
        lines += [line.strip() for line in _CLOSED.sub("", text, count=1).splitlines() if line.strip()]
    return lines


def _behind(unit: Unit, found: GuardedLoop, indent: str, eol: str, name: str) -> list[str] | Refused:
    if not found.around:
        if not found.behind:
            return []
        text = unit.spelled(Span(unit.file, found.loop.span.end, found.whole.end))
        if b"\\" in text.encode("utf-8", "surrogateescape"):
            return Refused("there are backslashes behind it")
        step = indent or "    "
        lines = text.strip().splitlines()
        inner = [
            f"{step}{lines[0]}",
            *(f"{step}{_without(line, indent)}" if line.strip() else "" for line in lines[1:]),
        ]
        return [f"if ({name}) {{", *inner, "}"]
    ends = [guard.then.span.end for guard in reversed(found.around)]
    for end, outer in pairwise(ends):
        if unit.spelled(Span(unit.file, end, outer)).strip() not in ("", "}"):
            return Refused("a comment stands behind its guard")
    last = found.around[-1].then
    if not isinstance(last, syn.Compound):
        return []
    text = unit.spelled(Span(unit.file, found.loop.span.end, last.span.end - 1))
    if not text.strip():
        return []
    deeper = _without(indent_of(unit, found.loop.span), indent)
    step = step_of(unit, last) if last.body else "    "
    lines = [_without(line, indent) for line in text.strip().splitlines()]
    if "\\" in text:
        return Refused("there are backslashes behind it")
    return [f"if ({name}) {{", *(step + _without(line, deeper) if line.strip() else "" for line in lines), "}"]


def _without(text: str, start: str) -> str:
    return text[len(start) :] if text.startswith(start) else text.lstrip(" \t") if start else text
