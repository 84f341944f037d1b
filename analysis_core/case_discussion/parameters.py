"""Parameters of a text: macros and constants that are numbers, which a case discussion leaves open.

    #define B0 8                          a name in the launch or in the kernel: B0 is a symbol
    #ifndef CACHE / #define CACHE 1       a name that `#if` asks about: CACHE has values, and the text has variants
    constexpr int TILE = 32;              a symbol, as well

Definitions of macros are blanked, so that their names stay in the syntax tree; values come back with `-D`.  Places in the text stay what they were.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis_core.pipeline.checked_fixes import Place
from analysis_core.report.findings.model import Edit
from analysis_core.support.files import MemoryFiles
from analysis_core.syntax.lex.mentions import code_of
from analysis_core.text.records import dataclass

_DEFINITION = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+\(?[ \t]*(\d{1,9})[uUlL]*[ \t]*\)?(?=[ \t]*\r?$)", re.M
)
_CONSTANT = re.compile(
    rb"^[ \t]*(?:(?:static|inline|const|constexpr|unsigned|__device__)[ \t]+)*(?:const|constexpr)[ \t]+"
    rb"(?:static[ \t]+|unsigned[ \t]+)?(?:int|unsigned|size_t)[ \t]+([A-Za-z_]\w*)[ \t]*=[ \t]*(\d{1,9})[uUlL]*[ \t]*;",
    re.M,
)
_DEFINES = re.compile(rb"^[ \t]*#[ \t]*(?:define|undef)[ \t]+([A-Za-z_]\w*)", re.M)
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(?:if|elif)[ \t]+([^\n]*)", re.M)
_TEST = re.compile(rb"\bif[ \t]*(?:constexpr[ \t]*)?\([ \t]*!?[ \t]*([A-Za-z_]\w*)[ \t]*[)&|=]|([A-Za-z_]\w*)[ \t]*\?")
"""Names that the code itself tests, alone."""

_WORD = re.compile(rb"[A-Za-z_]\w*")
_COMPARED = re.compile(rb"\b(\w+)\s*(==|!=|>=?|<=?)\s*(\d{1,9})\b")
_DEFINED = re.compile(rb"\bdefined\b[ \t]*\(?[ \t]*\w+|^[ \t]*#[ \t]*ifn?def[^\n]*", re.M)

MOST_VALUES = 4
"""Of a macro that `#if` asks about: further ones that it is compared with are not looked at."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A macro, or a constant at the beginning of a line, that is defined once, as a number.  `value`: the present one; `others`: those that it may have instead where conditionals ask about it, ()
    where it is a symbol.  `start`, `end`: the bytes of its definition, of a constant those of the number."""

    name: str
    value: int
    others: tuple[int, ...]
    start: int
    end: int
    is_macro: bool = True

    @property
    def is_switch(self) -> bool:
        return bool(self.others)


def parameters_of(text: bytes, defines: Mapping[str, str]) -> tuple[Parameter, ...]:
    """All macros of a text that are defined once and as a number, in the order of their definitions.  `defines`: what `-D` makes of those that
    the text defines only where nobody else does."""
    code = code_of(text)
    times: dict[bytes, int] = {}
    for found in _DEFINES.finditer(code):
        times[found[1]] = times.get(found[1], 0) + 1
    asked, tested = _asked(code), {name for found in _TEST.findall(code) for name in found}
    parameters = []
    for found in _DEFINITION.finditer(code):
        name, value = found[1], int(found[2])
        if times[name] > 1:
            continue
        given = defines.get(name.decode(), "")
        guarded = re.search(rb"^[ \t]*#[ \t]*ifndef[ \t]+" + name + rb"\b", code[: found.start()], re.M) is not None
        if given and guarded:
            if not given.strip().isdecimal():
                continue
            value = int(given)
        values = asked.get(name) or ({0, 1} if name in tested and value < 2 else set())
        others = tuple(sorted(values - {value}, key=lambda one: (one > value, -one)))[:MOST_VALUES]
        parameters.append(Parameter(name.decode(), value, others, found.start(), found.end()))
    macros = {one.name for one in parameters}
    for found in _CONSTANT.finditer(code):
        if found[1] not in times and found[1].decode() not in macros and _is_once(code, found[1]):
            parameters.append(
                Parameter(found[1].decode(), int(found[2]), (), found.start(2), found.end(2), is_macro=False)
            )
    return tuple(parameters)


def _is_once(code: bytes, name: bytes) -> bool:
    """Whether a name is declared, or assigned, in one place only."""
    return len(re.findall(rb"\b" + name + rb"[ \t]*=(?!=)", code)) == 1


def _asked(code: bytes) -> dict[bytes, set[int]]:
    """Names that `#if` asks about, with the values that make a difference: 0, 1 or what they are compared with."""
    found: dict[bytes, set[int]] = {}
    for condition in _CONDITION.finditer(code):
        said = _DEFINED.sub(b"", condition[1])
        compared: dict[bytes, set[int]] = {}
        for name, sign, number in _COMPARED.findall(said):
            value = int(number)
            beside = 0 if sign in (b"==", b"!=") else value + 1 if sign in (b">", b"<=") else value - 1
            compared.setdefault(name, set()).update({value, max(0, beside)})
        for name in _WORD.findall(said):
            found.setdefault(name, set()).update(compared.get(name, {0, 1}))
    return found


class Readings:
    """A file with its parameters left open, read with values for some of them."""

    def __init__(self, place: Place, text: bytes) -> None:
        self.place, self.text = place, text
        self.parameters = parameters_of(text, place.settings.defines)

    def with_values(self, values: Mapping[str, int], edits: Sequence[Edit] = ()) -> Place:
        """Where the text is read from with these values; other macros stay names that nobody defines, other constants what they are.  `edits`: of the
        text as it was, in order, apart from definitions."""
        place, text = self.place, bytearray(self.text)
        for one in self.parameters:
            if one.is_macro:
                text[one.start : one.end] = b" " * (one.end - one.start)
            elif (value := str(values.get(one.name, one.value)).encode()) and len(value) <= one.end - one.start:
                text[one.start : one.end] = value.ljust(one.end - one.start)
        for edit in reversed(edits):
            text[edit.span.start : edit.span.end] = edit.text.encode()
        macros = {one.name for one in self.parameters if one.is_macro}
        defines = {name: said for name, said in place.settings.defines.items() if name not in macros}
        defines |= {name: str(value) for name, value in values.items() if name in macros}
        files = MemoryFiles({place.path: bytes(text)}, place.files)
        return replace(place, files=files, settings=replace(place.settings, defines=defines))
