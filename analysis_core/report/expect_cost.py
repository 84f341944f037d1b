"""The present bounds of a kernel, a loop or an access as contracts (`//@ expect sectors == 8*ceil(n/256)`), to be put above it.

Of a kernel they are what lenses show: `==` where the bound is exact, with the condition of a case where it is so there, else `<=`.  Of a line with accesses
or a loop they are the sums of what its places pay at most.  Nothing is written that contracts have no words for: iterations that memory decides, logarithms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from analysis_core.contracts.paid import paid_within
from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import MetricBound
from analysis_core.expressions.expression import Expression, fold
from analysis_core.expressions.expression_people import condition_text
from analysis_core.report.annotate import annotation_edit
from analysis_core.report.findings.model import Edit, Fix, KernelReport
from analysis_core.report.statements import statement_start
from analysis_core.requests.facts import KernelFacts
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import Span

_OF_KERNELS = ("sectors", "conflicts", "divergences")
_LONGEST = 120
"""Characters of a contract; of longer ones nobody sees what they say."""


def contracts_for(kernel: KernelReport, index: LineIndex, first: int, last: int) -> Iterator[Fix]:
    """What may be written for a selection, from byte to byte: on the kernel's name for the kernel, in its body for the line."""
    facts = [launch.facts for launch in kernel.launches]
    if not facts or any(one.bounds is None or one.unknowns for one in facts):
        return
    if kernel.name_span.start <= last and first <= kernel.name_span.end:
        yield from _fix(_agreed([list(_of_kernel(one)) for one in facts]), kernel.span, index)
        return
    start, end = index.line_range(index.line_of(first))
    text = index.data[start:end]
    place = Span(kernel.span.file, start + len(text) - len(text.lstrip()), end)
    if kernel.span.start <= start and end <= kernel.span.end and last <= end and _is_statement(index.data, place.start):
        yield from _fix(_agreed([list(_of_line(one, place)) for one in facts]), place, index)


def _is_statement(data: bytes, at: int) -> bool:
    """Whether a statement of a block in braces begins there, with nothing but remarks before it."""
    begin = statement_start(data, at)
    between = re.sub(rb"//[^\n]*", b"", data[begin:at])
    return data[begin - 1 : begin] in (b";", b"{", b"}") and not between.strip()


def _fix(lines: Sequence[str], place: Span, index: LineIndex) -> Iterator[Fix]:
    """One edit for all of the contracts that are not there yet."""
    edits = [edit for line in lines if (edit := annotation_edit(line, place, index, False)) is not None]
    above = _comments_above(index, place)
    edits = [edit for edit in edits if edit.text.strip().encode() not in above]
    if edits:
        shown = ", ".join(edit.text.strip().removeprefix("//@ ") for edit in edits)
        yield Fix(
            f"Write the present cost as a contract: `{shown}`", (Edit(edits[0].span, "".join(e.text for e in edits)),)
        )


def _comments_above(index: LineIndex, place: Span) -> bytes:
    """The comment lines right above a place."""
    line, found = index.line_of(place.start) - 1, b""
    while line >= 1 and (text := index.data[slice(*index.line_range(line))]).lstrip().startswith(b"//"):
        found += text + b"\n"
        line -= 1
    return found


def _agreed(each: Sequence[Sequence[str]]) -> list[str]:
    """Those that are said of all launches."""
    return [line for line in each[0] if all(line in other for other in each[1:]) and len(line) <= _LONGEST]


def _of_kernel(facts: KernelFacts) -> Iterator[str]:
    assert facts.bounds is not None
    for metric in _OF_KERNELS:
        yield from _of_bound(facts.bounds.metrics[metric], _names(facts))


def _of_bound(bound: MetricBound, names: Mapping[str, str]) -> Iterator[str]:
    warp = bound.per_warp
    upper = None if warp.upper is None else term_text(warp.upper, names)
    if upper is None:
        return
    yield f"//@ expect {bound.metric} {'==' if warp.exact else '<='} {upper}"
    for case in () if warp.exact else warp.cases[:1]:
        exact = None if case.upper is None or not case.exact else term_text(case.upper, names)
        if exact is not None and all(
            names.get(name) == name for name in re.findall(r"[A-Za-z_]\w*", case.when) if name != "and"
        ):
            yield f"//@ expect {bound.metric} == {exact} when {condition_text(case.when)}"


def _of_line(facts: KernelFacts, place: Span) -> Iterator[str]:
    """What is paid on a line, or in the loop that begins there, with all that is called from there."""
    assert facts.bounds is not None
    wholes = [b.whole for b in facts.branches if b.whole is not None and b.whole.file == place.file]
    whole = next((one for one in wholes if one.start == place.start), place)
    for metric, cost in paid_within(facts, whole).items():
        text = term_text(cost, _names(facts))
        bound = facts.bounds.metrics.get(metric)
        if text is not None and bound is not None and bound.per_warp.upper is not None:
            yield f"//@ expect {metric} <= {text}"


def _names(facts: KernelFacts) -> Mapping[str, str]:
    """By the name in expressions, what annotations call a parameter, or an extent of the grid."""
    nameable = [
        one for one in facts.symbols if one.kind == "grid" or (one.kind == "parameter" and one.span is not None)
    ]
    return {name: one.source for one in nameable for name in (one.name, one.source)}


def term_text(expression: Expression, names: Mapping[str, str]) -> str | None:
    """The expression as a term of annotations; None where it has none."""
    return fold(expression, lambda node, parts: _node_text(node, parts, names))


def _node_text(node: Expression, parts: Sequence[str | None], names: Mapping[str, str]) -> str | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    match node:
        case ex.Integer(value):
            return str(value)
        case ex.Symbol(name):
            return names.get(name)
        case ex.Sum():
            return " + ".join(known).replace("+ -", "- ")
        case ex.Product():
            signed = "-" if known[0] == "-1" else ""
            factors = known[1:] if signed else known
            return signed + "*".join(
                _factor(one, part) for one, part in zip(node.factors[len(known) - len(factors) :], factors, strict=True)
            )
        case ex.CeilDiv():
            return f"ceil({_operand(node.dividend, known[0])}/{_operand(node.divisor, known[1])})"
        case ex.FloorDiv() | ex.Modulo() if "-" in known[0]:
            return None  # which C would round the other way where it is negative
        case ex.FloorDiv() if isinstance(node.divisor, ex.Integer):
            return f"({_operand(node.dividend, known[0])}/{known[1]})"
        case ex.Modulo() if isinstance(node.divisor, ex.Integer):
            return f"({_operand(node.dividend, known[0])} % {known[1]})"
        case ex.Maximum():
            return _nested("max", known)
        case ex.Minimum():
            return _nested("min", known)
        case _:
            return None


def _factor(node: Expression, text: str) -> str:
    return f"({text})" if isinstance(node, ex.Sum) else text


def _operand(node: Expression, text: str) -> str:
    return f"({text})" if isinstance(node, ex.Sum | ex.Product) else text


def _nested(function: str, parts: Iterable[str]) -> str:
    first, *rest = parts
    for part in rest:
        first = f"{function}({first}, {part})"
    return first
