"""Which kernel of one side is which of the other: by name, and by what stands in it where it or its file was renamed.

A file that is on one side alone is the one on the other side alone that has most kernels in common with it.  A kernel without its
name on the other side is the one there that does the same accesses and tests the same conditions, by their texts, for the most part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from analysis_core.changes.sides import KernelSide
from analysis_core.text.records import dataclass

_ALIKE = 0.6
"""The part of the texts of two kernels that has to be the same (0 to 1) for one to be the other, renamed."""

_LEAST_TEXTS = 2


@dataclass(frozen=True, slots=True)
class Pairs:
    """`same`: kernels that are on both sides; `files`: paths before to paths after, of files that were renamed."""

    same: tuple[tuple[KernelSide, KernelSide], ...]
    removed: tuple[KernelSide, ...]
    added: tuple[KernelSide, ...]
    files: Mapping[str, str]


def paired(before: Sequence[KernelSide], after: Sequence[KernelSide], one_file: bool = False) -> Pairs:
    """`one_file`: both sides are a single file, so that what is left over of one kernel is that of the other."""
    files = _renamed_files(before, after, one_file)
    left, right = dict.fromkeys(range(len(before))), dict.fromkeys(range(len(after)))
    found: list[tuple[int, int]] = []

    def path(kernel: KernelSide) -> str:
        return files.get(kernel.path, kernel.path)

    def take(pairs: Iterable[tuple[int, int]]) -> None:
        for one, other in pairs:
            if one in left and other in right:
                found.append((one, other))
                del left[one], right[other]

    def by(key: Callable[[KernelSide, bool], Hashable], alone: bool) -> Iterable[tuple[int, int]]:
        mine, theirs = dict[Hashable, list[int]](), dict[Hashable, list[int]]()
        for one in left:
            mine.setdefault(key(before[one], True), []).append(one)
        for one in right:
            theirs.setdefault(key(after[one], False), []).append(one)
        for name in [*mine]:
            if not alone or len(mine[name]) == len(theirs.get(name, ())) == 1:
                yield from zip(mine[name], theirs.get(name, ()))

    take(by(lambda k, was: (path(k) if was else k.path, k.name, k.instantiation), alone=False))
    take(by(lambda k, was: (path(k) if was else k.path, k.name), alone=False))
    take(by(lambda k, was: (k.name, k.instantiation), alone=True))
    take(by(lambda k, was: k.name, alone=True))
    take(_alike(before, after, list(left), list(right)))
    if one_file and len(left) == len(right) == 1:
        take([(*left, *right)])  # type: ignore[list-item]
    same = tuple((before[one], after[other]) for one, other in sorted(found, key=lambda pair: pair[1]))
    return Pairs(same, tuple(before[n] for n in left), tuple(after[n] for n in right), files)


def _renamed_files(before: Sequence[KernelSide], after: Sequence[KernelSide], one_file: bool) -> Mapping[str, str]:
    """Paths before to paths after, of files that are on one side alone; most kernels in common first."""
    mine, theirs = _by_path(before), _by_path(after)
    gone, come = [path for path in mine if path not in theirs], [path for path in theirs if path not in mine]
    if one_file:
        return dict(zip(gone, come))
    ranked = sorted(
        ((-shared, one, other) for one in gone for other in come if (shared := len(mine[one] & theirs[other]))),
    )
    files: dict[str, str] = {}
    for _, one, other in ranked:
        if one not in files and other not in files.values():
            files[one] = other
    return files


def _by_path(kernels: Sequence[KernelSide]) -> dict[str, set[str]]:
    names: dict[str, set[str]] = {}
    for kernel in kernels:
        names.setdefault(kernel.path, set()).add(kernel.name)
    return names


def _alike(
    before: Sequence[KernelSide], after: Sequence[KernelSide], left: Sequence[int], right: Sequence[int]
) -> list[tuple[int, int]]:
    """Kernels that do much the same, the most alike first; in the same file before others."""
    ranked = []
    for one in left:
        for other in right:
            part = _shared(before[one].texts, after[other].texts)
            if part >= _ALIKE:
                ranked.append((-part, before[one].path != after[other].path, one, other))
    return [(one, other) for _, _, one, other in sorted(ranked)]


def _shared(mine: Sequence[str], theirs: Sequence[str]) -> float:
    a, b = Counter(mine), Counter(theirs)
    if min(a.total(), b.total()) < _LEAST_TEXTS:
        return 0.0
    return (a & b).total() / (a | b).total()
