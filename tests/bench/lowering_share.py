"""How much of public code is lowered: python tests/bench/lowering_share.py DIRECTORY... [--seed N] [--limit N] [--bugs]

Reads every .cu and .cuh file below the directories, in an order drawn by the seed, and prints

- kernels found, and the share lowered without an unknown of kind READER (our own limit);
- for each kind of unknown the ten most frequent causes, by the number of kernels they occur in, names left out;
- the slowest files, with seconds from bytes to IR, and files that took more than ten.

An internal error ends the run with its traceback; `--bugs` counts and lists them instead.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
import traceback
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis_core.ir.nodes import Kernel
from analysis_core.program.lower import lower
from analysis_core.support.facts import CauseKind
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse

SECONDS = 10.0
_QUOTED = re.compile(r"[`'][^`']*[`']|\(missing: [^)]*\)")


class Disk:
    """Files of the disk, read-only."""

    def read(self, path: str) -> bytes | None:
        try:
            return Path(path).read_bytes()
        except OSError:
            return None


class Tally:
    """What was seen."""

    def __init__(self) -> None:
        self.kernels = 0
        self.clean = 0
        self.causes: dict[CauseKind, Counter[str]] = defaultdict(Counter)
        self.example: dict[tuple[CauseKind, str], str] = {}
        self.seconds: list[tuple[float, str]] = []
        self.bugs: list[tuple[str, str]] = []

    def add(self, path: Path, kernel: Kernel) -> None:
        self.kernels += 1
        self.clean += all(cause.kind is not CauseKind.READER for cause in kernel.unknowns)
        shapes = {(cause.kind, _QUOTED.sub("..", cause.reason)): cause for cause in kernel.unknowns}
        for (kind, shape), cause in shapes.items():
            self.causes[kind][shape] += 1
            self.example.setdefault((kind, shape), f"{path.name}: {kernel.name}: {cause.reason}")


def measure(path: Path, tally: Tally, keep_going: bool) -> None:
    start = time.perf_counter()
    settings = Settings()
    try:
        tree = parse(str(path), Disk(), settings)
        module = lower(tree, settings)
    except Exception:
        if not keep_going:
            print(f"in {path}", file=sys.stderr)
            raise
        tally.bugs.append((str(path), traceback.format_exc().strip().splitlines()[-1]))
        return
    finally:
        tally.seconds.append((time.perf_counter() - start, str(path)))
    for kernel in module.kernels:
        tally.add(path, kernel)


def report(tally: Tally, files: int) -> None:
    share = 100 * tally.clean / max(1, tally.kernels)
    print(f"{files} files, {tally.kernels} kernels, {tally.clean} without an unknown of the reader ({share:.2f}%)")
    for kind, causes in sorted(tally.causes.items(), key=lambda item: item[0].value):
        print(f"{kind.value}:")
        for shape, count in causes.most_common(10):
            print(f"  {count:5d}  {shape}    [{tally.example[kind, shape][:150]}]")
    total = sum(seconds for seconds, _ in tally.seconds)
    slow = sorted(tally.seconds, reverse=True)[:5]
    print(f"{total:.1f} s in all; slowest: " + ", ".join(f"{Path(p).name} {s:.2f} s" for s, p in slow))
    over = [path for seconds, path in tally.seconds if seconds > SECONDS]
    print(f"{len(over)} files over {SECONDS:.0f} s {over or ''}")
    if tally.bugs:
        print(f"{len(tally.bugs)} internal errors")
        for path, line in tally.bugs[:40]:
            print(f"  {path}: {line}")


def main() -> int:
    arguments = argparse.ArgumentParser(description="Share of kernels that are lowered.")
    arguments.add_argument("directories", nargs="+", type=Path)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--limit", type=int, default=None)
    arguments.add_argument("--bugs", action="store_true")
    given = arguments.parse_args()
    status = 0
    for directory in given.directories:
        files = sorted(p for p in directory.rglob("*") if p.suffix in (".cu", ".cuh") and p.is_file())
        random.Random(given.seed).shuffle(files)
        files = files[: given.limit]
        tally = Tally()
        for path in files:
            measure(path, tally, given.bugs)
        print(f"== {directory.name}")
        report(tally, len(files))
        status = status or bool(tally.bugs)
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
