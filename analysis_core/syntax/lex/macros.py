"""Macro definitions: what `#define` says, in the form that expansion needs (C++17 [cpp.replace]).

A definition does not depend on the macros around it, so it is parsed once per file, when the file is cut into
lines, and shared by every inclusion of the file.
"""

from __future__ import annotations

from enum import Enum
from typing import Sequence

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.lex.lexer import lex_fragment
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span


class Builtin(Enum):
    """Macros whose expansion depends on the place or the time of use."""

    LINE = "__LINE__"
    FILE = "__FILE__"
    BASE_FILE = "__BASE_FILE__"
    COUNTER = "__COUNTER__"
    INCLUDE_LEVEL = "__INCLUDE_LEVEL__"
    PRAGMA = "_Pragma"


@dataclass(frozen=True, slots=True)
class BodyToken:
    """A token of a macro's body.

    `parameter` is the index of the parameter it names, or -1.  `stringify`: a `#` stood before the parameter.
    `paste`: a `##` follows.  `optional` > 0: it stands in the n-th `__VA_OPT__(...)` of the body."""

    kind: TokenKind
    text: str
    space: bool
    parameter: int = -1
    stringify: bool = False
    paste: bool = False
    optional: int = 0


@dataclass(frozen=True, slots=True)
class Macro:
    """`parameters` is None for an object-like macro.  `variadic`: the last parameter takes the rest of the arguments.

    `plain`: the body has neither parameters nor operators and can be copied as it is."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[BodyToken, ...]
    span: Span | None
    variadic: bool = False
    plain: bool = True
    builtin: Builtin | None = None


def parse_definition(tokens: Sequence[Token]) -> Macro | Cause:
    """The macro of `#define`, from the tokens after that word; a Cause where it defines nothing."""
    if not tokens:
        return Cause(CauseKind.READER, "#define without a name", None)
    name = tokens[0]
    if name.kind is not TokenKind.IDENTIFIER or name.text == "defined":
        return Cause(CauseKind.READER, f"{name.text} cannot be a macro name", name.span)
    function_like = len(tokens) > 1 and tokens[1].text == "(" and not tokens[1].space
    if not function_like:
        return _with_body(name, None, False, tokens[1:])
    close = next((i for i, token in enumerate(tokens) if token.text == ")"), -1)
    parsed = _parameters(tokens[2:close]) if close > 0 else None
    if parsed is None:
        return Cause(CauseKind.READER, f"the parameter list of macro {name.text} is malformed", name.span)
    return _with_body(name, parsed[0], parsed[1], tokens[close + 1 :])


def define(name: str, value: str, file: FileId) -> Macro:
    """An object-like macro (or `f(x)`-like, with parameters in `name`) from text that stands in no file (`-D`)."""
    parsed = parse_definition(lex_fragment(f"{name} {value}", file))
    if isinstance(parsed, Cause):
        return Macro(name, None, (), None)
    return Macro(parsed.name, parsed.parameters, parsed.body, None, parsed.variadic, parsed.plain)


def _parameters(tokens: Sequence[Token]) -> tuple[tuple[str, ...], bool] | None:
    """Parameter names, and whether the last is variadic (`...` is named `__VA_ARGS__`, GNU `x...` is named x)."""
    names: list[str] = []
    texts = [token.text for token in tokens]
    while texts:
        word = texts.pop(0)
        if word == "...":
            names.append("__VA_ARGS__")
            return (tuple(names), True) if not texts else None
        if not (word[0].isalpha() or word[0] in "_$" or not word.isascii()) or word in names:
            return None
        names.append(word)
        if texts and texts[0] == "...":
            return (tuple(names), True) if len(texts) == 1 else None
        if texts and (texts.pop(0) != "," or not texts):
            return None
    return tuple(names), False


def _with_body(
    name: Token, parameters: tuple[str, ...] | None, variadic: bool, tokens: Sequence[Token]
) -> Macro | Cause:
    if tokens and (tokens[0].text == "##" or tokens[-1].text == "##"):
        return Cause(CauseKind.READER, f"'##' at an end of the body of macro {name.text}", name.span)
    indices = {parameter: i for i, parameter in enumerate(parameters or ())}
    body: list[BodyToken] = []
    optional = 0
    optional_depth = 0  # parentheses open inside the current __VA_OPT__, 0 outside
    optional_count = 0
    stringify = stringify_space = False
    index = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        text = token.text
        space = token.space and bool(body)
        if text == "##" and body:
            last = body[-1]
            body[-1] = BodyToken(last.kind, last.text, last.space, last.parameter, last.stringify, True, last.optional)
            continue
        following = tokens[index].text if index < len(tokens) else ""
        if text == "#" and parameters is not None and following in indices:
            stringify, stringify_space = True, space
            continue
        if variadic and text == "__VA_OPT__" and following == "(" and not optional:
            optional_count += 1
            optional, optional_depth = optional_count, 0
            continue
        if optional:
            optional_depth += (text == "(") - (text == ")")
            if text == "(" and optional_depth == 1:
                continue
            if text == ")" and optional_depth == 0:
                optional = 0
                continue
        if stringify:
            space = stringify_space
        body.append(BodyToken(token.kind, text, space, indices.get(text, -1), stringify, False, optional))
        stringify = False
    plain = not any(item.parameter >= 0 or item.paste or item.optional for item in body)
    return Macro(name.text, parameters, tuple(body), name.span, variadic, plain)
