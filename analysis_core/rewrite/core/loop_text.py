"""Loops as text: rounds written out one by one, with names or with the numbers that a counter has, and what stands before the loop's keyword.

    //@ loop_bound n                                   v = v * w[0] + 0;
    for (int i = 0; i < n; i++) v = v * w[i] + i;  ->  v = v * w[1] + 1;
                                                       //@ loop_bound n - 2
                                                       for (int i = 2; i < n; i++) v = v * w[i] + i;

Where the counter's values are no numbers, or more is done with it than to read it, its declaration is moved in front of the rounds, into a
block of its own, and the rounds are what C++ says a loop is: body; step; body; step.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis_core.ir.nodes import Stmt
from analysis_core.ir.types import ScalarKind
from analysis_core.ir.walk import span_of
from analysis_core.rewrite.core.guards import made_elsewhere
from analysis_core.rewrite.core.loops import OneLoop, early_end, early_round, type_of
from analysis_core.rewrite.core.source import indent_of, replaced, spliced, step_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.lex.mentions import code_of
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.annotation_tree import AnnotationComment, LoopBoundAnnotation, Number
from analysis_core.syntax.read.annotation_tree import Binary as BinaryTerm
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

MOST_TEXT = 20_000
"""Bytes that rounds which are written out may take."""

_PRAGMA = re.compile(rb"[ \t]*#[ \t]*(?:pragma[ \t]+)?unroll[^\n]*\n\Z")
_HEAD = re.compile(rb"for\s*\(")
_ONCE = frozenset({"__shared__", "static", "extern"})


@dataclass(frozen=True, slots=True)
class Head:
    """What stands in front of a loop and belongs to it: the bytes from `start` on, a pragma, the comment with its bound."""

    start: int
    pragma: str = ""
    bound: AnnotationComment | None = None


def unfit(unit: Unit, one: OneLoop) -> str | None:
    """Why the rounds of a loop may not be written out one behind the other; None if they may."""
    node = one.node
    reason = made_apart(unit, node)
    if reason is not None:
        return reason
    early = early_end(one.loop) or early_round(one.loop)
    if early is not None:
        return _early(unit, early)
    for found in inside(node.body):
        if isinstance(found, syn.VarDecl) and found.storage & _ONCE:
            return f"`{found.name}` is declared in the loop and is there only once (line {unit.line(found.name_span)})"
        if isinstance(found, syn.CaseLabel) and not any(
            isinstance(s, syn.Switch) and s.span.encloses(found.span) for s in inside(node.body)
        ):
            return f"a label of a `switch` stands in the loop (line {unit.line(found.span)})"
    if b'R"' in unit.text[node.span.start : node.span.end]:
        return "there is a raw string in it"
    return None


def made_apart(unit: Unit, node: syn.Node) -> str | None:
    """Why a loop's head and body are not pieces of text of their own; None if they are.  Macros may stand in them, which are copied by their names."""
    parts = [getattr(node, name, None) for name in ("init", "condition", "step", "body")]
    reason = made_elsewhere(unit, node, tuple(part for part in parts if isinstance(part, syn.Node)))
    if reason is None and isinstance(node, syn.For) and not _HEAD.match(unit.text, node.span.start):
        return "something stands between `for` and its parenthesis"
    return reason


def _early(unit: Unit, stmt: Stmt) -> str:
    word = {"Break": "the loop may end by `break`", "Continue": "a round may end by `continue`"}.get(
        type(stmt).__name__, "the loop may end by code that is not known"
    )
    return f"{word} (line {unit.line(span_of(stmt))})"


def head_of(unit: Unit, declaration: syn.FunctionDecl, node: syn.Node) -> Head | str:
    """What belongs to a loop in front of its keyword, or why it cannot be moved."""
    start = _line_start(unit, node.span.start)
    if unit.text[start : node.span.start].strip():
        start = node.span.start
    pragma = ""
    if isinstance(node, syn.Loop) and node.unroll is not None:
        line = unit.text.rfind(b"\n", 0, max(0, start - 1)) + 1
        found = _PRAGMA.match(unit.text[line:start]) if start != node.span.start or start == 0 else None
        if found is None:
            return "what asks the compiler to unroll it is not a line above it"
        pragma, start = unit.text[line:start].decode("utf-8", "surrogateescape").strip(), line
    bound = bound_of(unit, declaration, node)
    if bound is not None:
        line = _line_start(unit, bound.span.start)
        if unit.text[line : bound.span.start].strip() or unit.text[bound.span.end : start].strip():
            return f"the `loop_bound` of the loop does not stand on the line above it (line {unit.line(bound.span)})"
        start = line
    return Head(start, pragma, bound)


def _line_start(unit: Unit, at: int) -> int:
    return unit.text.rfind(b"\n", 0, at) + 1


def bound_of(unit: Unit, declaration: syn.FunctionDecl, node: syn.Node) -> AnnotationComment | None:
    """The annotation that bounds a loop."""
    body = declaration.body
    for comment in unit.tree.annotations if body is not None else ():
        if not isinstance(comment.said, LoopBoundAnnotation) or not declaration.span.encloses(comment.span):
            continue
        later = [
            n.span.start for n in inside(declaration) if isinstance(n, syn.Loop) and n.span.start >= comment.span.end
        ]
        if later and min(later) == node.span.start:
            return comment
    return None


def shifted_bound(unit: Unit, comment: AnnotationComment, by: int) -> str | None:
    """The annotation for a loop of which so many rounds are done before; None where it would be of less than none."""
    said = comment.said
    assert isinstance(said, LoopBoundAnnotation)
    if isinstance(said.bound, Number):
        return _bounded(unit, comment, str(said.bound.value - by)) if said.bound.value >= by else None
    text = unit.spelled(said.bound.span)
    plain = not isinstance(said.bound, BinaryTerm) or said.bound.op in ("+", "-", "*", "/", "%")
    return _bounded(unit, comment, f"{text} - {by}" if plain else f"({text}) - {by}")


def divided_bound(unit: Unit, comment: AnnotationComment, by: int) -> str:
    """The annotation for a loop each of whose rounds does so many, and that leaves out the rest."""
    said = comment.said
    assert isinstance(said, LoopBoundAnnotation)
    if isinstance(said.bound, Number):
        return _bounded(unit, comment, str(said.bound.value // by))
    text = unit.spelled(said.bound.span)
    return _bounded(unit, comment, f"({text}) / {by}" if isinstance(said.bound, BinaryTerm) else f"{text} / {by}")


def rest_bound(unit: Unit, comment: AnnotationComment, rounds: int) -> str:
    """The annotation for a loop that makes no more than so many rounds."""
    return _bounded(unit, comment, str(rounds))


def _bounded(unit: Unit, comment: AnnotationComment, bound: str) -> str:
    said = comment.said
    assert isinstance(said, LoopBoundAnnotation)
    before = unit.spelled(Span(unit.file, comment.span.start, said.bound.span.start))
    return before + bound + unit.spelled(Span(unit.file, said.bound.span.end, comment.span.end))


def has_contract(unit: Unit, one: OneLoop) -> bool:
    """Whether what the loop is to cost is stated, of the statement that it is."""
    return any(contract.place == one.node.span for contract in one.kernel.annotations.contracts)


def numbers_of(unit: Unit, loops: Sequence[OneLoop], rounds: int) -> list[str] | None:
    """The counter's values in the first rounds, and behind them, as text, if its name may be replaced by them in these."""
    one = loops[0]
    node, driver = one.node, one.driver
    if isinstance(driver, str) or not isinstance(node, syn.For) or driver.in_body:
        return None
    made = node.init.declarations if isinstance(node.init, syn.DeclStmt) else ()
    if len(made) != 1 or not isinstance(made[0], syn.VarDecl) or not isinstance(made[0].init, syn.Expr):
        return None
    name = made[0].name
    every = [loop.first_values(rounds) for loop in loops]
    types = {type_of(loop, driver.var) for loop in loops}
    type_ = next(iter(types))
    if every[0] is None or any(values != every[0] for values in every) or len(types) != 1 or type_ is None:
        return None
    if min(every[0]) <= -(1 << 31):  # no literal of the type is that number
        return None
    if (
        type_.kind is not ScalarKind.INT
        or type_.size != 4
        or made[0].storage
        or not is_only_read(unit, node.body, name)
    ):
        return None
    return [_literal(value, type_.signed) for value in every[0]]


def counter_of(node: syn.For) -> syn.VarDecl | None:
    """The one variable that a loop declares."""
    made = node.init.declarations if isinstance(node.init, syn.DeclStmt) else ()
    return made[0] if len(made) == 1 and isinstance(made[0], syn.VarDecl) else None


def _literal(value: int, signed: bool) -> str:
    text = str(value) if signed else f"{value}u"
    return text if value >= 0 else f"({text})"


def is_only_read(unit: Unit, body: syn.Node, name: str) -> bool:
    """Whether a name stands in a body for what it stands for outside, and where a number may stand as well."""
    for node in inside(body):
        match node:
            case syn.Lambda():
                return False
            case syn.Name(name=other, expansion=str()) if other == name:
                return False
            case syn.VarDecl(name=other) | syn.Parameter(name=other) if other == name:
                return False
            case syn.Unary(op="&", operand=syn.Name(name=other)) | syn.IncDec(operand=syn.Name(name=other)):
                if other == name:
                    return False
            case syn.Assign(target=syn.Name(name=other)) if other == name:
                return False
            case syn.Call(args=args) | syn.Construct(args=args):
                if any(isinstance(arg, syn.Name) and arg.name == name for arg in args):
                    return False
            case syn.VarDecl(type=syn.ReferenceTo(), init=syn.Name(name=other)) if other == name:
                return False
            case _:
                pass
    said = (c.span for c in unit.tree.annotations if body.span.encloses(c.span))
    return not any(re.search(rf"\b{re.escape(name)}\b", unit.spelled(span)) for span in said)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds written out: `declared`: what stands before them; `lines`: the rounds; `init`: what the loop begins with after them.
    `scoped`: in a block of their own, for the declaration's sake."""

    declared: str
    lines: tuple[str, ...]
    init: str
    scoped: bool


def written_out(unit: Unit, node: syn.For | syn.While, rounds: int, numbers: Sequence[str] | None) -> Rounds:
    """The first rounds of a loop, with the counter's `numbers` in the place of its name, or as the loop would do them."""
    body = node.body
    if isinstance(node, syn.For) and numbers is not None:
        counter = counter_of(node)
        assert counter is not None and counter.init is not None and node.init is not None
        uses = [one.span for one in inside(body) if isinstance(one, syn.Name) and one.name == counter.name]
        lines = tuple(replaced(unit, body, dict.fromkeys(uses, number)) for number in numbers[:rounds])
        return Rounds("", lines, replaced(unit, node.init, {counter.init.span: numbers[rounds]}), False)
    text = unit.spelled(body.span)
    if not isinstance(node, syn.For):
        return Rounds("", (text,) * rounds, "", False)
    init = "" if node.init is None else unit.spelled(node.init.span).rstrip().removesuffix(";")
    step = () if node.step is None else (f"{unit.spelled(node.step.span)};",)
    scoped = isinstance(node.init, syn.DeclStmt)
    return Rounds(f"{init};" if init else "", (text, *step) * rounds, "", scoped)


def header(unit: Unit, node: syn.For, init: str, test: str | None = None, step: str | None = None) -> str:
    """`for (init; condition; step)` up to the body as spelled, with another init, and another test and step if they are given."""
    text = unit.spelled(Span(unit.file, node.span.start, node.body.span.start))
    open_ = node.span.start + len(text[: text.index("(") + 1].encode("utf-8", "surrogateescape"))
    first = node.init.span.end if node.init is not None else open_
    by: dict[Span, str] = {}
    if test is not None and node.condition is not None:
        by[node.condition.span] = test
    if step is not None and node.step is not None:
        by[node.step.span] = step
    behind = spliced(unit, Span(unit.file, first, node.body.span.start), by)
    begun = unit.spelled(Span(unit.file, node.span.start, open_)) + init.rstrip().removesuffix(";")
    return begun + (behind if behind.lstrip().startswith(";") else ";" + behind)


def opened(header: str) -> str:
    """A header with the brace of a block behind it, and behind that the comments that followed the header."""
    data = header.encode("utf-8", "surrogateescape")
    end = len(code_of(data).rstrip())
    code, comments = (part.decode("utf-8", "surrogateescape").strip() for part in (data[:end], data[end:]))
    return f"{code} {{{' ' * bool(comments)}{comments}"


def start_of(unit: Unit, head: Head, node: syn.Node) -> int:
    """Where the first word of a loop stands, or of what belongs to it above."""
    before = unit.text[head.start : node.span.start]
    return head.start + len(before) - len(before.lstrip(b" \t"))


def nested(header: str, lines: Sequence[str], deep: str) -> list[str]:
    """A statement with a block, whose lines are indented by a step."""
    return [f"{header} {{", *indented(lines, deep), "}"]


def indented(lines: Sequence[str], deep: str) -> list[str]:
    """Lines, some of which may hold several, a step deeper."""
    return [deep + line.replace("\n", "\n" + deep) if line else line for line in lines]


def laid_out(unit: Unit, declaration: syn.FunctionDecl, node: syn.Node, lines: Sequence[str], scoped: bool) -> str:
    """Statements in the place of a loop, each on a line of its own and indented as it was, in braces if `scoped` or where only one may stand."""
    assert declaration.body is not None
    base = indent_of(unit, node.span)
    end = "\r\n" if b"\r\n" in unit.text[: node.span.start] or b"\r\n" in unit.text[node.span.end :] else "\n"
    if scoped or not _is_in_block(declaration.body, node):
        deep = step_of(unit, declaration.body)
        lines = ("{", *indented(lines, deep), "}")
    return (end + base).join(lines)


def _is_in_block(body: syn.Compound, node: syn.Node) -> bool:
    """Whether several statements may stand in the place of one, declarations among them that nothing jumps over."""
    every = list(inside(body))
    switched = [n.body for n in every if isinstance(n, syn.Switch)]
    if any(isinstance(n, syn.OpaqueStmt) for n in every):
        return False
    return any(isinstance(n, syn.Compound) and node in n.body and n not in switched for n in every)
