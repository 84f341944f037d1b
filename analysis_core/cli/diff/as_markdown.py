"""A difference as Markdown, for a comment on a pull request: what got worse first, then a table of bounds, then findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.changes.difference import Difference, KernelChange
from analysis_core.changes.sides import Found
from analysis_core.changes.words import costs, headline, sentences
from analysis_core.cli.diff.text import origin, place_of, summary
from analysis_core.cli.terminal import printable
from analysis_core.report.code_spans import code

_MOST_ROWS = 200
_MOST_CHARACTERS = 60_000
"""A comment may have 65,536."""


def difference_markdown(found: Difference, base: str, head: str) -> str:
    """The comment, with a line end."""
    verdict = "**Some costs are larger.** " if found.is_worse else ""
    lines = [
        f"### Costs of kernels: {code(printable(base))} → {code(printable(head))}",
        "",
        f"{verdict}{_said(summary(found))}",
    ]
    lines += _section(["", "| kernel | change |", "|---|---|"], list(_rows(found)))
    lines += _section(["", "**New findings**", ""], [_finding(one, True) for one in found.came])
    lines += _section(["", "**Findings that are gone**", ""], [_finding(one, False) for one in found.went])
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(line) + len(kept) > _MOST_CHARACTERS:
            kept += ["", "The rest is left out: it is too long for a comment."]
            break
        kept.append(line)
    return "\n".join([*kept, ""])


def _section(head: Sequence[str], rows: Sequence[str]) -> list[str]:
    if not rows:
        return []
    more = (
        [f"{'' if rows[0].startswith('|') else '- '}and {len(rows) - _MOST_ROWS} more"]
        if len(rows) > _MOST_ROWS
        else []
    )
    return [*head, *rows[:_MOST_ROWS], *(["", *more] if more else [])]


def _rows(found: Difference) -> Iterator[str]:
    worse = sorted(found.kernels, key=lambda kernel: not kernel.is_worse)
    for kernel in worse:
        if texts := list(sentences(kernel)):
            yield _row(_name(kernel), "<br>".join(_cell(text) for text in texts))
    for one in found.added:
        yield _row(_cell(place_of(one)), f"added{f': {_cell(text)}' if (text := costs(one)) else ''}")
    for one in found.removed:
        yield _row(_cell(place_of(one)), "removed")


def _name(kernel: KernelChange) -> str:
    where = origin(kernel).replace("`", "")
    return _cell(place_of(kernel.after)) + (f"<br>{_cell(where.strip(' ()'))}" if where else "")


def _row(name: str, change: str) -> str:
    return f"| {name} | {change} |"


def _cell(text: str) -> str:
    """Text as code within a cell of a table: a bar would end the cell."""
    return code(printable(text)).replace("|", "\\|")


def _finding(finding: Found, whole: bool) -> str:
    text = finding.message if whole else headline(finding.message)
    return f"- {_said(f'{finding.level} {finding.code}')} {code(printable(f'{finding.path}:{finding.line}'))}: {_said(text)}"


def _said(text: str) -> str:
    """A sentence whose code stays code; nothing else in it is markup."""
    parts = printable(" ".join(text.split())).split("`")
    if len(parts) % 2 == 0:  # no end of a code
        return code(text)
    return "".join(code(part) if n % 2 and part.strip() else _plain(part) for n, part in enumerate(parts))


def _plain(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\*_[]<>#@~!|" else char for char in text)
