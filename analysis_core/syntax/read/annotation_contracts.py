"""Cost contracts: `expect METRIC OP BOUND [SCOPE] [when CONDITION]`, a scope also right behind the metric.

//@ expect conflicts == 0
//@ expect sectors <= 4*ceil(n/32) per_block when n % 32 == 0 && n >= 32
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from analysis_core.support.spelling import did_you_mean
from analysis_core.syntax.lex.macros import Macro
from analysis_core.syntax.read.annotation_terms import Piece, Unread, read_term
from analysis_core.syntax.read.annotation_tree import Conjunct, ContractAnnotation, conjuncts
from analysis_core.text.span import Span

SCOPES = ("per_warp", "per_block", "per_launch")
OPERATORS = ("<=", ">=", "==", "<", ">")

_METRIC = re.compile(r"[A-Za-z_][\w-]*")
_OPERATOR = re.compile(r"[<>=!]+")
_SCOPE = re.compile(r"\bper_\w*")
_WHEN = re.compile(r"\bwhen\b")


def read_contract(rest: Piece, macros: Mapping[str, Macro], text: str, span: Span) -> ContractAnnotation:
    """The contract behind its word; raises `Unread`."""
    whens = list(_WHEN.finditer(rest.text))
    if len(whens) > 1:
        raise Unread("`when` is said twice; join conditions with `&&`", rest.span(*whens[1].span()))
    head = rest.part(0, whens[0].start()) if whens else rest
    metric = _METRIC.match(head.text)
    if metric is None:
        raise Unread("the name of a metric is expected here, as in `expect conflicts == 0`", rest.whole)
    scope, said = _without_scope(head)
    behind = said.part(metric.end(), len(said.text))
    operator = _OPERATOR.match(behind.text)
    if operator is None or operator[0] not in OPERATORS:
        at = behind.span(*operator.span()) if operator is not None else head.span(*metric.span())
        raise Unread(f"`{metric[0]}` is to be compared with something, by one of {', '.join(OPERATORS)}", at)
    bound = behind.part(operator.end(), len(behind.text))
    if not bound.text:
        raise Unread(f"what is `{metric[0]}` held against? An expression is missing", behind.span(*operator.span()))
    when = rest.part(whens[0].end(), len(rest.text)) if whens else None
    if when is not None and not when.text:
        raise Unread("a condition is missing behind `when`", rest.span(*whens[0].span()))
    parts = (
        ()
        if when is None
        else tuple(Conjunct(part, when.spelling(part.span)) for part in conjuncts(read_term(when, macros)))
    )
    return ContractAnnotation(
        metric[0], head.span(*metric.span()), operator[0], read_term(bound, macros), scope, parts, text, span
    )


def _without_scope(head: Piece) -> tuple[str, Piece]:
    """The scope, `per_warp` where none is said, and the text with blanks for it."""
    found = list(_SCOPE.finditer(head.text))
    for one in found:
        if one[0] not in SCOPES:
            hint = did_you_mean(one[0], SCOPES)
            raise Unread(
                f"`{one[0]}` is no scope{hint or f'; there are {chr(44).join(SCOPES)}'}", head.span(*one.span())
            )
    if len(found) > 1:
        raise Unread("a contract has one scope", head.span(*found[1].span()))
    if not found:
        return SCOPES[0], head
    begin, end = found[0].span()
    return found[0][0], Piece(
        head.text[:begin] + " " * (end - begin) + head.text[end:], head.start, head.file, head.fixed
    )
