"""Compares the analysis with the costs and branch classes judged by hand (README.md).

    python -m tests.bench.compare_costs CORPORA [--row corpus:draw] [--all]

For every row of `judged_costs.tsv` and `judged_branches.tsv` the kernel is analysed under the block that the analysis takes
first, and everything that starts at the judged byte is put together (several inlined copies of one text: the dearest).

Verdicts: `agree`; `LOW` if a figure is on the wrong side of the judged one (worst or class too low, best too high:
an error of the first order); `loose` if it is on the safe side of it; `block` if the analysis assumes another block;
`absent` if nothing starts there.  The exit status is 1 if anything is `LOW`.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import IrModule
from analysis_core.pipeline.pipeline import load
from analysis_core.program.launch import choose_launches
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.facts import AccessFact, BranchFact, Divergence, KernelFacts
from analysis_core.support.settings import Settings
from tests.bench.compare_judged import DiskFiles, same_file
from tests.bench.judged_table import offset_of

COSTS = Path(__file__).with_name("judged_costs.tsv")
BRANCHES = Path(__file__).with_name("judged_branches.tsv")
CLASSES = (Divergence.NEVER, Divergence.BOUNDARY, Divergence.POSSIBLE, Divergence.ALWAYS)

Row = Mapping[str, str]


def rows_of(table: Path) -> list[Row]:
    """The rows in which something was judged."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if not row["class"].startswith("none")]


class Analysed:
    """Files and kernels of the corpora, each analysed once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._modules: dict[tuple[str, str | None], IrModule] = {}
        self._facts: dict[tuple[str, str | None, str], KernelFacts] = {}

    def facts(self, row: Row) -> KernelFacts | None:
        """The row's kernel: in its own file, read through another one where the table names one, or in that one."""
        folder = self._root / row["corpus"]
        unit, _, main = row["analyse"].partition(":")
        own = main or row["path"]
        tries = [(own, unit or None)] if main or not unit else [(own, unit), (unit, None)]
        for path, through in tries:
            found = self._kernel(folder, path, through, row["kernel"])
            if found is not None:
                return found
        return None

    def _kernel(self, folder: Path, path: str, unit: str | None, name: str) -> KernelFacts | None:
        full, through = str(folder / path), None if unit is None else str(folder / unit)
        known = self._facts.get((full, through, name))
        if known is not None:
            return known
        if (full, through) not in self._modules:
            self._modules[full, through] = load(
                full, DiskFiles(), Settings(), units=() if through is None else (through,)
            )[1]
        for kernel in self._modules[full, through].kernels:
            if name in (kernel.name, kernel.instantiation):
                launch = choose_launches(kernel, Settings())[0]
                facts = evaluate(kernel, launch, interpret(kernel, launch, Settings())).facts
                self._facts[full, through, name] = facts
                return facts
        return None


def accesses_at(row: Row, facts: KernelFacts, path: Path, offset: int) -> Iterator[AccessFact]:
    """Accesses whose text starts at the byte."""
    for access in facts.accesses:
        if access.span.start == offset and same_file(access.span.file, path):
            yield access


def branches_at(row: Row, facts: KernelFacts, path: Path, offset: int) -> Iterator[BranchFact]:
    """Branches whose statement starts at the byte, or, for `?`, whose expression lies around it."""
    for branch in facts.branches:
        span = branch.whole or branch.span
        if not same_file(span.file, path):
            continue
        kind = getattr(branch.kind, "value", branch.kind)
        around = span.start <= offset < span.end
        if row["kind"] == "select":
            if around and kind == "select":
                yield branch
        elif kind not in ("select", "and", "or") and (span.start == offset or _do_while(row, span.end, offset, around)):
            yield branch


def _do_while(row: Row, end: int, offset: int, around: bool) -> bool:
    """The `while` of a do-loop stands at its end."""
    return row["kind"] == "loop" and around and end - offset < len("while (1);  ")


def judge_access(row: Row, facts: list[AccessFact]) -> tuple[str, str]:
    facts = [f for f in facts if f.space.value == row["space"]] or facts
    same = [f for f in facts if f.rw.value == row["rw"]] or facts
    worst, best = max(f.worst for f in same), min(f.best for f in same)
    ideal = max(f.ideal for f in same if f.worst == worst)
    cases = [f"{c.cost} when {c.when}" for f in same for c in f.cases][:2]
    seen = f"worst {worst} best {best} ideal {ideal} space {same[0].space.value} bytes {same[0].bytes} {cases}"
    judged = tuple(int(row[name]) for name in ("worst", "best", "ideal"))
    if worst < judged[0] or best > judged[1] or ideal < judged[2] < worst:
        return "LOW", seen
    if same[0].space.value != row["space"]:
        return "space", seen
    return ("agree" if (worst, best, ideal) == judged else "loose"), seen


def judge_branch(row: Row, facts: list[BranchFact]) -> tuple[str, str]:
    found = max((f.divergence for f in facts), key=CLASSES.index)
    split = [f.splits.active for f in facts if f.divergence is not Divergence.NEVER] or [(32, 32)]
    least, most = min(a for a, _ in split), max(b for _, b in split)
    seen = f"{found.value} {least}..{most}"
    judged = CLASSES.index(Divergence(row["class"]))
    if CLASSES.index(found) < judged:
        return "LOW", seen
    same = (least, most) == (int(row["least"]), int(row["most"]))
    return ("agree" if CLASSES.index(found) == judged and same else "loose"), seen


def compare(row: Row, root: Path, analysed: Analysed, branch: bool) -> tuple[str, str]:
    """A verdict and what the analysis says."""
    facts = analysed.facts(row)
    if facts is None:
        return "absent", "no such kernel"
    path = root / row["corpus"] / row["path"]
    offset = offset_of(path.read_bytes(), int(row["line"]), int(row["column"]))
    if branch:
        branches = list(branches_at(row, facts, path, offset))
        judged = judge_branch(row, branches) if branches else None
    else:
        accesses = list(accesses_at(row, facts, path, offset))
        judged = judge_access(row, accesses) if accesses else None
    if judged is None:
        return "absent", "nothing starts here"
    verdict, seen = judged
    if ",".join(map(str, facts.block)) != row["block"]:
        return "block", f"{seen} under {facts.block}"
    return verdict, seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--row", help="corpus:draw, these rows alone")
    parser.add_argument("--all", action="store_true", help="print agreement too")
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    analysed = Analysed(options.corpora)
    low = 0
    for table in (COSTS, BRANCHES):
        counts: Counter[str] = Counter()
        for row in rows_of(table):
            if options.row and f"{row['corpus']}:{row['draw']}" != options.row:
                continue
            verdict, seen = compare(row, options.corpora, analysed, table is BRANCHES)
            counts[verdict] += 1
            if verdict != "agree" or options.all:
                judged = [row[n] for n in ("worst", "best", "ideal", "class", "least", "most") if n in row]
                place = f"{row['corpus']}:{row['draw']} {row['path']}:{row['line']}:{row['column']}"
                print(f"{verdict:7}{place}\n       judged {' '.join(judged)}; {seen}")
        print(f"{table.stem}: {dict(counts.most_common())}\n")
        low += counts["LOW"]
    return int(low > 0)


if __name__ == "__main__":
    sys.exit(main())
