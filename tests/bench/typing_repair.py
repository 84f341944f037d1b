"""Measures the repair while typing: one line of a kernel is truncated at a random place.

    python tests/bench/typing_repair.py DIRECTORY ... [--edits 300] [--seed 1] [--without-last-good] [--list]

Edits are spread over the kernels drawn by the seed.  Truncations in front of the end of the kernel's name are not
drawn, because nothing can be found then.  Reported: the kernel is found; its other statements (those whose text does
not touch the line) are still there, with the same class and place; all other kernels of the file are the same.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read.tree import FunctionDecl, Node, Stmt, SyntaxTree


class Disk:
    """The disk, read-only."""

    def read(self, path: str) -> bytes | None:
        try:
            return Path(path).read_bytes()
        except OSError:
            return None


def kernels(tree: SyntaxTree) -> list[FunctionDecl]:
    """The kernels of the main file that have a body."""
    return [
        d
        for d in tree.declarations
        if isinstance(d, FunctionDecl) and d.is_kernel and d.body is not None and d.span.file == tree.main
    ]


def statements(function: FunctionDecl) -> Iterator[tuple[str, int, int]]:
    """Class and place of every statement below the body."""
    stack: list[object] = [function.body]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, Node):
            if isinstance(item, Stmt) and item is not function.body:
                yield type(item).__name__, item.span.start, item.span.end
            stack.extend(getattr(item, field.name) for field in fields(item))


def truncation(rng: random.Random, text: bytes, kernel: FunctionDecl) -> tuple[int, int] | None:
    """A place in a line of the kernel and the end of that line."""
    low = kernel.name_span.end + 1
    for _ in range(20):
        place = rng.randrange(low, kernel.span.end)
        start = max(low, text.rfind(b"\n", 0, place) + 1)
        end = text.find(b"\n", place)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if not line.strip() or line.strip().startswith((b"//", b"/*", b"*", b"#")):
            continue
        place = rng.randrange(start, end)
        if text[place:end].strip() and not text[text.rfind(b"\n", 0, place) + 1 : place].lstrip().startswith(b"//"):
            return place, end
    return None


class Tally:
    def __init__(self) -> None:
        self.edits = self.found = self.others = self.kept = self.neighbours = self.same = 0
        self.seconds: list[float] = []


def one_edit(tally: Tally, path: Path, intact: SyntaxTree, text: bytes, target: FunctionDecl, place: int, end: int,
             known: bool, listing: bool) -> None:  # fmt: skip
    broken = text[:place] + text[end:]
    line_start = text.rfind(b"\n", 0, place) + 1

    def shifted(offset: int) -> int:
        return offset if offset <= place else offset - (end - place)

    def moved(function: FunctionDecl) -> set[tuple[str, int, int]]:
        return {(kind, shifted(low), shifted(high)) for kind, low, high in statements(function)}

    started = time.perf_counter()
    tree = parse(str(path), MemoryFiles({str(path): broken}, Disk()), Settings(), text if known else None)
    tally.seconds.append(time.perf_counter() - started)
    found = {k.name_span.start: k for k in kernels(tree)}
    tally.edits += 1
    mended = found.get(shifted(target.name_span.start))
    tally.found += mended is not None
    wanted = [s for s in statements(target) if s[2] <= line_start or s[1] > end]
    have = set(statements(mended)) if mended is not None else set()
    kept = sum((kind, shifted(low), shifted(high)) in have for kind, low, high in wanted)
    tally.others += len(wanted)
    tally.kept += kept
    if listing and (mended is None or kept < len(wanted)):
        line = text.count(b"\n", 0, place) + 1
        print(f"  {path}:{line} {target.name}: kept {kept}/{len(wanted)} {broken[line_start:place]!r}")
    for other in kernels(intact):
        if other is target:
            continue
        tally.neighbours += 1
        again = found.get(shifted(other.name_span.start))
        same = again is not None and moved(other) == set(statements(again))
        tally.same += same
        if listing and not same:
            print(f"  {path}: neighbour {other.name} changed; {broken[line_start:place]!r}")


def measure(directories: list[Path], edits: int, seed: int, known: bool, listing: bool) -> Tally:
    rng = random.Random(seed)
    files = sorted(p for d in directories for p in d.rglob("*") if p.suffix in {".cu", ".cuh"} and p.is_file())
    rng.shuffle(files)
    tally = Tally()
    for path in files:
        if tally.edits >= edits:
            break
        text = path.read_bytes()
        if b"__global__" not in text or len(text) > 300_000:
            continue
        intact = parse(str(path), Disk(), Settings())
        for target in rng.sample(kernels(intact), min(2, len(kernels(intact)))):
            drawn = truncation(rng, text, target)
            if drawn is not None and tally.edits < edits:
                one_edit(tally, path, intact, text, target, *drawn, known, listing)
    return tally


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("directories", nargs="+", type=Path)
    arguments.add_argument("--edits", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--without-last-good", action="store_true")
    arguments.add_argument("--list", action="store_true")
    given = arguments.parse_args()
    tally = measure(given.directories, given.edits, given.seed, not given.without_last_good, given.list)
    tally.seconds.sort()
    print(
        f"{tally.edits} edits: kernel found {100 * tally.found / max(1, tally.edits):.2f}%, "
        f"other statements kept {100 * tally.kept / max(1, tally.others):.2f}% of {tally.others}, "
        f"other kernels unchanged {100 * tally.same / max(1, tally.neighbours):.2f}% of {tally.neighbours}; "
        f"median {1000 * tally.seconds[len(tally.seconds) // 2]:.0f} ms, worst {1000 * tally.seconds[-1]:.0f} ms"
    )


if __name__ == "__main__":
    main()
