"""Packages of npm by lock file, without any script of theirs being run."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.editors.tools.places import CODE_SERVER, NODE, NODE_FOLDER

HERE = Path(__file__).resolve().parent
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


def _stamp(folder: Path) -> str:
    return hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()


def install(folder: Path) -> bool:
    """`npm ci` in a folder with a lock file; whether there was anything to do."""
    stamp = folder / "node_modules" / ".warpcost-stamp"
    if stamp.exists() and stamp.read_text() == _stamp(folder):
        return False
    subprocess.run(["npm", "ci", *QUIET], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    stamp.write_text(_stamp(folder))
    return True


def environment() -> Mapping[str, str]:
    """This process's, with the Node of the packages first."""
    return {**os.environ, "PATH": f"{NODE.parent}:{os.environ['PATH']}"}


def obtain() -> None:
    """The editor's server with its own dependencies, which its own installation script would fetch and compile."""
    NODE_FOLDER.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(HERE / name, NODE_FOLDER / name)
    inner = CODE_SERVER.parents[2] / "lib" / "vscode"
    done = inner / "node_modules" / ".warpcost-done"
    if install(NODE_FOLDER) or not done.exists():
        # `npm ci` refuses its shrinkwrap.  Native modules (a terminal, a keyring) stay out: nothing here needs them.
        subprocess.run(
            ["npm", "install", "--omit=dev", "--omit=optional", *QUIET],
            cwd=inner,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        done.touch()
