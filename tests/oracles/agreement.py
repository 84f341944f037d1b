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
from tests.oracles.decisions import Called, Decisions, Path, decide, stored_at
from tests.oracles.libclang import PLAIN, ClangUnit, cindex, evaluate, parse
from tests.oracles.programs import Program
from tests.oracles.walk import Walk

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
    _compare_on_the_way(session, decisions)
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
    types = {laid.name: laid.type for laid in decisions.layouts.values()}
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


_SCALARS = {"char": "int8", "signed char": "signed char", "unsigned char": "uint8", "short": "int16", "unsigned short": "uint16", "int": "int32",
            "unsigned": "uint32", "long": "int64", "unsigned long": "uint64", "long long": "long long", "unsigned long long": "unsigned long long"}  # fmt: skip


def _our_name(class_: str) -> str:
    """`R1<unsigned short, 3>` as lowering names it."""
    head, angle, rest = class_.partition("<")
    if not angle:
        return head
    scalar, _, number = rest.rstrip(">").partition(", ")
    return f"{head}<{_SCALARS.get(scalar, scalar)}, {number}>"


# --- on the way -------------------------------------------------------------------------------------------------


def _compare_on_the_way(session: _Session, decisions: Decisions) -> None:
    """Calls and constant expressions inside of the queries."""
    space = next(c for c in session.unit.cursor.get_children() if c.kind is cindex.CursorKind.NAMESPACE)
    queries = {c.spelling: c for c in space.get_children() if c.kind is cindex.CursorKind.FUNCTION_DECL}

    def root(kernel: str, path: Path) -> tuple[cindex.Cursor | None, Path]:
        return (queries.get(f"q{kernel.removeprefix('k')}") if path else None), path[1:]

    walk = Walk(session.unit, root)
    for decided in (*decisions.calls.values(), *decisions.constants.values()):
        if not decided.path:
            continue  # the kernel's own call of its query
        feature = session.asked[f"v_{decided.kernel.removeprefix('k')}"].feature
        what = session.text[decided.place[1] : decided.place[2]]
        for one in walk.call(decided) if isinstance(decided, Called) else [walk.constant(decided)]:
            session.outcome.counts[one.kind, one.result] += 1
            if one.result == "different":
                found = Difference(session.program.seed, feature, one.kind, what, one.ours, one.theirs)
                session.outcome.differences.append(found)
