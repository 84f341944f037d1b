"""Looks for broken claims: `python -m tests.compiled.hunt FIRST COUNT [--masks] [--loose] [--shrink] [--kind KIND]`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.compiled.broken import Broken
from tests.compiled.compare import Tally
from tests.compiled.examine import examine
from tests.compiled.program.generate import unit
from tests.compiled.program.masks import mask_unit
from tests.compiled.shrink import shrunk
from tests.compiled.unit import Unit, texts_of

_BATCH = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--masks", action="store_true", help="kernels about which lanes run, each run often")
    parser.add_argument("--loose", action="store_true", help="tell what never cost what is said, too")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--kind", default="", help="only claims of kinds that begin so")
    options = parser.parse_args()
    tally, make = Tally(), mask_unit if options.masks else unit
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for first in range(options.first, options.first + options.count, _BATCH):
            units = [make(seed) for seed in range(first, min(first + _BATCH, options.first + options.count))]
            for broken in examine(units, folder, tally):
                _tell(*broken, options, folder)
    if options.loose:
        print("\n".join(tally.loose))
    tally.loose.clear()
    print(tally)


def _tell(found: Unit, broken: list[Broken], options: argparse.Namespace, folder: Path) -> None:
    broken = [b for b in broken if b.kind.startswith(options.kind)]
    if not broken:
        return
    for b in broken:
        print(f"{found.seed} {b.kind}: {b.text}", flush=True)
    if options.shrink:
        print(texts_of(shrunk(found, broken[0].kind, folder)).cuda, flush=True)


if __name__ == "__main__":
    main()
