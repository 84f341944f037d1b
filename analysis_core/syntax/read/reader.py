"""What the reading functions share: the tokens of the unit, one item's rendering and names, and how deep they are.

`read_declarations`, `read_statements` and `read_expressions` turn tree-sitter's concrete tree into syntax nodes;
`read_types` and `expression_parser` read types, and expressions that tree-sitter fails on, from the tokens alone.
All of them are functions of a `Reader`, made anew for every item.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import field

import tree_sitter

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read.environment import Environment
from analysis_core.syntax.read.rendering import Decoration, Rendered
from analysis_core.syntax.read.tree import Expr, OpaqueExpr, OpaqueStmt, Stmt
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

MAX_DEPTH = 200
"""Nesting of nodes in one tree; what is deeper becomes opaque, so that no consumer's recursion overflows."""

MAX_CHAIN = 4096
"""Operators in one chain `a + b + c + ...`, a left spine of the tree that is walked in a loop and is no nesting."""

MAX_CONDITIONS = 512
"""Operators `&&` and `||` in one chain: what is known after each of them is compared with all that was known before."""

TOO_DEEP = "nested too deeply"


@dataclass(frozen=True, slots=True)
class Unit:
    """The tokens of a translation unit.  `made` are the indices of the tokens that come from macro bodies; `typing`: its
    gaps are lines that are being typed."""

    tokens: Sequence[Token]
    made: Sequence[int]
    typing: bool = False

    def span(self, start: int, end: int) -> Span:
        """The text of the tokens `start <= i < end`: the hull of their spans, as far as they lie in one file.

        Spelled tokens stand in the order of the text, and an invocation holds its arguments.  So the hull is that of
        the outermost tokens and of the outermost macro-made ones."""
        tokens = self.tokens
        if not tokens:
            return Span(FileId(""), 0, 0)
        if start >= len(tokens):
            last = tokens[-1].span
            return Span(last.file, last.end, last.end)
        first = tokens[start].span
        if end - start <= 1:
            return first if end > start else Span(first.file, first.start, first.start)
        hull = first.hull(tokens[end - 1].span)
        low, high = bisect_left(self.made, start), bisect_left(self.made, end)
        if low < high:
            hull = hull.hull(tokens[self.made[low]].span).hull(tokens[self.made[high - 1]].span)
        return hull


def make_unit(tokens: Sequence[Token], typing: bool = False) -> Unit:
    """Finds the macro-made tokens once, so that a span needs a few tokens only."""
    return Unit(tokens, [i for i, token in enumerate(tokens) if token.expansion is not None], typing)


@dataclass(slots=True)
class Reader:
    """The state of reading one item.  `depth` is the nesting of the node being read; `problems` gathers what failed.

    `accounted`: token ranges that are opaque in the tree, or were read in spite of a syntax error in them."""

    unit: Unit
    scope: Environment
    rendered: Rendered
    parser: tree_sitter.Parser
    namespace: str = ""
    depth: int = 0
    problems: list[Cause] = field(default_factory=list)
    accounted: list[tuple[int, int]] = field(default_factory=list)

    @property
    def tokens(self) -> Sequence[Token]:
        return self.unit.tokens

    def span(self, start: int, end: int) -> Span:
        return self.unit.span(start, end)

    def text(self, index: int) -> str:
        return self.unit.tokens[index].text

    def first_of_name(self, end: int) -> int:
        """The first of the tokens before `end` that were taken out for tree-sitter: the class in `T C::*`."""
        k = bisect_left(self.rendered.indices, end)
        return self.rendered.token_after(self.rendered.indices[k - 1]) if k else end

    def joined(self, start: int, end: int) -> str:
        """The tokens' spellings joined by blanks."""
        return " ".join(t.text for t in self.unit.tokens[start:end])

    def expansion(self, start: int) -> str | None:
        """The macro whose body made token `start`, if any."""
        tokens = self.unit.tokens
        return tokens[start].expansion if start < len(tokens) else None

    def cause(self, kind: CauseKind, reason: str, start: int, end: int) -> Cause:
        """A cause at these tokens. Failures of our own are also kept as problems of the tree."""
        cause = Cause(kind, reason, self.span(start, end))
        if kind is CauseKind.READER:
            self.problems.append(cause)
        return cause

    def opaque(
        self, start: int, end: int, reason: str, kind: CauseKind = CauseKind.READER, part: Expr | None = None
    ) -> OpaqueExpr:
        """An expression that is not understood."""
        self.accounted.append((start, end))
        cause = self.cause(kind, reason, start, end)
        return OpaqueExpr(span=self.span(start, end), expansion=self.expansion(start), cause=cause, part=part)

    def opaque_stmt(
        self, start: int, end: int, reason: str, kind: CauseKind = CauseKind.READER, inner: tuple[Stmt, ...] = ()
    ) -> OpaqueStmt:
        """A statement that is not understood, or is outside of the language."""
        self.accounted.append((start, end))
        cause = self.cause(kind, reason, start, end)
        return OpaqueStmt(span=self.span(start, end), expansion=self.expansion(start), cause=cause, inner=inner)

    def pragmas_before(self, start: int) -> list[str]:
        """The texts of the pragmas that stand directly before token `start`."""
        dropped = self.rendered.decorations_between(self.rendered.lead_in(start), start)
        return [self.text(d.index) for d in dropped if d.text == "#pragma"]

    def decorations(self, start: int, end: int) -> list[Decoration]:
        """The qualifiers and attributes dropped among and directly before the tokens `start <= i < end`."""
        return self.rendered.decorations_between(self.rendered.lead_in(start), end)

    def is_name(self, index: int) -> bool:
        tokens = self.unit.tokens
        return index < len(tokens) and tokens[index].kind is TokenKind.IDENTIFIER
