"""C expressions in annotations, read by pycparser into our own small terms.

pycparser knows C's grammar; what it does not keep is where things end.  So the text is cut into tokens first, which
also refuses what no such expression holds, the parser's columns are looked up among them, and a composite term reaches
from its first to its last token.  Where the parser only says "invalid", the first token that cannot stand where it
stands is found by whether an operand or an operator is expected there.

The text is Latin-1, one character per byte, so that columns are bytes.  pycparser is imported when the first
expression is read: a run that meets none does not pay for it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from analysis_core.support.recursion import deep_recursion
from analysis_core.syntax.lex.macros import Macro
from analysis_core.syntax.read.annotation_tree import LARGEST, Binary, Call, Misstatement, Name, Number, Term, Unary
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

FUNCTIONS: Mapping[str, int] = {"ceil": 1, "ceil_div": 2, "min": 2, "max": 2}
"""The functions of terms and how many arguments they take."""

MOST_TOKENS = 400
MOST_EXPANSIONS = 16  # macros in macros; a macro that names itself is none the second time
_TOKEN = re.compile(
    r"[A-Za-z_]\w*|\.?[0-9](?:'\w|[\w.])*|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:(),.]", re.ASCII
)
_COLUMN = re.compile(r"^:1:(\d+): ")
_PREFIX = "int _=("
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)[uUlL]*$")
_UNREADABLE = frozenset(
    {
        "int", "char", "short", "long", "float", "double", "void", "signed", "unsigned", "struct", "union", "enum",
        "const", "volatile", "static", "extern", "register", "auto", "typedef", "inline", "restrict", "sizeof",
        "offsetof", "return", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue",
        "goto", "_Bool", "_Complex", "_Noreturn", "_Thread_local", "_Static_assert", "_Atomic", "_Alignof",
        "_Alignas", "_Pragma", "__int128",
    }
)  # fmt: skip
"""Words that pycparser takes for something else than a name."""

_OPERATORS = frozenset(
    {"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"}
)


class Unread(Exception):
    """Carries a misstatement out of the reading of one annotation; caught by `annotations.py`, its only user."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.wrong = Misstatement(reason, span)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a comment: `text`, one character per byte, begins at byte `start` of `file`.

    `fixed`: where the text stands for something else (a macro), the place that all of it has."""

    text: str
    start: int
    file: FileId
    fixed: Span | None = None

    def span(self, begin: int, end: int) -> Span:
        if self.fixed is not None:
            return self.fixed
        return Span(self.file, self.start + begin, self.start + end)

    def part(self, begin: int, end: int) -> Piece:
        """The text from `begin` to `end` without the blanks around it."""
        text = self.text[begin:end]
        begin += len(text) - len(text.lstrip())
        return Piece(text.strip(), self.start + begin, self.file, self.fixed)

    @property
    def whole(self) -> Span:
        return self.span(0, len(self.text))

    def spelling(self, span: Span) -> str:
        """What stands at a span of this piece, with single blanks."""
        text = self.text[span.start - self.start : span.end - self.start]
        return " ".join(text.encode("latin-1").decode("utf-8", "replace").split())


def read_term(piece: Piece, macros: Mapping[str, Macro], expanding: frozenset[str] = frozenset()) -> Term:
    """The term that a piece of text is; raises `Unread`."""
    tokens = token_places(piece)
    with deep_recursion():
        tree = parsed(piece, tokens)
        return _Terms(piece, tokens, macros, expanding).term(tree)


def parsed(piece: Piece, tokens: Tokens) -> Any:
    """pycparser's tree of an expression; raises `Unread`."""
    _refuse(piece, tokens)
    from pycparser.c_parser import CParser, ParseError

    try:
        tree = CParser().parse(f"{_PREFIX}{piece.text});")
    except ParseError as error:
        raise _located(piece, tokens, str(error)) from None
    if len(tree.ext) != 1:
        raise Unread("this is no expression", piece.whole)
    return tree.ext[0].init


Tokens = tuple[tuple[int, int], ...]


def token_places(piece: Piece, more: str = "") -> Tokens:
    """Where each token begins and ends.  `more`: characters that are tokens besides."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(piece.text):
        if piece.text[at] in " \t\r\n\f\v":
            at += 1
            continue
        if piece.text[at] in more:
            found.append((at, at + 1))
            at += 1
            continue
        match = _TOKEN.match(piece.text, at)
        if match is None:
            end = at + 1
            while piece.text[at] > "\x7f" and piece.text[end : end + 1] > "\x7f":
                end += 1  # the bytes of one character
            raise Unread("this cannot stand in an annotation", piece.span(at, end))
        found.append(match.span())
        at = match.end()
    return tuple(found)


def _refuse(piece: Piece, tokens: Tokens) -> None:
    """Refuses what the parser would not read as an expression, or not in a sensible time."""
    if not tokens:
        raise Unread("an expression is missing here", piece.whole)
    if len(tokens) > MOST_TOKENS:
        raise Unread("this expression is too long", piece.whole)
    for begin, end in tokens:
        word = piece.text[begin:end]
        if word in _UNREADABLE:
            raise Unread(f"`{word}` cannot be used in an annotation", piece.span(begin, end))
    balance = 0
    for begin, end in tokens:
        balance += {"(": 1, ")": -1}.get(piece.text[begin:end], 0)
        if balance < 0:
            raise Unread("this parenthesis closes nothing", piece.span(begin, end))
    if balance:
        opened = [begin for begin, end in tokens if piece.text[begin:end] == "("]
        raise Unread("this parenthesis is not closed", piece.span(opened[-1], opened[-1] + 1))


def _located(piece: Piece, tokens: Tokens, message: str) -> Unread:
    """The parser's complaint at the token that it is about."""
    match = _COLUMN.match(message)
    at = int(match[1]) - 1 - len(_PREFIX) if match is not None else None
    wrong = _misplaced(piece, tokens)
    if wrong is None and at is not None:
        wrong = next((token for token in tokens if token[0] <= at < token[1]), None)
    if wrong is None:
        begin, end = tokens[-1]
        if piece.text[begin:end] not in (*_OPERATORS, "!", "~", ".", ",", "?", ":"):
            return Unread("this is no expression", piece.whole)
        return Unread(f"something is missing after `{piece.text[begin:end]}`", piece.span(begin, end))
    begin, end = wrong
    return Unread(f"`{piece.text[begin:end]}` is not expected here", piece.span(begin, end))


def _misplaced(piece: Piece, tokens: Tokens) -> tuple[int, int] | None:
    """The first token that stands where an operand (operator) is expected, and is none."""
    operand = True
    before = ""
    for begin, end in tokens:
        word = piece.text[begin:end]
        atom = word[0].isalnum() or word[0] == "_" or (word[0] == "." and len(word) > 1)
        if operand:
            if not atom and word not in ("(", "-", "+", "!", "~") and not (word == ")" and before == "("):
                return begin, end
            operand = not atom and word != ")"
        elif word in "[]":
            operand = word == "["
        elif atom or word in ("!", "~") or (word == "(" and not (before[0].isalpha() or before[0] == "_")):
            return begin, end
        else:
            operand = word != ")"
        before = word
    return None


@dataclass(frozen=True, slots=True)
class Reading:
    """pycparser's tree, and where its nodes stand.  `expanding`: the macros in whose bodies the text stands."""

    piece: Piece
    tokens: Tokens
    macros: Mapping[str, Macro]
    expanding: frozenset[str]

    def at(self, node: Any) -> int:
        """Where the parser says that the node begins."""
        return int(node.coord.column) - 1 - len(_PREFIX)

    def token(self, node: Any) -> Span:
        """The token at which the node begins."""
        at = self.at(node)
        begin, end = next((token for token in self.tokens if token[0] <= at < token[1]), (0, len(self.piece.text)))
        return self.piece.span(begin, end)

    def operator_before(self, at: int, op: str) -> Span:
        """The sign before an operand at `at`, which is where the parser says that both begin."""
        last = bisect_left(self.tokens, (at, 0))
        for begin, end in reversed(self.tokens[:last]):
            if self.piece.text[begin:end] == op:
                return self.piece.span(begin, end)
        return self.piece.whole

    def with_parentheses(self, span: Span) -> Span:
        """The span with the parentheses that close or open inside of it, as in `(a + b) * c`."""
        if self.piece.fixed is not None:
            return span
        text = self.piece.text
        first, last = span.start - self.piece.start, span.end - self.piece.start
        depth = lowest = 0
        for character in text[first:last]:
            depth += {"(": 1, ")": -1}.get(character, 0)
            lowest = min(lowest, depth)
        for _ in range(-lowest):
            first = max(text.rfind("(", 0, first), 0)
        for _ in range(depth - lowest):
            last = text.find(")", last) + 1 or len(text)
        return self.piece.span(first, last)

    def number(self, node: Any) -> int:
        """The value of a literal."""
        span = self.token(node)
        match = _NUMBER.match(node.value.replace("'", ""))
        if match is None:
            raise Unread(f"{node.value} is no integer", span)
        digits = match[1]
        octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
        value = int(digits, 8) if octal else int(digits, 0)
        if value >= LARGEST:
            raise Unread(f"{node.value} is too large", span)
        return value

    def closed(self, name: Span, at: int) -> Span:
        """From a function's name to the parenthesis that closes its arguments."""
        depth = 0
        for begin, end in self.tokens:
            if begin > at and self.piece.text[begin:end] in ("(", ")"):
                depth += 1 if self.piece.text[begin] == "(" else -1
                if depth == 0:
                    return name.hull(self.piece.span(begin, end))
        return name

    def constant(self, name: str) -> Macro | None:
        """The macro without parameters of this name, if there is one that stands for something."""
        macro = self.macros.get(name)
        if macro is None or macro.parameters is not None or macro.builtin is not None or not macro.body:
            return None
        return macro

    def is_too_deep(self, macro: Macro) -> bool:
        """Whether the text stands in the macro's own body, or in too many."""
        return macro.name in self.expanding or len(self.expanding) >= MOST_EXPANSIONS

    def body_of(self, macro: Macro, span: Span) -> Piece:
        """What a macro stands for, at the place of its name."""
        body = "".join((" " if token.space else "") + token.text for token in macro.body)
        return Piece(body, 0, span.file, span)


class _Terms(Reading):
    """pycparser's tree to terms."""

    __slots__ = ()

    def term(self, node: Any) -> Term:
        kind = type(node).__name__
        if kind == "Constant":
            return self._number(node)
        if kind in ("ID", "StructRef"):
            return self._name(node)
        if kind == "UnaryOp" and node.op in ("-", "+", "!", "~"):
            operand = self.term(node.expr)
            begin = self.operator_before(self.at(node), node.op)
            return Unary(node.op, operand, self.with_parentheses(begin.hull(operand.span)))
        if kind == "BinaryOp":
            left, right = self.term(node.left), self.term(node.right)
            return Binary(node.op, left, right, self.with_parentheses(left.span.hull(right.span)))
        if kind == "FuncCall":
            return self._call(node)
        raise Unread(f"{_WORDS.get(kind, 'this')} cannot be used in an annotation", self.token(node))

    def _number(self, node: Any) -> Number:
        return Number(self.number(node), self.token(node))

    def _name(self, node: Any) -> Term:
        parts: list[str] = []
        last = node
        while type(node).__name__ == "StructRef":
            if node.type != ".":
                raise Unread("`->` reads memory, which an annotation cannot speak of", self.token(node))
            parts.append(node.field.name)
            node = node.name
        if type(node).__name__ != "ID":
            raise Unread("this cannot be used in an annotation", self.token(last))
        span = self.token(node)
        if parts:
            return Name(".".join([node.name, *reversed(parts)]), span.hull(self.token(last.field)))
        macro = self.constant(node.name)
        return Name(node.name, span) if macro is None else self._expanded(macro, span)

    def _expanded(self, macro: Macro, span: Span) -> Term:
        """What a macro stands for, at the place of its name."""
        if self.is_too_deep(macro):
            return Name(macro.name, span)
        try:
            return read_term(self.body_of(macro, span), self.macros, self.expanding | {macro.name})
        except Unread:
            raise Unread(f"the macro `{macro.name}` is no integer expression", span) from None

    def _call(self, node: Any) -> Term:
        name = node.name.name if type(node.name).__name__ == "ID" else ""
        span = self.token(node)
        args = tuple(self.term(arg) for arg in (node.args.exprs if node.args is not None else ()))
        whole = self.closed(span, self.at(node))
        macro = self.macros.get(name)
        if name not in FUNCTIONS and macro is not None and macro.parameters is not None and not macro.variadic:
            if len(args) != len(macro.parameters):
                raise Unread(f"`{name}` takes {_count(len(macro.parameters))}, not {len(args)}", whole)
            return _put(self._expanded(macro, whole), dict(zip(macro.parameters, args, strict=True)))
        if name not in FUNCTIONS:
            raise Unread(f"`{name}` is not known here; there are {', '.join(sorted(FUNCTIONS))}", span)
        if len(args) != FUNCTIONS[name]:
            raise Unread(f"`{name}` takes {_count(FUNCTIONS[name])}, not {len(args)}", whole)
        return Call(name, args, whole)


def _put(term: Term, arguments: Mapping[str, Term]) -> Term:
    """The term with the names of a macro's parameters replaced."""
    match term:
        case Name():
            return arguments.get(term.name, term)
        case Unary():
            return replace(term, operand=_put(term.operand, arguments))
        case Binary():
            return replace(term, left=_put(term.left, arguments), right=_put(term.right, arguments))
        case Call():
            return replace(term, args=tuple(_put(arg, arguments) for arg in term.args))
        case Number():
            return term


def _count(number: int) -> str:
    return "one argument" if number == 1 else f"{number} arguments"


_WORDS: Mapping[str, str] = {
    "TernaryOp": "`?:`",
    "ArrayRef": "an array",
    "Assignment": "an assignment",
    "ExprList": "`,`",
    "Cast": "a cast",
}
