"""The .vsix, by the one command that the README names; and those of its neighbours in the tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.editors.tools.places import EXTENSION, NEIGHBOURS, ROOT

SOURCES = ROOT / "tests" / "editors" / "vscode"
PROGRAMS = EXTENSION / "node_modules" / ".bin"


def obtain() -> None:
    """Builds them anew: what is tested is what a release would be made of."""
    subprocess.run([sys.executable, str(EXTENSION / "build.py")], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(NEIGHBOURS, ignore_errors=True)
    for name in ("clangd", "python"):
        _neighbour(SOURCES / name, NEIGHBOURS / name)


def _neighbour(source: Path, folder: Path) -> None:
    """The extension of a folder, as `folder`.vsix."""
    shutil.copytree(source, folder)
    (folder / ".vscodeignore").write_text("main.js\n")
    # Packages are looked for from the file upwards: it is bundled where ours are.
    copy = EXTENSION / "dist" / f"{source.name}.js"
    shutil.copyfile(source / "main.js", copy)
    bundle = ("--bundle", "--platform=node", "--external:vscode", f"--outfile={folder}/extension.js")
    subprocess.run([str(PROGRAMS / "esbuild"), str(copy), *bundle, "--log-level=error"], check=True)
    package = ("package", "--no-dependencies", "--allow-missing-repository", "--skip-license")
    command = [str(PROGRAMS / "vsce"), *package, "--out", f"{folder}.vsix"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
