"""Output that a runner of continuous integration reads: no line of it is a command, unless it is ours.

GitHub's runners take a line that begins with `::`, white space aside, for one, and `##[name]` anywhere in a line; others `##vso[..]` and
`##teamcity[..]`.  A source line may begin with `::` for good reasons, and for bad ones.
"""

from __future__ import annotations

import re

_NAMED = re.compile(r"##(?=\w*\[)")


def no_named_command(text: str) -> str:
    """The text without the commands of runners that are recognised anywhere in a line."""
    return _NAMED.sub("# #", text) if "##" in text else text


def no_command(line: str) -> str:
    """The line without a command at its beginning: a bar stands before it, in place of white space if there is enough."""
    rest = line.lstrip()
    if not rest.startswith("::"):
        return line
    blank = line[: len(line) - len(rest)]
    return f"{blank[:-2]}| {rest}"


def no_command_in_json(text: str) -> str:
    """JSON with the same meaning in which no line is a command: the signs of commands occur in strings alone, and are
    escaped there."""
    return text.replace("##", "#\\u0023")
