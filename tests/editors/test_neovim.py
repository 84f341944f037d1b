"""Neovim with our plugin, headless: each file of neovim/ is a session of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editors.loopback import ALONE, LOOPBACK
from tests.editors.tools.neovim import version
from tests.editors.tools.places import CLANGD, NEOVIM_NEWEST, NEOVIM_REQUIRED, ROOT, neovim

SESSIONS = sorted(path.stem for path in (Path(__file__).parent / "neovim").glob("*.lua") if path.stem != "session")
EDITORS = [
    pytest.param(NEOVIM_REQUIRED, id="0.10"),
    pytest.param(NEOVIM_NEWEST, id="newest", marks=pytest.mark.nightly),
]


def environment(home: Path) -> dict[str, str]:
    """Nothing of the user's: no configuration, no caches; the project on the path of Python."""
    return {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "TMPDIR": str(home),
        "PYTHONPATH": str(ROOT),
        "WARPCOST_PYTHON": sys.executable,
        "WARPCOST_CLANGD": str(CLANGD),
    }


def editor(suite: str) -> Path:
    """The script that starts the editor; the newest is asked for by the nightly tests alone."""
    script = neovim(suite)
    if not script.exists():
        if suite == NEOVIM_NEWEST:
            pytest.skip("the newest Neovim was not to be had; the nightly test fails for it")
        raise AssertionError("run `python -m tests.editors.tools` first")
    return script


@pytest.mark.parametrize("session", SESSIONS)
@pytest.mark.parametrize("suite", EDITORS)
def test_session(suite: str, session: str, tmp_path: Path) -> None:
    file = Path(__file__).parent / "neovim" / f"{session}.lua"
    command = [*LOOPBACK, str(editor(suite)), "--clean", "--headless", "-l", str(file)]
    own = {**environment(tmp_path), **ALONE}
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, timeout=120)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "PASS" in said, said


def test_required_version() -> None:
    assert version(NEOVIM_REQUIRED) == "NVIM v0.10.4"


@pytest.mark.nightly
def test_the_newest_is_there() -> None:
    assert version(NEOVIM_NEWEST).startswith("NVIM v")
