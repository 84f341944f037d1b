"""Pictures of real files in VS Code, dark and light, each with the card of its loudest finding, else of its first kernel.

    python -m tests.editors.real_files --seed 20261127 --count 10 DIR..

Files are drawn by seed, as many of each folder.  The pictures lie with those of the tests (tests/editors/tools/places.py) and are there to be looked at; the
run itself fails where a card leaves the window or a table of it is cut.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from analysis_core.cli.options import parser as command_line
from analysis_core.cli.work import tasks_for
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span
from lsp_server.features.diagnostics import squiggles
from tests.editors.test_vscode import path_without_warpcost
from tests.editors.tools.places import CACHE, NODE, PICTURES, ROOT, VSIX

_SECONDS = 540


def drawn(folders: list[Path], count: int, seed: int) -> list[Path]:
    """Files with kernels, as many of each folder."""
    chance = random.Random(seed)
    files = [[p for p in sorted(folder.rglob("*.cu")) if b"__global__" in p.read_bytes()] for folder in folders]
    for some in files:
        chance.shuffle(some)
    return [some[n] for n in range(count) for some in files if n < len(some)][:count]


def place_in(path: Path) -> tuple[int, int, str] | None:
    """Line and column, from 1, of what a card is shown of, and the words that it begins with; None without a kernel."""
    (task, *_), _ = tasks_for([str(path)], None, command_line().parse_args(["check", str(path)]))
    files = task.files()
    report, sources = analyse_file(task.path, files, task.settings, units=task.units), Sources(files)

    def at(span: Span) -> tuple[int, int]:
        index = sources.index(span.file)
        return index.line_of(span.start), index.utf16_column(span.start) + 1

    costs = [one for one in squiggles(task.path, report) if one.code.startswith(("WC1", "WC2", "WC3"))]
    if costs:
        found = max(costs, key=lambda one: one.level.rank)
        return (*at(found.span), "Why this level?")
    kernels = [kernel for kernel in report.kernels if kernel.span.file == task.path]
    return None if not kernels else (*at(kernels[0].name_span), "Launch: ")


def rows(paths: list[Path], folder: Path) -> Iterator[str]:
    """A line for each file, which is copied into the folder under a name of its own."""
    for number, path in enumerate(paths):
        name = f"{number:02}_{path.name}"
        shutil.copyfile(path, folder / name)
        place = place_in(folder / name)
        if place is not None:
            yield "\t".join((name, *map(str, place)))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--seed", type=int, default=20261127)
    options.add_argument("--count", type=int, default=10)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        listed = list(rows(drawn(chosen.folders, chosen.count, chosen.seed), Path(folder)))
        print(*listed, sep="\n")
        environment = {
            "PATH": os.pathsep.join(path_without_warpcost()),
            "LANG": "C.UTF-8",
            "HOME": folder,
            "TMPDIR": folder,
            "WARPCOST_CACHE": str(CACHE),
            "WARPCOST_FILES": "\n".join(listed),
            "WARPCOST_FOLDER": folder,
            "WARPCOST_OUT": str(PICTURES / "vscode"),
            "WARPCOST_PYTHON": sys.executable,
            "WARPCOST_ROOT": str(ROOT),
            "WARPCOST_VSIX": str(VSIX),
        }
        command = [str(NODE), str(Path(__file__).parent / "vscode" / "real_files.mjs")]
        return subprocess.run(command, env=environment, timeout=_SECONDS, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
