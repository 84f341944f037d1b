"""VS Code with our extension: its workbench in Chromium, driven by the scenarios of vscode/."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.editors.loopback import ALONE, LOOPBACK
from tests.editors.processes import output_of
from tests.editors.tools.places import CACHE, CLANGD, NEIGHBOURS, NODE, PICTURES, ROOT, VSIX

SCENARIOS = ["findings", "one_answer", "report", "clangd", "untrusted", "commands"]


def path_without_warpcost() -> list[str]:
    """The folders of PATH, less that of an active environment: where the server is found is for the scenarios to say."""
    return [folder for folder in os.get_exec_path() if not Path(folder, "warpcost").exists()]


def play(scenario: str, home: Path, alone: bool = True) -> str:
    """Runs a scenario, alone with its own network unless said; what it printed."""
    environment = {
        **(ALONE if alone else {}),
        "PATH": os.pathsep.join(path_without_warpcost()),
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "TMPDIR": str(home),
        "WARPCOST_CACHE": str(CACHE),
        "WARPCOST_CLANGD": str(CLANGD),
        "WARPCOST_NEIGHBOURS": str(NEIGHBOURS),
        "WARPCOST_OUT": str(PICTURES / "vscode"),
        "WARPCOST_PYTHON": sys.executable,
        "WARPCOST_ROOT": str(ROOT),
        "WARPCOST_VSIX": str(VSIX),
    }
    command = [*(LOOPBACK if alone else ()), str(NODE), str(Path(__file__).parent / "vscode" / f"{scenario}.mjs")]
    status, said = output_of(command, home, environment, 280)
    print(said)
    assert status == 0, said
    return said


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario(scenario: str, home: Path) -> None:
    assert "PASS" in play(scenario, home)


def test_installation(home: Path) -> None:
    """The only one that may leave this machine: for the packages that the user agreed to."""
    assert "PASS" in play("install", home, alone=False)
