"""What lowering decides about public code beside what clang does: python -m tests.bench.compare_clang DIRECTORY.. [--limit N] [--seed N] [--list]

Reads every .cu file below the directories, in an order drawn by the seed, and prints, by kind of decision, how many are
equal, how many differ, and for how many there is nothing to compare and why.  `--list`: every difference with its place.
Needs the extra `oracles`.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

from tests.bench.lowering_share import Disk
from tests.oracles import libclang
from tests.oracles.files import FileDifference, compare_file

KINDS = ("call", "arguments", "constant", "variable", "size", "align", "offset", "layout")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("directories", nargs="+", type=Path)
    options.add_argument("--limit", type=int)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--list", action="store_true")
    given = options.parse_args()
    if not libclang.AVAILABLE:
        print(libclang.MISSING, file=sys.stderr)
        return 2
    paths = sorted(path for folder in given.directories for path in folder.rglob("*.cu") if "-hip" not in str(path))
    random.Random(given.seed).shuffle(paths)
    counts, differences = Counter[tuple[str, str]](), list[FileDifference]()
    start, failed = time.perf_counter(), 0
    for path in paths[: given.limit]:
        try:
            outcome = compare_file(str(path), Disk())
        except libclang.cindex.TranslationUnitLoadError:
            failed += 1
            continue
        counts += outcome.counts
        differences += outcome.differences
    print(f"{len(paths[: given.limit])} files, {failed} that clang gives up, {time.perf_counter() - start:.0f} s")
    for kind in KINDS:
        for (one, result), count in sorted(counts.items(), key=lambda item: -item[1]):
            if one == kind:
                print(f"{kind:10} {result:50} {count:7}")
    for difference in sorted(map(str, differences)) if given.list else ():
        print(difference)
    return 0


if __name__ == "__main__":
    sys.exit(main())
