"""The .vsix, by the one command that the README names."""

from __future__ import annotations

import subprocess
import sys

from tests.editors.tools.places import EXTENSION


def obtain() -> None:
    """Builds it anew: what is tested is what a release would be made of."""
    subprocess.run([sys.executable, str(EXTENSION / "build.py")], check=True, stdout=subprocess.DEVNULL)
