"""Text of the source among Markdown: shown as it is, never read as markup.

A comment or a string in the source may hold backquotes, which would end the code that it stands in, and behind them an image from somewhere
else.  `code` quotes with more backquotes than there are inside; `harmless` is asked last, of a whole card, whatever it was made of.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
"""Code within a line, as Markdown has it: the delimiter, and what is inside."""

_MARKUP = re.compile(r"!\[|\](?=[(:])|<(?=[A-Za-z/!?])|`|\\")
"""What begins an image, a link or its definition, HTML, or code that has no end in this line."""

_SHUT = re.compile(r" {0,3}`{3,}[ \t]*")
"""The end of a code block."""


def code(text: str) -> str:
    """The text as code of one line."""
    joined = " ".join(text.split())
    longest = max(map(len, re.findall("`+", joined)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if joined.startswith("`") or joined.endswith("`") else ""
    return f"{fence}{pad}{joined}{pad}{fence}"


def inside(span: re.Match[str]) -> str:
    """The text that a span of code shows."""
    text = span[2]
    padded = len(span[1]) > 1 and text.startswith(" ") and text.endswith(" ") and text.strip()
    return text[1:-1] if padded else text


def harmless(markdown: str, links: Collection[str]) -> str:
    """The Markdown without images, without HTML, and without links except these. A span of code ends with its line or
    table cell, so that what a line holds does not depend on another."""
    lines: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        if fenced or line == "```text":
            lines.append(line)
            fenced = not (fenced and _SHUT.fullmatch(line))
        else:
            lines.append("".join(_parts(line, links)))
    return "\n".join(lines)


def _parts(line: str, links: Collection[str]) -> Iterator[str]:
    known = sorted((re.escape(link) for link in links), key=len, reverse=True)
    whole = re.compile("|".join([*known, SPAN.pattern.replace(r"\1", r"(?P=tick)").replace("(`+)", "(?P<tick>`+)")]))
    cell = line.startswith("|")
    at = 0
    for found in whole.finditer(line):
        yield _MARKUP.sub(lambda one: "".join(f"\\{char}" for char in one[0]), line[at : found.start()])
        is_code = found["tick"] is not None
        yield found[0].replace("|", r"\|") if cell and is_code else found[0]
        at = found.end()
    yield _MARKUP.sub(lambda one: "".join(f"\\{char}" for char in one[0]), line[at:])
