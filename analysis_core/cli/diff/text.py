"""A difference as text: a paragraph for each kernel that changed, and a summary.

src/gemm.cu:12: gemm<128, 16>
  conflicts 48 -> 0 per iteration of the loop at line 18
  gone: warning[WC201] line 21: Bank conflict writing `panel`: 4-way ..

1 kernel changed, 3 did not; 1 bound smaller; 1 finding gone
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.changes.bounds import Direction
from analysis_core.changes.difference import Difference, KernelChange
from analysis_core.changes.sides import Found, KernelSide
from analysis_core.changes.words import costs, headline, sentences
from analysis_core.cli.runner_commands import no_command
from analysis_core.cli.terminal import Style, printable


def difference_text(found: Difference, style: Style) -> str:
    """The whole text, with a line end."""
    lines: list[str] = []
    for kernel in found.kernels:
        if kernel.is_changed:
            lines += [*_kernel(kernel, style), ""]
    for word, kernels in (("added", found.added), ("removed", found.removed)):
        for one in kernels:
            lines += [*_alone(one, word, style), ""]
    of_kernels = {one for kernel in (*found.kernels,) for one in (*kernel.came, *kernel.went)}
    of_kernels |= {one for kernel in (*found.added, *found.removed) for one in kernel.findings}
    stray = [
        *_findings(set(found.came) - of_kernels, "new", style),
        *_findings(set(found.went) - of_kernels, "gone", style),
    ]
    lines += [*stray, ""] if stray else []
    lines += [f"renamed: {printable(before)} -> {printable(after)}" for before, after in found.renamed]
    return "\n".join([*map(no_command, lines), summary(found), ""])


def _kernel(kernel: KernelChange, style: Style) -> Iterator[str]:
    yield style.bold(place_of(kernel.after)) + printable(origin(kernel))
    for text in sentences(kernel):
        yield from style.wrapped(f"  {printable(text)}", "    ")
    yield from _findings(kernel.came, "new", style)
    yield from _findings(kernel.went, "gone", style)


def _alone(kernel: KernelSide, word: str, style: Style) -> Iterator[str]:
    yield f"{style.bold(place_of(kernel))}: {word}"
    if word == "added":
        if text := costs(kernel):
            yield from style.wrapped(f"  {printable(text)}", "    ")
        yield from _findings(kernel.findings, "new", style)


def place_of(kernel: KernelSide) -> str:
    """ "src/gemm.cu:12: gemm<128, 16>"."""
    return printable(f"{kernel.path}:{kernel.line}: {kernel.shown}")


def origin(kernel: KernelChange) -> str:
    """ " (was `sum` in a.cu)", where that is something else."""
    before, after = kernel.before, kernel.after
    name = f"`{before.shown}`" if before.shown != after.shown else ""
    where = f"in {before.path}" if kernel.is_moved else ""
    return f" (was {' '.join(part for part in (name, where) if part)})" if name or where else ""


def _findings(findings: object, word: str, style: Style) -> Iterator[str]:
    rows: Sequence[Found] = sorted(findings, key=lambda one: (one.path, one.line, one.column, one.code))  # type: ignore[call-overload]
    for one in rows:
        head, text = f"{one.level}[{one.code}]", one.message if word == "new" else headline(one.message)
        first, *more = style.wrapped(f"  {word}: {head} line {one.line}: {printable(text)}", "    ")
        yield first.replace(head, style.level(one.level, head), 1) if word == "new" else first
        yield from more


def summary(found: Difference) -> str:
    """ "1 kernel changed, 3 did not; 1 bound smaller, 1 larger; 2 findings new, 1 gone"."""
    changed = sum(one.is_changed for one in found.kernels)
    if found.is_empty:
        return "nothing changed"
    parts = [f"{_count(changed, 'kernel')} changed"]
    parts += [f"{len(one)} {word}" for one, word in ((found.added, "added"), (found.removed, "removed")) if one]
    same = len(found.kernels) - changed
    parts += [f"{same} did not"] if same else []
    told = [", ".join(parts)]
    directions = [metric.warp.direction for kernel in found.kernels for _, metric in kernel.shown]
    words = {
        Direction.LARGER: "larger", Direction.MIXED: "larger for some sizes", Direction.SMALLER: "smaller",
        Direction.UNKNOWN: "not comparable", Direction.LOST: "lost", Direction.GAINED: "found",
    }  # fmt: skip
    counts = [(directions.count(one), word) for one, word in words.items() if one in directions]
    if counts:
        (first, word), *rest = counts
        told.append(", ".join([f"{_count(first, 'bound')} {word}", *(f"{count} {word}" for count, word in rest)]))
    if found.came or found.went:
        new, gone = len(found.came), len(found.went)
        told.append(f"{_count(new, 'finding')} new, {gone} gone" if new else f"{_count(gone, 'finding')} gone")
    return "; ".join(told)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
