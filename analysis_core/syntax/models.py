"""Library classes whose headers are not read: models of them in CUDA C++ stand before the program, where it names one.

What is known of a library is data: `analysis_core/models`, with `index.txt` as its table of contents.  A class that the program declares
itself, or a header that was read, has no need of a model.  What is accessed inside of a model stands where its function is called (`ir/context`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from analysis_core.syntax.lexer import lex_fragment
from analysis_core.syntax.tokens import Token
from analysis_core.text.span import FileId

PREFIX = "<library>/"
"""Begins the names of the files that models stand in, which nobody can open."""

ELEMENT = "T"
_ROOTS = frozenset({"std", "thrust", "cuda"})


@dataclass(frozen=True, slots=True)
class Model:
    """`name`: the class with its namespaces."""

    name: str
    file: str
    replaced: Mapping[str, str]

    @property
    def scope(self) -> str:
        return self.name.rpartition("::")[0]

    @property
    def last(self) -> str:
        return self.name.rpartition("::")[2]


def is_model(file: FileId) -> bool:
    return file.startswith(PREFIX)


def with_models(tokens: Sequence[Token]) -> Sequence[Token]:
    """`tokens` behind the models of the library classes that they name and do not declare."""
    words = {token.text for token in tokens}
    if words.isdisjoint(_ROOTS):
        return tokens
    wanted = [model for model in _index() if model.last in words and _is_named(model, tokens, words)]
    made: list[Token] = []
    for model in wanted:
        made.extend(_tokens(model.name))
    return [*made, *tokens] if made else tokens


def _is_named(model: Model, tokens: Sequence[Token], words: set[str]) -> bool:
    """Whether a class is named, with its namespaces or by a using-directive, and declared nowhere."""
    named = False
    scope = model.scope.split("::")
    for i, token in enumerate(tokens):
        if token.text != model.last or i == 0:
            continue
        before = tokens[i - 1].text
        if before in ("struct", "class"):
            return False
        named = named or (_qualifier(tokens, i) == scope if before == "::" else False)
    return named or any(used == scope for used in _directives(tokens, words))


def _qualifier(tokens: Sequence[Token], i: int) -> list[str]:
    """The names before `:: name` at token `i`, outermost first."""
    found: list[str] = []
    while i >= 2 and tokens[i - 1].text == "::" and tokens[i - 2].text.isidentifier():
        found.insert(0, tokens[i - 2].text)
        i -= 2
    return found


def _directives(tokens: Sequence[Token], words: set[str]) -> Iterator[list[str]]:
    """The namespaces of `using namespace a::b;`."""
    if "using" not in words:
        return
    for i, token in enumerate(tokens):
        if token.text == "using" and i + 2 < len(tokens) and tokens[i + 1].text == "namespace":
            stop = next((j for j in range(i + 2, min(len(tokens), i + 10)) if tokens[j].text == ";"), i + 2)
            yield [part.text for part in tokens[i + 2 : stop] if part.text != "::"]


@cache
def _index() -> tuple[Model, ...]:
    lines = _read("index.txt").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return tuple(Model(name, file, dict(word.split("=", 1) for word in rest)) for name, file, *rest in rows)


@cache
def _tokens(name: str) -> tuple[Token, ...]:
    model = next(model for model in _index() if model.name == name)
    text = _read(model.file)
    for word, meaning in model.replaced.items():
        text = text.replace(word, meaning)
    return lex_fragment(text, FileId(PREFIX + name))


@cache
def class_sizes() -> Mapping[str, tuple[int, int] | str]:
    """Bytes and alignment of library classes without models, or `ELEMENT`: those of the first template argument."""
    rows = [line.split() for line in _read("sizes.txt").splitlines() if line and not line.startswith("#")]
    return MappingProxyType({name: ELEMENT if rest == ["T"] else (int(rest[0]), int(rest[1])) for name, *rest in rows})


def _read(file: str) -> str:
    return (resources.files("analysis_core") / "models" / file).read_text(encoding="utf-8")
