"""Clang as a third reader of C++, through the package `libclang` (extra `oracles`).

    unit = parse("kernel.cu", {"kernel.cu": text}, PLAIN)
    unit.errors, unit.cursor

Only what another reader decided is asked here, never how: places of declarations, sizes, offsets, values.
Headers that are not there are read as empty, as our own reader does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref, c_int, c_longlong, c_uint, c_ulonglong, c_void_p
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import normpath

try:
    from clang import cindex
except ImportError:  # The extra is not installed: whoever needs it says so.
    cindex = None

AVAILABLE = cindex is not None
MISSING = "the package libclang is not installed: `pip install -e '.[oracles]'`"

PLAIN = ("-x", "c++", "-std=c++20", "-DFN=constexpr", "-DCF=constexpr",
    "-DDF=", "-Wno-invalid-constexpr", "-fno-access-control", "-w", "-ferror-limit=0",
         "-fconstexpr-steps=20000")  # fmt: skip
"""C++ whose functions can be evaluated while compiling."""

_KEEP_GOING = 0x200  # CXTranslationUnit_KeepGoing: a missing header ends nothing
_ROUNDS = 12  # of looking for missing headers, each of which may include others

Place = tuple[str, int, int]
"""A file and the bytes from where to where, as `text.span.Span` says it: what a macro's body makes stands at the invocation."""


@dataclass
class ClangUnit:
    """A translation unit as clang reads it."""

    raw: object
    files: Mapping[str, str]
    missing: tuple[str, ...] = ()
    _bodies: dict[int, dict[Place, list[cindex.Cursor]]] = field(default_factory=dict)

    @property
    def cursor(self) -> cindex.Cursor:
        return self.raw.cursor

    @cached_property
    def errors(self) -> list[tuple[Place, str]]:
        """Place and sentence of everything that clang rejects."""
        return [
            (location(d.location), d.spelling) for d in self.raw.diagnostics if d.severity >= cindex.Diagnostic.Error
        ]

    def expressions(self, function: cindex.Cursor) -> dict[Place, list[cindex.Cursor]]:
        """Everything inside of a function (an instance of a template, too) by its place."""
        known = self._bodies.get(function.hash)
        if known is None:
            known = self._bodies[function.hash] = {}
            for cursor in inside(function):
                known.setdefault(extent(cursor), []).append(cursor)
        return known


def parse(path: str, files: Mapping[str, str], args: Sequence[str]) -> ClangUnit:
    """The unit of the file `path`; all files by name are held in memory, others are read from the disk."""
    unsaved = dict(files)
    absent: list[str] = []
    index = cindex.Index.create()
    for _ in range(_ROUNDS):
        raw = index.parse(path, list(args), list(unsaved.items()), _KEEP_GOING)
        new = {
            found.group(1)
            for d in raw.diagnostics
            if (found := re.match(r"'([^']+)' file not found", d.spelling)) and found.group(1) not in absent
        }
        if not new:
            break
        absent += sorted(new)
        unsaved |= {f"/absent/{name}": "" for name in new}
        args = args if "-I/absent" in args else (*args, "-I/absent")
    return ClangUnit(raw, unsaved, tuple(absent))


def inside(cursor: cindex.Cursor) -> Iterator[cindex.Cursor]:
    """All cursors below one, outer ones first."""
    pending = list(cursor.get_children())[::-1]
    while pending:
        found = pending.pop()
        yield found
        pending.extend(list(found.get_children())[::-1])


# --- places -----------------------------------------------------------------------------------------------------


def location(place: cindex.SourceLocation) -> Place:
    """Where a token stands in the user's text, twice: as an empty range."""
    name, offset = _file_location(place)
    return name, offset, offset


def extent(cursor: cindex.Cursor) -> Place:
    """From the first to the last byte of a cursor, in the user's text."""
    return range_of(cursor.extent)


def range_of(source: cindex.SourceRange) -> Place:
    name, start = _file_location(source.start)
    _, end = _file_location(source.end)
    return name, start, end


def _file_location(place: cindex.SourceLocation) -> tuple[str, int]:
    file, line, column, offset = cindex.c_object_p(), c_uint(), c_uint(), c_uint()
    cindex.conf.lib.clang_getFileLocation(place, byref(file), byref(line), byref(column), byref(offset))
    return normpath(cindex.File(file).name) if file else "", offset.value


# --- values -----------------------------------------------------------------------------------------------------

_INT = 1  # CXEval_Int


def evaluate(cursor: cindex.Cursor) -> int | None:
    """The value of an integer constant expression, or of a variable that is initialised with one; None if it is none."""
    lib = _evaluator()
    result = lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if lib.clang_EvalResult_getKind(result) != _INT:
            return None
        if lib.clang_EvalResult_isUnsignedInt(result):
            return int(lib.clang_EvalResult_getAsUnsigned(result))
        return int(lib.clang_EvalResult_getAsLongLong(result))
    finally:
        lib.clang_EvalResult_dispose(result)


def _evaluator() -> object:
    """The library with the signatures that its Python part leaves out."""
    lib = cindex.conf.lib
    lib.clang_Cursor_Evaluate.argtypes, lib.clang_Cursor_Evaluate.restype = [cindex.Cursor], c_void_p
    lib.clang_EvalResult_getKind.argtypes, lib.clang_EvalResult_getKind.restype = [c_void_p], c_int
    lib.clang_EvalResult_isUnsignedInt.argtypes = [c_void_p]
    lib.clang_EvalResult_isUnsignedInt.restype = c_uint
    lib.clang_EvalResult_getAsUnsigned.argtypes = [c_void_p]
    lib.clang_EvalResult_getAsUnsigned.restype = c_ulonglong
    lib.clang_EvalResult_getAsLongLong.argtypes = [c_void_p]
    lib.clang_EvalResult_getAsLongLong.restype = c_longlong
    lib.clang_EvalResult_dispose.argtypes, lib.clang_EvalResult_dispose.restype = [c_void_p], None
    return lib
