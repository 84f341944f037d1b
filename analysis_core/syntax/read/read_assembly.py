"""Inline assembly: its text, and its operands as statements that name what it reads and assign to what it writes."""

from __future__ import annotations

import re
from dataclasses import replace

from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import expression_parser
from analysis_core.syntax.read.assembly_node import AssemblyText
from analysis_core.syntax.read.lexical import after_brackets
from analysis_core.syntax.read.reader import Reader
from analysis_core.syntax.read.rendering import Mask
from analysis_core.syntax.read.tree import Assign, ExprStmt, Stmt

ASSEMBLY = "inline assembly"
RESULT_OF_ASSEMBLY = "result of inline assembly"

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def assembly(reader: Reader, mask: Mask) -> Stmt:
    """`asm("..." : outputs : inputs)`; `inner` assigns something unknown to each output operand."""
    tokens = reader.tokens
    i = mask.start
    while i < mask.end and tokens[i].text != "(":
        i += 1
    inner: list[Stmt] = []
    section, name, constraint = 0, "", ""
    template: list[str | None] = []
    operands: list[tuple[str, str]] = []
    while i + 1 < mask.end - 1:
        i += 1
        text = tokens[i].text
        if text in {":", "::"}:
            section += len(text)
        elif text == "(" and section in {1, 2}:
            stop = after_brackets(tokens, i, mask.end)
            inner.append(_operand(reader, mask, i + 1, stop - 1, section == 1))
            operands.append((constraint, name))
            i, name, constraint = stop - 1, "", ""
        elif section == 0:
            template.append(unescaped(text))
        elif text == "[" and i + 1 < mask.end:
            name = tokens[i + 1].text
        elif text.startswith('"'):
            constraint += unescaped(text) or ""
    opaque = reader.opaque_stmt(mask.start, mask.end, ASSEMBLY, CauseKind.UNSUPPORTED, tuple(inner))
    known = [part for part in template if part is not None]
    if len(known) < len(template):
        return opaque
    said = AssemblyText("".join(known), tuple(one for one, _ in operands), tuple(one for _, one in operands))
    return replace(opaque, assembly=said)


def unescaped(literal: str) -> str | None:
    """What a string literal stands for; None for one that is not plain."""
    if len(literal) < 2 or literal[0] != '"' or literal[-1] != '"':
        return None
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), literal[1:-1], flags=re.DOTALL)


def _operand(reader: Reader, mask: Mask, start: int, end: int, output: bool) -> Stmt:
    span = reader.span(start, end)
    value = expression_parser.read_tokens(reader, start, end)
    if value is None:
        return reader.opaque_stmt(start, end, "operand of inline assembly not understood")
    if not output:
        return ExprStmt(span=span, expr=value)
    result = reader.opaque(mask.start, mask.end, RESULT_OF_ASSEMBLY, CauseKind.UNSUPPORTED)
    return ExprStmt(span=span, expr=Assign(span=span, op="=", target=value, value=result))
