"""Draws branches and loop tests of device code, for judgement by hand.

    python tests/bench/draw_branches.py --seed 20251121 --count 20 DIR

Functions and their bodies are found as in `draw_accesses.py`, with nothing of the analysis' own reader.  A candidate is
a keyword `if`, `for`, `while` or `switch`, or a `?` that is followed by a `:`.  Like there, a function is drawn first and a place in
it second, and every fourth draw picks a spelling first.  The list shows places and text, and nothing that the
analysis says of them.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from tests.bench.draw_accesses import SUFFIXES, Function, Place, blank, bodies, draw, position, table_places

BRANCH = re.compile(rb"\b(if|for|while|switch)\s*\(|(\?)(?=[^;{}]*:)")


def functions(corpus: Path, exclude: str) -> list[Function]:
    """All device functions of a corpus with at least one branch, by path and offset."""
    result: list[Function] = []
    for path in sorted(corpus.rglob("*")):
        name = path.relative_to(corpus).as_posix()
        if path.suffix not in SUFFIXES or not path.is_file() or (exclude and exclude in name):
            continue
        text = blank(path.read_bytes())
        for start, end in bodies(text):
            found = [Place(m.start(), (m.group(1) or m.group(2)).decode()) for m in BRANCH.finditer(text, start, end)]
            if found:
                result.append(Function(name, tuple(found)))
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seed", type=int, default=20251121)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--exclude", default="-hip/", help="leave out paths that hold this text")
    parser.add_argument("--without", type=Path, help="a table whose places are left out")
    options = parser.parse_args()
    population = functions(options.corpus, options.exclude)
    judged = table_places(options.without, options.corpus.name)
    print(f"# {options.corpus.name}: {len(population)} functions, seed {options.seed}", file=sys.stderr)
    for number, (function, place) in enumerate(draw(population, options.count, options.seed), 1):
        text = (options.corpus / function.path).read_bytes()
        line, column = position(text, place.offset)
        if (function.path, line, column) in judged:
            continue
        shown = text.split(b"\n")[line - 1].decode("utf-8", "replace").strip()
        print(f"{number}\t{place.kind}\t{function.path}\t{line}\t{column}\t{shown}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
