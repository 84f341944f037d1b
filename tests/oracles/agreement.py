"""Random programs before two readers: what our lowering decided, and what clang did.

    outcome = examine(program(17))
    outcome.differences, outcome.counts

What is compared: the value of each query; the function that each call names, by the place of its declaration, and its
template arguments; sizes, alignments and offsets of classes; constant expressions on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from analysis_core.ir.types import StructType
from analysis_core.support.files import MemoryFiles
from tests.oracles import libclang, libclang_types
from tests.oracles.decisions import Called, Decisions, Folded, Path, decide, stored_at
from tests.oracles.libclang import PLAIN, ClangUnit, Place, cindex, evaluate, parse
from tests.oracles.programs import Program

PATH = "program.cu"
HEAD = "#ifndef FN\n#define FN __device__\n#define DF __device__\n#define CF __device__ constexpr\n#endif\n"


@dataclass(frozen=True)
class Difference:
    """`kind`: value, call, arguments, size, align, offset or constant; or unknown, where we say that we do not know."""

    program: int
    feature: str
    kind: str
    what: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return (
            f"program {self.program} ({self.feature}): {self.kind} of `{self.what}`: {self.ours}; clang: {self.theirs}"
        )


@dataclass
class Outcome:
    """`counts`: by kind and result: equal, different, unknown to us, or why it cannot be compared."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    unknown: list[Difference] = field(default_factory=list)

    def __iadd__(self, other: Outcome) -> Outcome:
        self.counts += other.counts
        self.differences += other.differences
        self.unknown += other.unknown
        return self


@dataclass(frozen=True)
class _Asked:
    """One thing that clang is asked beside the program: a constant expression."""

    feature: str
    kind: str
    what: str
    expression: str


@dataclass
class _Session:
    """A program with both readers' answers."""

    program: Program
    text: str
    unit: ClangUnit
    asked: dict[str, _Asked]  # by the name of the variable that clang evaluates
    outcome: Outcome = field(default_factory=Outcome)
    functions: dict[Path, cindex.Cursor | None] = field(default_factory=dict)
    invalid: set[str] = field(default_factory=set)

    def note(self, feature: str, kind: str, what: str, ours: object, theirs: object) -> None:
        self.outcome.counts[kind, "equal" if ours == theirs else "different"] += 1
        if ours != theirs:
            self.outcome.differences.append(Difference(self.program.seed, feature, kind, what, str(ours), str(theirs)))


def examine(program: Program) -> Outcome:
    """Both readers' answers about a program, compared."""
    asked = dict(_questions(program))
    common = HEAD + program.text()
    text = common + "".join(f"constexpr long long {name} = {one.expression};\n" for name, one in asked.items())
    session = _Session(program, text, parse(PATH, {PATH: text}, PLAIN), asked)
    if not _reject(session):
        session.outcome.counts["program", "rejected by clang"] += 1
        return session.outcome
    session.outcome.counts["program", "compared"] += 1
    decisions = decide(PATH, MemoryFiles({PATH: (common + _kernels(session)).encode()}))
    cursors = {c.spelling: c for c in session.unit.cursor.get_children() if c.kind is cindex.CursorKind.VAR_DECL}
    _compare_values(session, decisions, cursors)
    _compare_layouts(session, decisions, cursors)
    for called in decisions.calls.values():
        _compare_call(session, called)
    for folded in decisions.constants.values():
        _compare_constant(session, folded)
    return session.outcome


def _questions(p: Program) -> Iterator[tuple[str, _Asked]]:
    for i, query in enumerate(p.queries):
        yield f"v_{i}", _Asked(query.feature, "value", query.body, f"{p.name}::q{i}()")
    for i, (name, members) in enumerate(p.layouts):
        yield f"s_{i}", _Asked("layout", "size", name, f"sizeof({p.name}::{name})")
        yield f"a_{i}", _Asked("layout", "align", name, f"alignof({p.name}::{name})")
        for member in members:
            what = f"{name}, {member}"
            yield f"o_{i}_{member}", _Asked("layout", "offset", what, f"__builtin_offsetof({p.name}::{what})")


def _kernels(session: _Session) -> str:
    """What our lowering is asked: one kernel for each query that is C++."""
    return "".join(
        f"__global__ void k{i}(char *out) {{ out[{session.program.name}::q{i}()] = 1; }}\n"
        for i in range(len(session.program.queries))
        if f"v_{i}" not in session.invalid
    )


def _reject(session: _Session) -> bool:
    """Notes which queries are not C++; False if a declaration is not, so that the whole program is none."""
    text = session.text
    for (_, offset, _), sentence in session.unit.errors:
        line = text[text.rfind("\n", 0, offset) + 1 : text.find("\n", offset)]
        if line.startswith("constexpr long long ") and (name := line.split(None, 4)[3]) in session.asked:
            session.invalid.add(name)
        elif line.startswith("FN long long q"):
            session.invalid.add(f"v_{line.removeprefix('FN long long q').partition('(')[0]}")
        else:
            p = session.program
            session.outcome.unknown.append(Difference(p.seed, p.topic, "rejected", line, "", sentence))
            return False
    return True


def _compare_values(session: _Session, decisions: Decisions, cursors: dict[str, cindex.Cursor]) -> None:
    for kernel in decisions.kernels:
        name = f"v_{kernel.name.removeprefix('k')}"
        asked = session.asked[name]
        theirs = None if name in session.invalid else evaluate(cursors[name])
        if theirs is None:
            session.outcome.counts["value", "no constant to clang"] += 1
            continue
        stored = stored_at(kernel)
        if stored.value is not None:
            session.note(asked.feature, "value", asked.what, stored.value, theirs)
            continue
        session.outcome.counts["value", "unknown to us"] += 1
        session.outcome.unknown.append(
            Difference(
                session.program.seed, asked.feature, "unknown", asked.what, "; ".join(stored.reasons), str(theirs)
            )
        )


def _compare_layouts(session: _Session, decisions: Decisions, cursors: dict[str, cindex.Cursor]) -> None:
    types = {_without_const(laid.name): laid.type for laid in decisions.layouts.values()}
    for name, asked in session.asked.items():
        kind, what = asked.kind, asked.what
        if kind == "value" or name in session.invalid:
            continue
        theirs = evaluate(cursors[name])
        class_, _, member = what.rpartition(", ") if kind == "offset" else (what, "", "")
        mine = types.get(f"{session.program.name}::{_our_name(class_)}")
        if mine is None or theirs is None:
            session.outcome.counts[kind, "not laid out"] += 1
        else:
            session.note("layout", kind, what, _layout(mine, kind, member), theirs)


def _layout(mine: StructType, kind: str, member: str) -> int | None:
    if kind == "offset":
        return next((f.offset for f in mine.fields if f.name == member), None)
    return mine.size if kind == "size" else mine.align


_SCALARS = {"char": "int8", "signed char": "int8", "unsigned char": "uint8", "short": "int16", "unsigned short": "uint16", "int": "int32",
            "unsigned": "uint32", "long": "int64", "unsigned long": "uint64", "long long": "int64", "unsigned long long": "uint64"}  # fmt: skip


def _our_name(class_: str) -> str:
    """`R1<unsigned short, 3>` as lowering names it."""
    head, angle, rest = class_.partition("<")
    if not angle:
        return head
    scalar, _, number = rest.rstrip(">").partition(", ")
    return f"{head}<{_SCALARS.get(scalar, scalar)}, {number}>"


def _without_const(name: str) -> str:
    return name.replace("const ", "").replace("volatile ", "")


# --- on the way -------------------------------------------------------------------------------------------------


def _function(session: _Session, kernel: str, path: Path) -> cindex.Cursor | None:
    """Clang's function that is entered by the last call of the path: a query, or what that calls."""
    if len(path) == 1:
        wanted = f"q{kernel.removeprefix('k')}"
        space = next(c for c in session.unit.cursor.get_children() if c.kind is cindex.CursorKind.NAMESPACE)
        return next((c for c in space.get_children() if c.spelling == wanted), None)
    if path not in session.functions:
        outer = _function(session, kernel, path[:-1])
        named = [] if outer is None else _named(session, outer, path[-1])
        session.functions[path] = libclang_types.with_body(named[0]) if len(named) == 1 else None
    return session.functions[path]


def _named(session: _Session, function: cindex.Cursor, place: Place) -> list[cindex.Cursor]:
    """The functions that calls at this place of `function` name, each once."""
    found: dict[int, cindex.Cursor] = {}
    for cursor in session.unit.expressions(function).get(place, ()):
        if cursor.kind is cindex.CursorKind.CALL_EXPR and (named := cursor.referenced) is not None:
            found.setdefault(named.hash, named)
    return list(found.values())


def _feature(session: _Session, kernel: str) -> str:
    return session.asked[f"v_{kernel.removeprefix('k')}"].feature


def _compare_call(session: _Session, called: Called) -> None:
    if not called.path:
        return  # the kernel's own call of its query
    function = _function(session, called.kernel, called.path)
    named = [] if function is None else _named(session, function, called.place)
    if not named:
        session.outcome.counts["call", "path not found" if function is None else "place not found"] += 1
        return
    what, feature = session.text[called.place[1] : called.place[2]], _feature(session, called.kernel)
    same = [f for f in named if called.callee[:2] in {place[:2] for place in libclang_types.places(f)}]
    if not same and any(f.is_virtual_method() and f.spelling == called.name for f in named):
        session.outcome.counts["call", "equal but for the dynamic type"] += 1
        return
    if not same:
        theirs = ", ".join(f"{f.displayname} at {libclang.location(f.location)[1]}" for f in named)
        session.note(feature, "call", what, f"{called.name} at {called.callee[1]}", theirs)
        return
    session.note(feature, "call", what, True, True)
    given = libclang_types.function_arguments(same[0])
    if called.arguments is not None and given is not None and "?" not in (*called.arguments, *given):
        session.note(feature, "arguments", what, tuple(_without_const(a) for a in called.arguments), given)


def _compare_constant(session: _Session, folded: Folded) -> None:
    function = _function(session, folded.kernel, folded.path) if folded.path else None
    found = [] if function is None else session.unit.expressions(function).get(folded.place, ())
    values = {v for c in found if c.kind.is_expression() and (v := evaluate(c)) is not None}
    if not values:
        session.outcome.counts["constant", "place not found"] += 1
        return
    what = session.text[folded.place[1] : folded.place[2]]
    ours: object = folded.value if folded.value not in values else values
    session.note(_feature(session, folded.kernel), "constant", what, ours, values)
