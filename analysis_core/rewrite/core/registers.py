"""The text of a loop that keeps cells of memory in registers: loaded before it, and stored behind it if it writes them.

                                                        if (0 < n) {
                                                            int a_reg = a[t], b_reg = b[t];
                                                            int k = 0;
    for (int k = 0; k < n; k++) a[t] += b[t] * k;   ->      do {
                                                                a_reg += b_reg * k;
                                                                k++;
                                                            } while (k < n);
                                                            a[t] = a_reg;
                                                        }

Nothing is read or written that was not before: if it is not known that there is a round, the loop's first test comes before the loads, once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from analysis_core.ir.types import ScalarType
from analysis_core.rewrite.core.cells import Place, is_tested_first, names_read
from analysis_core.rewrite.core.loop_text import Head, counter_of, has_contract, laid_out, nested, numbers_of
from analysis_core.rewrite.core.loops import OneLoop, early_round
from analysis_core.rewrite.core.source import fresh, names_in, replaced, step_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span

_PLAIN = frozenset(
    {"int", "unsigned int", "float", "double", "char", "short", "long", "unsigned char", "unsigned short", "bool"}
)


def registers_for(
    unit: Unit, loops: Sequence[OneLoop], places: Sequence[Place]
) -> tuple[list[str], dict[Span, str], list[str]]:
    """The declarations of registers, what stands in the place of each use, and the stores behind the loop."""
    declared, stores = list[str](), list[str]()
    by: dict[Span, str] = {}
    taken: frozenset[str] = frozenset()
    for place in places:
        root = next((n.name for n in names_in(place.nodes[0])), "cell")
        name = fresh(unit, re.sub(r"\W", "_", root) + "_reg", taken)
        taken |= {name}
        declared.append(f"{_type(loops, place)} {name} = {place.text};")
        by.update(dict.fromkeys(place.spans, name))
        if place.written:
            stores.append(f"{place.text} = {name};")
    return declared, by, stores


def _type(loops: Sequence[OneLoop], place: Place) -> str:
    """How the type is spelled, if it is the same in all instantiations and has a plain name."""
    if len(loops) == 1 and isinstance(place.access.type, ScalarType) and place.access.type.name in _PLAIN:
        return place.access.type.name
    return "auto"


def kept_text(
    unit: Unit,
    declaration: syn.FunctionDecl,
    loops: Sequence[OneLoop],
    head: Head,
    places: Sequence[Place],
    surely: bool,
) -> str | None:
    """The text in the place of a loop; None where its first test cannot be asked before it.  `surely`: there is a round."""
    one = loops[0]
    node = one.node
    declared, by, stores = registers_for(unit, loops, places)
    above = _head_lines(unit, head)
    if surely or isinstance(node, syn.DoWhile) or all(is_tested_first(one, place) for place in places):
        lines = [*declared, *above, replaced(unit, node, by), *stores]
        return laid_out(unit, declaration, node, lines, has_contract(unit, one))
    if one.loop.test or node.condition is None:
        return None
    assert declaration.body is not None
    deep = step_of(unit, declaration.body)
    if isinstance(node, syn.While):
        inner = [*declared, *above, replaced(unit, node, by), *stores]
        return laid_out(
            unit, declaration, node, nested(f"if ({unit.spelled(node.condition.span)})", inner, deep), False
        )
    rolled = _rolled(unit, one, by, deep)
    numbers = numbers_of(unit, loops, 0)
    counter = counter_of(node)
    uses = {n for place in places for n in names_read(place)}
    if numbers is not None and counter is not None and counter.name not in uses:
        condition = replaced(
            unit, node.condition, {n.span: numbers[0] for n in names_in(node.condition) if n.name == counter.name}
        )
        begin = [] if node.init is None or rolled is None else [_ended(unit.spelled(node.init.span))]
        inner = [*declared, *begin, *above, *(rolled or [replaced(unit, node, by)]), *stores]
        return laid_out(unit, declaration, node, nested(f"if ({condition})", inner, deep), False)
    init = [] if node.init is None else [_ended(unit.spelled(node.init.span))]
    condition = unit.spelled(node.condition.span)
    again = rolled or [_without_init(unit, node, by)]
    lines = [*init, *nested(f"if ({condition})", [*declared, *above, *again, *stores], deep)]
    return laid_out(unit, declaration, node, lines, isinstance(node.init, syn.DeclStmt) or has_contract(unit, one))


def _head_lines(unit: Unit, head: Head) -> list[str]:
    bound = [] if head.bound is None else [unit.spelled(head.bound.span).rstrip()]
    return bound + ([head.pragma] if head.pragma else [])


def _ended(text: str) -> str:
    return text.rstrip().removesuffix(";") + ";"


def _without_init(unit: Unit, node: syn.For, by: Mapping[Span, str]) -> str:
    if node.init is None:
        return replaced(unit, node, by)
    text = unit.spelled(node.init.span)
    return replaced(unit, node, {**by, node.init.span: ";" if text.rstrip().endswith(";") else ""})


def _rolled(unit: Unit, one: OneLoop, by: Mapping[Span, str], deep: str) -> list[str] | None:
    """The loop with its test at the end of a round; None where the step's names mean something else there, or a round may end early."""
    node = one.node
    if not isinstance(node, syn.For) or node.condition is None or early_round(one.loop) is not None:
        return None
    used = {n.name for n in names_in(node.step)} if node.step is not None else set()
    if any(isinstance(n, syn.VarDecl) and n.name in used for n in inside(node.body)):
        return None
    body = _inner(unit, node.body, by, deep)
    if body is None:
        return None
    step = [] if node.step is None else [deep + replaced(unit, node.step, _within(by, node.step)) + ";"]
    return ["do {", *body, *step, f"}} while ({replaced(unit, node.condition, _within(by, node.condition))});"]


def _within(by: Mapping[Span, str], node: syn.Node) -> dict[Span, str]:
    return {span: text for span, text in by.items() if node.span.encloses(span)}


def _inner(unit: Unit, body: syn.Stmt, by: Mapping[Span, str], deep: str) -> list[str] | None:
    """The statements of a body, indented by a step, as lines of which the first one's blanks are in the text; None if they are laid out otherwise."""
    text = replaced(unit, body, _within(by, body))
    if not isinstance(body, syn.Compound):
        return [deep + text]
    if "\n" not in text:
        return [deep + text[1:-1].strip()] if text[1:-1].strip() else []
    first, _, rest = text[1:-1].partition("\n")
    return None if first.strip() else [_undented(unit, body, rest.rstrip())]


def _undented(unit: Unit, body: syn.Node, text: str) -> str:
    """Lines of a body without the blanks that the body itself is indented by, for they are laid out again."""
    start = unit.text.rfind(b"\n", 0, body.span.start) + 1
    line = unit.text[start : body.span.start].decode("utf-8", "surrogateescape")
    base = line[: len(line) - len(line.lstrip(" \t"))]
    lines = text.split("\n")
    return "\n".join([lines[0].removeprefix(base), *lines[1:]])
