"""Draws files with kernels, so that findings can be drawn from what `check` says of them.

    python tests/bench/draw_files.py --seed 20261122 --count 40 DIR

A file is in the population if its suffix is `.cu` and it defines a kernel: headers are read through the files that
include them.  The same seed and the same files give the same list.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from pathlib import Path

KERNEL = re.compile(rb"\b__global__\b")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--exclude", default="-hip/", help="leave out paths that hold this text")
    options = parser.parse_args()
    named = {p.relative_to(options.corpus).as_posix(): p for p in options.corpus.rglob("*.cu") if p.is_file()}
    kept = sorted(name for name in named if not (options.exclude and options.exclude in name))
    population = [name for name in kept if KERNEL.search(named[name].read_bytes())]
    print(f"# {options.corpus.name}: {len(population)} files, seed {options.seed}", file=sys.stderr)
    for name in sorted(random.Random(options.seed).sample(population, min(options.count, len(population)))):
        print(named[name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
