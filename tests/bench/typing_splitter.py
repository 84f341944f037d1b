"""How the splitter fares while somebody types: one line of one kernel cut off at a random place, many times.

    python -m tests.bench.typing_splitter FOLDER... [--count 2000] [--seed 1] [--show 10]

For every edit: is the edited kernel still found (at its place, a `__global__` function with its name), and does
every other kernel of the file have exactly the tokens that it had?  Edits that cut away `__global__` or the name
itself leave no such kernel in the text; they count for the second question only.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.lex.preprocessor import Preprocessed, preprocess
from analysis_core.syntax.read.splitter import Item, ItemKind, split
from tests.bench.gcc_tokens import Disk


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel as found: its name, its tokens' spellings, its bytes in the main file, those of its name."""

    name: str
    has_body: bool
    name_end: int
    words: tuple[str, ...]
    start: int
    end: int
    scope: str


def kernels(path: str, files: MemoryFiles | Disk, store: Store) -> list[Kernel]:
    """The kernels of the main file."""
    unit = preprocess(path, files, Settings(), store)
    items = split(unit.tokens, unit.column)
    return [_kernel(unit, item) for item in items if _is_kernel(unit, item)]


def _is_kernel(unit: Preprocessed, item: Item) -> bool:
    found = item.kind is ItemKind.FUNCTION and "__global__" in item.qualifiers and item.name is not None
    return found and unit.tokens[item.start].span.file == unit.main


def _kernel(unit: Preprocessed, item: Item) -> Kernel:
    tokens = unit.tokens[item.start : item.end]
    assert item.name is not None
    words = tuple(token.text for token in tokens)
    name = unit.tokens[item.name]
    return Kernel(
        name.text, item.body is not None, name.span.end, words, tokens[0].span.start, tokens[-1].span.end, item.scope
    )


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes `start` to `end` of `path` removed; `kernel` is the index of the kernel that they lie in."""

    path: str
    kernel: int
    start: int
    end: int


def draw(paths: list[str], seed: int, count: int, store: Store) -> list[Edit]:
    """Truncations of a random non-empty line of a random kernel at a random place, reproducible by the seed."""
    chance = random.Random(seed)
    found = {path: kernels(path, Disk(), store) for path in paths}
    pool = [(path, index) for path in paths for index, kernel in enumerate(found[path]) if kernel.has_body]
    edits: list[Edit] = []
    while len(edits) < count:
        path, index = chance.choice(pool)
        data = Path(path).read_bytes()
        kernel = found[path][index]
        lines = [(start, end) for start, end in _lines(data, kernel.start, kernel.end) if data[start:end].strip()]
        start, end = chance.choice(lines)
        edits.append(Edit(path, index, chance.randrange(start, end), end))
    return edits


def _lines(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    begin = data.rfind(b"\n", 0, start) + 1
    lines = []
    while begin < end:
        stop = data.find(b"\n", begin)
        stop = len(data) if stop < 0 else stop
        text_end = stop - 1 if data[stop - 1 : stop] == b"\r" else stop
        lines.append((begin, max(begin, text_end)))
        begin = stop + 1
    return lines


def judge(edit: Edit, store: Store) -> tuple[bool | None, tuple[str, ...]]:
    """Whether the edited kernel is found (None: its name is gone), and the names of other kernels that changed."""
    data = Path(edit.path).read_bytes()
    before = kernels(edit.path, Disk(), store)
    edited = MemoryFiles({edit.path: data[: edit.start] + data[edit.end :]}, Disk())
    after = kernels(edit.path, edited, Store())
    target = before[edit.kernel]
    others = [kernel for index, kernel in enumerate(before) if index != edit.kernel]
    left = [(kernel.name, kernel.words, kernel.scope) for kernel in after]
    changed: list[str] = []
    for kernel in others:
        key = (kernel.name, kernel.words, kernel.scope)
        if key in left:
            left.remove(key)
        else:
            changed.append(kernel.name)
    if edit.start < target.name_end:
        return None, tuple(changed)
    found = any(one.name == target.name and target.start - 200 <= one.start <= target.end for one in after)
    return found, tuple(changed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    store = Store()
    paths = sorted(str(path) for folder in options.folders for path in Path(folder).rglob("*.cu") if path.is_file())
    edits = draw(paths, options.seed, options.count, store)
    lost: list[Edit] = []
    nameless = 0
    disturbed: list[tuple[Edit, tuple[str, ...]]] = []
    for edit in edits:
        found, changed = judge(edit, store)
        nameless += found is None
        if found is False:
            lost.append(edit)
        if changed:
            disturbed.append((edit, changed))
    total = len(edits)
    named = total - nameless
    sys.stdout.write(
        f"{total} edits, {nameless} without a name left: kernel found {100 * (named - len(lost)) / named:.2f}%, "
        f"others unchanged {100 * (total - len(disturbed)) / total:.2f}%\n"
    )
    for edit in lost[: options.show]:
        sys.stdout.write(f"  lost {edit}: {_shown(edit)}\n")
    for edit, changed in disturbed[: options.show]:
        sys.stdout.write(f"  changed {changed} {edit}: {_shown(edit)}\n")
    return 0


def _shown(edit: Edit) -> str:
    data = Path(edit.path).read_bytes()
    begin = data.rfind(b"\n", 0, edit.start) + 1
    return f"{data[begin : edit.start]!r} | {data[edit.start : edit.end]!r}"


if __name__ == "__main__":
    sys.exit(main())
