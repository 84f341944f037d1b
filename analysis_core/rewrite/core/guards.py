"""Statements that all threads of a block come to but for guards: `if (x < w && y < h) { .. }` around them, `if (i >= n) return;` before them.

A barrier that is put before or behind the outermost guard is reached by all threads of the block.  A `return` is turned into a guard of what stands
behind it, which has to be nothing but declarations and the one statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.source import foreign, has_directive, line_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Guarded:
    """`whole`: the outermost guard around the statement, or the statement; `inner`: the guards, outermost first; `left`: guards before it that leave the
    kernel; `behind`: what stands behind it in the kernel; `path`: why a barrier beside it is not reached by all threads, or ""."""

    statement: syn.ExprStmt
    whole: syn.Stmt
    inner: tuple[syn.If, ...]
    left: tuple[syn.If, ...]
    between: tuple[syn.Stmt, ...]
    behind: tuple[syn.Stmt, ...]
    gone: Span | None

    @property
    def conditions(self) -> tuple[syn.Expr, ...]:
        return (*(one.condition for one in self.left), *(one.condition for one in self.inner))

    def joined(self, texts: tuple[str, ...]) -> str:
        """The condition under which the statement is executed, from the texts of its guards' conditions."""
        parts = [f"!({text})" for text in texts[: len(self.left)]]
        parts += [text if len(texts) == 1 else f"({text})" for text in texts[len(self.left) :]]
        return " && ".join(parts)

    def refusal(self, unit: Unit) -> str | None:
        """Why a barrier beside the outermost guard is not one that all threads reach; None if it is."""
        if self.gone is not None:
            return (
                f"threads may leave the kernel in line {unit.line(self.gone)}, and a barrier has to be reached by all"
            )
        if self.left and (self.behind or not all(isinstance(one, syn.DeclStmt) for one in self.between)):
            line = unit.line(self.left[0].span)
            return f"threads leave the kernel in line {line} before other statements than this one"
        return next((reason for one in self.left if (reason := foreign(unit, one)) is not None), None)

    def without_returns(self, unit: Unit) -> Iterator[Edit]:
        return without_returns(unit, self.left)

    def asked(self, unit: Unit) -> str:
        """What has to stand before the statement in place of those guards."""
        texts = tuple(f"!({unit.spelled(one.condition.span)})" for one in self.left)
        return f"if ({' && '.join(texts)}) " if texts else ""


def without_returns(unit: Unit, left: Iterable[syn.If]) -> Iterator[Edit]:
    """Guards that leave the kernel are taken out, with their lines where nothing else stands there."""
    for one in left:
        lines = line_of(unit, one.span)
        alone = unit.text[lines.start : lines.end].strip() == unit.text[one.span.start : one.span.end].strip()
        yield Edit(Span(unit.file, lines.start, min(lines.end + 1, len(unit.text))) if alone else one.span, "")


def made_elsewhere(unit: Unit, whole: syn.Node, places: tuple[syn.Node, ...]) -> str | None:
    """Why text may not be put beside a statement or in the places of nodes in it; None if it may.  Macros may stand around the places, and in what
    stays as it is."""
    if any(isinstance(one, syn.OpaqueExpr | syn.OpaqueStmt) for one in inside(whole)):
        return "part of it is not understood"
    for node in (whole, *places):
        if node.expansion is not None:
            return f"the macro `{node.expansion}` makes part of it"
        if node.span.file != unit.file or not whole.span.encloses(node.span):
            return "it does not stand in this file"
    if has_directive(unit, whole.span):
        return "there are directives of the preprocessor in it"
    return None


def guarded_statements(declaration: syn.FunctionDecl) -> Iterator[Guarded]:
    """Expression statements of a kernel's body that guards alone stand around, in order."""
    body = declaration.body.body if declaration.body is not None else ()
    left: list[tuple[int, syn.If]] = []
    gone: Span | None = None
    for number, statement in enumerate(body):
        if leaves(statement):
            assert isinstance(statement, syn.If)
            left.append((number, statement))
            continue
        returned = next((n.span for n in inside(statement, lambdas=False) if isinstance(n, syn.Return)), None)
        if returned is None and (found := _within(statement)) is not None:
            inner, one = found
            first = left[0][0] if left else number
            between = tuple(s for s in body[first:number] if not leaves(s))
            yield Guarded(one, statement, inner, tuple(s for _, s in left), between, body[number + 1 :], gone)
        gone = gone or returned


def leaves(statement: syn.Stmt) -> bool:
    """`if (..) return;`"""
    if not isinstance(statement, syn.If) or statement.otherwise is not None or statement.init is not None:
        return False
    then = statement.then
    if isinstance(then, syn.Compound) and len(then.body) == 1:
        then = then.body[0]
    return isinstance(then, syn.Return) and then.value is None and not statement.is_constexpr


def _within(statement: syn.Stmt) -> tuple[tuple[syn.If, ...], syn.ExprStmt] | None:
    """The guards around the only statement in them that is no declaration."""
    guards: list[syn.If] = []
    while True:
        match statement:
            case syn.ExprStmt():
                return tuple(guards), statement
            case syn.If(otherwise=None, init=None, is_constexpr=False):
                guards.append(statement)
                statement = statement.then
            case syn.Compound(body=(*declared, last)) if all(isinstance(one, syn.DeclStmt) for one in declared):
                statement = last
            case _:
                return None


@dataclass(frozen=True, slots=True)
class Test:
    """A condition that a thread has to pass on its way to a place, or (`negated`) has to fail."""

    condition: syn.Expr
    negated: bool


def tests_around(declaration: syn.FunctionDecl, place: syn.Node) -> tuple[Test, ...] | str:
    """What a thread has to pass on its way to a place in a kernel, outermost first, where that is guards, `?:`, `&&`, `||` and loops of constant
    rounds; or why it is more than that."""
    body = declaration.body.body if declaration.body is not None else ()
    found: list[Test] = []
    for statement in body:
        if statement.span.encloses(place.span):
            reason = _on_the_way(declaration, statement, place, found)
            return reason or tuple(found)
        if leaves(statement):
            assert isinstance(statement, syn.If)
            found.append(Test(statement.condition, True))
        elif any(isinstance(node, syn.Return) for node in inside(statement, lambdas=False)):
            return "threads may leave the kernel before it"
    return "it does not stand in the kernel itself"


def _on_the_way(declaration: syn.FunctionDecl, whole: syn.Node, place: syn.Node, found: list[Test]) -> str | None:
    """Adds the tests between a node and a place in it."""
    node: syn.Node | None = whole
    while node is not None and node is not place:
        inner = next((one for one in _parts(node) if any(part is place for part in inside(one))), None)
        match node:
            case _ if inner is None:
                return "it does not stand in the kernel itself"
            case syn.Lambda() | syn.While() | syn.DoWhile() | syn.Switch() | syn.RangeFor():
                return "it is loaded in a loop of unknown rounds, or behind a `switch`"
            case syn.For() if not _is_counted(declaration, node):
                return "the rounds of a loop around it are not constants"
            case syn.Compound(body=body) if any(isinstance(one, _JUMPS) for s in body for one in inside(s)):
                return "a round, or the kernel, may end before it"
            case syn.If() | syn.Conditional() if inner is node.then or inner is node.otherwise:
                found.append(Test(node.condition, inner is node.otherwise))
            case syn.Binary(op="&&" | "||") if inner is node.right:
                found.append(Test(node.left, node.op == "||"))
        node = inner
    return None


def _is_counted(declaration: syn.FunctionDecl, loop: syn.For) -> bool:
    """Whether a loop's header names nothing that a thread or a launch may change, but its own counter."""
    own = {one.name for one in getattr(loop.init, "declarations", ()) if isinstance(one, syn.VarDecl)}
    local = {p.name for p in declaration.parameters}
    local |= {one.name for one in inside(declaration) if isinstance(one, syn.VarDecl)} | {
        "threadIdx",
        "blockIdx",
        "gridDim",
    }
    header = [part for part in (loop.init, loop.condition, loop.step) if part is not None]
    names = {one.name for part in header for one in inside(part) if isinstance(one, syn.Name)}
    return len(own) == 1 and loop.condition is not None and not (names - own) & local


_JUMPS = (syn.Break, syn.Continue, syn.Return, syn.OpaqueStmt)


def _parts(node: syn.Node) -> Iterator[syn.Node]:
    """The nodes right below a node."""
    skip: set[int] = set()
    for one in inside(node):
        if one is not node and id(one) not in skip:
            yield one
            skip |= {id(below) for below in inside(one)}
