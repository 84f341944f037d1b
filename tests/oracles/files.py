"""Files of other people's code before two readers: what lowering decided about their kernels, and what clang did.

Clang reads them with the stub headers beside this file and the system's own headers of C++; other headers are empty to both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from analysis_core.ir import layout
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import ArrayType, OpaqueType, Type
from analysis_core.support.files import Files
from tests.oracles import libclang, libclang_types
from tests.oracles.decisions import Decisions, LaidOut, decide, place_of
from tests.oracles.decisions import Path as CallPath
from tests.oracles.libclang import ClangUnit, Place, cindex, inside
from tests.oracles.walk import Compared, Walk

STUBS = Path(__file__).resolve().parent / "stubs"

_SYSTEM = (
    "/usr/include/c++/*",
    "/usr/include/*-linux-gnu/c++/*",
    "/usr/lib/gcc/*/*/include",
    "/usr/include",
    "/usr/include/*-linux-gnu",
)


def arguments() -> tuple[str, ...]:
    """Device code of CUDA without the toolkit."""
    found = [str(path) for pattern in _SYSTEM for path in sorted(Path("/").glob(pattern.lstrip("/")))[-1:]]
    return (
        *("-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "-std=c++17"),
        *("-fno-access-control", "-ferror-limit=0", "-Wno-everything", "-nostdinc", "-D__CUDACC__"),
        *("-include", str(STUBS / "cuda_stub.h"), "-isystem", str(STUBS)),
        *(word for path in found for word in ("-isystem", path)),
    )


@dataclass(frozen=True)
class FileDifference:
    """A place of a file that differs, in words."""

    path: str
    line: int
    kind: str
    what: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind} of `{self.what}`: {self.ours}; clang: {self.theirs}"


@dataclass
class FileOutcome:
    """`counts`: by kind and result, as in `agreement.Outcome`."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    differences: list[FileDifference] = field(default_factory=list)


def compare_file(path: str, files: Files) -> FileOutcome:
    """Everything that lowering decides about the kernels of a file, compared with clang."""
    decisions, outcome = decide(path, files), FileOutcome()
    if not decisions.kernels:
        return outcome
    session = _Session(path, files, libclang.parse(path, {}, arguments()), decisions)
    for compared, place in session.compared():
        outcome.counts[compared.kind, compared.result] += 1
        if compared.result == "different":
            line, text = session.text_at(place)
            outcome.differences.append(
                FileDifference(place[0], line, compared.kind, text, compared.ours, compared.theirs)
            )
    return outcome


@dataclass
class _Session:
    path: str
    files: Files
    unit: ClangUnit
    decisions: Decisions

    def compared(self) -> Iterator[tuple[Compared, Place]]:
        walk = Walk(self.unit, self._root, self._elsewhere)
        for called in self.decisions.calls.values():
            for one in walk.call(called):
                yield self._with_reason(one, walk, called.kernel, called.path), called.place
        for folded in self.decisions.constants.values():
            yield self._with_reason(walk.constant(folded), walk, folded.kernel, folded.path), folded.place
        for kernel in self.decisions.kernels:
            yield from self._variables(kernel)
        for laid in self.decisions.layouts.values():
            yield from self._layout(laid)

    def _root(self, kernel: str, path: CallPath) -> tuple[cindex.Cursor | None, CallPath]:
        return self.functions.get(kernel), path

    def _with_reason(self, one: Compared, walk: Walk, kernel: str, path: CallPath) -> Compared:
        """Why nothing is compared, if that is clang's: the kernel is not there, or clang rejects something in the function."""
        if one.result not in ("path not found", "place not found"):
            return one
        root = self.functions.get(kernel)
        if root is None:
            return Compared(one.kind, "clang has no such kernel or instance")
        function = walk.function(kernel, path)
        if function is None:
            return one
        if self._rejected(libclang.extent(function)):
            return Compared(one.kind, "clang rejects something in the function")
        return one

    def _rejected(self, place: Place) -> bool:
        file, start, end = place
        return any(f == file and start <= at <= end for (f, at, _), _ in self.unit.errors)

    @cached_property
    def functions(self) -> dict[str, cindex.Cursor]:
        """Kernels by name, instances of templates with their arguments: those that launches and other code name."""
        ours = {place_of(k.name_span)[:2] for k in self.decisions.kernels}
        found: dict[str, cindex.Cursor] = {}
        for cursor in self._of_the_user:
            for one in (cursor, cursor.referenced):
                if one is None or one.kind is not cindex.CursorKind.FUNCTION_DECL:
                    continue
                if not any(place[:2] in ours for place in libclang_types.places(one)):
                    continue
                given = libclang_types.function_arguments(one)
                name = one.spelling + ("" if given is None else f"<{', '.join(a.split('/')[0] for a in given)}>")
                found.setdefault(name, libclang_types.with_body(one))
        return found

    @cached_property
    def _of_the_user(self) -> list[cindex.Cursor]:
        """All cursors of the files that are not the system's, with instances of templates that they name, and what these name."""
        mine: list[cindex.Cursor] = []
        seen: set[int] = set()
        pending = [top for top in self.unit.cursor.get_children() if _is_users(top)]
        while pending:
            function = pending.pop()
            for cursor in (function, *inside(function)):
                mine.append(cursor)
                named = cursor.referenced if cursor.kind is cindex.CursorKind.CALL_EXPR else None
                if named is not None and named.hash not in seen and _is_users(named):
                    seen.add(named.hash)
                    if libclang_types.function_arguments(named) is not None:
                        pending.append(named)
        return mine

    @cached_property
    def _places(self) -> dict[Place, list[cindex.Cursor]]:
        found: dict[Place, list[cindex.Cursor]] = {}
        for cursor in self._of_the_user:
            if cursor.kind.is_expression():
                found.setdefault(libclang.extent(cursor), []).append(cursor)
        return found

    def _elsewhere(self, place: Place) -> list[cindex.Cursor]:
        """The expressions at a place outside of functions."""
        return self._places.get(place, [])

    # --- sizes --------------------------------------------------------------------------------------------------

    def _variables(self, kernel: Kernel) -> Iterator[tuple[Compared, Place]]:
        """What the kernel's own variables and arrays take."""
        function = self.functions.get(_name_of(self.decisions, kernel))
        if function is None:
            return
        theirs = {
            libclang.location(c.location)[:2]: c
            for cursors in self.unit.expressions(function).values()
            for c in cursors
            if c.kind in (cindex.CursorKind.VAR_DECL, cindex.CursorKind.PARM_DECL)
        }
        for variable in (*kernel.variables, *kernel.objects):
            place = place_of(variable.span)
            given = theirs.get(place[:2])
            mine = _size(variable.type)
            if given is None or mine is None or variable.name.startswith("(") or "." in variable.name:
                continue
            size = given.type.get_size()
            if size < 0 or self._rejected(libclang.extent(given)):
                yield Compared("variable", "no size to clang, which rejects the declaration"), place
            else:
                yield Compared("variable", "equal" if size == mine else "different", str(mine), str(size)), place

    def _layout(self, laid: LaidOut) -> Iterator[tuple[Compared, Place]]:
        place, name = laid.definition, laid.name
        if laid.local or "?" in name:
            yield Compared("layout", "a local class or an argument without a name"), place
            return
        theirs = self.records.get(name)
        if theirs is None:
            yield Compared("layout", "clang has no such class or instance"), place
            return
        mine = laid.type
        pairs = [("size", mine.size, theirs.get_size()), ("align", mine.align, theirs.get_align())]
        for field_ in theirs.get_fields():
            offset = next((f.offset for f in mine.fields if f.name == field_.spelling and f.bits is None), None)
            if offset is not None:
                pairs.append((f"offset of {field_.spelling}", offset, field_.get_field_offsetof() // 8))
        for what, one, other in pairs:
            result = "equal" if one == other else "different"
            yield Compared(what.split()[0], result, f"{what} {one}", str(other)), place

    @cached_property
    def records(self) -> dict[str, cindex.Type]:
        """Complete classes by name, instances of templates with their arguments."""
        found: dict[str, cindex.Type] = {}
        pending = [c.type for c in self._of_the_user if c.kind.is_declaration() or c.kind.is_expression()]
        pending += [c.type for f in self.functions.values() for cs in self.unit.expressions(f).values() for c in cs]
        while pending:
            type_ = pending.pop().get_canonical()
            k = cindex.TypeKind
            if type_.kind in (k.POINTER, k.LVALUEREFERENCE, k.RVALUEREFERENCE):
                pending.append(type_.get_pointee())
            elif type_.kind is k.CONSTANTARRAY:
                pending.append(type_.element_type)
            elif type_.kind is k.RECORD and type_.get_size() > 0:
                name = libclang_types.record_name(type_)
                if name not in found:
                    found[name] = type_
                    pending += [f.type for f in type_.get_fields()]
        return found

    def text_at(self, place: Place) -> tuple[int, str]:
        text = self.files.read(place[0]) or b""
        return text.count(b"\n", 0, place[1]) + 1, text[place[1] : place[2]].decode(errors="replace")[:80]


def _is_users(cursor: cindex.Cursor) -> bool:
    name = libclang.extent(cursor)[0]
    return bool(name) and not name.startswith(("/usr/", str(STUBS)))


def _name_of(decisions: Decisions, kernel: Kernel) -> str:
    return decisions.names.get(id(kernel), kernel.name)


def _size(type_: Type) -> int | None:
    inner = type_
    while isinstance(inner, ArrayType):
        inner = inner.element
    return None if isinstance(inner, OpaqueType) else layout.size_of(type_)
