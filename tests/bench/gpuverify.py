"""Verdicts on the CUDA suite of GPUVerify against those that its files state in their first lines.

    python -m tests.bench.gpuverify SUITE  [--details]

SUITE: a folder with one `kernel.cu` in each test (`testsuite/CUDA` of https://github.com/mc-imperial/gpuverify).  The first line of a file says whether it
passes, the second one gives the shapes of block and grid, which are cut where no device launches blocks that large, and macros.  GPUVerify's own
annotations have no effect, but for `__requires`, which is taken for granted.

A race, or a barrier that not all reach, is flagged if it is certain, if memory or a size decides it, or if only the lock step of a warp
orders it and the options do not ask for lock step (`--warp-sync`); nothing is called proved where something is not known.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import thread_time

from analysis_core.interp.interpret import interpret
from analysis_core.machine.block_shape import is_launchable
from analysis_core.pipeline.pipeline import load
from analysis_core.program.launch import choose_launches
from analysis_core.races.decide import race_report
from analysis_core.races.verdicts import Verdict
from analysis_core.support.settings import Settings
from analysis_core.workspace.disk import DiskFiles

_FLAGGED = frozenset({Verdict.CERTAIN, Verdict.CONDITIONAL, Verdict.DATA, Verdict.LOCK_STEP})
_QUIET = frozenset({Verdict.ABSENT, Verdict.BENIGN})

_NOTHING = (
    "ensures",
    "assert",
    "axiom",
    "requires_fresh_array",
    "invariant",
    "global_invariant",
    "read_implies",
    "write_implies",
)
_PRELUDE = "".join(
    f"#define __{name}(...) 0\n" if "invariant" in name else f"#define __{name}(...)\n" for name in _NOTHING
)
_PRELUDE += "#define __requires(x) __builtin_assume(x)\n"


class _Annotated:
    """The files on the disk, with what GPUVerify declares, and the macros of a test's second line."""

    def __init__(self) -> None:
        self._disk = DiskFiles()

    def read(self, path: str) -> bytes | None:
        found = self._disk.read(path)
        if found is None or not path.endswith("kernel.cu"):
            return found
        options = found.decode(errors="replace").splitlines()[1]
        defined = "".join(f"#define {name} {value}\n" for name, value in re.findall(r"-D(\w+)=(\S+)", options))
        return (_PRELUDE + defined).encode() + found


def _shape(text: str, name: str) -> tuple[int, int, int]:
    found = re.search(rf"--{name}=\[?([0-9,]+)", text)
    numbers = [int(n) for n in found[1].split(",") if n] if found else [1]
    return (*numbers, 1, 1)[0], (*numbers, 1, 1)[1], (*numbers, 1, 1)[2]


def _launchable(block: tuple[int, int, int]) -> tuple[int, int, int]:
    """The block, its largest extent halved until a device may launch it."""
    while not is_launchable(block):
        most = max(block)
        cut = [n // 2 if n == most else n for n in block]
        block = cut[0], cut[1], cut[2]
    return block


def expected(text: str, name: str) -> str:
    """ "pass", "race" (a barrier that not all reach, too), or "other": what is wrong with a test of this name is neither, or its own front end
    refuses it."""
    lines = text.splitlines()
    if "BUGLE_ERROR" in lines[0]:
        return "other"
    if "pass" in lines[0].lower():
        return "pass"
    head = " ".join(line for line in lines if line.startswith("//")).replace("not-racy", "").lower()
    return "race" if re.search(r"race\b|racy|write by thread|diverge", f"{head} {name}") else "other"


def said(path: Path, text: str) -> tuple[str, float, list[str]]:
    """The verdict on all kernels of a file, the seconds of processor time for the longest, and why."""
    settings = Settings()
    _, module = load(str(path), _Annotated(), settings)
    verdicts, longest, why = [], 0.0, []
    block = _launchable(_shape(text, "blockDim"))
    in_step = "--warp-sync" in text.splitlines()[1]
    for kernel in module.kernels:
        launch = replace(
            choose_launches(kernel, settings)[0],
            block=block,
            grid=_shape(text, "gridDim"),
            source="option",
        )
        begun = thread_time()
        report = race_report(kernel, launch, interpret(kernel, launch, settings), False)
        longest = max(longest, thread_time() - begun)
        found = [race.verdict for race in report.races] + [one.verdict for one in report.divergences]
        why += [f"{r.verdict.value} {r.scope.value} {r.first.text} {r.second.text} {r.cause}" for r in report.races]
        why += [f"{one.verdict.value} {one.text} {one.cause}" for one in report.divergences]
        why += [report.cause] if report.cause else []
        if in_step:
            found = [one for one in found if one is not Verdict.LOCK_STEP]
        if any(verdict in _FLAGGED for verdict in found):
            verdicts.append("flagged")
        elif report.cause or any(verdict not in _QUIET for verdict in found):
            verdicts.append("undecided")
        else:
            verdicts.append("proved")
    order = ("flagged", "undecided", "proved")
    return (min(verdicts, key=order.index) if verdicts else "undecided"), longest, why


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite")
    parser.add_argument("--details", action="store_true")
    options = parser.parse_args(arguments)
    table: Counter[tuple[str, str]] = Counter()
    longest = (0.0, "")
    for path in sorted(Path(options.suite).rglob("kernel.cu")):
        text = path.read_text(errors="replace")
        name = str(path.parent.relative_to(options.suite))
        wanted = expected(text, name)
        verdict, seconds, why = said(path, text)
        table[wanted, verdict] += 1
        longest = max(longest, (seconds, name))
        if options.details and (wanted, verdict) not in {("pass", "proved"), ("race", "flagged")}:
            print(f"{name}: expected {wanted}, {verdict}, {seconds * 1e3:.0f} ms", *why[:2], sep="; ")
    for wanted in ("race", "pass", "other"):
        print(wanted, {verdict: n for (w, verdict), n in sorted(table.items()) if w == wanted})
    print(f"longest {longest[0] * 1e3:.0f} ms: {longest[1]}")


if __name__ == "__main__":
    main()
