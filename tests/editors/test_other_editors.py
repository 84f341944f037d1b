"""Emacs and Helix with the snippets of docs/editors.md, as Debian packages that are unpacked beside the system.

They come with the nightly tests alone: together they are 130 MB."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editors.terminal import Terminal
from tests.editors.tools.debian import LIBRARIES, script, unpack_whole
from tests.editors.tools.places import CACHE, ROOT

SUITE = "trixie"
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
KERNEL = """__global__ void k(float *out, const float *in) { out[threadIdx.x] = in[8 * threadIdx.x]; }
void run(float *out, const float *in) { k<<<1, 256>>>(out, in); }
"""
TRY = """(load-file "page.el")
(find-file "a.cu")
(require 'eglot)
(setq eglot-sync-connect t)
(apply #'eglot (eglot--guess-contact))
(let ((end (+ (float-time) 60)))
  (while (and (< (float-time) end) (null (flymake-diagnostics)))
    (accept-process-output nil 0.1)))
(dolist (one (flymake-diagnostics)) (princ (format "%s\\n" (flymake-diagnostic-text one))))
"""


def snippet(title: str) -> str:
    """The first block of code below a heading of the page."""
    found = re.search(rf"^## {title}\n.*?^```\w+\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def unpacked(package: str) -> Path:
    root = CACHE / package
    if not (root / "usr").is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        unpack_whole(SUITE, package, root)
    return root


def loaded(root: Path, program: Path, *words: str) -> str:
    """A line of shell that starts a program of an unpacked package with its own C library."""
    libraries = root / LIBRARIES
    return " ".join(
        (f"exec '{libraries}/ld-linux-x86-64.so.2' --library-path '{libraries}' '{program}'", *words, '"$@"')
    )


def environment(home: Path) -> dict[str, str]:
    """Nothing of the user's; `warpcost` on the path."""
    folder = home / "bin"
    folder.mkdir()
    script(folder / "warpcost", [f"PYTHONPATH='{ROOT}' exec '{sys.executable}' -m analysis_core \"$@\""])
    (home / "a.cu").write_text(KERNEL)
    return {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
    }


@pytest.mark.nightly
def test_emacs(tmp_path: Path) -> None:
    root = unpacked("emacs-nox")
    (share,) = (root / "usr/share/emacs").glob("[0-9]*")
    (dump,) = (root / "usr/libexec/emacs").rglob("*.pdmp")
    editor = tmp_path / "emacs.sh"
    data = (
        f"export EMACSDATA='{share}/etc' EMACSDOC='{share}/etc' EMACSLOADPATH='{share}/lisp:'",
        f"export EMACSPATH='{dump.parent}'",
    )
    script(editor, [*data, loaded(root, root / "usr/bin/emacs-nox", f"'--dump-file={dump}'")])
    own = environment(tmp_path)
    (tmp_path / "page.el").write_text(snippet("Emacs"))
    (tmp_path / "try.el").write_text(TRY)
    command = [str(editor), "-Q", "--batch", "-l", "try.el"]
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, timeout=120)
    assert "Uncoalesced load from 'in'" in done.stdout, done.stdout + done.stderr


@pytest.mark.nightly
def test_helix(tmp_path: Path) -> None:
    root = unpacked("hx")
    editor = tmp_path / "hx.sh"
    script(editor, [f"export HELIX_RUNTIME='{root}/usr/lib/hx/runtime'", loaded(root, root / "usr/lib/hx/hx")])
    own = environment(tmp_path)
    (tmp_path / "helix").mkdir()
    (tmp_path / "helix" / "languages.toml").write_text(snippet("Helix"))
    with Terminal([str(editor), str(tmp_path / "a.cu")], own) as terminal:
        terminal.await_text("●   1")
        terminal.press(" d")
        terminal.await_text("Uncoalesced load from")
        terminal.press("\x1b\x1b:q!\r")
