"""Sequential addressing: the threads that still add in a tree reduction stand side by side.

    for (int k = 1; k < 256; k *= 2) { if (t % (2 * k) == 0) s[t] += s[t + k]; __syncthreads(); }
    for (int k = 128; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }

Interleaved, all warps stay until the last rounds with ever fewer of their threads, and strides of powers of two meet in the same banks.  Side by side,
warps drop out as a whole and neighbours read neighbours.  What the first cell takes up is the same; the order differs (core/reductions.py).
"""

from __future__ import annotations

from analysis_core.ir import nodes as ir
from analysis_core.ir.types import ScalarKind
from analysis_core.ir.walk import uncast
from analysis_core.report.checks import bank_conflict, divergent_branch
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.reductions import (
    Reduction,
    Spelled,
    of_all,
    offsets,
    reduction_sites,
    reductions,
    spelled,
    subscripts,
)
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    found = reductions(unit, site.span, choice)
    if isinstance(found, Refused):
        return found
    if len({one.cells for _, one in found}) > 1 and any(_constant(one) for _, one in found):
        return Refused("the kernels that execute it have different numbers of cells")
    kernel, reduction = next((pair for pair in found if pair[0] is site.kernel), found[0])
    if all(_side_by_side(unit, k, one) for k, one in found):
        return Refused("the threads that add stand side by side already")
    text = spelled(unit, kernel, reduction)
    if isinstance(text, Refused):
        return text
    if text.start.expansion is not None or not text.loop.span.encloses(text.start.span):
        return Refused("what its counter begins with is made by a macro")
    half = _half(unit, reduction, text)
    edits = [Edit(text.start.span, half)] if half is not None else []
    places = _index_edits(text, reduction)
    if half is None or places is None:
        return Refused("the bound of the loop, or an element, is not spelled in a way that can be edited")
    counter = text.counter.name
    assert text.loop.condition is not None and text.loop.step is not None
    edits += [
        Edit(text.loop.condition.span, f"{counter} > 0"),
        Edit(text.loop.step.span, f"{counter} >>= 1"),
        Edit(text.test.condition.span, f"{text.thread} < {counter}"),
        *places,
    ]
    left = _left_over(unit, text, [edit.span for edit in edits])
    if isinstance(left, Refused):
        return left
    floats = [one for one in reduction.updates if one.type.kind is ScalarKind.FLOAT]
    names = ", ".join(f"`{one.array.name}`" for one in reduction.updates)
    done = " and ".join(dict.fromkeys(one.done for one in reduction.updates))
    return Rewritten(
        "Let the threads that add stand side by side" + (", which changes rounding" if floats else ""),
        (*edits, *left),
        (f"every round takes up disjoint elements of {names}", f"only the first element of {names} is read afterwards"),
        "" if floats else f"the first element takes up all others, and {done} may be done in any order",
        bool(floats),
        of_all(found),
    )


def _constant(reduction: Reduction) -> bool:
    """Whether the bound of the loop is a number, of which the half is spelled as one."""
    limit = reduction.loop.condition
    return not isinstance(limit, ir.Binary) or isinstance(uncast(limit.right), ir.Const)


def _side_by_side(unit: Unit, kernel: ir.Kernel, reduction: Reduction) -> bool:
    """Whether the threads of each round are 0, 1, 2, .. and their cells too."""
    numbers = {one.cell.access.id for one in reduction.updates}
    for launch in unit.launches(kernel):
        for event in unit.events(kernel, launch).accesses:
            if event.access.id in numbers:
                size = event.access.width
                if any(thread != n or byte != n * size for n, (thread, byte) in enumerate(offsets(event) or [(-1, 0)])):
                    return False
    return True


def _half(unit: Unit, reduction: Reduction, text: Spelled) -> str | None:
    """Half of the loop's bound, as spelled; None if the bound is neither the number of cells nor the block's extent."""
    test, limit = reduction.loop.condition, text.loop.condition
    if not isinstance(test, ir.Binary) or not isinstance(limit, syn.Binary) or not isinstance(limit.left, syn.Name):
        return None
    if limit.left.name != text.counter.name or limit.op not in ("<", "!="):
        return str(reduction.cells // 2) if isinstance(uncast(test.right), ir.Const) else None
    bound = uncast(test.right)
    words = unit.spelled(limit.right.span)
    if isinstance(bound, ir.Const) and bound.value == reduction.cells:
        if isinstance(limit.right, syn.Literal) and limit.right.expansion is None:
            return str(reduction.cells // 2)
        return f"{words} / 2" if words.isidentifier() else f"({words}) / 2"
    if isinstance(bound, ir.Builtin) and bound.kind is ir.BuiltinKind.BLOCK_DIM and bound.axis == 0:
        return f"{words} / 2"
    return str(reduction.cells // 2) if isinstance(bound, ir.Const) else None


def _index_edits(text: Spelled, reduction: Reduction) -> list[Edit] | None:
    found = []
    for update in reduction.updates:
        places = subscripts(text.test, update)
        if places is None:
            return None
        for element, takes in places:
            wanted = text.thread if takes else f"{text.thread} + {text.counter.name}"
            found.append(Edit(element.index.span, wanted))
    return found


def _left_over(unit: Unit, text: Spelled, edited: list[Span]) -> list[Edit] | Refused:
    """Edits that take away the declarations which nothing needs any more."""
    found = []
    for one in text.leading:
        names = {d.name for d in one.declarations if isinstance(d, syn.VarDecl)}
        used = [
            n
            for n in inside(text.loop)
            if isinstance(n, syn.Name)
            and n.name in names
            and not one.span.encloses(n.span)
            and not any(span.encloses(n.span) for span in edited)
        ]
        if used or len(names) != len(one.declarations):
            return Refused(f"`{unit.spelled(one.span)}` is needed elsewhere in a round")
        if any(isinstance(n, syn.Call | syn.Assign | syn.IncDec | syn.OpaqueExpr) for n in inside(one)):
            return Refused(f"`{unit.spelled(one.span)}` does more than compute an index")
        found.append(Edit(_whole_line(unit, one.span), ""))
    return found


def _whole_line(unit: Unit, span: Span) -> Span:
    """The span with the blanks and the line's end before it where nothing else stands on its lines."""
    start = unit.text.rfind(b"\n", 0, span.start) + 1
    end = unit.text.find(b"\n", span.end)
    alone = not unit.text[start : span.start].strip() and end >= 0 and not unit.text[span.end : end].strip()
    if alone:
        return Span(span.file, start, end + 1)
    behind = span.end
    while unit.text[behind : behind + 1] in (b" ", b"\t"):
        behind += 1
    return Span(span.file, span.start, behind)


ACTION = Action(
    "sequential-addressing",
    "let the threads that add in a tree reduction stand side by side",
    frozenset({divergent_branch.CODE, bank_conflict.CODE}),
    reduction_sites,
    _rewrite,
)
