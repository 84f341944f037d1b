"""Where the documentation pages of rules lie, and those that they lead to."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

FOLDERS = (os.path.join(_PACKAGE, "docs"), os.path.join(os.path.dirname(_PACKAGE), "docs"))
"""Where the pages lie: in an installed package, and in a checkout."""

GUIDES = ("levels", "settings", "models", "assumptions")
"""The pages that those of rules lead to."""


def page_of(code: str) -> str | None:
    """The Markdown page of a rule or a guide, if it is there; `code` as registered."""
    path = page_path(code)
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def page_path(code: str) -> str | None:
    """Where the page of a rule or a guide lies, if it is there."""
    parts = (f"{code}.md",) if code in GUIDES else ("rules", f"{code}.md")
    paths = (os.path.join(folder, *parts) for folder in FOLDERS)
    return next((path for path in paths if os.path.isfile(path)), None)
