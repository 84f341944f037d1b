"""Draws places of device code that look like memory accesses, for judgement by hand.

    python tests/bench/draw_accesses.py --seed 20240611 --count 120 DIR

The sampler shares nothing with the reader of the analysis: it blanks comments and strings, finds `__global__` and
`__device__` functions with a regular expression and a brace counter, and lists in their bodies everything that is
spelled like an access.  It is crude on purpose.  What it draws may be a declarator, a register or host code; a
person decides that (see README.md).  What it cannot see at all is listed there too.

A draw picks a function first and a place in it second, both uniformly, so that a kernel of 2,000 unrolled lines
does not own the sample.  Every fourth draw picks a *kind* of spelling first, so that rare spellings (atomics,
dereferences, accesses inside macros) are there in numbers that say something.  The same seed and the same files
give the same list, whatever the order of the file system.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = (".cu", ".cuh", ".h", ".inl")
COMMENT_OR_STRING = re.compile(rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
FUNCTION = re.compile(rb"\b__(?:global|device)__\b")
DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(?)((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
SCALAR = re.compile(rb"\b__(?:shared|constant|device)__\s+(?:volatile\s+|unsigned\s+|const\s+)*\w+\s+(\w+)\s*(?:;|=)")
CHAIN = re.compile(rb"\b[A-Za-z_]\w*(?=\s*(?:\[|->))")
STAR = re.compile(rb"(?<=[=(,;{}!<>?:&|+\-])\s*(\*)\s*(?=[A-Za-z_(])|\breturn\s*(\*)")
ATOMIC = re.compile(rb"\batomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_block|_system)?\s*\(\s*(?=\S)")
INTRINSIC = re.compile(rb"\b__(?:ldg|ldcs|ldca|ldcg|stcs|stcg|stwt)\s*\(\s*(?=\S)")
VECTOR_CAST = re.compile(rb"\breinterpret_cast\s*<[^<>;]*>\s*\([^;]*?\)\s*\[|\(\s*\(\s*(?:const\s+)?\w+\s*\*\s*\)")
NOT_A_BASE = frozenset((b"return", b"case", b"else", b"extern", b"sizeof", b"delete", b"operator"))


@dataclass(frozen=True, slots=True)
class Place:
    """One candidate: a byte offset of a file, and the spelling that made it one."""

    offset: int
    kind: str


@dataclass(frozen=True, slots=True)
class Function:
    """A device function's body and the candidates in it, in order of offset."""

    path: str  # relative to the corpus
    places: tuple[Place, ...]


def blank(text: bytes) -> bytes:
    """`text` with comments and literals overwritten by blanks: same length, same line ends."""
    return COMMENT_OR_STRING.sub(lambda m: re.sub(rb"[^\n]", b" ", m.group()), text)


def matching(text: bytes, start: int, opening: bytes, closing: bytes) -> int:
    """The offset just behind the bracket that closes the one at `start`, or -1."""
    depth = 0
    for match in re.finditer(b"[" + re.escape(opening) + re.escape(closing) + b"]", text[start:]):
        depth += 1 if match.group() == opening else -1
        if depth == 0:
            return start + match.end()
    return -1


def bodies(text: bytes) -> Iterator[tuple[int, int]]:
    """The brace-to-brace ranges of functions with a device qualifier.

    Between the qualifier and the body only a declarator may stand: a `;` or `=` first means a variable or a prototype."""
    done = 0
    for qualifier in FUNCTION.finditer(text):
        at = qualifier.end()
        if at < done:
            continue
        while (stop := re.compile(rb"[({;=]").search(text, at)) is not None:
            if stop.group() != b"(":
                break
            at = matching(text, stop.start(), b"(", b")")
            if at < 0:
                break
        if stop is None or at < 0 or stop.group() != b"{":
            continue
        end = matching(text, stop.start(), b"{", b"}")
        if end > 0:
            done = end
            yield stop.start(), end


def memory_macros(text: bytes) -> frozenset[bytes]:
    """Macros of this file whose body is spelled with a subscript, an arrow or a dereference."""
    return frozenset(m.group(1) for m in DEFINE.finditer(text) if re.search(rb"\[|->|[(=,]\s*\*", m.group(3)))


def places(text: bytes, start: int, end: int, macros: frozenset[bytes], scalars: frozenset[bytes]) -> list[Place]:
    """Everything between two offsets that is spelled like an access, one candidate for each offset."""
    found: dict[int, str] = {}

    def add(offset: int, kind: str) -> None:
        found.setdefault(offset, kind)

    for match in ATOMIC.finditer(text, start, end):
        add(match.end(), "atomic")
    for match in INTRINSIC.finditer(text, start, end):
        add(match.end(), "intrinsic")
    for match in re.finditer(rb"\b[A-Za-z_]\w*\b", text[start:end]):
        if match.group() in macros:
            add(start + match.start(), "macro")
        elif match.group() in scalars:
            add(start + match.start(), "scalar")
    for match in STAR.finditer(text, start, end):
        add(match.start(1) if match.group(1) else match.start(2), "dereference")
    for match in VECTOR_CAST.finditer(text, start, end):
        add(match.start(), "cast")
    for match in CHAIN.finditer(text, start, end):
        before = text[start : match.start()].rstrip()
        if match.group() in NOT_A_BASE or before.endswith((b".", b"->")):
            continue
        add(match.start(), "arrow" if text[match.end() : end].lstrip().startswith(b"->") else "subscript")
    return [Place(offset, kind) for offset, kind in sorted(found.items())]


def functions(corpus: Path, exclude: str) -> list[Function]:
    """All device functions of a corpus with at least one candidate, by path and offset.

    Files whose path holds `exclude` are left out unless it is empty."""
    result: list[Function] = []
    for path in sorted(corpus.rglob("*")):
        if path.suffix not in SUFFIXES or not path.is_file():
            continue
        if exclude and exclude in path.relative_to(corpus).as_posix():
            continue
        text = blank(path.read_bytes())
        if b"__global__" not in text and b"__device__" not in text:
            continue
        macros = memory_macros(text)
        scalars = frozenset(SCALAR.findall(text))
        name = path.relative_to(corpus).as_posix()
        for start, end in bodies(text):
            candidates = places(text, start, end, macros, scalars)
            if candidates:
                result.append(Function(name, tuple(candidates)))
    return result


def draw(population: list[Function], count: int, seed: int) -> list[tuple[Function, Place]]:
    """`count` different candidates (fewer if there are no more), every fourth by kind first."""
    chance = random.Random(seed)
    by_kind: dict[str, list[tuple[Function, list[Place]]]] = {}
    for function in population:
        for kind in sorted({place.kind for place in function.places}):
            own = [place for place in function.places if place.kind == kind]
            by_kind.setdefault(kind, []).append((function, own))
    chosen: dict[tuple[str, int], tuple[Function, Place]] = {}
    for attempt in range(20 * count):
        if len(chosen) == count or not population:
            break
        if attempt % 4 == 3:
            function, own = chance.choice(by_kind[chance.choice(sorted(by_kind))])
        else:
            function = chance.choice(population)
            own = list(function.places)
        place = chance.choice(own)
        chosen.setdefault((function.path, place.offset), (function, place))
    return list(chosen.values())


def position(text: bytes, offset: int) -> tuple[int, int]:
    """Line and column of a byte offset, both from 1, the column in bytes."""
    return text.count(b"\n", 0, offset) + 1, offset - (text.rfind(b"\n", 0, offset) + 1) + 1


def table_places(table: Path | None, corpus: str) -> frozenset[tuple[str, int, int]]:
    """(path, line, column) of the rows of a judged table that are about this corpus; nothing without a table."""
    if table is None:
        return frozenset()
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return frozenset((r["path"], int(r["line"]), int(r["column"])) for r in rows if r["corpus"] == corpus)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seed", type=int, default=20240611)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--exclude", default="-hip/", help="leave out paths that hold this text")
    parser.add_argument("--without", type=Path, help="a table whose places are left out")
    parser.add_argument("--context", type=int, default=0, help="lines shown before and after")
    options = parser.parse_args()
    population = functions(options.corpus, options.exclude)
    judged = table_places(options.without, options.corpus.name)
    print(f"# {options.corpus.name}: {len(population)} functions, seed {options.seed}", file=sys.stderr)
    for number, (function, place) in enumerate(draw(population, options.count, options.seed), 1):
        text = (options.corpus / function.path).read_bytes()
        line, column = position(text, place.offset)
        if (function.path, line, column) in judged:
            continue
        lines = text.split(b"\n")
        print(f"{number}\t{place.kind}\t{function.path}\t{line}\t{column}")
        for shown in range(max(1, line - options.context), min(len(lines), line + options.context) + 1):
            print(f"    {'>' if shown == line else ' '} {shown}: {lines[shown - 1].decode('utf-8', 'replace')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
