"""The words that a program is run with, and the numbers that the host makes of them."""

from __future__ import annotations

import re

from analysis_core.program.host.host_calls import bare_name
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_WHOLE = {
    "atoi": "", "stoi": "", "atol": "L", "stol": "L", "strtol": "L", "atoll": "LL", "stoll": "LL", "strtoll": "LL",
    "stoul": "UL", "strtoul": "UL", "stoull": "ULL", "strtoull": "ULL",
}  # fmt: skip
"""What makes a whole number of a text, with the suffix of a literal of its type."""

_REAL = frozenset({"atof", "stof", "stod", "strtof", "strtod"})

_DIGITS = re.compile(r"\s*([+-]?)([0-9]{1,20})(?![0-9])")
_DECIMAL = re.compile(
    r"\s*([+-]?)([0-9]{1,20}\.?[0-9]{0,20}(?:[eE][+-]?[0-9]{1,2})?|\.[0-9]{1,20}(?:[eE][+-]?[0-9]{1,2})?)(?![0-9])"
)
_INDEX = re.compile("[0-9]{1,6}")
_MOST = 1 << 31, 1 << 63
"""What an int, and anything longer, has no room for."""


@dataclass(frozen=True, slots=True)
class Words:
    """`count`, `name`: the parameters `argc` and `argv`; `given`: the words after the program's own."""

    count: str
    name: str
    given: tuple[str, ...]

    def after(self, option: str, offset: int = 1) -> str | None:
        """The word so many behind an option, or the text in `-n=text`; None where there is none."""
        for at, word in enumerate(self.given):
            if word == option:
                return self.given[at + offset] if 0 < offset < len(self.given) - at else None
            if word.startswith(f"{option}=") and offset == 1:
                return word[len(option) + 1 :]
        return None

    def named(self, option: str) -> tuple[bool, str | None]:
        """Whether an option is among the words, with as many dashes as there may be, and what stands behind its `=`."""
        for word in self.given:
            name, equals, value = word.lstrip("-").partition("=")
            if name == option.lstrip("-"):
                return True, value if equals else None
        return False, None

    def has(self, option: str) -> bool:
        """Whether the program is run with an option."""
        return any(word == option or word.startswith(f"{option}=") for word in self.given)

    def number(self, call: syn.Call, word: str) -> syn.Expr | None:
        """The number that this call makes of a word; None where it makes something else of it, or none."""
        name = bare_name(call.callee)
        if name in _REAL:
            return real_number(call.span, word)
        if name not in _WHOLE or (len(call.args) > 2 and getattr(uncast(call.args[2]), "text", "") not in ("0", "10")):
            return None
        whole = _DIGITS.match(word)
        if whole is None or int(whole[2]) >= _MOST[_WHOLE[name] != ""]:
            return None
        return _whole(call.span, whole, _WHOLE[name])


def real_number(span: Span, word: str) -> syn.Expr | None:
    """The number of the type double that a word is."""
    real = _DECIMAL.match(word)
    if real is None:
        return None
    text = real[2] if re.search("[.eE]", real[2]) else f"{real[2]}.0"
    return _signed(span, real[1], syn.LiteralKind.FLOAT, text)


def whole_number(span: Span, word: str) -> syn.Expr | None:
    """The number of the type int that a word is."""
    whole = _DIGITS.match(word)
    return None if whole is None or int(whole[2]) >= _MOST[0] else _whole(span, whole, "")


def _whole(span: Span, whole: re.Match[str], suffix: str) -> syn.Expr:
    return _signed(span, whole[1], syn.LiteralKind.INT, f"{int(whole[2])}{suffix}")


def word_of(words: Words, expr: syn.Expr) -> str | None:
    """The word that is `argv[1]`, or the like of `std::string(argv[1])`."""
    match uncast(expr):
        case syn.Construct(args=(inner,)):
            return word_of(words, inner)
        case syn.Call(callee=callee, args=(inner,)) if bare_name(callee) in ("string", "string_view"):
            return word_of(words, inner)
        case syn.Subscript(base=syn.Name(name=name), index=syn.Literal(kind=syn.LiteralKind.INT, text=text)):
            known = name == words.name and _INDEX.fullmatch(text) and 1 <= int(text) <= len(words.given)
            return words.given[int(text) - 1] if known else None
        case _:
            return None


def literal(span: Span, number: int) -> syn.Literal:
    """A number of the type int, at least 0."""
    return syn.Literal(span=span, kind=syn.LiteralKind.INT, text=str(number))


def _signed(span: Span, sign: str, kind: syn.LiteralKind, text: str) -> syn.Expr:
    number = syn.Literal(span=span, kind=kind, text=text)
    return syn.Unary(span=span, op="-", operand=number) if sign == "-" else number
