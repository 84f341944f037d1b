"""The user's text as refactorings take it apart: what is written there by hand, what names in it stand for, how new lines look.

A piece of text may be moved, repeated or edited if every node read from it was spelled there: not in the body of a macro, but for one that stands for a
constant (`TILE_DIM`), and with no directive of the preprocessor between its lines, for which the other branch has to keep its meaning, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.lex.mentions import code_of
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?!pragma[ \t]+unroll|[ \t]*unroll)", re.MULTILINE)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_PRIMARY = re.compile(r"\w+")
_STEP = "    "
_COMMENT = re.compile(r"""//[^\r\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)


def foreign(unit: Unit, node: syn.Node) -> str | None:
    """Why the text of a node is not one that may be taken apart; None if it may."""
    if node.span.file != unit.file:
        return "it does not stand in this file"
    if (made := _made(unit, node)) is not None:
        return f"the macro `{made}` makes part of it"
    if any(one.span.file != unit.file or not node.span.encloses(one.span) for one in inside(node)):
        return "part of it stands elsewhere"
    if any(isinstance(one, syn.OpaqueExpr | syn.OpaqueStmt) for one in inside(node)):
        return "part of it is not understood"
    if has_directive(unit, node.span):
        return "there are directives of the preprocessor in it"
    return None


def _made(unit: Unit, node: syn.Node) -> str | None:
    """A macro whose body makes more of a node than a constant that is read as a whole; None for none.

    `#define N 2 + 3` in `N * 2` is no such constant: there 3 * 2 is a node that begins within the macro."""
    at: dict[Span, list[syn.Node]] = {}
    for one in inside(node):
        if one.expansion is not None:
            at.setdefault(one.span, []).append(one)
    for span, (whole, *parts) in at.items():
        name = whole.expansion or ""
        if unit.spelled(span) != name:  # it begins with the macro, and goes on
            if Span(span.file, span.start, span.start + len(name)) not in at or not unit.spelled(span).startswith(name):
                return name
            continue
        constant = all(isinstance(one, _CONSTANT) for one in (whole, *parts))
        read = sum(one.span == span for one in inside(whole)) == 1 + len(parts)
        if not constant or not read:
            return name
    return None


_CONSTANT = (syn.Literal, syn.Unary, syn.Binary, syn.Cast, syn.Conditional, syn.SizeOf, syn.TypeNode)


def has_directive(unit: Unit, span: Span) -> bool:
    return _DIRECTIVE.search(unit.text, span.start, span.end) is not None


def names_in(node: syn.Node) -> Iterator[syn.Name]:
    """Uses of variables and functions, without those of a `Member`."""
    return (one for one in inside(node) if isinstance(one, syn.Name))


def replaced(unit: Unit, node: syn.Node, by: Mapping[Span, str]) -> str:
    """The text of a node, comments kept, with other text for spans in it, which do not overlap."""
    return spliced(unit, node.span, by)


def spliced(unit: Unit, whole: Span, by: Mapping[Span, str]) -> str:
    """The same of any piece of text."""
    text, end = "", whole.start
    for span in sorted(by):
        text += unit.spelled(Span(unit.file, end, span.start)) + by[span]
        end = span.end
    return text + unit.spelled(Span(unit.file, end, whole.end))


def renamed(unit: Unit, node: syn.Node, by: Mapping[str, str]) -> str:
    """The text of a node with other text for names.  Declarations in it that hide one of the names are the caller's to look for."""
    return replaced(unit, node, {one.span: by[one.name] for one in names_in(node) if one.name in by})


def indent_of(unit: Unit, span: Span) -> str:
    """The blanks before the first word of the line on which a span begins."""
    start = unit.text.rfind(b"\n", 0, span.start) + 1
    line = unit.text[start : span.start]
    return line[: len(line) - len(line.lstrip(b" \t"))].decode("ascii", "replace")


def step_of(unit: Unit, body: syn.Compound) -> str:
    """What a level of nesting is indented by, as the first statement of a body is."""
    if body.body:
        outer, inner = indent_of(unit, body.span), indent_of(unit, body.body[0].span)
        if inner.startswith(outer) and len(inner) > len(outer):
            return inner[len(outer) :]
    return _STEP


def line_of(unit: Unit, span: Span) -> Span:
    """The whole lines, without the last line's end, that a span covers."""
    start = unit.text.rfind(b"\n", 0, span.start) + 1
    end = unit.text.find(b"\n", span.end)
    return Span(unit.file, start, len(unit.text) if end < 0 else end)


def fresh(unit: Unit, wanted: str, taken: frozenset[str] = frozenset()) -> str:
    """A name that no word of the file is, nor one of `taken`: as wanted, or with a number behind it."""
    words = {word.decode() for word in _WORD.findall(code_of(unit.text))} | taken
    number, name = 2, wanted
    while name in words:
        name, number = f"{wanted}{number}", number + 1
    return name


def element_of(declaration: syn.FunctionDecl, name: str) -> str | None:
    """The element's type of a pointer that is passed, as it is spelled, without `const`."""
    found = next((p.type for p in declaration.parameters if p.name == name), None)
    target = (
        found.target if isinstance(found, syn.PointerTo) else found.element if isinstance(found, syn.ArrayOf) else None
    )
    if not isinstance(target, syn.NamedType) or target.template_args or target.parts or "volatile" in target.qualifiers:
        return None
    return target.name if target.expansion is None else None


def eol_of(unit: Unit) -> str:
    """How the file ends its lines."""
    end = unit.text.find(b"\n")
    return "\r\n" if end > 0 and unit.text[end - 1 : end] == b"\r" else "\n"


def comments_in(text: str) -> list[str]:
    """The comments of a piece of text, in order."""
    return [found[0] for found in _COMMENT.finditer(text) if found[0].startswith("/")]


def addressed(node: syn.Node) -> frozenset[Span]:
    """Lvalues whose address is asked for, as `__ldg(&a[i])` does: another variable in their place may lie in another kind of memory."""
    return frozenset(one.operand.span for one in inside(node) if isinstance(one, syn.Unary) and one.op == "&")


def is_conditional(whole: syn.Node, place: syn.Node) -> bool:
    """Whether an expression asks something before it comes to a place in it."""
    return any(
        node is not place
        and (
            isinstance(node, syn.Conditional | syn.Lambda) or (isinstance(node, syn.Binary) and node.op in ("&&", "||"))
        )
        and any(one is place for one in inside(node))
        for node in inside(whole)
    )


def bracketed(unit: Unit, node: syn.Expr) -> str:
    """The text of an expression as an operand of any operator."""
    text = unit.spelled(node.span)
    is_plain = (
        isinstance(node, syn.Name | syn.Literal | syn.Member | syn.Subscript | syn.Call) and node.expansion is None
    )
    return text if is_plain or _PRIMARY.fullmatch(text) else f"({text})"


def assigned(node: syn.Node) -> Iterator[str]:
    """The variables that a node itself assigns or steps, or of which it takes the address; not what they point to."""
    match node:
        case syn.Assign(target=part) | syn.IncDec(operand=part) | syn.Unary(op="&", operand=part):
            while isinstance(part, syn.Member) and not part.arrow:
                part = part.base
            if isinstance(part, syn.Name):
                yield part.name
        case _:
            pass
