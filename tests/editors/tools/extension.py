"""The .vsix, by the one command that the README names; and one that starts clangd, to stand beside it."""

from __future__ import annotations

import shutil
import subprocess
import sys

from tests.editors.tools.places import EXTENSION, NEIGHBOUR, ROOT

SOURCE = ROOT / "tests" / "editors" / "vscode" / "neighbour"


def obtain() -> None:
    """Builds them anew: what is tested is what a release would be made of."""
    subprocess.run([sys.executable, str(EXTENSION / "build.py")], check=True, stdout=subprocess.DEVNULL)
    folder = NEIGHBOUR.parent
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SOURCE, folder)
    programs = EXTENSION / "node_modules" / ".bin"
    bundle = (
        "--bundle",
        "--platform=node",
        "--external:vscode",
        f"--outfile={folder}/extension.js",
        "--log-level=error",
    )
    # Packages are looked for from the file upwards: it is bundled where ours are.
    copy = EXTENSION / "dist" / "neighbour.js"
    shutil.copyfile(SOURCE / "main.js", copy)
    subprocess.run([str(programs / "esbuild"), str(copy), *bundle], check=True)
    package = ("package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", str(NEIGHBOUR))
    subprocess.run([str(programs / "vsce"), *package], cwd=folder, check=True, stdout=subprocess.DEVNULL)
