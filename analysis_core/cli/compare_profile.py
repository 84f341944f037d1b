"""`warpcost compare-profile`: predicted counters beside those that the profiler counted, per kernel and, where the export has them, per line.

Each launch is analysed with the block and the grid that it had.  What parameters had is not in an export: numbers that all launches in view pass are
taken, and those of `--set`.  A figure that does not fit comes with what is known to make such a difference; a cause is a candidate and no finding.
"""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from analysis_core.cli.counters import Counted, amount_json, counted, task_of
from analysis_core.cli.profile_csv import MOST_BYTES, Measured, Unreadable, Value, read_export
from analysis_core.cli.profiled_names import matching
from analysis_core.cli.runner_commands import no_command, no_command_in_json
from analysis_core.cli.statuses import BROKEN, CLEAN
from analysis_core.cli.terminal import complain, printable
from analysis_core.cli.work import Task
from analysis_core.machine.block_shape import Shape, is_launchable
from analysis_core.machine.counters import BY_NAME, Counter, Quantity
from analysis_core.report.counters import Amount, amount_text
from analysis_core.report.findings.model import FileReport, KernelReport, LaunchReport
from analysis_core.support.sources import Sources
from analysis_core.text.records import dataclass

_MOST_SHAPES = 32
"""Launches of different shape that are analysed, each once more."""


_MERGED = "compilers merge requests of neighbouring elements, keep elements in registers, and drop loads whose result is unused"
_IDLE = "requests of which every thread is predicated off are not counted"
_COPIES = "asynchronous copies have counters of their own (op_ldgsts)"
_LINES = "compilers count instructions at other lines than the source has them on: of inlined functions, macros and loads that are moved"
_FETCHED = "L1 fetches more sectors of a line than are asked for"
_IDEAL = (
    "the profiler's ideal takes all threads that are not predicated off, the one here those whose elements are distinct"
)
_REPLAYED = "requests are replayed, or share the data stage of L1 with other traffic"
_HOISTED = "compilers move loads out of branches, and copy by more requests than the source has"
_OTHER = "parameters had other values than those taken, or the program was built from another version of the source"
"""What is known to make differences."""


class Verdict(Enum):
    """How a measured value lies to the predicted one."""

    SAME = "as predicted"
    WITHIN = "within the figures"
    LESS = "less than predicted"
    MORE = "more than predicted"
    OPEN = "no figure to compare"


@dataclass(frozen=True, slots=True)
class Row:
    """One counter: `least` and `most` measured over the launches of one shape.  `place`: "" of the whole kernel, else "line 12"."""

    place: str
    counter: Counter
    predicted: Amount
    least: Value
    most: Value

    @property
    def verdict(self) -> Verdict:
        low, high = self.predicted.low, self.predicted.high
        if high is None and low == 0:
            return Verdict.OPEN
        if high is not None and self.most.number - self.most.slack > high:
            return Verdict.MORE
        if self.least.number + self.least.slack < low:
            return Verdict.LESS
        return Verdict.SAME if low == high else Verdict.WITHIN

    @property
    def causes(self) -> tuple[str, ...]:
        """What is known to make such a difference."""
        if self.verdict is Verdict.LESS:
            return (*((_LINES,) if self.place else ()), _MERGED, _IDLE, _COPIES)
        if self.verdict is not Verdict.MORE:
            return ()
        if self.place:
            return (_LINES, _OTHER)
        if self.counter.behind:
            return (_FETCHED, _OTHER)
        if self.counter.quantity is Quantity.IDEAL:
            return (_IDEAL, _OTHER)
        return (_REPLAYED if self.counter.shared else _HOISTED, _OTHER)


@dataclass(frozen=True, slots=True)
class Compared:
    """One kernel in one shape.  `launches`: how many were measured; `rows`: of the kernel, then of lines."""

    counted: Counted
    launches: int
    rows: tuple[Row, ...]


def compare_profile(args: Namespace) -> int:
    """Prints both side by side; returns the exit status."""
    measured: list[Measured] = []
    for path in args.exports:
        try:
            measured += read_export(_bytes_of(path))
        except Unreadable as why:
            complain(f"{path}: {why}")
            return BROKEN
    found = task_of(args)
    if found is None:
        return BROKEN
    task, report = found
    sources = Sources(task.files())
    compared, left = _compared(task, report, measured, sources)
    if args.format == "json":
        kernels = [_json(one) for one in compared]
        document = {"schema": 1, "path": printable(task.path), "kernels": kernels, "left_out": left}
        print(no_command_in_json(json.dumps(document)))
        return CLEAN
    for one in compared:
        print(*map(no_command, _lines(one)), "", sep="\n")
    for text in left:
        print(f"Left out: {text}")
    return CLEAN


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(MOST_BYTES + 1)


_Key = tuple[int, Shape | None, Shape | None]


def _compared(
    task: Task, report: FileReport, measured: Sequence[Measured], sources: Sources
) -> tuple[list[Compared], list[str]]:
    """Launches of one kernel and shape together, and what is left out, with the reason."""
    left: dict[str, None] = {}
    groups: dict[_Key, list[Measured]] = {}
    for one in measured:
        name = printable(one.kernel)[:120]
        kernel = matching(one.kernel, report.kernels) if one.kernel else _of_lines(one, report, sources)
        if kernel is None:
            left[
                f"no kernel of {printable(os.path.basename(task.path))} is known as {name or 'that of a table without a name'}"
            ] = None
        elif not kernel.launches:
            left[f"{name}: not analysed"] = None
        elif not one.counters and not one.lines:
            left[f"{name}: none of the counters that are predicted is in the export"] = None
        else:
            groups.setdefault((report.kernels.index(kernel), one.block, one.grid), []).append(one)
    found = []
    for number, ((index, block, grid), ones) in enumerate(groups.items()):
        kernel = report.kernels[index]
        if number >= _MOST_SHAPES:
            left[f"more than {_MOST_SHAPES} kernels and shapes of launches"] = None
            break
        known = _counted(task, kernel, block, grid)
        found.append(Compared(known, len(ones), (*_of_kernel(known, ones), *_of_places(known, ones, sources))))
    return found, list(left)


def _of_lines(one: Measured, report: FileReport, sources: Sources) -> KernelReport | None:
    """The kernel that measured lines are of, where no name says so."""
    numbers = {line for _, line in one.lines}
    for kernel in report.kernels:
        index = sources.index(kernel.span.file)
        if (
            numbers
            and index.line_of(kernel.span.start) <= min(numbers)
            and max(numbers) <= index.line_of(kernel.span.end - 1)
        ):
            return kernel
    return None


def _counted(task: Task, kernel: KernelReport, block: Shape | None, grid: Shape | None) -> Counted:
    """The kernel as it was launched; where the export does not say that, under its first launch in view."""
    first: LaunchReport = kernel.launches[0]
    if block is None or grid is None or not is_launchable(block):
        return counted(task, kernel, first)
    asked = tuple(map(str, grid))
    same = (one for one in kernel.launches if one.facts.block == block and one.facts.grid == asked)
    exact = next(same, None)
    return counted(task, kernel, first, (block, grid)) if exact is None else counted(task, kernel, exact)


def _of_kernel(known: Counted, ones: Sequence[Measured]) -> Iterator[Row]:
    for one in known.counters.kernel:
        values = [found.counters[one.counter.name] for found in ones if one.counter.name in found.counters]
        if values:
            yield Row("", one.counter, one.amount, *_ends(values))


def _of_places(known: Counted, ones: Sequence[Measured], sources: Sources) -> Iterator[Row]:
    """By line: what is paid there, of accesses of all kinds."""
    found: dict[tuple[str, int, str], list[Value]] = {}
    for one in ones:
        for (file, line), counters in one.lines.items():
            for name, value in counters.items():
                own = file.replace("\\", "/") or known.kernel.span.file
                found.setdefault((os.path.basename(own), line, name), []).append(value)
    predicted: dict[tuple[str, int, bool], Amount] = {}
    for row in known.counters.accesses:
        place = os.path.basename(row.fact.span.file), sources.line(row.fact.span), row.shared
        old = predicted.get(place, Amount(0, 0))
        high = None if old.high is None or row.cost.high is None else old.high + row.cost.high
        predicted[place] = Amount(old.low + row.cost.low, high)
    for (file, line, name), values in sorted(found.items()):
        counter = BY_NAME[name]
        amount = predicted.get((file, line, counter.shared))
        if counter.quantity is Quantity.COST and (amount is not None or _ends(values)[1].number > 0):
            yield Row(f"{file}:{line}", counter, amount or Amount(0, 0), *_ends(values))


def _ends(values: Sequence[Value]) -> tuple[Value, Value]:
    return min(values, key=lambda one: one.number), max(values, key=lambda one: one.number)


def _lines(one: Compared) -> Iterator[str]:
    """The table of one kernel, and the causes of what does not fit, each once."""
    title = printable(one.counted.title)
    yield f"{title}{f' ({one.launches} launches)' if one.launches > 1 else ''}"
    if one.counted.counters.missing:
        yield f"  Not known without: {printable(', '.join(one.counted.counters.missing))} (--set NAME=VALUE)"
    if one.counted.counters.blocks is None:
        yield "  Predicted figures are per block: neither the export nor the source says how many there are (--grid X,Y,Z)"
    table = [("counter", "predicted", "measured", ""), *(_cells(row) for row in one.rows)]
    widths = [max(len(cells[column]) for cells in table) for column in range(3)]
    for name, predicted, value, verdict in table:
        yield f"  {name.ljust(widths[0])}  {predicted.rjust(widths[1])}  {value.rjust(widths[2])}  {verdict}".rstrip()
    for side in (Verdict.LESS, Verdict.MORE):
        causes = dict.fromkeys(cause for row in one.rows if row.verdict is side for cause in row.causes)
        if causes:
            yield f"  {side.value.capitalize()} may be because:"
            yield from (f"    {cause}" for cause in causes)


def _cells(row: Row) -> tuple[str, str, str, str]:
    least, most = f"{row.least.number:,.0f}", f"{row.most.number:,.0f}"
    value = most if least == most else f"{least} to {most}"
    place = f"{printable(row.place)} " if row.place else ""
    return f"{place}{row.counter.name}", amount_text(row.predicted), value, row.verdict.value


def _json(one: Compared) -> Mapping[str, Any]:
    facts = one.counted.launch.facts
    return {
        "kernel": printable(one.counted.kernel.instantiation or one.counted.kernel.name),
        "block": list(facts.block),
        "grid": None if one.counted.counters.blocks is None or facts.grid is None else list(map(int, facts.grid)),
        "sizes": {printable(name): value for name, value in one.counted.values.items()},
        "per": one.counted.counters.scope,
        "missing": [printable(name) for name in one.counted.counters.missing],
        "launches": one.launches,
        "rows": [
            {
                "place": printable(row.place) or None,
                "name": row.counter.name,
                "unit": row.counter.unit,
                "predicted": amount_json(row.predicted),
                "measured": {"low": row.least.number, "high": row.most.number},
                "verdict": row.verdict.value,
                "causes": list(row.causes),
            }
            for row in one.rows
        ],
    }
