"""Texts for the places where editors show no Markdown: messages of diagnostics, titles of actions.

Reports spell code in backquotes; shown as they are, these are read as part of the code.  Here it stands in quotes, as
compilers have it: `tile` becomes 'tile', and what holds such quotes itself gets double ones.
"""

from __future__ import annotations

import re

_CODE = re.compile(r"`([^`\n]+)`")


def plain(text: str) -> str:
    """The text without backquotes around code."""
    return _CODE.sub(lambda found: f'"{found[1]}"' if "'" in found[1] else f"'{found[1]}'", text)
