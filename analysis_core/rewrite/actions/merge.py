"""Merge: several rounds of a loop become one, with one test (Alpinist's iteration merging).

    for (int i = 0; i < 6; i++) v += w[i];      ->      for (int i = 0; i < 6; i += 2) { v += w[i]; v += w[i + 1]; }

Of a number of rounds that is known, what is left over of it is done before the loop.  Otherwise a rest loop follows, and the first one's test leaves
room for all rounds that it merges: `n - i > 3`, which does not overflow for a counter from 0 on, or one that is not negative.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir.constants import fold_at
from analysis_core.ir.effects import variables_in
from analysis_core.ir.nodes import Binary, Const, Expr, Local
from analysis_core.ir.types import BOOL, ScalarKind, ScalarType
from analysis_core.ir.walk import uncast
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.loop_text import (
    MOST_TEXT,
    Head,
    counter_of,
    divided_bound,
    has_contract,
    head_of,
    header,
    indented,
    is_only_read,
    laid_out,
    numbers_of,
    opened,
    rest_bound,
    start_of,
    unfit,
    written_out,
)
from analysis_core.rewrite.core.loops import Driver, OneLoop, in_every, is_of_all, loop_sites, type_of
from analysis_core.rewrite.core.shown import holds_before
from analysis_core.rewrite.core.source import names_in, replaced, step_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span

_FEW, _MOST = 4, 64
_COUNTED = 1 << 12
"""Rounds of a loop that are counted one by one."""

_FEW_USES = 2
"""Uses of a counter in a body up to which `i + 1` in its place costs less than to move it on."""


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    rounds = _FEW if choice.factor is None else choice.factor
    loops = in_every(unit, site.kernel, site.declaration, site.node)
    if not loops:
        return Refused("not every instantiation of the template has this loop")
    if not 2 <= rounds <= _MOST:
        return Refused(f"2 to {_MOST} rounds can be merged")
    for one in loops:
        reason = unfit(unit, one) or (one.driver if isinstance(one.driver, str) else None)
        if reason is not None:
            return Refused(reason)
    node = loops[0].node
    if isinstance(node, syn.DoWhile):
        return Refused("a `do` loop makes its first round untested")
    if 2 * rounds * (node.body.span.end - node.body.span.start) > MOST_TEXT:
        return Refused(f"{rounds} rounds of this body are too much text")
    head = head_of(unit, site.declaration, node)
    if isinstance(head, str):
        return Refused(head)
    counts = {_count(one) for one in loops}
    count = counts.pop()
    if count is not None and not counts:
        if count < rounds:
            return Refused(f"the loop makes {count} round{'s' if count != 1 else ''}, {rounds} were asked for")
        return _known(unit, site.declaration, loops, head, rounds, count)
    return _unknown(unit, site.declaration, loops, head, rounds)


def _count(one: OneLoop) -> int | None:
    """How many rounds a loop makes, whose test compares its counter with a constant."""
    driver, condition, values = one.driver, one.loop.condition, one.first_values(0)
    if isinstance(driver, str) or condition is None or values is None:
        return None
    kind = one.kernel.variables[driver.var].type
    value = Const(values[0], kind)
    for number in range(_COUNTED):
        holds = fold_at(condition, {driver.var: value})
        if holds is None:
            return None
        if not holds.value:
            return number
        moved = fold_at(driver.update.value, {driver.var: value})
        if moved is None:
            return None
        value = moved
    return None


# --- a number of rounds that is known -------------------------------------------------------------------------------


def _known(
    unit: Unit, declaration: syn.FunctionDecl, loops: Sequence[OneLoop], head: Head, rounds: int, count: int
) -> Rewritten | Refused:
    one = loops[0]
    node = one.node
    assert isinstance(node, syn.For | syn.While)
    left = count % rounds
    out = written_out(unit, node, left, numbers_of(unit, loops, left))
    lines = [out.declared] if out.declared and left else []
    lines += out.lines
    if head.bound is not None:
        lines.append(divided_bound(unit, head.bound, rounds))
    if head.pragma:
        lines.append(head.pragma)
    init = out.init if left or not out.declared else out.declared
    lines += _merged(unit, declaration, loops, rounds, init, None)
    text = laid_out(unit, declaration, node, lines, (out.scoped and left > 0) or has_contract(unit, one))
    return Rewritten(
        f"Merge {rounds} rounds of the loop",
        (Edit(Span(unit.file, start_of(unit, head, node), node.span.end), text),),
        (
            f"the loop makes a multiple of {rounds} rounds"
            + (f", after {left} that are done before it" if left else ""),
        ),
        "each thread does the same in the same order, without tests that hold",
    )


def _merged(
    unit: Unit, declaration: syn.FunctionDecl, loops: Sequence[OneLoop], rounds: int, init: str, test: str | None
) -> list[str]:
    """The loop whose round does several, as lines."""
    node = loops[0].node
    assert isinstance(node, syn.For | syn.While) and declaration.body is not None
    deep = step_of(unit, declaration.body)
    if isinstance(node, syn.While):
        body = unit.spelled(node.body.span)
        return [f"while ({unit.spelled(node.condition.span)}) {{", *indented([body] * rounds, deep), "}"]
    steps = _even_steps(loops)
    counter = _counter_name(loops)
    uses = [n for n in names_in(node.body) if n.name == counter]
    step = "" if node.step is None else unit.spelled(node.step.span)
    if steps is not None and counter is not None and len(uses) <= _FEW_USES and is_only_read(unit, node.body, counter):
        bodies = [_shifted(unit, node.body, counter, steps * number) for number in range(rounds)]
        begun = header(
            unit, node, init, test, f"{counter} += {steps * rounds}" if steps > 0 else f"{counter} -= {-steps * rounds}"
        )
    else:
        body = unit.spelled(node.body.span)
        bodies = [*([body, *([f"{step};"] if step else [])] * (rounds - 1)), body]
        begun = header(unit, node, init, test)
    return [opened(begun), *indented(bodies, deep), "}"]


def _counter_name(loops: Sequence[OneLoop]) -> str | None:
    """The name of what drives the loop, if it is a variable of the text that is moved on by the step of a `for`."""
    one = loops[0]
    driver = one.driver
    if isinstance(driver, str) or driver.in_body:
        return None
    name = one.kernel.variables[driver.var].name
    return name if name.isidentifier() else None


def _even_steps(loops: Sequence[OneLoop]) -> int | None:
    """The number that every round adds to the counter, an integer as wide as `int` at least, and is all that the step does; None otherwise."""
    found = set()
    for one in loops:
        driver = one.driver
        if isinstance(driver, str) or driver.in_body or len(one.loop.step) != 1:
            return None
        kind, step = type_of(one, driver.var), one.info.steps.get(driver.var)
        if kind is None or kind.kind is not ScalarKind.INT or kind.size < 4 or step is None:
            return None
        found.add(step.number)
    return found.pop() if len(found) == 1 else None


def _shifted(unit: Unit, body: syn.Node, counter: str, by: int) -> str:
    """A body with `i + 3` in the place of `i`."""
    if by == 0:
        return unit.spelled(body.span)
    indices = {id(n.index) for n in inside(body) if isinstance(n, syn.Subscript)}
    deep = {
        n.span for n in names_in(body) if id(n) not in indices
    }  # an argument of a macro may stand in several places
    text = f"{counter} {'+' if by > 0 else '-'} {abs(by)}"
    spans = {n.span: f"({text})" if n.span in deep else text for n in names_in(body) if n.name == counter}
    return replaced(unit, body, spans)


# --- a number that is not known -------------------------------------------------------------------------------------


def _unknown(
    unit: Unit, declaration: syn.FunctionDecl, loops: Sequence[OneLoop], head: Head, rounds: int
) -> Rewritten | Refused:
    one = loops[0]
    node = one.node
    steps = _even_steps(loops)
    if not isinstance(node, syn.For) or steps is None or steps <= 0:
        return Refused("the number of rounds is not known, and the loop does not count up by a constant")
    compared = _end_text(unit, node, _counter_name(loops))
    if compared is None:
        return Refused(
            "the number of rounds is not known, and the loop does not end where its counter reaches something"
        )
    for one in loops:
        reason = _uneven(one) or _overflows(unit, one, steps, compared[1])
        if reason is not None:
            return Refused(reason)
    end, or_equal = compared
    room = (rounds - 1) * steps
    test = f"{end} - {_counter_name(loops)} {'>=' if or_equal else '>'} {room}"
    init = "" if node.init is None else unit.spelled(node.init.span).rstrip().removesuffix(";")
    lines = [f"{init};"] if init else []
    if head.bound is not None:
        lines.append(divided_bound(unit, head.bound, rounds))
    if head.pragma:
        lines.append(head.pragma)
    lines += _merged(unit, declaration, loops, rounds, "", test)
    if head.bound is not None:
        lines.append(rest_bound(unit, head.bound, rounds - 1))
    lines.append(header(unit, node, "") + unit.spelled(node.body.span))
    scoped = counter_of(node) is not None or isinstance(node.init, syn.DeclStmt) or has_contract(unit, loops[0])
    text = laid_out(unit, declaration, node, lines, scoped)
    return Rewritten(
        f"Merge {rounds} rounds of the loop",
        (Edit(Span(unit.file, start_of(unit, head, node), node.span.end), text),),
        (f"the loop counts up by {steps}, and its end does not change",),
        "each thread does the same in the same order, with fewer tests",
    )


def _end_text(unit: Unit, node: syn.For, counter: str | None) -> tuple[str, bool] | None:
    """What a counter is compared with, as text that may stand in a difference, and whether it may reach it."""
    condition = node.condition
    if not isinstance(condition, syn.Binary) or counter is None:
        return None
    left, right, op = condition.left, condition.right, condition.op
    if op in (">", ">="):
        left, right, op = right, left, op.replace(">", "<")
    if op not in ("<", "<=") or not isinstance(left, syn.Name) or left.name != counter:
        return None
    text = unit.spelled(right.span)
    whole = isinstance(right, syn.Name | syn.Literal | syn.Member | syn.Call) or (
        isinstance(right, syn.Binary) and right.op in ("*", "/", "%", "+", "-")
    )
    return (text if whole else f"({text})"), op == "<="


def _uneven(one: OneLoop) -> str | None:
    """Why a rest loop costs more than it gains: threads of a warp would be in one loop while others are in the other, and miss barriers there."""
    condition = one.loop.condition
    if condition is None or is_of_all(one.kernel, [condition]):
        return None
    return "threads may make different numbers of rounds: some would do the rest while others do merged ones"


def _overflows(unit: Unit, one: OneLoop, steps: int, or_equal: bool) -> str | None:
    """Why the difference of the end and the counter may not be what it is for integers."""
    driver, condition = one.driver, one.loop.condition
    assert isinstance(driver, Driver) and isinstance(condition, Binary)
    counter_left = driver.var in variables_in(condition.left)
    counter, end = (condition.left, condition.right) if counter_left else (condition.right, condition.left)
    kind = counter.type
    if not isinstance(kind, ScalarType) or kind.kind is not ScalarKind.INT or not isinstance(uncast(counter), Local):
        return "the loop's counter is not compared as an integer"
    if steps == 1 and not or_equal and one.first_values(0) == [0]:
        return None
    if not kind.signed:
        return "the counter is unsigned, and does not count from 0 by 1: the difference from its end may wrap around"
    zero = Const(0, kind)
    asked: list[Expr] = [Binary(">=", side, zero, BOOL) for side in (counter, end)]
    if all(holds_before(unit, one, each) for each in asked):
        return None
    return "the counter or its end may be negative, and their difference may overflow"


ACTION = Action("merge", "does several rounds of a loop in one, with one test", frozenset(), loop_sites, _rewrite)
