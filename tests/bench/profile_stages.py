"""Where the time goes, stage by stage: python -m tests.bench.profile_stages DIRECTORY... [--slowest N] [--no-growth] [--no-bounds]

Analyses every .cu and .cuh file below the directories as `warpcost stats --no-config` does, in one process, and prints

- processor milliseconds per kernel, from text to findings: median, p95, greatest (a kernel is charged its own time and
  its part of the file's text, syntax and IR);
- the share of each stage, without the stages that it calls, over all files; and what it takes in the median kernel, at
  the 95th percentile and at most (text, syntax and IR: of a file);
- the slowest kernels, with the stage that takes most of each;
- how time grows with a kernel's length: the pieces of bench_growth.py, twice, four and eight times as long.

Nothing here passes or fails: what a machine is busy with moves all figures.  Compare runs made side by side.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis_core.cli.options import parser
from analysis_core.cli.work import Task, select, tasks_for
from analysis_core.pipeline import pipeline
from analysis_core.support.store import Store
from analysis_core.workspace.memory import collect_rarely
from tests.bench.bench_growth import PIECES, STEPS, analysed, source

FILE_STAGES = ("text, preprocessor", "syntax", "ir")
STAGES: tuple[tuple[str, str, str], ...] = (
    ("text, preprocessor", "analysis_core.syntax.lex.preprocessor", "preprocess"),
    ("syntax", "analysis_core.pipeline.pipeline", "read"),
    ("ir", "analysis_core.pipeline.pipeline", "lower"),
    ("interp", "analysis_core.interp.interpret", "interpret"),
    ("cost: requests", "analysis_core.requests.evaluate", "access_sites"),
    ("cost: residues", "analysis_core.requests.access_cost", "request_cost"),
    ("cost: cases", "analysis_core.requests.case_split", "Splitter.leaves"),
    ("cost: excess", "analysis_core.requests.excess", "event_excess"),
    ("cost: sizes", "analysis_core.requests.access_facts", "AccessSite.fact"),
    ("cost: branches", "analysis_core.requests.branch_facts", "branch_fact"),
    ("cost: worlds", "analysis_core.requests.worlds", "worlds"),
    ("cost: the rest", "analysis_core.requests.evaluate", "evaluate"),
    ("bounds: programs", "analysis_core.bounds.build_program", "warp_classes"),
    ("bounds: proofs", "analysis_core.lp.infer", "infer"),
    ("bounds: solver", "analysis_core.lp.solve", "Solver.solve"),
    ("bounds: the rest", "analysis_core.lp.kernel_bounds", "kernel_bounds"),
    ("report", "analysis_core.report.judge", "judge"),
    ("report", "analysis_core.pipeline.pipeline", "assemble"),
)
"""Name, module and function; time is charged to the innermost one that runs."""


class Watch:
    """Processor seconds by stage since the last `taken`."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._running: list[str] = []
        self._since = process_time()

    def _charge(self) -> None:
        now = process_time()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Charges what runs inside to the stage."""
        self._charge()
        self._running.append(name)
        try:
            yield
        finally:
            self._charge()
            self._running.pop()

    def taken(self) -> Counter[str]:
        """What was charged so far, which then begins again."""
        self._charge()
        seconds, self.seconds = self.seconds, Counter()
        return seconds


@dataclass(frozen=True)
class Sample:
    """One kernel: seconds of its own stages, and its part of the file's; `bounds`: of the first, what all of its bounds took, with
    the interpretations of cases."""

    name: str
    path: str
    stages: Counter[str]
    before: float
    bounds: float

    @property
    def seconds(self) -> float:
        return self.before + sum(self.stages.values())


def watch_stages(watch: Watch) -> None:
    """Puts the watch around every stage, wherever its function was imported."""
    for name, module, function in STAGES:
        owner: object = importlib.import_module(module)
        *classes, last = function.split(".")
        for part in classes:
            owner = getattr(owner, part)
        original = getattr(owner, last)
        timed = _timed(watch, name, original)
        setattr(owner, last, timed)
        for other in [m for key, m in sys.modules.items() if key.startswith("analysis_core")]:
            if getattr(other, last, None) is original:
                setattr(other, last, timed)


def _timed(watch: Watch, name: str, original: Callable[..., object]) -> Callable[..., object]:
    def timed(*args: object, **named: object) -> object:
        with watch.stage(name):
            return original(*args, **named)

    return timed


def run(tasks: Sequence[Task], watch: Watch, bounds: bool) -> tuple[list[Sample], list[Counter[str]]]:
    """The kernels, and per file what text, syntax, IR and the putting together of findings took."""
    samples: list[Sample] = []
    files: list[Counter[str]] = []
    kernels: list[tuple[str, Counter[str]]] = []
    bounded: list[float] = []
    whole = pipeline.analyse_kernel
    store = Store()  # as a run of the command line has one

    bounding, unbounded = Counter[str](), pipeline.bound_launch

    def bound_launch(*args: object, **named: object) -> object:
        since = process_time()
        found = unbounded(*args, **named)  # type: ignore[arg-type]
        bounding["bounds"] += process_time() - since
        return found

    def analyse_kernel(kernel: object, *args: object, **named: object) -> object:
        shared.update(watch.taken())
        with watch.stage("launches"):
            report = whole(kernel, *args, **named)  # type: ignore[arg-type]
        kernels.append((report.instantiation or report.name, watch.taken()))
        bounded.append(bounding.pop("bounds", 0.0))
        return report

    pipeline.analyse_kernel = analyse_kernel  # type: ignore[assignment]
    pipeline.bound_launch = bound_launch  # type: ignore[assignment]
    for task in tasks:
        shared: Counter[str] = Counter()
        kernels.clear()
        with watch.stage("syntax"):
            settings = replace(task.settings, bounds=bounds)
            pipeline.analyse_file(task.path, task.files(), settings, units=task.units, store=store)
        shared.update(watch.taken())
        files.append(shared)
        part = sum(shared.values()) / max(1, len(kernels))
        each = zip(kernels, bounded[-len(kernels) :], strict=True) if kernels else ()
        samples += [Sample(name, task.path, stages, part, seconds) for (name, stages), seconds in each]
    return samples, files


def quantiles(seconds: Sequence[float]) -> str:
    """Median, 95th percentile and greatest in milliseconds."""
    ordered = sorted(seconds) or [0.0]
    at = [ordered[min(len(ordered) - 1, int(q * len(ordered)))] for q in (0.5, 0.95)]
    return " ".join(f"{1e3 * s:9.1f}" for s in (*at, ordered[-1]))


def print_stages(samples: Sequence[Sample], files: Sequence[Counter[str]], slowest: int) -> None:
    """The tables of one run."""
    totals: Counter[str] = Counter()
    for counted in (*files, *(sample.stages for sample in samples)):
        totals.update(counted)
    whole = sum(totals.values()) or 1.0
    print(f"{len(files)} files, {len(samples)} kernels, {whole:.1f} s")
    print(f"\n{'ms':<20} {'share':>7} {'median':>9} {'p95':>9} {'most':>9}")
    print(f"{'text to findings':<20} {'':>7} {quantiles([s.seconds for s in samples])}")
    print(f"{'of it all bounds':<20} {'':>7} {quantiles([s.bounds for s in samples])}")
    for name, seconds in totals.most_common():
        each = [f[name] for f in files] if name in FILE_STAGES else [s.stages[name] for s in samples]
        print(f"{name:<20} {100 * seconds / whole:6.1f}% {quantiles(each)}")
    print("\nslowest kernels, ms:")
    for sample in sorted(samples, key=lambda s: -s.seconds)[:slowest]:
        stage, most = sample.stages.most_common(1)[0]
        print(f"{1e3 * sample.seconds:9.1f}  {sample.name}  ({stage} {1e3 * most:.0f})  {sample.path}")


def print_growth(start: int = 40) -> None:
    """How much longer kernels take that are twice, four and eight times as long."""
    print(f"\n{'growth, ms for':<20}" + " ".join(f"{start * step:>9}" for step in STEPS))
    for name, piece in {**PIECES, "all": "".join(PIECES.values())}.items():
        times = [min(analysed(source(piece, start * step))[0] for _ in range(2)) for step in STEPS]
        print(f"{name:<20}" + " ".join(f"{1e3 * t:9.1f}" for t in times) + f"   x{times[-1] / times[0]:.1f}")


def main() -> int:
    """Prints the tables."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("directories", nargs="+", metavar="DIRECTORY")
    arguments.add_argument("--slowest", type=int, default=20, metavar="N")
    arguments.add_argument("--no-growth", action="store_true")
    arguments.add_argument("--no-bounds", action="store_true")
    options = arguments.parse_args()
    args = parser().parse_args(["stats", "--no-config", *options.directories])
    args.debug = False
    paths, _ = select(args)
    tasks, _ = tasks_for(paths, None, args)
    analysed(source(PIECES["straight"], 2))  # imports and tables are not what is measured
    growth = not options.no_growth
    if growth:
        print_growth()
    collect_rarely()  # as the command line does
    watch = Watch()
    watch_stages(watch)
    samples, files = run(tasks, watch, not options.no_bounds)
    print_stages(samples, files, options.slowest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
