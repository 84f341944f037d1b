"""Neovim of a Debian suite, with its own C library."""

from __future__ import annotations

import subprocess

from tests.editors.tools.debian import LIBRARIES, script, unpack_whole
from tests.editors.tools.places import CACHE, neovim


def obtain(suite: str) -> None:
    """Unpacks it and writes the script that starts it."""
    if neovim(suite).exists():
        return
    root = CACHE / f"nvim-{suite}"
    unpack_whole(suite, "neovim", root)
    libraries, share = root / LIBRARIES, root / "usr/share"
    script(
        neovim(suite),
        [
            f"export VIMRUNTIME='{share}/nvim/runtime'",
            f"export LUA_PATH='{share}/lua/5.1/?.lua;{share}/lua/5.1/?/init.lua;;'",
            f"export LUA_CPATH='{libraries}/lua/5.1/?.so;;'",
            f"exec '{libraries}/ld-linux-x86-64.so.2' --library-path '{libraries}' '{root}/usr/bin/nvim' \\",
            f"  --cmd 'set rtp+={root}/usr/lib/nvim' \"$@\"",
        ],
    )


def version(suite: str) -> str:
    """What it says of itself, "NVIM v0.10.4"."""
    done = subprocess.run([str(neovim(suite)), "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]
