"""Edits of a settings file that leave all of it as it is but for what they are about: comments, order, spelling, ends of lines.

    [levels]                          [levels]
    WC301 = "hint"  # by design  ->   WC301 = "hint"  # by design
                                      WC101 = "off"

There are many ways to write the same in TOML.  Those that suit the file are tried, the most natural first; one counts only if the edited
text, read as TOML, says what the former did and the one thing more.
"""

from __future__ import annotations

import codecs
import copy
import os
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from analysis_core.report.checks.registry import rule_of
from analysis_core.report.findings.model import CheckId, Edit
from analysis_core.report.fixes.edits import applied
from analysis_core.text.span import FileId, Span
from analysis_core.workspace.toml_places import Path, TomlPlace, own_table, toml_places

OFF = '"off"'


def silenced(path: str, data: bytes, rule: CheckId) -> tuple[Edit, ...] | str:
    """The edits of a settings file that switch a rule off, `data` being its bytes (none: a new file); or why there are none."""
    top = own_table(path)
    document = _document(data)
    if document is None:
        return f"{os.path.basename(path)} is not TOML as it stands"
    levels = _table(document, (*top, "levels"))
    known = [key for key in levels if (check := rule_of(key)) is not None and check.code == rule]
    wanted = copy.deepcopy(document)
    for key in known or [rule]:
        _put(wanted, (*top, "levels", key), "off")
    places = toml_places(_without_mark(data))
    tries = [_replaced(path, top, known, places)] if known else [(e,) for e in _added(path, data, top, rule, places)]
    for edits in tries:
        if _document(_edited(data, edits)) == wanted:
            return edits
    return f"{os.path.basename(path)} has no place for it that leaves the rest as it is"


def _replaced(path: str, top: Path, keys: list[str], places: Mapping[Path, TomlPlace]) -> tuple[Edit, ...]:
    """Present levels of the rule, replaced, from the end of the text on."""
    found = [places[(*top, "levels", key)].value for key in keys if (*top, "levels", key) in places]
    return tuple(Edit(Span(FileId(path), *place), OFF) for place in sorted(found, reverse=True))


def _added(path: str, data: bytes, top: Path, rule: CheckId, places: Mapping[Path, TomlPlace]) -> Iterator[Edit]:
    """Ways to add the rule's level: below the last one, as that is spelled; in its braces; below the table's head; as a new table."""
    newline = "\r\n" if b"\r\n" in data else "\n"
    table = (*top, "levels")

    def insertion(at: int, text: str) -> Edit:
        return Edit(Span(FileId(path), at, at), text)

    def below(at: int, text: str) -> Edit:
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end - (data[end - 1 : end] == b"\r")
        return insertion(end, f"{newline}{text}")

    held = [place for keys, place in places.items() if keys[:-1] == table and place.key is not None]
    if held:
        last = max(held, key=lambda place: place.value)
        key, (_, end) = last.key, last.value
        assert key is not None
        before = data[data.rfind(b"\n", 0, key[0]) + 1 : key[0]].decode("utf-8", "replace")
        yield below(end, f"{before}{rule} = {OFF}")
        yield insertion(end, f", {rule} = {OFF}")
    elif table in places:
        place = places[table]
        if data[place.value[0] : place.value[0] + 1] == b"{":
            yield Edit(Span(FileId(path), *place.value), f"{{ {rule} = {OFF} }}")
        yield below(place.value[1], f"{rule} = {OFF}")
    lines = f"[{'.'.join(map(str, table))}]{newline}{rule} = {OFF}"
    written = _without_mark(data).rstrip()
    # Before the last end of a line: some editors make one more of what is inserted behind it.
    yield insertion(len(written), f"{newline * 2}{lines}") if written else insertion(len(data), f"{lines}{newline}")


def _edited(data: bytes, edits: tuple[Edit, ...]) -> bytes:
    for edit in edits:
        data = applied(data, edit)
    return data


def _document(data: bytes) -> dict[str, Any] | None:
    """What the bytes say; None if they are not TOML."""
    try:
        return tomllib.loads(_without_mark(data).decode("utf-8"), parse_float=str)  # `nan` would differ from itself.
    except (ValueError, RecursionError):
        return None


def _without_mark(data: bytes) -> bytes:
    """The bytes with blanks for a byte order mark, so that places stay where they are."""
    mark = codecs.BOM_UTF8
    return b" " * len(mark) + data[len(mark) :] if data.startswith(mark) else data


def _table(document: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """The table at a path; an empty one where there is none."""
    found: Any = document
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _put(document: dict[str, Any], path: Path, value: str) -> None:
    """Sets what a path leads to, with the tables on the way; where something else stands there, nothing is set."""
    table: Any = document
    for key in path[:-1]:
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            return
    table[path[-1]] = value
