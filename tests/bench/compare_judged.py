"""Compares the IR of the corpora with the accesses judged by hand (`judged_accesses.tsv`, README.md).

    python -m tests.bench.compare_judged CORPORA [--verbose] [--row corpus:draw]

CORPORA is the directory that holds the corpora.  For every row the named file is read and lowered; the accesses
whose text begins at the judged byte are looked up in all of its kernels, and each column is compared.  An address
is compared by value: the judged formula and the IR's expression are evaluated under the same random values of the
variables (`ir_values.py`), relative to the judged base.

Verdicts per column: `agree`, `differ`, `partial` (not comparable: a name of the formula has no variable in the IR,
or the expression holds something unknown) and `-` (nothing judged).  The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path

from analysis_core.ir.nodes import AddressOf, Atomic, BuiltinKind, Kernel, Load, Store, VarId
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements
from analysis_core.program.lower import lower
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read.tree import FunctionDecl
from tests.bench.ir_values import (
    OBJECT_BASE,
    NoValue,
    Number,
    Valuation,
    bases,
    definitions,
    pure_definitions,
    reached,
    spaces,
)
from tests.bench.judged_table import Row, evaluate, names_of, offset_of, read_table

COLUMNS = ("place", "length", "bytes", "space", "rw", "requests", "address")
QUIET = ("register", "declarator", "inactive", "unreachable", "address only", "reference binding", "texture")
VALUATIONS = 6
BINDINGS = 24  # how many readings of ambiguous names are tried

Access = Load | Store | Atomic


@dataclass(frozen=True, slots=True)
class Site:
    """An access of the IR and the kernel it stands in."""

    kernel: Kernel
    stmt: Access


class DiskFiles:
    """The corpora as they lie on the disk."""

    def read(self, path: str) -> bytes | None:
        try:
            return Path(path).read_bytes()
        except OSError:
            return None


def same_file(left: str, right: Path) -> bool:
    return Path(left).resolve() == right.resolve()


def accesses(kernel: Kernel) -> Iterator[Access]:
    for stmt in statements(kernel.body):
        if isinstance(stmt, Load | Store | Atomic):
            yield stmt


def kind(stmt: Access) -> str:
    return "R" if isinstance(stmt, Load) else "W" if isinstance(stmt, Store) else "A"


class Analysed:
    """The kernels of each translation unit, lowered once.

    The product reports the kernels of the file that it is asked for.  Here those of included files are wanted too,
    with the types and macros of the includer: the same tree is lowered once more with the included file as `main`."""

    def __init__(self) -> None:
        self._kernels: dict[Path, tuple[Kernel, ...]] = {}

    def kernels(self, path: Path) -> tuple[Kernel, ...]:
        if path not in self._kernels:
            settings = Settings()
            tree = parse(str(path), DiskFiles(), settings)
            functions = (item for item in tree.declarations if isinstance(item, FunctionDecl))
            mains = dict.fromkeys((tree.main, *(item.span.file for item in functions if item.is_kernel)))
            self._kernels[path] = tuple(
                kernel for main in mains for kernel in lower(replace(tree, main=main), settings).kernels
            )
        return self._kernels[path]


# --- addresses --------------------------------------------------------------------------------------------------


def bindings(kernel: Kernel, names: Sequence[str], near: set[VarId]) -> Iterator[Mapping[str, VarId]]:
    """The ways to read the names of the source as variables of the IR, those that the address uses first.

    Nothing if a name has no variable."""
    choices: list[list[VarId]] = []
    for name in names:
        same = variables_named(kernel, name)
        choices.append([var for var in same if var in near] or same)
    for choice in islice(product(*choices), BINDINGS):
        yield dict(zip(names, choice, strict=True))


def spelled(name: str) -> str:
    """A variable's name as the source spells it: "x" for "f(): x" and for "p.x"."""
    return name.rsplit(": ", 1)[-1].rsplit(".", 1)[-1]


def variables_named(kernel: Kernel, name: str) -> list[VarId]:
    """The variables with this name in the source, whatever inlined call they belong to."""
    return [variable.id for variable in kernel.variables if spelled(variable.name) == name]


def base_values(site: Site, values: Valuation, base: str, near: set[VarId]) -> list[Number]:
    """Where the judged base may lie: an object of this name that the address uses, a pointer variable of this name."""
    kernel = site.kernel
    used = {node.object for node in bases(site.stmt.address, values.single) if isinstance(node, AddressOf)}
    found: list[Number] = [OBJECT_BASE * (2 + item) for item in used if spelled(kernel.objects[item].name) == base]
    return found + [values.variable(var) for var in variables_named(kernel, base) if var in near]


def compare_address(row: Row, site: Site) -> str:
    """`agree` if one reading of the names gives the judged value under all valuations."""
    single = pure_definitions(site.kernel, definitions(site.kernel))
    near = reached(site.stmt.address, single)
    names = [name for name in names_of(row.address) if "." not in name and name not in ("SIZE", "LOADED")]
    loads = {var for stmt in accesses(site.kernel) if isinstance(stmt, Load) for var in stmt.vars}
    loaded = sorted(var for var in near & loads if site.kernel.variables[var].name not in names)
    verdict = "differ" if all(variables_named(site.kernel, name) for name in names) else "partial"
    for binding in bindings(site.kernel, names, near):
        try:
            if all(
                agrees(row, site, Valuation(site.kernel, single, random.Random(seed)), binding, near, loaded)
                for seed in range(VALUATIONS)
            ):
                return "agree"
        except NoValue:
            verdict = "partial"
    return verdict


def agrees(
    row: Row, site: Site, values: Valuation, binding: Mapping[str, VarId], near: set[VarId], loaded: Sequence[VarId]
) -> bool:
    """Whether judged formula and IR address are equal under one valuation, modulo 2^32 (a negative index wraps)."""
    axes = "xyz"
    names: dict[str, Number] = {
        f"{which.value}.{axes[axis]}": values.builtin(which, axis) for which in BuiltinKind for axis in range(3)
    }
    names |= {name: values.variable(var) for name, var in binding.items()}
    names["SIZE"] = site.stmt.access.width
    if "LOADED" in row.address:
        if len(loaded) != 1:
            raise NoValue("not one loaded value")
        names["LOADED"] = values.variable(loaded[0])
    found = base_values(site, values, row.base, near)
    if not found:
        raise NoValue(f"no base {row.base}")
    address = values.value(site.stmt.address) - evaluate(row.address, names)
    return any(int(address - base) % (1 << 32) == 0 for base in found)


# --- rows -------------------------------------------------------------------------------------------------------


def sites_at(row: Row, root: Path, analysed: Analysed) -> list[Site]:
    """All accesses that begin at the judged byte: in the kernels of the file to analyse, else of the row's own file."""
    path = root / row.corpus / row.path
    offset = offset_of(path.read_bytes(), int(row.line), int(row.column))
    for main in dict.fromkeys((root / row.corpus / (row.analyse or row.path), path)):
        found = [
            Site(kernel, stmt)
            for kernel in analysed.kernels(main)
            for stmt in accesses(kernel)
            if stmt.access.span.start == offset and same_file(stmt.access.span.file, path)
        ]
        if found:
            return found
    return []


def verdict_of(holds: bool) -> str:
    return "agree" if holds else "differ"


def compare(row: Row, root: Path, analysed: Analysed) -> tuple[dict[str, str], str]:
    """The verdict of each column, and what the IR says."""
    sites = sites_at(row, root, analysed)
    if not row.judged:
        counted = [s for s in sites if spaces(s.kernel, s.stmt.address) & {Space.GLOBAL, Space.SHARED, Space.CONSTANT}]
        return {"place": verdict_of(not counted)}, f"{len(counted)} accesses where none was judged"
    exact = [s for s in sites if s.stmt.access.span.end - s.stmt.access.span.start == int(row.length)]
    if not sites:
        return {"place": "differ"}, "no access begins here"
    if not exact:
        lengths = sorted({s.stmt.access.span.end - s.stmt.access.span.start for s in sites})
        return {"place": "agree", "length": "differ"}, f"lengths {lengths}"
    widths = {s.stmt.access.width for s in exact}
    found_spaces = {space.value for s in exact for space in spaces(s.kernel, s.stmt.address)}
    kinds = "".join(k for k in "RWA" if k in {kind(s.stmt) for s in exact})
    groups = Counter((id(s.kernel), s.stmt.access.via) for s in exact)
    requests = set(groups.values())
    addresses = [compare_address(row, s) for s in exact]
    # A struct copy has one address per member, and the judged one is the first's; elsewhere all copies must agree.
    members = int(row.requests) > len(row.rw)
    order = ("agree", "partial", "differ") if members else ("differ", "agree", "partial")
    address = next(word for word in order if word in addresses)
    result = {
        "place": "agree",
        "length": "agree",
        "bytes": verdict_of(widths <= {int(size) for size in row.bytes.split("/")}),
        "space": verdict_of(found_spaces <= set(row.space.split("/"))),
        "rw": verdict_of(kinds == row.rw),
        "requests": verdict_of(requests == {int(row.requests)}),
        "address": address,
    }
    return result, f"bytes {sorted(widths)} space {sorted(found_spaces)} rw {kinds} requests {sorted(requests)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--row", help="corpus:draw, this row alone")
    parser.add_argument("--verbose", action="store_true", help="list rows that are only partly compared too")
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    analysed = Analysed()
    counts = {column: Counter[str]() for column in COLUMNS}
    quiet = Counter[str]()
    clean = judged = 0
    for row in read_table():
        if options.row and f"{row.corpus}:{row.draw}" != options.row:
            continue
        if not row.judged and row.verdict.removeprefix("none: ") not in QUIET:
            continue
        result, seen = compare(row, options.corpora, analysed)
        words = set(result.values())
        if row.judged:
            judged += 1
            clean += "differ" not in words
            for column in COLUMNS:
                counts[column][result.get(column, "-")] += 1
        else:
            quiet[result["place"]] += 1
        if "differ" in words or (options.verbose and "partial" in words):
            told = ", ".join(f"{c} {result[c]}" for c in COLUMNS if result.get(c) in ("differ", "partial"))
            print(f"{row.name}: {told} ({seen})")
    print(f"\n{'column':10}{'agree':>8}{'partial':>9}{'differ':>8}{'-':>6}")
    for column, count in counts.items():
        print(f"{column:10}{count['agree']:8}{count['partial']:9}{count['differ']:8}{count['-']:6}")
    print(f"rows without any difference: {clean} of {judged}")
    print(f"places without access: {quiet['agree']} agree, {quiet['differ']} differ")
    return int(clean < judged or quiet["differ"] > 0)


if __name__ == "__main__":
    sys.exit(main())
