"""Unroll: the first rounds of a loop are done before it, without tests (Alpinist's meaning of the word: rounds are peeled).

    //@ assume n >= 2
    for (int i = 0; i < n; i++) v = v * w[i] + i;      ->      v = v * w[0] + 0;
                                                               v = v * w[1] + 1;
                                                               for (int i = 2; i < n; i++) v = v * w[i] + i;

It may be done if the loop surely makes so many rounds: that the test holds before each of them is proved in front of the loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.loop_text import (
    MOST_TEXT,
    has_contract,
    head_of,
    header,
    laid_out,
    numbers_of,
    shifted_bound,
    start_of,
    unfit,
    written_out,
)
from analysis_core.rewrite.core.loops import OneLoop, in_every, loop_sites
from analysis_core.rewrite.core.shown import rounds_shown
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import Span

_FEW, _MOST = 2, 64


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    rounds = _FEW if choice.factor is None else choice.factor
    loops = in_every(unit, site.kernel, site.declaration, site.node)
    if not loops:
        return Refused("not every instantiation of the template has this loop")
    if not 1 <= rounds <= _MOST:
        return Refused(f"1 to {_MOST} rounds can be unrolled")
    for one in loops:
        refused = _refusal(unit, one, rounds)
        if refused is not None:
            return refused
    return _unrolled(unit, site.declaration, loops, rounds)


def _refusal(unit: Unit, one: OneLoop, rounds: int) -> Refused | None:
    reason = unfit(unit, one)
    if reason is not None:
        return Refused(reason)
    driver = one.driver
    if isinstance(driver, str):
        return Refused(driver)
    if rounds * (one.node.body.span.end - one.node.body.span.start) > MOST_TEXT:
        return Refused(f"{rounds} rounds of this body are more than {MOST_TEXT} bytes of text")
    least, most = rounds_shown(unit, one, driver, rounds)
    return None if least >= rounds else too_few(unit, one, rounds, least, most)


def too_few(unit: Unit, one: OneLoop, rounds: int, least: int, most: int | None) -> Refused:
    """Why the loop does not surely make so many rounds."""
    end = ended_by(unit, one)
    values = one.first_values(rounds)
    if most is not None:
        made = (
            f"makes {least} round{'s' if least != 1 else ''}" if least == most else f"may make {least} or {most} rounds"
        )
        if most > least + 1:
            made = f"may make {least} to {most} rounds"
        known = (
            f"{end[0]} <= {values[most] + end[1]}: " if end is not None and values is not None and least != most else ""
        )
        return Refused(f"{known}the loop {made}, {rounds} were asked for")
    if end is None or values is None:
        return Refused(f"the loop is not known to make {rounds} rounds")
    needed = f"{end[0]} >= {values[rounds - 1] + 1 + end[1]}"
    return Refused(f"{needed} is not known", f"//@ assume {needed}")


def ended_by(unit: Unit, one: OneLoop) -> tuple[str, int] | None:
    """Of a loop that goes on while its counter is below (plus 0) or at most (minus 1) something that annotations can name: its text."""
    condition = one.node.condition
    driver = one.driver
    if isinstance(driver, str) or not isinstance(condition, syn.Binary) or condition.op not in ("<", "<="):
        return None
    left, right = condition.left, condition.right
    names = {v.name for v in one.kernel.variables if v.parameter}
    if not isinstance(left, syn.Name) or left.name != one.kernel.variables[driver.var].name:
        return None
    if not isinstance(right, syn.Name) or right.name not in names:
        return None
    return right.name, 0 if condition.op == "<" else -1


def _unrolled(unit: Unit, declaration: syn.FunctionDecl, loops: Sequence[OneLoop], rounds: int) -> Rewritten | Refused:
    one = loops[0]
    node = one.node
    if isinstance(node, syn.DoWhile):
        return Refused("a `do` loop makes its first round untested")
    head = head_of(unit, declaration, node)
    if isinstance(head, str):
        return Refused(head)
    stated = has_contract(unit, one)
    out = written_out(unit, node, rounds, numbers_of(unit, loops, rounds))
    lines = [out.declared] if out.declared else []
    lines += out.lines
    if head.bound is not None:
        bound = shifted_bound(unit, head.bound, rounds)
        if bound is None:
            return Refused(
                f"the loop's bound says that it makes less than {rounds} rounds (line {unit.line(head.bound.span)})"
            )
        lines.append(bound)
    if head.pragma:
        lines.append(head.pragma)
    keyword = (
        header(unit, node, out.init)
        if isinstance(node, syn.For)
        else unit.spelled(Span(unit.file, node.span.start, node.body.span.start))
    )
    lines.append(keyword + unit.spelled(node.body.span))
    text = laid_out(unit, declaration, node, lines, out.scoped or stated)
    edit = Edit(Span(unit.file, start_of(unit, head, node), node.span.end), text)
    given = tuple(a.text for a in one.kernel.annotations.assumptions)
    rests = f"the loop makes at least {rounds} rounds" + (f", as {' && '.join(given)}" if given else "")
    proof = "each thread does the same in the same order, without tests that hold"
    return Rewritten(f"Unroll the loop by {rounds}", (edit,), (rests,), proof)


ACTION = Action(
    "unroll",
    "does the first rounds of a loop before it, without tests",
    frozenset(),
    loop_sites,
    _rewrite,
)
