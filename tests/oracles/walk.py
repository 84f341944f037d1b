"""Our decisions followed through clang's tree: which of its calls and expressions each one is about.

A decision's path is a list of calls.  The first is a call of the root (a query, a kernel's body); behind each call clang
has the function that it names, instances of templates included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.oracles import libclang, libclang_types
from tests.oracles.decisions import Called, Folded, Path
from tests.oracles.libclang import ClangUnit, Place, cindex, evaluate

Root = Callable[[str, Path], tuple[cindex.Cursor | None, Path]]
"""The function in which a kernel's path begins, and what is left of the path."""


@dataclass(frozen=True)
class Compared:
    """`kind`: call, arguments or constant; `result`: equal, different, or why there is nothing to compare."""

    kind: str
    result: str
    ours: str = ""
    theirs: str = ""


@dataclass
class Walk:
    """One unit of clang's, and the functions that were reached so far."""

    unit: ClangUnit
    root: Root
    elsewhere: Callable[[Place], list[cindex.Cursor]] = lambda place: []  # expressions outside of functions
    functions: dict[tuple[str, Path], cindex.Cursor | None] = field(default_factory=dict)

    def function(self, kernel: str, path: Path) -> cindex.Cursor | None:
        """The function that is entered by the last call of the path."""
        found, rest = self.root(kernel, path)
        done = path[: len(path) - len(rest)]
        for place in rest:
            done = (*done, place)
            if found is None:
                return None
            key = kernel, done
            if key not in self.functions:
                named = self.named(found, place)
                self.functions[key] = libclang_types.with_body(named[0]) if len(named) == 1 else None
            found = self.functions[key]
        return found

    def named(self, function: cindex.Cursor, place: Place) -> list[cindex.Cursor]:
        """The functions that calls at this place of `function` name, each once."""
        found: dict[int, cindex.Cursor] = {}
        for cursor in self.unit.expressions(function).get(place, ()):
            if cursor.kind is cindex.CursorKind.CALL_EXPR and (named := cursor.referenced) is not None:
                found.setdefault(named.hash, named)
        return list(found.values())

    def constructors(self, function: cindex.Cursor, called: Called) -> list[cindex.Cursor]:
        """Constructors of that class that begin or end where our initialiser does: `x(3)` to clang, `x` or `(3)` to us."""
        file, start, end = called.place
        return [
            cursor.referenced
            for place, cursors in self.unit.expressions(function).items()
            if place[0] == file and (place[1] == start or place[2] == end)
            for cursor in cursors
            if cursor.kind is cindex.CursorKind.CALL_EXPR
            and cursor.referenced is not None
            and cursor.referenced.kind is cindex.CursorKind.CONSTRUCTOR
            and cursor.referenced.spelling.partition("<")[0] == called.name
        ]

    def call(self, called: Called) -> list[Compared]:
        """What clang says of one of our calls: the function, then its template arguments."""
        function = self.function(called.kernel, called.path)
        if function is None:
            return [Compared("call", "path not found")]
        if called.name.startswith("~"):
            return [Compared("call", "a destructor, which clang's tree leaves out")]
        named = self.named(function, called.place) or self.constructors(function, called)
        if not named:
            return [Compared("call", "place not found")]
        same = [f for f in named if called.callee[:2] in {place[:2] for place in libclang_types.places(f)}]
        if same:
            return [Compared("call", "equal"), *_arguments(called, same[0])]
        if any(f.is_virtual_method() and f.spelling == called.name for f in named):
            return [Compared("call", "equal but for the dynamic type")]
        if any(_is_implicit(f) for f in named):
            return [Compared("call", "inside of a function that the compiler writes")]
        theirs = ", ".join(f"{f.displayname} at {libclang.location(f.location)[1]}" for f in named)
        return [Compared("call", "different", f"{called.name} at {called.callee[1]}", theirs)]

    def constant(self, folded: Folded) -> Compared:
        """What clang says of one of our constant expressions."""
        function = self.function(folded.kernel, folded.path)
        if function is None:
            return Compared("constant", "path not found")
        found = self.unit.expressions(function).get(folded.place) or self.elsewhere(folded.place)
        if not found:
            return Compared("constant", "place not found")
        values = {v for c in found if c.kind.is_expression() and (v := evaluate(c)) is not None}
        if not values:
            return Compared("constant", "no constant to clang: it depends on template arguments or variables")
        if folded.value in values:
            return Compared("constant", "equal")
        return Compared("constant", "different", str(folded.value), str(values))


def _is_implicit(function: cindex.Cursor) -> bool:
    """Whether it is declared nowhere: constructors and assignments of classes that declare none stand at the class."""
    parent = function.semantic_parent
    return parent is not None and libclang.location(function.location) == libclang.location(parent.location)


def _arguments(called: Called, function: cindex.Cursor) -> list[Compared]:
    given = libclang_types.function_arguments(function)
    if called.arguments is None or given is None or any("?" in a or a == "lambda" for a in (*called.arguments, *given)):
        return []
    ours = called.arguments
    same = len(ours) == len(given) and all(mine in theirs.split("/") for mine, theirs in zip(ours, given))
    return [Compared("arguments", "equal" if same else "different", str(ours), str(given))]
