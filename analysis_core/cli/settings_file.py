"""Project settings: `warpcost.toml`, or the table `[tool.warpcost]` of a `pyproject.toml`.

    default-block = [128, "16x16"]      # by number of dimensions
    include-paths = ["include"]         # relative to the file
    exclude = ["third_party/*"]
    warning-share = 0.3
    assume = ["n % 32 == 0"]            # of every kernel with such a parameter
    [values]
    n = 4096
    [defines]
    TILE = 32

Keys are the fields of `Settings` with dashes.  What is wrong in such a file is reported at its place as WC903 and the
rest of it holds: unknown keys, wrong types, values out of range.  Reading is a pure function of bytes (`read_settings`);
only `find_settings` touches the disk.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from analysis_core.cli.values import BadValue, block_of, cc_of, condition_of, grid_of
from analysis_core.ir.launch import Shape
from analysis_core.report.checks.bad_setting import bad_setting
from analysis_core.report.model import Finding
from analysis_core.support.settings import Settings
from analysis_core.text.span import FileId, Span

NAMES = ("warpcost.toml", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """`path`: the file that was read, None if there is none."""

    path: str | None
    settings: Settings
    exclude: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def find_settings(folder: str, base: Settings) -> SettingsFile:
    """The settings that hold for files in `folder`: the nearest file upwards that has some."""
    folder = os.path.abspath(folder)
    while True:
        for name in NAMES:
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    data = file.read()
            except OSError:
                continue
            if name == NAMES[0] or b"tool.warpcost" in data:
                return read_settings(path, data, base)
        parent = os.path.dirname(folder)
        if parent == folder:
            return SettingsFile(None, base)
        folder = parent


def read_settings(path: str, data: bytes, base: Settings) -> SettingsFile:
    """`base` with what a settings file's bytes say.  `path` tells which of the two kinds it is.  Never raises."""
    table, trouble = _table(path, data)
    settings = base
    exclude: tuple[str, ...] = ()
    findings = [] if trouble is None else [trouble]
    for key, value in table.items():
        name = key.replace("-", "_")
        try:
            if name == "exclude":
                exclude = _strings(value)
            elif name in _READERS:
                settings = replace(settings, **{_FIELDS.get(name, name): _READERS[name](value, settings)})
            else:
                raise BadValue(f"unknown setting '{key}'")
        except BadValue as bad:
            findings.append(_finding(path, _place(data, key), str(bad)))
    if settings.include_paths != base.include_paths:
        folder = os.path.dirname(path)
        below = tuple(os.path.join(folder, part) for part in settings.include_paths)
        settings = replace(settings, include_paths=below)
    return SettingsFile(path, settings, exclude, tuple(findings))


def _table(path: str, data: bytes) -> tuple[Mapping[str, Any], Finding | None]:
    """The table of settings, and what was wrong with the file as a whole."""
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return {}, _finding(path, (error.start, error.start + 1), "this file is not UTF-8; it is ignored")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return {}, _finding(path, _error_place(data, str(error)), f"not TOML, so it is ignored: {error}")
    if os.path.basename(path) != "pyproject.toml":
        return document, None
    tool = document.get("tool", {})
    table = tool.get("warpcost", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        return {}, _finding(path, _place(data, "warpcost"), "tool.warpcost has to be a table")
    return table, None


def _finding(path: str, place: tuple[int, int], text: str) -> Finding:
    return bad_setting(Span(FileId(path), *place), text)


def _place(data: bytes, key: str) -> tuple[int, int]:
    """The bytes of a key: tomllib keeps no positions, and a key begins its line or stands in a table's head.

    In a pyproject.toml the search begins at the table's head, where other tools' keys are passed."""
    head = re.search(rb"^\s*\[\s*tool\s*\.\s*warpcost\b", data, re.MULTILINE)
    begin = head.start() if head is not None else 0
    pattern = rb"^[ \t]*(?:\[[^\]\n]*?)?[\"']?(" + re.escape(key.encode()) + rb")[\"']?\s*(?:=|\.|\])"
    match = re.compile(pattern, re.MULTILINE).search(data, begin)
    return match.span(1) if match is not None else (begin, begin)


def _error_place(data: bytes, message: str) -> tuple[int, int]:
    """The place from tomllib's "(at line 3, column 7)" or "(at end of document)"."""
    match = re.search(r"line (\d+), column (\d+)", message)
    if match is None:
        return len(data), len(data)
    lines = data.split(b"\n")
    line = min(int(match[1]), len(lines)) - 1
    start = sum(len(text) + 1 for text in lines[:line])
    offset = start + len(lines[line].decode("utf-8", "replace")[: int(match[2]) - 1].encode())
    return offset, min(len(data), offset + 1)


# --- one reader per key -------------------------------------------------------------------------------------------

Reader = Callable[[Any, Settings], Any]


def _number(least: float, kind: type[int] | type[float]) -> Reader:
    def read(value: Any, _: Settings) -> float | int:
        fits = isinstance(value, int | float) if kind is float else isinstance(value, int)
        if not fits or isinstance(value, bool):
            raise BadValue(f"a{'n integer' if kind is int else ' number'} is expected here")
        if not least <= value < 10**12:
            raise BadValue(f"{value} is out of range: at least {least:g} is expected")
        return kind(value)

    return read


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadValue("a list of strings is expected here")
    return tuple(value)


def _conditions(value: Any, _: Settings) -> tuple[str, ...]:
    """Conditions in the language of annotations; what names mean is found out kernel by kernel."""
    return tuple(condition_of(text) for text in _strings(value))


def _values(value: Any, _: Settings) -> Mapping[str, int]:
    if not isinstance(value, dict) or not all(isinstance(v, int) and not isinstance(v, bool) for v in value.values()):
        raise BadValue("a table of integers is expected here")
    return dict(value)


def _defines(value: Any, _: Settings) -> Mapping[str, str]:
    if not isinstance(value, dict) or not all(isinstance(v, int | str) for v in value.values()):
        raise BadValue("a table of strings or integers is expected here")
    return {name: str(int(text)) if isinstance(text, bool) else str(text) for name, text in value.items()}


def _default_blocks(value: Any, settings: Settings) -> tuple[Shape, ...]:
    """One shape, or several: each replaces the default for its number of dimensions."""
    several = isinstance(value, list) and not all(isinstance(item, int) for item in value)
    shapes = list(settings.default_blocks)
    for item in value if several else [value]:
        shape = block_of(item)
        shapes[dimensions_of(shape) - 1] = shape
    return tuple(shapes)


def dimensions_of(shape: Shape) -> int:
    """1, 2 or 3: the last extent that is not 1."""
    return 3 if shape[2] > 1 else 2 if shape[1] > 1 else 1


_FIELDS: Mapping[str, str] = {"default_block": "default_blocks", "cc": "compute_capability"}

_READERS: Mapping[str, Reader] = {
    "block": lambda value, _: block_of(value),
    "grid": lambda value, _: grid_of(value),
    "default_block": _default_blocks,
    "default_blocks": _default_blocks,
    "values": _values,
    "assume": _conditions,
    "defines": _defines,
    "include_paths": lambda value, _: _strings(value),
    "cc": lambda value, _: cc_of(value),
    "compute_capability": lambda value, _: cc_of(value),
    "warning_factor": _number(1, float),
    "warning_share": _number(0, float),
    "information_share": _number(0, float),
    "representative_size": _number(1, int),
    "representative_trips": _number(0, int),
    "exact_iterations": _number(0, int),
    "launch_configurations": _number(1, int),
    "kernel_seconds": _number(0, float),
    "kernel_megabytes": _number(1, int),
    "kernel_symbols": _number(1, int),
    "inline_depth": _number(0, int),
    "inline_statements": _number(0, int),
}
