"""Pictures of real files in VS Code or Neovim, dark and light, each with the card of its loudest finding, else of its first kernel.

    python -m tests.editors.real_files --editor neovim --seed 20261127 --count 10 DIR..

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
from tests.editors.terminal import Terminal
from tests.editors.test_neovim_screen import START, draw, session
from tests.editors.test_vscode import path_without_warpcost
from tests.editors.tools.places import CACHE, NEOVIM_REQUIRED, NODE, PICTURES, ROOT, VSIX

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


def in_neovim(listed: list[str], folder: Path) -> int:
    """The same in Neovim: a card fails whose last words are not on the screen, or a table of which is not whole."""
    start = folder / "init.lua"
    start.write_text(START.format(root=ROOT, python=sys.executable))
    wrong = 0
    for theme in ("dark", "light"):
        for number, (name, line, column, last) in enumerate(row.split("\t") for row in listed):
            words = ["-u", str(start), "-c", f"set background={theme}", str(folder / name)]
            with session(NEOVIM_REQUIRED, words, folder) as terminal:
                terminal.press(f":call cursor({line}, {column})\rzt")
                text = card_on(terminal, last)
                draw(terminal, f"real-{number + 1:02}-{theme}", folder, theme)
            (folder / "nvim.socket").unlink(missing_ok=True)
            torn = [row for row in text.split("\n") if row.count("┌") != row.count("┐")]
            if last not in text or torn:
                wrong += 1
                print(f"{name}:{line} ({theme}): the card is not whole")
    return 1 if wrong else 0


def card_on(terminal: Terminal, last: str) -> str:
    """The screen with the card at the cursor, asked for again until it has come, with its last words if they fit."""
    for _ in range(12):
        terminal.press(":lua vim.lsp.buf.hover()\r")
        try:
            return terminal.await_text(last, seconds=5)
        except AssertionError as shown:
            if "per warp" in str(shown) or "lane  " in str(shown):
                return str(shown)
            terminal.press("\x1b")
    return ""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--seed", type=int, default=20261127)
    options.add_argument("--count", type=int, default=10)
    options.add_argument("--editor", choices=("vscode", "neovim"), default="vscode")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        listed = list(rows(drawn(chosen.folders, chosen.count, chosen.seed), Path(folder)))
        print(*listed, sep="\n")
        if chosen.editor == "neovim":
            return in_neovim(listed, Path(folder))
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
