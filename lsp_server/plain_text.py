"""Texts for the places where editors show no Markdown: messages of diagnostics, titles of actions.

Reports spell code in backquotes; shown as they are, these are read as part of the code.  Here it stands in quotes, as
compilers have it: `tile` becomes 'tile', and what holds such quotes itself gets double ones.
"""

from __future__ import annotations

import re

from analysis_core.report.code_spans import SPAN, inside


def plain(text: str) -> str:
    """The text without backquotes around code."""
    return SPAN.sub(_quoted, text)


def _quoted(span: re.Match[str]) -> str:
    shown = inside(span)
    return f'"{shown}"' if "'" in shown else f"'{shown}'"
