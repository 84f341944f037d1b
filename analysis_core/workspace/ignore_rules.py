"""The rules of one `.gitignore` as `pathspec` reads them, made so that a match takes time in proportion to the path.

*-*-*-*-x       each star but the last of a part of the path takes the first place that fits, and no other is tried
a/**/b/**/c     two of these are enough for anybody; a rule with more is left out
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

MOST_RULES = 2_000
_LONGEST = 1_000
_MOST_DEEP = 2

_STAR = "[^/]*"
_DEEP = re.compile(r"\*\*+")
_CLASS = re.compile(r"(\\.)|\[\^?\]?(?:\\.|[^\]\\])*\]")
_NO_SLASH = "(?!/)"


def rules_of(lines: Sequence[str]) -> GitIgnoreSpec:
    """The rules of as many lines as are read; those that are no patterns are left out, and so are those that would take long."""
    written = (line for line in lines if line.strip() and not line.startswith("#"))
    return GitIgnoreSpec([rule for line in islice(written, MOST_RULES) if (rule := _rule(line)) is not None])


def _rule(line: str) -> GitIgnoreSpecPattern | None:
    if len(line) > _LONGEST or len(_DEEP.findall(line)) > _MOST_DEEP:
        return None
    try:
        rule = GitIgnoreSpecPattern(line)
    except ValueError:
        return None
    if rule.regex is not None:
        rule.regex = re.compile(without_retries(rule.regex.pattern))
    return rule


def without_retries(regex: str) -> str:
    """The regular expression of a rule, changed so that matching takes linear time: of the stars in a part only the
    last is tried twice. What stands between two stars has one length, so its first place leaves most to those behind
    it. As in git, no class of characters means a slash."""
    first, *rest = _CLASS.sub(_of_a_part, regex).split(_STAR)
    found = [first]
    for number, piece in enumerate(rest):
        plain = _CLASS.sub("", piece.replace(_NO_SLASH, ""))
        last = number == len(rest) - 1 or "/" in plain or "(" in plain
        found.append(f"{_STAR}{piece}" if last else f"(?>{_STAR}?{piece})")
    return "".join(found)


def _of_a_part(found: re.Match[str]) -> str:
    return found[0] if found[1] or found[0] == "[^/]" else _NO_SLASH + found[0]
