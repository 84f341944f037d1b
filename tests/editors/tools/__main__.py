"""`python -m tests.editors.tools`: obtains everything that the tests run, in parallel, and says how long each took."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tests.editors.tools import chromium, clangd, extension, neovim, npm
from tests.editors.tools.places import CACHE, NEOVIM_NEWEST, NEOVIM_REQUIRED


def _newest_neovim() -> None:
    """The archive's newest may be out of order for a day; only the nightly tests ask for it.  Which it is changes: it is told."""
    try:
        neovim.obtain(NEOVIM_NEWEST)
        print(neovim.version(NEOVIM_NEWEST))
    except (subprocess.CalledProcessError, RuntimeError) as error:
        print(f"the newest Neovim is not to be had: {error}", file=sys.stderr)


def _timed(name: str, obtain: Callable[[], None]) -> None:
    start = time.monotonic()
    obtain()
    print(f"{name}: {time.monotonic() - start:.1f} s")


def main() -> None:
    """Everything; an error of a required part is raised once the others have ended."""
    CACHE.mkdir(parents=True, exist_ok=True)
    parts: dict[str, Callable[[], None]] = {
        "npm packages": npm.obtain,
        "Chromium": chromium.obtain,
        "Neovim, required": partial(neovim.obtain, NEOVIM_REQUIRED),
        "Neovim, newest": _newest_neovim,
        "clangd": clangd.obtain,
        "VS Code extension": extension.obtain,
    }
    with ThreadPoolExecutor(len(parts)) as pool:
        for ended in [pool.submit(_timed, name, obtain) for name, obtain in parts.items()]:
            ended.result()


if __name__ == "__main__":
    main()
