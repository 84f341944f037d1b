"""The parts of a translation unit, and which of them a kernel's meaning rests on.

A unit is a list of top-level items (syntax/read/splitter.py), here *parts*.  In C++ everything is found by name, so a part can
matter to a kernel only if one of its names occurs, as a token after preprocessing, in the kernel or in a part that
matters; what is used without being named (operators, constructors, `begin`) always matters, and so do all parts but
functions.  Besides, functions of the host matter that launch the kernel, and those that lead to them, since they say under
which shapes and template arguments it, or another template, runs (program/launches.py), and whatever mentions a variable of file scope that these
mention, since it may be assigned there.  Of kernels that occur in these only the heads do.

    key(kernel) = digest of the parts that matter, in order

The digest of a part is taken of its tokens, of the namespaces and `extern "C"` around it, and of its text (which reports quote), not of where it stands.  So as long as a
kernel's key is the same, its report is the same, each place in it moved along with its part (`Shift`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

from analysis_core.lower.names.names import constant_positions
from analysis_core.program.host.host_flow import is_variable
from analysis_core.support.derived import derived
from analysis_core.support.packing import pack
from analysis_core.syntax.lex.macros import Macro
from analysis_core.syntax.lex.preprocessor import Preprocessed
from analysis_core.syntax.lex.splitter_items import Item, ItemKind
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.parse import ParsedUnit
from analysis_core.syntax.read.launchers import WORDS
from analysis_core.syntax.read.tree import VarDecl
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

_IMPLIED = frozenset({"operator", "begin", "end", "swap", "get", "size", "data"})
"""Functions that are called without being named."""

_LINED = frozenset({"__LINE__", "__COUNTER__"})
_DIRECTIVE = re.compile(rb"^[ \t]*(?:#|%:|\?\?=)[ \t]*([A-Za-z_]*)", re.MULTILINE)
_OPENING, _CLOSING = frozenset({b"if", b"ifdef", b"ifndef"}), frozenset({b"endif"})
_HARMLESS = _OPENING | _CLOSING | {b"pragma", b"else", b"elif", b""}


@dataclass(frozen=True, slots=True)
class Part:
    """One top-level item.  `start`, `end`: its bytes in `file`; `body`: those of a function's body with its braces, None for
    anything else; `prototype`: a function without a body.

    `words`: the identifiers in it; `constants`: those in constant positions; `variables`: those declared as variables of the host.  `head`: a digest of what stands before a body;
    `spelling`, `text`: of all of its tokens, and of its text (`text_digest`).  `line`: where device code begins that says different things on different lines.
    `blank`: whether white space in its place would change nothing else."""

    file: FileId
    start: int
    end: int
    name: str | None
    body: tuple[int, int] | None
    prototype: bool
    kernel: bool
    template: bool
    launches: bool
    words: frozenset[str]
    constants: frozenset[str]
    variables: frozenset[str]
    head: bytes
    spelling: bytes
    text: bytes
    line: int | None
    blank: bool

    @property
    def digest(self) -> bytes:
        """A digest of all that it says, and of how that is written."""
        return self.spelling + self.text

    def begins(self, span: Span) -> bool:
        """Whether a span begins in the part."""
        return span.file == self.file and self.start <= span.start < self.end

    def holds(self, file: str, at: int) -> bool:
        """Whether a byte of a file is in it."""
        return file == self.file and self.start <= at <= self.end


@dataclass(frozen=True)
class Outline:
    """The parts of a unit in order.  `beside`: a digest of what else meaning rests on: annotations, settings, what other
    files of the program say, and which headers are missing, since names that nobody declares are said to be theirs.

    `regular`: the unit was in order, and each part lies where it is spelled, in the order of the text."""

    parts: tuple[Part, ...]
    beside: bytes
    regular: bool

    @derived
    def by_name(self) -> Mapping[str, tuple[int, ...]]:
        """The functions of each name, by number."""
        found: dict[str, list[int]] = {}
        for number, part in enumerate(self.parts):
            if part.body is not None and part.name is not None:
                found.setdefault(part.name, []).append(number)
        return {name: tuple(numbers) for name, numbers in found.items()}

    @derived
    def always(self) -> frozenset[int]:
        """The functions that matter to every kernel: those that are called without being named, those that are
        mentioned outside of functions, and all that these mention."""
        implied = {
            n
            for n, part in enumerate(self.parts)
            if part.body is not None and not part.kernel and (part.name is None or part.name in _IMPLIED)
        }
        return self._onwards(implied, [part.words for part in self._loose])

    @derived
    def constants(self) -> frozenset[str]:
        """Names in constant positions anywhere."""
        return frozenset().union(*(part.constants for part in self.parts))

    @property
    def kernels(self) -> list[int]:
        """The numbers of the kernels."""
        return [number for number, part in enumerate(self.parts) if part.kernel and part.body is not None]

    def closure(self, kernel: int) -> frozenset[int]:
        """The numbers of all functions that matter to a kernel, itself among them; of other kernels only the heads do."""
        found = self._closures.get(kernel)
        if found is None:
            name = self.parts[kernel].name
            leading = set[int]() if name is None else self._leading(name)
            if self.parts[kernel].template:
                leading |= self._leading_to_templates
            found = self._onwards({kernel, *leading, *self._sharing(leading)}, ()) | self.always
            self._closures[kernel] = found
        return found

    def used(self, kernel: int) -> frozenset[int]:
        """The numbers of all functions that matter to a kernel, without those that launch it."""
        return self._onwards({kernel}, ()) | self.always

    def at_first(self, kernels: Sequence[int]) -> frozenset[int]:
        """The functions whose bodies a first look at these kernels needs: those of `closure`, without other kernels
        and what only launches them. A launch hardly ever matters here (a size that it computes), and where it does the
        next look tells."""
        names = frozenset(name for k in kernels if (name := self.parts[k].name) is not None)
        others = frozenset(name for k in self.kernels if (name := self.parts[k].name) is not None) - names
        leading = set[int]().union(*map(self._leading, names))
        seeds = {*kernels, *leading, *self._sharing(leading)}
        stops = {
            n
            for n, part in enumerate(self.parts)
            if n not in seeds
            and (part.kernel or (part.launches and part.words.isdisjoint(names) and not part.words.isdisjoint(others)))
        }
        return (self._onwards(seeds, (), stops) | self.always) - stops

    def matters(self, kernel: Span, other: Span) -> bool:
        """Whether the kernel that stands there may rest on another declaration, as far as it uses it."""
        away = self._away.get((kernel.file, kernel.start))
        if away is None:
            number = next((n for n in self.kernels if self.parts[n].begins(kernel)), None)
            used = frozenset(range(len(self.parts))) if number is None else self.used(number)
            away = [part for n, part in enumerate(self.parts) if part.blank and n not in used]
            self._away[kernel.file, kernel.start] = away
        return not any(part.begins(other) for part in away)

    def resting(self, kernel: int) -> list[Part]:
        """The parts that the kernel's key is made of, in order."""
        wanted = self.closure(kernel)
        return [part for number, part in enumerate(self.parts) if part.body is None or number in wanted]

    def key(self, kernel: int) -> bytes:
        """A digest of everything that the kernel's report rests on, but for places."""
        digest = blake2b(self.beside, digest_size=16)
        wanted = self.closure(kernel)
        words: set[str] = set()
        for number, part in enumerate(self.parts):
            if part.body is None or number == kernel or (number in wanted and not part.kernel):
                digest.update(part.digest)
                words |= part.words
            elif number in wanted:
                digest.update(part.head)
            if number == kernel:
                digest.update(b"itself")
        digest.update(repr(sorted(self.constants & words)).encode("utf-8", "surrogatepass"))
        return digest.digest()

    @derived
    def _leading_to_templates(self) -> frozenset[int]:
        """The functions that launch kernels which are templates: arguments of one may be taken for those of another (stated_arguments.py)."""
        names = {part.name for part in self.parts if part.kernel and part.template and part.name is not None}
        return frozenset(n for name in names for n in self._leading(name))

    @derived
    def _closures(self) -> dict[int, frozenset[int]]:
        return {}

    @derived
    def _away(self) -> dict[tuple[FileId, int], list[Part]]:
        return {}

    @derived
    def _loose(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.body is None and not part.prototype)

    @derived
    def _variables(self) -> frozenset[str]:
        return frozenset().union(*(part.variables for part in self.parts))

    def _onwards(self, seeds: set[int], words: Iterable[frozenset[str]], stops: Container[int] = ()) -> frozenset[int]:
        """All functions that are mentioned from the seeds on; kernels end the way, but for the seeds among them, and so do `stops`."""
        found, by_name = set(seeds), self.by_name
        waiting = [*(self.parts[n].words for n in seeds), *words]
        seen: set[str] = set()
        while waiting:
            fresh = waiting.pop() - seen
            seen |= fresh
            for name in fresh & by_name.keys():
                for number in by_name[name]:
                    if number not in found:
                        found.add(number)
                        if not self.parts[number].kernel and number not in stops:
                            waiting.append(self.parts[number].words)
        return frozenset(found)

    def _leading(self, name: str) -> set[int]:
        """The functions of the host that launch kernels of this name, or lead to such a launch; all that launch anything if
        something else than a function names the kernel (a table of kernels)."""
        tabled = any(name in part.words for part in self._loose)
        found: set[int] = set()
        names = {name}
        while names:
            more = {
                number
                for number, part in enumerate(self.parts)
                if part.body is not None
                and number not in found
                and not part.kernel
                and (not names.isdisjoint(part.words) or (tabled and part.launches))
            }
            tabled = False
            found |= more
            names = {part.name for n in more if (part := self.parts[n]).name is not None}
        return found

    def _sharing(self, leading: set[int]) -> set[int]:
        """The functions that mention a variable which one of these mentions."""
        mentioned = self._variables & frozenset().union(*(self.parts[n].words for n in leading))
        return {
            n for n, part in enumerate(self.parts) if part.body is not None and not part.words.isdisjoint(mentioned)
        }


def first_kernels(
    unit: ParsedUnit, settings: str, count: int, more: int, near: int | None
) -> tuple[list[Part], frozenset[int]] | None:
    """The first few kernels of a unit of which nothing was read yet, that around the byte `near` of its file among them, and the
    items that they may rest on; None if the unit does not have enough more of them to be worth a look of its own."""
    outline = outline_of(unit, settings)
    file = unit.tree.main
    here = {k for k in outline.kernels if near is not None and outline.parts[k].holds(file, near)}
    first = sorted(sorted(outline.kernels, key=lambda k: k not in here)[:count])
    if not outline.regular or len(outline.kernels) < count + more:
        return None
    others = {n for n, part in enumerate(outline.parts) if part.body is None}
    return [outline.parts[k] for k in first], outline.at_first(first) | others


def outline_of(unit: ParsedUnit, settings: str) -> Outline:
    """The parts of a unit that was read.  `settings`: a faithful text of the settings."""
    pre = unit.preprocessed
    stated = pack(unit.tree.annotations)
    apart = [c.span for c in unit.tree.problems if c.span is not None] + [a.span for a in unit.tree.annotations]
    variables = [(d.span, d.name) for d in unit.tree.declarations if isinstance(d, VarDecl) and is_variable(d)]
    reading = _Reading(pre, unit.tokens, lined_macros(pre.macros), apart, _constants(unit), variables)
    parts = [reading.part(item) for item in unit.items]
    places: list[tuple[bytes, int]] = []
    for comment in unit.tree.annotations:
        # It is about the part that holds it or follows it, which so has to be read as long as the comment is.
        number = next(
            (n for n, p in enumerate(parts) if p.file == comment.span.file and comment.span.start < p.end), -1
        )
        if number < 0:
            places.append((b"", 0))
            continue
        part = parts[number] = replace(parts[number], blank=False)
        places.append((part.head, comment.span.start - part.start))
    everything = blake2b(stated.data, digest_size=16)
    said = (
        places,
        settings,
        unit.tree.missing,
        unit.tree.refused,
        unit.tree.unread,
        unit.tree.hidden,
        unit.tree.beyond,
    )
    everything.update(repr(said).encode("utf-8", "surrogatepass"))
    return Outline(tuple(parts), everything.digest(), unit.sound and _in_order(parts))


@dataclass(frozen=True, slots=True)
class _Reading:
    """`lined`: macros that bring in line numbers; `apart`: places whose text has to stay; `constants`: names in constant
    positions, with where the declaration begins; `variables`: those of the host, likewise."""

    pre: Preprocessed
    tokens: Sequence[Token]
    lined: frozenset[str]
    apart: Sequence[Span]
    constants: Sequence[tuple[Span, frozenset[str]]]
    variables: Sequence[tuple[Span, str]]

    def part(self, item: Item) -> Part:
        """One item as a part."""
        tokens = self.tokens
        own = tokens[item.start : item.end]
        file, start, end = own[0].span.file, own[0].span.start, own[-1].span.end
        spelled = all(t.expansion is None and t.span.file == file for t in (own[0], own[-1])) and start <= end
        text = self.pre.files[file].lexed.source.data[start:end] if spelled and file in self.pre.files else b""
        body = item.body if item.kind is ItemKind.FUNCTION else None
        words = frozenset([t.text for t in own if t.kind is TokenKind.IDENTIFIER])
        kernel = "__global__" in item.qualifiers and item.kind is ItemKind.FUNCTION
        made = {t.expansion for t in own if t.expansion is not None}
        host = body is not None and not kernel and "__device__" not in item.qualifiers
        lined = not host and not (made | words).isdisjoint(self.lined | _LINED)
        around = repr((item.scope, sorted(item.qualifiers))).encode("utf-8", "surrogatepass")
        line = self.pre.files[file].lines.position(start)[0] if lined and file in self.pre.files else None
        spelling = blake2b(around + _spelling(own, self.lined if host else frozenset()), digest_size=16)
        blank = spelled and body is not None and self._can_be_blank(item, text, Span(file, start, end))
        place = None
        if body is not None:
            place = tokens[body[0]].span.start, tokens[body[1] - 1].span.end
        return Part(
            file=file,
            start=start,
            end=end,
            name=tokens[item.name].text if item.name is not None else None,
            body=place,
            prototype=item.kind is ItemKind.FUNCTION and body is None,
            kernel=kernel,
            template=item.template,
            launches=any(t.text in WORDS for t in own),
            words=words,
            constants=frozenset().union(
                *(c for at, c in self.constants if at.file == file and start <= at.start < end)
            ),
            variables=frozenset(name for at, name in self.variables if at.file == file and start <= at.start < end),
            head=blake2b(
                around + _spelling(own if body is None else own[: body[0] - item.start]), digest_size=16
            ).digest(),
            spelling=spelling.digest(),
            text=text_digest(text, line),
            line=line,
            blank=blank and words.isdisjoint(_LINED),
        )

    def _can_be_blank(self, item: Item, text: bytes, place: Span) -> bool:
        assert item.body is not None
        opening, closing = self.tokens[item.body[0]], self.tokens[item.body[1] - 1]
        braced = opening.text == "{" and closing.text == "}" and item.closed
        spelled = opening.expansion is None and closing.expansion is None and place.file == self.pre.main
        stays = any(span.file == place.file and place.start <= span.start <= place.end for span in self.apart)
        return braced and spelled and not stays and keeps_to_itself(text)


def text_digest(text: bytes, line: int | None) -> bytes:
    """A digest of the text of a part, and of where it begins if that matters."""
    return blake2b(text + b"\0" + repr(line).encode(), digest_size=16).digest()


def keeps_to_itself(text: bytes) -> bool:
    """Whether the directives in a text concern nothing outside of it: pragmas, and conditionals that end in it."""
    depth = 0
    for match in _DIRECTIVE.finditer(text):
        if match[1] not in _HARMLESS:
            return False
        depth += (match[1] in _OPENING) - (match[1] in _CLOSING)
        if depth < 0:
            return False
    return depth == 0


def lined_macros(macros: Mapping[str, Macro]) -> frozenset[str]:
    """The macros whose expansion depends on the line, or counts."""
    found: set[str] = set()
    while True:
        more = {
            name
            for name, macro in macros.items()
            if name not in found and any(t.text in _LINED or t.text in found for t in macro.body)
        }
        if not more:
            return frozenset(found)
        found |= more


def _constants(unit: ParsedUnit) -> list[tuple[Span, frozenset[str]]]:
    return [(d.span, names) for d in unit.tree.declarations if (names := constant_positions(d))]


def _spelling(tokens: Sequence[Token], lined: frozenset[str] = frozenset()) -> bytes:
    """The tokens in bytes.  `lined`: macros whose numbers, which may be those of lines, are left out: code of the host checks
    its calls so."""
    number = TokenKind.NUMBER
    return "\0".join(
        [
            t.text
            if t.expansion is None
            else f"{'' if t.expansion in lined and t.kind is number else t.text}\1{t.expansion}"
            for t in tokens
        ]
    ).encode("utf-8", "surrogatepass")


def _in_order(parts: Sequence[Part]) -> bool:
    """Whether the parts of each file follow each other."""
    ends: dict[FileId, int] = {}
    for part in parts:
        if part.start < ends.get(part.file, 0) or part.end < part.start:
            return False
        ends[part.file] = part.end
    return True
