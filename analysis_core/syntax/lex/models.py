"""Library classes whose headers are not read: models of them in CUDA C++ stand before the program, where it names one.

What is known of a library is data: `analysis_core/models`, with `index.txt` as its table of contents.  A class that the program declares
itself, or a header that was read, has no need of a model.  What is accessed inside of a model stands where its function is called (`lower/context`).
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from analysis_core.support.files import Files
from analysis_core.syntax.lex.tokens import Token
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId

PREFIX = "<library>/"
"""Begins the names of the files that models stand in, which nobody can open."""

OWN = f"{PREFIX}own/"
"""Begins those of models that a project has itself, with the path of the file behind it."""

_SAID = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+warpcost[ \t]+model[ \t]+(\S+)[ \t]*$", re.MULTILINE)
"""What a model of a project says that it stands for: a class with its namespaces, a function, or a header."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model of library code. `name`: a class with its namespaces, a header that is missing, or a word; `file`: the
    model's text; `replaced`: words to be replaced in it; `assumed`: the library may do the same by other means, which is told."""

    name: str
    file: str
    replaced: tuple[tuple[str, str], ...]
    assumed: bool = False
    text: bytes | None = None  # of a model that a project has itself

    @property
    def scope(self) -> str:
        return self.name.rpartition("::")[0]

    @property
    def last(self) -> str:
        return self.name.rpartition("::")[2]


def is_model(file: FileId) -> bool:
    return file.startswith(PREFIX)


def missing_header(file: FileId) -> str | None:
    """The header that the model in this file stands for, if it stands for one."""
    name = file.removeprefix(PREFIX).partition("/")[0]
    return name if is_model(file) and name.endswith(".h") else None


def is_assumed(name: str, file: FileId) -> bool:
    """Whether it is told as an assumption that something of a library costs what its model in this file says."""
    return is_model(file) and (name in _ASSUMED or file.startswith(OWN))


def own_models(paths: Iterable[str], files: Files) -> dict[str, tuple[Model, ...]]:
    """What the models of a project stand for, by the paths of their files; () where there is no such file."""
    found: dict[str, tuple[Model, ...]] = {}
    for path in paths:
        text = files.read(path) or b""
        names = (name.decode("utf-8", "surrogateescape") for name in _SAID.findall(text))
        found[path] = tuple(Model(name, path, (), True, text) for name in names)
    return found


Cut = Callable[[str, bytes], Sequence[Token]]
"""Gives the tokens of a file of that name with that text."""


def with_models(
    tokens: Sequence[Token], cut: Cut, missing: Iterable[str] = (), own: Sequence[Model] = ()
) -> Sequence[Token]:
    """The tokens with models before them: of library classes that they name and do not declare, and of headers that
    are `missing`.  `own`: models of the project, which are asked first."""
    words = {token.text for token in tokens}
    headers = {part for header in missing for part in _endings(header.strip('<>"'))}
    headers |= {_ASSEMBLY for word in words if _ASSEMBLY in word}
    if words.isdisjoint(_ROOTS | _WORDS) and headers.isdisjoint(_WORDS) and not own:
        return tokens
    used = list(_directives(tokens)) if "using" in words else []
    named = words & _LAST.union(model.last for model in own)
    places: dict[str, list[int]] = {}
    for i, token in enumerate(tokens):
        if token.text in named and i:
            places.setdefault(token.text, []).append(i)
    opened = {after.text for token, after in pairwise(tokens) if token.text == "namespace"} if named else set()
    wanted: dict[tuple[str, str], Model] = {}
    declared: set[str] = set()
    for model in (*own, *_INDEX):
        last = model.last
        at = places.get(last, ())
        if at and _is_declared(model, tokens, at, opened):
            declared.add(model.file + str(model.replaced))
        elif last in headers or (at and _is_named(model, tokens, at, used)):
            wanted.setdefault((model.file, str(model.replaced)), model)
    found = [model for key, model in wanted.items() if "".join(key) not in declared]
    made = [token for model in found for token in cut(*_source(model))]
    return [*made, *tokens] if made else tokens


def _is_declared(model: Model, tokens: Sequence[Token], at: Sequence[int], opened: Container[str]) -> bool:
    """Whether the program declares a class or, outside of namespaces, a function of that name.  `at`: where its word stands; `opened`: the
    words behind `namespace`."""
    inside = not model.scope or model.scope.partition("::")[0] in opened
    if inside and any(tokens[i - 1].text in ("struct", "class") for i in at):
        return True
    return not model.scope and any(_declares_function(tokens, i) for i in at)


def _declares_function(tokens: Sequence[Token], i: int) -> bool:
    """Whether the word at `i` is a function's name behind the last word of its type."""
    before = tokens[i - 1].text
    called = i + 1 < len(tokens) and tokens[i + 1].text == "("
    return called and (before == ">" or before.isidentifier()) and before not in _BEFORE_CALLS


def _is_named(model: Model, tokens: Sequence[Token], at: Sequence[int], used: Sequence[list[str]]) -> bool:
    """Whether a class is named, with its namespaces or by a using-directive, of which `used` has the namespaces."""
    scope = model.scope.split("::")
    qualifiers = [_qualifier(tokens, i) for i in at]
    return not model.scope or any([*around, *qualifier] == scope for around in ((), *used) for qualifier in qualifiers)


def _endings(path: str) -> list[str]:
    """A header's path with fewer and fewer folders before its name."""
    parts = path.split("/")
    return ["/".join(parts[i:]) for i in range(len(parts))]


def _qualifier(tokens: Sequence[Token], i: int) -> list[str]:
    """The names before `:: name` at token `i`, outermost first."""
    found: list[str] = []
    while i >= 2 and tokens[i - 1].text == "::" and tokens[i - 2].text.isidentifier():
        found.insert(0, tokens[i - 2].text)
        i -= 2
    return found


def _directives(tokens: Sequence[Token]) -> Iterator[list[str]]:
    """The namespaces of `using namespace a::b;`."""
    for i, token in enumerate(tokens):
        if token.text == "using" and i + 2 < len(tokens) and tokens[i + 1].text == "namespace":
            stop = next((j for j in range(i + 2, min(len(tokens), i + 10)) if tokens[j].text == ";"), i + 2)
            yield [part.text for part in tokens[i + 2 : stop] if part.text != "::"]


def _source(model: Model) -> tuple[str, bytes]:
    """The name of the file that a model stands in, and its text."""
    if model.text is not None:
        return OWN + model.file, model.text
    text = _read(model.file)
    for word, meaning in model.replaced:
        text = text.replace(word, meaning)
    return "/".join(
        (f"{PREFIX}{model.name}", model.file, *(meaning for _, meaning in model.replaced[:1]))
    ), text.encode()


def _rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def _pair(word: str) -> tuple[str, str]:
    left, _, right = word.partition("=")
    return left, right


def _read(file: str) -> str:
    return (pkgutil.get_data("analysis_core", f"models/{file}") or b"").decode("utf-8")


def _model(name: str, file: str, *words: str) -> Model:
    return Model(name, file, tuple(_pair(word) for word in words if "=" in word), "assumed" in words)


_BEFORE_CALLS = frozenset(("return", "else", "do", "case", "throw", "co_return", "co_yield", "and", "or", "not"))
"""Words that an expression may follow."""

_ASSEMBLY = "cp.async.bulk"
"""An instruction that has a model, which is named inside of strings."""

_INDEX = tuple(_model(*row) for row in _rows(_read("index.txt")))
_ASSUMED = frozenset(model.name for model in _INDEX if model.assumed)
_WORDS = frozenset(model.name for model in _INDEX if not model.scope)
"""The headers and words that have models."""

_ROOTS = frozenset(model.scope.split("::")[0] for model in _INDEX if model.scope)
"""The namespaces that classes with models are in, or those around."""

_LAST = frozenset(model.last for model in _INDEX)
"""The words that name a class, a header or a word of these."""

CLASS_SIZES: Mapping[str, tuple[int, int] | int] = MappingProxyType(
    {name: int(align) if size == "T" else (int(size), int(align)) for name, size, align in _rows(_read("sizes.txt"))}
)
"""Bytes and alignment of library classes without models.  A number: those of the first template argument, but as many at least."""
