"""`warpcost counters`: which counters of the profiler are predicted, and with which values, to be held against a profile.

Numbers that all launches in view pass, and those of `--set`, are taken for what they are: each kernel is analysed once more under the condition that
its parameters have them, under which most figures are exact.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from analysis_core.cli.render_text import place_text
from analysis_core.cli.runner_commands import no_command, no_command_in_json
from analysis_core.cli.statuses import BROKEN, CLEAN
from analysis_core.cli.terminal import complain, printable
from analysis_core.cli.work import Task, one_task, unknown_kernel
from analysis_core.machine.block_shape import Shape
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.counters import Amount, Counters, OfAccess, amount_text, counters_of, known_sizes
from analysis_core.report.findings.model import FileReport, KernelReport, LaunchReport
from analysis_core.report.findings.reasons import block_text
from analysis_core.report.line_costs import one_line
from analysis_core.support.sources import Sources
from analysis_core.text.records import dataclass

Json = dict[str, Any]

_WIDEST_TEXT = 36


@dataclass(frozen=True, slots=True)
class Counted:
    """One kernel under one launch: its counters, and the sizes that they are for, as spelled in the source."""

    kernel: KernelReport
    launch: LaunchReport
    counters: Counters
    values: Mapping[str, int]

    @property
    def title(self) -> str:
        """ "transpose: block (32, 32), grid (32, 32), w = 1024, h = 1024"."""
        grid = self.launch.facts.grid
        parts = [block_text(self.launch.facts)]
        if self.counters.blocks is not None and grid is not None:
            parts.append(f"grid {_extents(tuple(map(int, grid)))}")
        parts += [f"{name} = {value}" for name, value in self.values.items()]
        return f"{self.kernel.instantiation or self.kernel.name}: {', '.join(parts)}"


def task_of(args: Namespace) -> tuple[Task, FileReport] | None:
    """The one file that a command is about, and its report; None where something is wrong, which is said."""
    task = one_task(args)
    if task is None:
        return None
    report = analyse_file(task.path, task.files(), task.settings, kernel=task.kernel, units=task.units)
    if task.kernel is not None and not report.kernels and (unknown := unknown_kernel((task,))):
        complain(unknown)
        return None
    return task, report


def counted(
    task: Task, kernel: KernelReport, launch: LaunchReport, shape: tuple[Shape, Shape] | None = None
) -> Counted:
    """A launch with all sizes that are known; `shape`: the block and the grid that it had, where that was another one."""
    values = known_sizes(launch.profile, task.settings.values, kernel.parameters)
    named = {name: value for name, value in values.items() if name in kernel.parameters and name.isidentifier()}
    assumed = tuple(f"{name} == {value}" for name, value in named.items())
    if assumed or shape is not None:
        settings = replace(task.settings, assume=(*task.settings.assume, *assumed))
        if shape is not None:
            settings = replace(settings, block=shape[0], grid=shape[1])
        name = kernel.instantiation or kernel.name
        again = analyse_file(task.path, task.files(), settings, kernel=name, units=task.units)
        found = [one for same in again.kernels if same.span == kernel.span for one in same.launches]
        wanted = (launch.facts.block, launch.facts.launch_span)
        fitting = [one for one in found if shape is not None or (one.facts.block, one.facts.launch_span) == wanted]
        launch = fitting[0] if fitting else launch
    return Counted(kernel, launch, counters_of(launch.profile, values), values)


def counters_command(args: Namespace) -> int:
    """Prints the counters of every kernel of a file; returns the exit status."""
    found = task_of(args)
    if found is None:
        return BROKEN
    task, report = found
    sources = Sources(task.files())
    all_of_them = [counted(task, kernel, launch) for kernel in report.kernels for launch in kernel.launches]
    if args.format == "json":
        launches = [counters_json(one, sources) for one in all_of_them]
        print(no_command_in_json(json.dumps({"schema": 1, "path": printable(task.path), "launches": launches})))
        return CLEAN
    for one in all_of_them:
        print(*map(no_command, lines_of(one, sources)), "", sep="\n")
    if not all_of_them:
        print(f"{printable(task.path)}: no kernel was analysed")
    return CLEAN


def lines_of(one: Counted, sources: Sources) -> Iterator[str]:
    """The table of one launch."""
    yield printable(one.title)
    if one.counters.missing:
        yield f"  Not known without: {printable(', '.join(one.counters.missing))} (--set NAME=VALUE)"
    rows = [(found.counter.name, f"{amount_text(found.amount)} {found.counter.unit}") for found in one.counters.kernel]
    yield f"  per {one.counters.scope}:" if rows else "  no counter is predicted: no access to global or shared memory"
    width = max((len(name) for name, _ in rows), default=0)
    yield from (f"    {name.ljust(width)}  {figure}" for name, figure in rows)
    if one.counters.accesses:
        yield "  by access:"
        yield from (f"    {_access_text(row, sources)}" for row in one.counters.accesses)


def _access_text(row: OfAccess, sources: Sources) -> str:
    unit = "wavefronts" if row.shared else "sectors"
    ideal = "" if row.ideal is None else f" (ideal {'' if row.cost.exact else 'up to '}{row.ideal:,})"
    made = f" in {amount_text(row.requests)} request{'s' * (row.requests.high != 1)}"
    text = printable(one_line(row.fact.text, _WIDEST_TEXT))
    return f"{place_text(row.fact.span, sources)} {row.operation.value} {text}: {amount_text(row.cost)} {unit}{ideal}{made}"


def counters_json(one: Counted, sources: Sources) -> Json:
    """The same as data (cli/counters_schema.json)."""
    facts = one.launch.facts
    return {
        "kernel": printable(one.kernel.instantiation or one.kernel.name),
        "block": list(facts.block),
        "grid": None if one.counters.blocks is None or facts.grid is None else list(map(int, facts.grid)),
        "sizes": {printable(name): value for name, value in one.values.items()},
        "per": one.counters.scope,
        "missing": [printable(name) for name in one.counters.missing],
        "counters": [
            {"name": found.counter.name, "unit": found.counter.unit, **amount_json(found.amount)}
            for found in one.counters.kernel
        ],
        "accesses": [
            {
                "path": printable(row.fact.span.file),
                "line": sources.line(row.fact.span),
                "text": printable(row.fact.text),
                "operation": row.operation.value,
                "space": "shared" if row.shared else "global",
                **amount_json(row.cost),
                "requests": amount_json(row.requests),
                "ideal": row.ideal,
            }
            for row in one.counters.accesses
        ],
    }


def amount_json(amount: Amount) -> Json:
    """{"low": 0, "high": 512}; "high" is null where it is not known."""
    return {"low": amount.low, "high": amount.high}


def _extents(shape: tuple[int, ...]) -> str:
    kept = list(shape)
    while len(kept) > 1 and kept[-1] == 1:
        kept.pop()
    return str(kept[0]) if len(kept) == 1 else f"({', '.join(map(str, kept))})"
