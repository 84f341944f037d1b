"""Choices and cards within a settings file, `warpcost.toml` or `[tool.warpcost]` of a `pyproject.toml`: keys, values, codes of rules.

The file is read line by line, as it is while somebody types: the last header above a line says in which table it is.  What keys mean, and
what they may be, is what `settings_schema.json` says of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import analysis_core.cli
from analysis_core.expressions.metric import Metric
from analysis_core.report.cards import Card
from analysis_core.report.checks.registry import CHECKS, rule_of
from analysis_core.report.findings.check import Check
from analysis_core.report.levels import LEVELS
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span
from analysis_core.workspace.toml_places import own_table
from lsp_server.features.choices import Choice, Kind

TABLES = ("values", "defines", "levels", "metrics")
_HEADER = re.compile(r"^[ \t]*\[\[?[ \t]*([^\]\r\n]*)", re.MULTILINE)
_KEY = re.compile(r"""^[ \t]*(?P<path>(?:[\w-]+[ \t]*\.[ \t]*)*)["']?(?P<word>[\w-]*)$""")
_VALUE = re.compile(r"""^[ \t]*(?P<key>[\w.-]+)[ \t]*=[ \t]*(?P<rest>.*)$""")
_INNER = re.compile(r"""[{,][ \t]*(?:["']?(?P<key>[\w-]+)["']?[ \t]*=[ \t]*)?(?P<word>["']?[\w-]*)$""")
_LAST = re.compile(r"""["']?[\w.-]*$""")
_WORD = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True)
class _Place:
    """`table`: the keys that lead to where something stands, from the top of the settings; `key`: the one whose value is meant, None for a key.
    `word`: what is typed of it."""

    table: tuple[str, ...]
    key: str | None
    word: str


_Rows = Mapping[str, Mapping[str, Any]]
"""What the schema says of each key."""


def schema() -> _Rows:
    """Reads the schema: once for each question."""
    text = Path(next(iter(analysis_core.cli.__path__)), "settings_schema.json").read_text(encoding="utf-8")
    found: _Rows = json.loads(text)["properties"]
    return found


def settings_choices(path: str, index: LineIndex, at: int) -> Iterator[Choice]:
    """What may be typed at a byte of a settings file."""
    start, end = index.line_range(index.line_of(at))
    at = min(max(at, start), end)
    line = index.data[start:at].decode("utf-8", "replace")
    if _in_comment(line):
        return
    rows = schema()
    header = re.match(r"^[ \t]*\[([\w.-]*)$", line)
    if header is not None:
        begin = at - len(header[1])
        closed = "" if index.data[at : at + 1] == b"]" else "]"
        head = "".join(f"{key}." for key in own_table(path))
        for name in TABLES:
            yield Choice(f"{head}{name}", Kind.KEY, begin, at, f"{head}{name}{closed}", _meaning(rows, name))
        return
    place = _place(path, index, start, line)
    if place is None:
        return
    begin = at - len(place.word.encode())
    quotes = place.word[:1] if place.word[:1] in ("'", '"') else ""
    if place.key is None:
        yield from _keys(rows, place.table, begin + len(quotes), at, quotes)
    else:
        yield from _values(rows, place, begin, at, index.data[at : at + 1] in (b'"', b"'"))


def _keys(rows: _Rows, table: tuple[str, ...], begin: int, at: int, quotes: str) -> Iterator[Choice]:
    if table == ():
        for name in rows:
            text = name if quotes or name in TABLES else f"{name} = "
            yield Choice(name, Kind.KEY, begin, at, text, _meaning(rows, name))
    elif table == ("levels",):
        for check in CHECKS:
            yield Choice(check.code, Kind.RULE, begin, at, str(check.code), _rule(check), check.name)
    elif table[:1] == ("metrics",) and len(table) == 2:
        for metric in Metric:
            says = "A metric that is counted; its weight is an integer."
            yield Choice(metric.value, Kind.KEY, begin, at, metric.value, says)


def _values(rows: _Rows, place: _Place, begin: int, at: int, is_closed: bool) -> Iterator[Choice]:
    assert place.key is not None
    row = rows.get(place.key, {})
    if place.table == ("levels",):
        options: list[Any] = list(LEVELS)
    elif place.table:
        return
    else:
        options = list(_options(row))
    quote = "'" if place.word.startswith("'") else '"'
    for option in options:
        is_text = isinstance(option, str)
        if place.word[:1] in ("'", '"') and not is_text:
            continue
        text = f"{quote}{option}{'' if is_closed and place.word else quote}" if is_text else json.dumps(option)
        yield Choice(
            option if is_text else text,
            Kind.VALUE,
            begin,
            at,
            text,
            detail="the default" if option == row.get("default") else "",
        )


def _options(row: Mapping[str, Any]) -> Iterator[Any]:
    """The values that a schema names, and the default."""
    if row.get("type") == "boolean":
        yield from (True, False)
        return
    yield from row.get("enum", ())
    parts = [row, *row.get("anyOf", ())]
    yield from (part["const"] for part in parts if "const" in part)
    if "default" in row:
        yield row["default"]


def settings_card(path: str, index: LineIndex, at: int) -> Card | None:
    """What the key or rule at a byte of a settings file means."""
    start, end = index.line_range(index.line_of(at))
    whole = index.data[start:end].decode("utf-8", "replace")
    column = len(index.data[start : min(max(at, start), end)].decode("utf-8", "replace"))
    word = next((m for m in _WORD.finditer(whole) if m.start() <= column < m.end()), None)
    if word is None or _in_comment(whole[: word.start()]):
        return None
    place = _place(path, index, start, whole[: word.end()])
    name, text = word[0], ""
    if whole.lstrip().startswith("["):
        text = _meaning(schema(), name) if name in TABLES else ""
    elif place is not None and place.key is None:
        if place.table == ():
            text = _meaning(schema(), name)
        elif place.table == ("levels",) and (check := rule_of(name)) is not None:
            text = _rule(check)
    if not text:
        return None
    begin = start + len(whole[: word.start()].encode())
    return Card(Span(FileId(path), begin, begin + len(name.encode())), text)


def _rule(check: Check) -> str:
    return (
        f"**{check.code}** {check.name}: {check.summary}. It is at most {check.level.value} by itself; "
        f"`warpcost rule {check.code}` prints its page."
    )


def _meaning(rows: _Rows, name: str) -> str:
    """What a key is for, and what holds without it."""
    row = rows.get(name)
    if row is None:
        return ""
    default = f" Without it: `{json.dumps(row['default'])}`." if "default" in row else ""
    return f"`{name}`: {row['description']}{default}"


def _place(path: str, index: LineIndex, start: int, line: str) -> _Place | None:
    """Where the end of a piece of a line is; None outside of our tables."""
    above = index.data[:start].decode("utf-8", "replace")
    headers = _HEADER.findall(above)
    table = tuple(part.strip(" \t\"'") for part in headers[-1].split(".")) if headers else ()
    key = _KEY.match(line)
    value = None if key is not None else _VALUE.match(line)
    if key is not None:
        inner = tuple(part.strip() for part in key["path"].split(".")[:-1])
        quote = line[key.start("word") - 1 : key.start("word")]
        found = _Place((*table, *inner), None, (quote if quote in ("'", '"') else "") + key["word"])
    elif value is not None:
        *inner_keys, last = value["key"].split(".")
        inside = _INNER.search(value["rest"]) if value["rest"].startswith("{") and "}" not in value["rest"] else None
        if inside is not None:
            found = _Place((*table, *inner_keys, last), inside["key"], inside["word"])
        else:
            if _LAST.fullmatch(value["rest"]) is None:
                return None  # Something stands before it.
            found = _Place((*table, *inner_keys), last, value["rest"])
    else:
        return None
    top = own_table(path)
    within = found.table[: len(top)] == top
    return _Place(found.table[len(top) :], found.key, found.word) if within else None


def _in_comment(line: str) -> bool:
    """Whether a comment has begun, outside of strings of the line."""
    return "#" in re.sub(r'"(?:\\.|[^"\\])*"?|\'[^\']*\'?', "", line)
