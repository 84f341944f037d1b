"""Advises drawn kernels of corpora, and runs shapes against the present one: a proof that a run breaks is a bug.

    python -m tests.bench.advised_kernels --seed 20261127 --count 40 DIR.. > shapes.tsv

Kernels are drawn as in `draw_kernels.py`, in turn from each folder, until so many have a launch in view whose block is made of numbers of the file.  A row for each: the present
shape, its place among those that have a score, what became of five shapes at random (the same, refused with the reason, not run), and what is offered.
Ends with 1 if a run differs where a proof says that it does not.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from analysis_core.advice.account import Account
from analysis_core.advice.advisor import Advice, advice
from analysis_core.advice.knobs import Variants
from analysis_core.advice.offers import offers
from analysis_core.advice.trials import trial
from analysis_core.cli.options import parser as command_line
from analysis_core.cli.work import tasks_for
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.program.launch import shape_text
from analysis_core.support.sources import Sources
from analysis_core.support.store import Store
from analysis_core.text.span import FileId
from tests.bench.draw_kernels import Kernel, draw, population

CAPABILITY = "9.0"
SHAPES = 5


def advised(path: str, drawn: Kernel) -> tuple[Variants, Advice] | None:
    """The advice for a drawn kernel; None where there are no shapes for it."""
    (task, *_), _ = tasks_for([path], None, command_line().parse_args(["check", path]))
    files = task.files()
    place, sources = Place(path, files, task.settings, task.units, Store()), Sources(files)
    variants = Variants(place, sources.index(FileId(path)).data)
    for kernel in variants.kernels():
        if kernel.name_span.file == path and drawn.first <= sources.line(kernel.name_span) <= drawn.last:
            told = advice(variants, kernel)
            return (variants, told) if len(told.rows) > 1 and told.rows[0].costs is not None else None
    return None


def row_of(path: str, variants: Variants, told: Advice, chance: random.Random) -> tuple[str, Counter[str]]:
    """What is printed of a kernel, and how often what became of a shape."""
    assert told.found is not None
    ranked = told.ranked(CAPABILITY)
    rows = [row for row in told.rows[1:] if row.costs is not None]
    count: Counter[str] = Counter()
    said: list[str] = []
    for row in chance.sample(rows, min(SHAPES, len(rows))):
        there = variants.turned(told.found, row.edits)
        tried = None if there is None else trial(told.found, there, Account())
        same = None if tried is None else tried.same
        what = "same" if same else "not run" if same is None else "BROKEN PROOF" if row.proved else "refused"
        count[what] += 1
        why = f" ({tried.text})" if tried is not None and not same else ""
        said.append(f"{shape_text(row.block)} {what}{', proved' if row.proved else ''}{why}")
    made = list(offers(told, variants, CAPABILITY))
    count["offered"] += sum(offer.trial.same is True for offer in made)
    count["refused offers"] += sum(offer.trial.same is False for offer in made)
    kept = ", ".join(shape_text(offer.row.block) for offer in made if offer.trial.same)
    place = next((n for n, row in enumerate(ranked, 1) if row is told.rows[0]), 0)
    present = shape_text(told.rows[0].block)
    return "\t".join((path, told.kernel, present, f"{place} of {len(ranked)}", "; ".join(said), kept or "-")), count


def drawn_of(folders: Sequence[Path], seed: int) -> Iterator[tuple[str, Kernel]]:
    """Kernels of the folders in turn."""
    orders = [
        [(str(folder / name), kernel) for name, kernel in draw(population(folder, "-hip/", 100), 1 << 30, seed)]
        for folder in folders
    ]
    for together in zip_longest(*orders):
        yield from (one for one in together if one is not None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=20261127)
    parser.add_argument("--count", type=int, default=40)
    args = parser.parse_args()
    chance, total, found, tried = random.Random(args.seed), Counter[str](), 0, 0
    for path, kernel in drawn_of(args.folders, args.seed):
        if found == args.count:
            break
        tried += 1
        told = advised(path, kernel)
        if told is not None:
            found += 1
            line, count = row_of(path, *told, chance)
            total += count
            print(line, flush=True)
    print(f"# {found} of {tried} drawn kernels; " + ", ".join(f"{what} {n}" for what, n in sorted(total.items())))
    return 1 if total["BROKEN PROOF"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
