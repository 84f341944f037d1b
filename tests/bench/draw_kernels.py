"""Draws kernels, for a list by hand of all that they waste.

    python -m tests.bench.draw_kernels --seed 20261121 --count 9 DIR

Kernels and their bodies are found as in `draw_accesses.py`, with nothing of the analysis' own reader.  A kernel is in the
population if its body holds something that is spelled like a memory access, and has at most `--lines` lines: longer
ones are not to be judged by hand without mistakes.  A file is drawn first and a kernel in it second, so that a file of 40
variants does not own the sample; no file is drawn twice.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.draw_accesses import FUNCTION, SCALAR, SUFFIXES, blank, bodies, memory_macros, places, position

NAME = re.compile(rb"(\w+)\s*(?:<[^;{}()]*>\s*)?\(")
ATTRIBUTE = re.compile(rb"__(?:launch_bounds|attribute|align)__\s*\((?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel: its name as spelled, and the lines (from 1) from its qualifier to its closing brace."""

    name: str
    first: int
    last: int


def kernels_of(text: bytes, most_lines: int) -> Iterator[Kernel]:
    """The kernels of a file that touch memory and are short enough."""
    macros, scalars = memory_macros(text), frozenset(SCALAR.findall(text))
    for start, end in bodies(text):
        qualifier = list(FUNCTION.finditer(text, 0, start))[-1]
        if qualifier.group() != b"__global__":
            continue
        head = ATTRIBUTE.sub(b" ", text[qualifier.end() : start])
        named = NAME.search(head)
        first, last = position(text, qualifier.start())[0], position(text, end - 1)[0]
        if named is None or last - first + 1 > most_lines or not places(text, start, end, macros, scalars):
            continue
        yield Kernel(named.group(1).decode(), first, last)


def population(corpus: Path, exclude: str, most_lines: int) -> list[tuple[str, tuple[Kernel, ...]]]:
    """All files of a corpus with at least one such kernel, by path."""
    result: list[tuple[str, tuple[Kernel, ...]]] = []
    for path in sorted(corpus.rglob("*")):
        name = path.relative_to(corpus).as_posix()
        if path.suffix not in SUFFIXES or not path.is_file() or (exclude and exclude in name):
            continue
        found = tuple(kernels_of(blank(path.read_bytes()), most_lines))
        if found:
            result.append((name, found))
    return result


def draw(files: Sequence[tuple[str, tuple[Kernel, ...]]], count: int, seed: int) -> list[tuple[str, Kernel]]:
    """`count` kernels of different files (fewer if there are no more), in the order drawn."""
    chance = random.Random(seed)
    return [(path, chance.choice(kernels)) for path, kernels in chance.sample(list(files), min(count, len(files)))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--count", type=int, default=9)
    parser.add_argument("--lines", type=int, default=100, help="longer kernels are left out")
    parser.add_argument("--exclude", default="-hip/", help="leave out paths that hold this text")
    options = parser.parse_args()
    files = population(options.corpus, options.exclude, options.lines)
    print(f"# {options.corpus.name}: {len(files)} files, seed {options.seed}", file=sys.stderr)
    for number, (path, kernel) in enumerate(draw(files, options.count, options.seed), 1):
        print(number, path, kernel.name, kernel.first, kernel.last, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main())
