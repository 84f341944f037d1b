"""What an edit costs, counted in calls: python -m tests.bench.edit_calls [FILE] [--edits N] [--top N]

FILE is `long`, `many` or `thousand` (typing_files.py); edits are those of bench_typing.py, one kind after the other, each undone before the
next, in this process and without a server.  Printed are the calls of Python functions that each kind takes, and the functions that
are called most.  They are the same on every machine, however busy it is, where times are not.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import statistics
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis_core.incremental.asked import Asked
from analysis_core.incremental.host import Host
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.bench.bench_typing import TYPED, kernel_places
from tests.bench.typing_files import long_kernel, many_kernels, thousand_lines

ROOT = Path(__file__).resolve().parents[2]


class Typist:
    """One file and its host."""

    def __init__(self) -> None:
        self.host, self.settings = Host(), Settings()
        self.last_good: bytes | None = None

    def types(self, text: str) -> Counter[tuple[str, int, str]]:
        """The text is now this one: calls by function, those of the interpreter itself left out."""
        data, profile = text.encode(), cProfile.Profile()
        ask = Asked("typed.cu", MemoryFiles({"typed.cu": data}), self.settings, self.last_good, strict=True)
        profile.enable()
        *_, result = self.host.analyse(ask)
        profile.disable()
        self.host.store.events()
        if not result.report.problems:
            self.last_good = data
        found = pstats.Stats(profile).stats  # type: ignore[attr-defined]
        return Counter({function: entry[1] for function, entry in found.items() if function[0] != "~"})


def main() -> int:
    """Prints the tables."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file", nargs="?", default="long", choices=("long", "many", "thousand"))
    arguments.add_argument("--edits", type=int, default=12)
    arguments.add_argument("--top", type=int, default=20)
    options = arguments.parse_args()
    text = {"long": long_kernel, "many": many_kernels, "thousand": thousand_lines}[options.file]()
    typist, draw, places = Typist(), random.Random(options.file), kernel_places(text)
    typist.types(text)
    kinds: dict[str, list[int]] = {}
    every = Counter[tuple[str, int, str]]()
    for number in range(options.edits):
        kind, typed = TYPED[number % len(TYPED)]
        start, end = draw.choice(places)
        calls = typist.types(text[:start] + typed(text[start:end]) + text[end:])
        kinds.setdefault(kind, []).append(calls.total())
        every.update(calls)
        typist.types(text)
    for kind, found in kinds.items():
        print(f"{kind:<12}{statistics.median(found):>12,.0f}")
    print(f"{'median':<12}{statistics.median(n for found in kinds.values() for n in found):>12,.0f}\n")
    for (path, line, name), count in every.most_common(options.top):
        place = path.removeprefix(f"{ROOT}/")
        print(f"{count / options.edits:>12,.0f}  {name}  {place}:{line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
