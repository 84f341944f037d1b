"""Paths as other programs want them: relative to the present folder, with forward slashes, or as URIs."""

from __future__ import annotations

import os
from urllib.parse import quote

from analysis_core.workspace.disk import STDIN_NAME


def shown_path(path: str) -> str:
    """A path below the present folder relative to it; any other as it is."""
    if path == STDIN_NAME:
        return path
    absolute, here = os.path.abspath(path), os.getcwd()
    inside = absolute.startswith(here.rstrip(os.sep) + os.sep)
    return (os.path.relpath(absolute, here) if inside else path).replace(os.sep, "/")


def uri_of(path: str) -> tuple[str, bool]:
    """A URI reference, and whether it is relative to the present folder."""
    shown = shown_path(path)
    if os.path.isabs(shown):
        return f"file://{quote(os.fsencode(shown))}", False
    if shown == STDIN_NAME:
        return "stdin", True
    if shown.startswith(".."):
        return f"file://{quote(os.fsencode(os.path.abspath(shown)))}", False
    return quote(os.fsencode(shown)), True
