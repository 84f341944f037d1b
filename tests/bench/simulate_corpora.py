"""Kernels of public code in the simulator, with arguments that nobody chose: python -m tests.bench.simulate_corpora DIR...

Every kernel of the files below the directories is launched in each of its first configurations with random sizes and contents,
pointers into the middle of arrays of their own, and held against what the analysis says of it: the cost of each request within
[best, worst], times, branches that never split, bounds per warp and per launch.  Printed are the runs that break a promise, that end
in an error of ours, and how many proved nothing and why:

    undefined   division by zero, signed overflow, a variable or shared memory that was never set, and the like
    misaligned  an access that is not aligned to its size, which is assumed not to happen
    outside     an index that leaves an array of declared extent, which is assumed not to happen
    stopped     something that is not simulated was reached, or a loop did not end
    slow        more than the seconds that a run may take (`--seconds`)

`--seed` draws other arguments, `--part K/N` takes every N-th file from the K-th on.  The exit status is 1 if anything broke.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from types import FrameType

import numpy as np

from analysis_core.cli.compare_simulation import compare
from analysis_core.cli.options import parser
from analysis_core.cli.work import Task, select, tasks_for
from analysis_core.interp.interpret import interpret
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import ArrayType, PointerType, ScalarKind, ScalarType, Space, Type
from analysis_core.lp.kernel_bounds import kernel_bounds
from analysis_core.pipeline.pipeline import load
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.requests.evaluate import evaluate
from analysis_core.simulate.arguments import Alias, Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import Outcome, simulate
from tests.lp.test_bounds_hold import broken_bounds
from tests.simulate.random_launches import UNDEFINED, Tally, broken_rows, cheaper

_ROOM = 1 << 16
_SIZES = (0, 1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 48, 64, 65, 100, 128, 130, 256, 300)


class _Slow(Exception):
    pass


def main() -> int:
    """Prints what broke, and the counts."""
    options = _options()
    args = parser().parse_args(["stats", "--no-config", *options.directories])
    args.debug = False
    tasks, _ = tasks_for(select(args)[0], None, args)
    part, parts = map(int, options.part.split("/"))
    counts, reasons = Counter[str](), Counter[str]()
    signal.signal(signal.SIGALRM, _too_slow)
    broken = 0
    for task in tasks[part::parts]:
        _, module = load(task.path, task.files(), task.settings, units=task.units)
        for kernel in module.kernels:
            if options.kernel in (None, kernel.name):
                for text in _examined(task, kernel, options, counts, reasons):
                    broken += 1
                    print(f"{task.path}: {kernel.instantiation or kernel.name}: {text}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.most_common()))
    for reason, count in reasons.most_common(options.reasons):
        print(f"{count:>6}  {reason}")
    return 1 if broken else 0


def _options() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("directories", nargs="+", metavar="DIR")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--seconds", type=int, default=20)
    arguments.add_argument("--part", default="0/1", metavar="K/N")
    arguments.add_argument("--runs", type=int, default=2)
    arguments.add_argument("--kernel")
    arguments.add_argument("--reasons", type=int, default=15, metavar="N", help="of runs that ended early")
    return arguments.parse_args()


def _too_slow(_: int, __: FrameType | None) -> None:
    raise _Slow


def _examined(
    task: Task, kernel: Kernel, options: argparse.Namespace, counts: Counter[str], reasons: Counter[str]
) -> Iterator[str]:
    """What breaks in some runs of a kernel."""
    counts["kernels"] += 1
    rng = random.Random(f"{options.seed} {kernel.name}")
    for launch in choose_launches(kernel, task.settings)[:2]:
        signal.alarm(options.seconds)
        try:
            for _ in range(options.runs):
                yield from _run(task, kernel, launch, rng, counts)
        except _Slow:
            counts["slow"] += 1
        except (BadArguments, MemoryError) as why:
            counts["not launched"] += 1
            reasons[str(why)] += 1
        except Stopped as why:
            counts["stopped"] += 1
            reasons[why.reason] += 1
        except Exception as error:  # an error of ours, which is what is looked for
            yield f"{type(error).__name__}: {error}"
        finally:
            signal.alarm(0)


def _run(task: Task, kernel: Kernel, launch: Launch, rng: random.Random, counts: Counter[str]) -> Iterator[str]:
    counts["runs"] += 1
    request = _request(kernel, launch, rng)
    outcome = simulate(kernel, request)
    why = _proves_nothing(kernel, outcome)
    if why is not None:
        counts[why] += 1
        return
    events = interpret(kernel, launch, task.settings)
    facts = evaluate(kernel, launch, events).facts
    values = {name: int(v) for name, v in request.arguments.items() if isinstance(v, int)}
    values |= {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid)}
    values |= {name: outcome.rounds.get(loop, 0) for name, loop in events.trips}
    compared = compare((facts, None, values), outcome, kernel)
    if compared.void or (outcome.wrapped and any("wrap around" in a.text for a in facts.assumptions)):
        counts["void"] += 1
        return
    counts["compared"] += 1
    bounds = kernel_bounds(kernel, launch, events, facts, task.settings)
    found = [f"{b.kind}: {b.text}" for b in (*broken_rows(compared), *cheaper(facts, events, outcome, Tally()))]
    found += [t for t in broken_bounds(bounds, outcome, values) if request.blocks is None or " per launch" not in t]
    for text in found:
        yield f"{text}; block {request.block}, {values}"


def _proves_nothing(kernel: Kernel, outcome: Outcome) -> str | None:
    if any(fault.kind in UNDEFINED for fault in outcome.faults):
        return "undefined"
    if any(fault.kind is FaultKind.MISALIGNED for fault in outcome.faults):
        return "misaligned"
    outside = [f.text for f in outcome.faults if f.kind is FaultKind.OUT_OF_BOUNDS]
    if any(
        f"`{obj.name}`, which has" in text or f"before `{obj.name}`" in text
        for obj in kernel.objects
        for text in outside
    ):
        return "outside"
    return None


def _request(kernel: Kernel, launch: Launch, rng: random.Random) -> LaunchRequest:
    """Random arguments; sizes of launch sites where they are constant."""
    arguments: dict[str, Argument] = {}
    for variable in kernel.variables:
        if not variable.parameter:
            continue
        if isinstance(variable.type, PointerType):
            room = f"room{len(arguments)}"
            arguments[room] = ArrayArgument(_contents(variable.type.target, 4 * _ROOM, rng))
            arguments[variable.name] = Alias(room, 2 * _ROOM)
        else:
            arguments[variable.name] = _number(variable.type, rng)
    for obj in kernel.objects:
        size = size_of(obj.type)
        if obj.space in (Space.GLOBAL, Space.CONSTANT):
            size = size or _ROOM
            element = obj.type
            while isinstance(element, ArrayType):
                element = element.element
            arguments[obj.name] = ArrayArgument(_contents(element, -(-size // 8) * 8, rng).view(np.uint8)[:size])
    grid = tuple(rng.choice((1, 2, 3, 5)) if g is None else min(g, 20) for g in launch.grid)
    if all(g is not None for g in launch.grid):
        grid = tuple(g for g in launch.grid if g is not None)
    x, y, z = grid
    blocks = None if x * y * z <= 40 else tuple(sorted({0, x * y * z - 1, *rng.sample(range(x * y * z), 8)}))
    return LaunchRequest(
        launch.block, (x, y, z), arguments, rounds=3000, overflow=True, wraps=True, keep=frozenset(), blocks=blocks
    )


def _contents(element: Type, size: int, rng: random.Random) -> np.ndarray:
    generator = np.random.default_rng(rng.randrange(1 << 30))
    if isinstance(element, ScalarType) and element.kind is ScalarKind.FLOAT and element.size in (4, 8):
        values = generator.uniform(-2, 2, size // element.size)
        return values.astype(f"f{element.size}")
    width = element.size if isinstance(element, ScalarType) and element.size in (1, 2, 4, 8) else 4
    return generator.integers(0, rng.choice((2, 10, 100)), size // width).astype(f"i{width}")


def _number(type: Type, rng: random.Random) -> int | float:
    if isinstance(type, ScalarType) and type.kind is ScalarKind.FLOAT:
        return rng.choice((0.5, 1.0, 2.0, 10.0))
    if isinstance(type, ScalarType) and (type.kind is ScalarKind.BOOL or type.size == 1):
        return rng.choice((0, 1))
    return rng.choice(_SIZES)


if __name__ == "__main__":
    sys.exit(main())
