"""`warpcost simulate`: runs one kernel in lock step on given arguments and counts what every warp pays."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from time import perf_counter

import numpy as np

from analysis_core.cli.compare_simulation import Comparison, analysed, compare, comparison_json, comparison_lines
from analysis_core.cli.render_simulation import array_lines, text_lines, to_json
from analysis_core.cli.render_text import place_text
from analysis_core.cli.runner_commands import no_command_in_json
from analysis_core.cli.simulation_arguments import Given, arguments_for, read_file
from analysis_core.cli.statuses import BROKEN, CLEAN, FOUND
from analysis_core.cli.terminal import complain
from analysis_core.cli.work import Task, no_kernel_named, one_task
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.operations import asked_by
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import Outcome, Progress, simulate
from analysis_core.support.sources import Sources
from analysis_core.workspace.values import BadValue

_BAR = 40


def simulate_command(args: Namespace) -> int:
    """Runs the command.  The exit status is 1 if the run found faults or broke a bound, 2 if there was no run."""
    task = one_task(args)
    if task is None:
        return BROKEN
    sources = Sources(task.files())
    try:
        kernel = kernel_of(task)
        request = _request(args, kernel, asked_by(task.settings.metrics))
        outcome = simulate(kernel, request, _progress() if sys.stderr.isatty() else None)
    except (BadValue, BadArguments) as error:
        complain(str(error))
        return BROKEN
    except Stopped as stop:
        place = f"{place_text(stop.span, sources)}: " if stop.span is not None else ""
        complain(f"{place}the run ends here: {stop.reason}")
        return BROKEN
    except MemoryError as error:
        complain(f"not enough memory: {error}")
        return BROKEN
    compared = compare(analysed(task, kernel, request), outcome, kernel) if args.compare else None
    return _show(args, request, outcome, sources, compared)


def kernel_of(task: Task) -> Kernel:
    """The one kernel of the task. Raises `BadValue`."""
    from analysis_core.pipeline.pipeline import load

    _, module = load(task.path, task.files(), task.settings, units=task.units)
    found = [k for k in module.kernels if task.kernel is None or task.kernel in (k.name, k.instantiation)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise BadValue(no_kernel_named(task.kernel or "", tuple(k.instantiation or k.name for k in module.kernels)))
    names = ", ".join(k.instantiation or k.name for k in found)
    raise BadValue(f"say which kernel with --kernel: {names}")


def _request(args: Namespace, kernel: Kernel, operations: tuple[str, ...]) -> LaunchRequest:
    given: dict[str, Given] = {}
    if args.args is not None:
        given |= read_file(args.args)
    given |= dict(args.values)
    given |= dict(args.arguments)
    arguments = arguments_for(kernel, given)
    for name in args.output:
        if name not in arguments:
            raise BadValue(f"`{name}` is no argument, so its contents cannot be shown")
    return LaunchRequest(
        args.block,
        args.grid,
        arguments,
        args.shared,
        keep=frozenset(args.output),
        overflow=args.check_overflow,
        wraps=args.compare,
        rounds=args.rounds,
        operations=operations,
    )


def _show(
    args: Namespace, request: LaunchRequest, outcome: Outcome, sources: Sources, compared: Comparison | None
) -> int:
    x, y, z = request.block
    warps = -(-x * y * z // 32)
    shown = {name: outcome.arrays[name] for name in args.output if name in outcome.arrays}
    if args.save is not None:
        np.savez(args.save, **shown)  # type: ignore[arg-type]
    if args.format == "json":
        data = to_json(outcome, sources, warps, shown)
        if compared is not None:
            data["compare"] = comparison_json(compared, sources)
        print(no_command_in_json(json.dumps(data)))
    else:
        for line in text_lines(outcome, sources, warps):
            print(line)
        for line in comparison_lines(compared, sources) if compared is not None else ():
            print(line)
        if args.save is None:
            for name, values in shown.items():
                for line in array_lines(name, values):
                    print(line)
    broken = compared is not None and compared.broken
    return FOUND if outcome.faults or broken else CLEAN


def _progress() -> Progress:
    """A bar on standard error."""
    started = perf_counter()

    def show(done: int, total: int) -> None:
        if total > 1:
            full = _BAR * done // total
            seconds = perf_counter() - started
            bar = "#" * full + "." * (_BAR - full)
            end = "\n" if done == total else ""
            print(f"\r{bar} {done}/{total} blocks, {seconds:.1f} s", end=end, file=sys.stderr, flush=True)

    return show
