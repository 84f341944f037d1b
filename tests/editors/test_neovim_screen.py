"""What a user of Neovim sees: the real screen, read off a terminal; its pictures are those of the README."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.editors.loopback import LOOPBACK
from tests.editors.terminal import COLUMNS, LINES, Terminal
from tests.editors.test_neovim import EDITORS, editor, environment
from tests.editors.tools.places import CACHE, NODE, PICTURES, ROOT

START = """
vim.opt.runtimepath:prepend('{root}/editor_clients/neovim')
vim.opt.termguicolors, vim.opt.number, vim.opt.signcolumn = true, true, 'yes'
vim.diagnostic.config({{ virtual_text = false, underline = true, signs = true }})
require('warpcost').setup({{ cmd = {{ '{python}', '-P', '-m', 'lsp_server', '--stdio' }} }})
"""


def draw(terminal: Terminal, name: str, home: Path, theme: str = "dark") -> None:
    """The screen as a picture."""
    folder = PICTURES / "neovim"
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / f"{name}.html"
    page.write_text(terminal.html(theme), encoding="utf-8")
    tools = {"WARPCOST_CACHE": str(CACHE), "WARPCOST_ROOT": str(ROOT), "WARPCOST_OUT": str(folder)}
    script = Path(__file__).parent / "vscode" / "picture.mjs"
    command = [str(NODE), str(script), str(page), str(folder / f"{name}.png")]
    subprocess.run(command, env={"PATH": os.environ["PATH"], "HOME": str(home), **tools}, check=True, timeout=60)


@contextmanager
def session(suite: str, words: list[str], home: Path) -> Iterator[Terminal]:
    """Neovim on a terminal.  Its screen is a process of its own here: unpacked beside the system it cannot start itself."""
    nvim, where, socket = str(editor(suite)), environment(home), home / "nvim.socket"
    server = subprocess.Popen([*LOOPBACK, nvim, "--clean", "--headless", "--listen", str(socket), *words], env=where)
    try:
        ends = time.monotonic() + 20
        while not socket.exists():
            assert time.monotonic() < ends and server.poll() is None, "Neovim does not listen"
            time.sleep(0.02)
        with Terminal([nvim, "--server", str(socket), "--remote-ui"], where) as terminal:
            yield terminal
    finally:
        server.terminate()
        server.wait(timeout=20)


@pytest.mark.parametrize("suite", EDITORS)
def test_cards_hints_and_findings_fit_the_screen(suite: str, tmp_path: Path) -> None:
    source = tmp_path / "transpose.cu"
    shutil.copyfile(ROOT / "tests" / "editors" / "workspace" / "transpose.cu", source)
    start = tmp_path / "init.lua"
    start.write_text(START.format(root=ROOT, python=sys.executable))
    with session(suite, ["-u", str(start), str(source)], tmp_path) as terminal:
        text = terminal.await_text(
            "32 sectors (8x)", "32-way conflict", "8 sectors | 31 conflicts", "<= 13 + 101*T26 sectors …"
        )
        rows = text.split("\n")[: LINES - 2]  # Without those of the status and of commands.
        assert [row[2:6].strip() for row in rows] == [str(i + 1) for i in range(len(rows))], "a line is broken"
        draw(terminal, f"hints-{suite}", tmp_path)
        terminal.press("7G0wK")
        text = terminal.await_text("ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef", "each sector: 4 of 32 bytes used")
        assert "Each warp touches 32 sectors" in text and "Assumes:" in text
        assert "deprecated" not in text, "the editor warns of our plugin"
        # What is one line on the card is one line on the screen.
        assert "Why: x is computed from threadIdx.x (line 4) and is multiplied by h (here)" in text
        assert all(len(line) <= COLUMNS for line in text.split("\n"))
        draw(terminal, f"hover-{suite}", tmp_path)
