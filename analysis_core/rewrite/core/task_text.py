"""The text of a kernel whose threads do several tasks: its number's declaration becomes the head of a loop, its guard the loop's test.

    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) a[i] = 0;                        ->      for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 1024) a[i] = 0;

A `return` of the task is a `continue`.  Declarations of the number and the guard are the task's own, and are made in the loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.loop_text import indented
from analysis_core.rewrite.core.source import indent_of, line_of, spliced, step_of
from analysis_core.rewrite.core.tasks import Tasks, returns_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.annotation_tree import OLD, ClaimAnnotation
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span


def looped(unit: Unit, tasks: Tasks, head: str, before: Sequence[str] = ()) -> tuple[Edit, ...] | str:
    """The edits that put the tasks into a loop of that head ("for (..)"); or why that cannot be done.  `before`: lines that stand before it."""
    returns = returns_of(tasks)
    if isinstance(returns, str):
        return returns
    assert tasks.declaration.body is not None
    deep = step_of(unit, tasks.declaration.body)
    guard = tasks.guard
    ends = {one.span: "continue;" for one in returns}
    own = [unit.spelled(one.span) for one in tasks.own]
    ensured = _ensured(unit, tasks)
    if isinstance(ensured, str):
        return ensured
    claims = [f"//@ assert {text}" for _, text in ensured]
    if claims and returns:
        return "a task may `return` before its end, of which something is ensured"
    anchor: syn.Node = tasks.statement if guard is None else guard.statement
    base = indent_of(unit, anchor.span)
    end = "\r\n" if b"\r\n" in unit.text else "\n"
    taken = list(_without(unit, [s.span for s in (*tasks.own, *(() if guard is None else (tasks.statement,)))]))
    taken += _without(unit, [span for span, _ in ensured])
    if guard is not None and not guard.leaves:
        then = guard.statement.then
        task = spliced(unit, then.span, ends)
        if own or claims:
            inner = indented([*own, task, *claims], deep)
            lines = [*before, f"{head} {{", *inner, "}"]
        else:
            gap = (
                unit.spelled(Span(unit.file, guard.statement.condition.span.end, then.span.start))
                .lstrip()
                .removeprefix(")")
            )
            lines = [*before, head + gap + task]
        return (*taken, Edit(guard.statement.span, (end + base).join(lines)))
    rest = _rest(unit, tasks, anchor)
    text = spliced(unit, rest, ends)
    own = [unit.spelled(one.span) for one in tasks.own if not rest.encloses(one.span)]
    inner = [*indented(own, deep), *([_deeper(text, deep)] if text.strip() else []), *indented(claims, deep)]
    lines = [*before, f"{head} {{", *inner, "}"]
    return (
        *(e for e in taken if e.span.end <= rest.start or e.span.start >= rest.end),
        Edit(Span(unit.file, anchor.span.start, rest.end), (end + base).join(lines)),
    )


def _rest(unit: Unit, tasks: Tasks, anchor: syn.Node) -> Span:
    """From the end of the line of the statement that becomes the head to the end of the last statement, with the comments between."""
    last = tasks.body[-1].span.end if tasks.body else anchor.span.end
    at = anchor.span.end
    while at < last and unit.text[at : at + 1] in (b" ", b"\t", b"\r", b"\n"):
        at += 1
    return Span(unit.file, at, last)


def _deeper(text: str, deep: str) -> str:
    return deep + text.replace("\n", "\n" + deep)


def _without(unit: Unit, spans: Sequence[Span]) -> Iterator[Edit]:
    """Pieces of text are taken out, with their lines where nothing else stands there."""
    for span in spans:
        lines = line_of(unit, span)
        alone = unit.text[lines.start : lines.end].strip() == unit.text[span.start : span.end].strip()
        end = span.end
        while unit.text[end : end + 1] in (b" ", b"\t"):
            end += 1
        whole = Span(unit.file, lines.start, min(lines.end + 1, len(unit.text)))
        yield Edit(whole if alone else Span(unit.file, span.start, end), "")


def _ensured(unit: Unit, tasks: Tasks) -> list[tuple[Span, str]] | str:
    """What is ensured of a thread by its number, with the comments that say so: it is asserted of each task instead.  Or why it cannot be."""
    declaration = tasks.declaration
    before = max(
        (
            d.span.end
            for d in unit.tree.declarations
            if d.span.end <= declaration.span.start and d.span.file == unit.file
        ),
        default=0,
    )
    found: list[tuple[Span, str]] = []
    for comment in unit.tree.annotations:
        said = comment.said
        here = comment.span.file == unit.file and before <= comment.span.start <= declaration.span.end
        if not here or not isinstance(said, ClaimAnnotation) or said.word != "ensures":
            continue
        names = {n.name for n in inside(said.condition) if isinstance(n, syn.Name)}
        own = {d.name for one in tasks.own for d in one.declarations if isinstance(d, syn.VarDecl)}
        if not names & {tasks.name, *own}:
            continue
        if OLD in names:
            return (
                f"what is ensured of a task speaks of what was there before the kernel (line {unit.line(comment.span)})"
            )
        found.append((comment.span, said.text.removeprefix("ensures").strip()))
    return found


def declared(unit: Unit, tasks: Tasks, value: str | None = None) -> str:
    """The declaration of a task's number, without a semicolon, of a variable that may change; `value`: with another one."""
    assert tasks.number.init is not None
    text = unit.spelled(Span(unit.file, tasks.statement.span.start, tasks.number.init.span.start))
    begun = re.sub(r"\bconst(expr)?\s+", "", text)
    return begun + (unit.spelled(tasks.number.init.span) if value is None else value)


def test_of(unit: Unit, tasks: Tasks) -> str:
    """ "i < n" """
    assert tasks.guard is not None
    return f"{tasks.name} {tasks.guard.op} {unit.spelled(tasks.guard.end.span)}"
