"""Project settings: `warpcost.toml`, or the table `[tool.warpcost]` of a `pyproject.toml`.

    default-block = [128, "16x16"]      # by number of dimensions
    include-paths = ["include"]         # relative to the file
    compile-commands = "out/debug"      # or false: none; without it the nearest one holds
    exclude = ["third_party/*"]
    warning-share = 0.3
    assume = ["n % 32 == 0"]            # of every kernel with such a parameter
    run-arguments = [4096, "fast"]      # or false: unknown; without it those of a Makefile's `run`
    [values]
    n = 4096
    [defines]
    TILE = 32
    [levels]
    WC102 = "off"                       # or "hint", "information", "warning", "error"
    [metrics.dram]                      # a metric of one's own: a weighted sum of those that are counted
    sectors = 32
    conflicts = 1

`settings_schema.json` says the same for editors.  Keys are the fields of `Settings` with dashes.  What is wrong in such a file is reported at its place as WC903 and the
rest of it holds: unknown keys and rules, wrong types, values out of range.  Reading is a pure function of bytes (`read_settings`);
only `find_settings` and `with_model_files` touch the disk.
"""

from __future__ import annotations

import codecs
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis_core.expressions.metric import Metric
from analysis_core.machine.block_shape import Shape
from analysis_core.report.checks.bad_setting import bad_setting
from analysis_core.report.checks.registry import RULE_WORDS, rule_of
from analysis_core.report.findings.model import Finding
from analysis_core.report.levels import LEVELS
from analysis_core.support.settings import Settings
from analysis_core.support.spelling import did_you_mean
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span
from analysis_core.workspace.disk import read_file, upwards
from analysis_core.workspace.left_out import Globs
from analysis_core.workspace.model_files import model_files
from analysis_core.workspace.values import BadValue, block_of, cc_of, condition_of, grid_of, toolkit_of
from analysis_core.workspace.workspace import WorkspaceFiles, workspace_of

if TYPE_CHECKING:
    from analysis_core.workspace.toml_places import Path, TomlPlace

NAMES = ("warpcost.toml", "pyproject.toml")
_MOST_BYTES = 1_000_000

BUDGETS = frozenset(
    {
        "exact_iterations",
        "launch_configurations",
        "kernel_seconds",
        "kernel_megabytes",
        "kernel_symbols",
        "inline_depth",
        "inline_statements",
    }
)
"""Settings that say what an analysis may take: a project may lower them, for whoever opens it did not write its settings."""


@dataclass(frozen=True, slots=True)
class NamedDatabase:
    """`path`: of the database or its folder; None: none is to be used.  `span`: where a settings file says so."""

    path: str | None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """`path`: the file that was read, None if there is none.  `compile_commands`: the compilation database that is named; `keys`:
    fields of `Settings` that the file speaks of."""

    path: str | None
    settings: Settings
    exclude: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    compile_commands: NamedDatabase | None = None
    keys: frozenset[str] = frozenset()


def find_settings(folder: str, base: Settings) -> SettingsFile:
    """The settings that hold for files in `folder`: the nearest file upwards that has some."""
    for above in upwards(folder):
        for name in NAMES:
            path = os.path.join(above, name)
            data = read_file(path, _MOST_BYTES)
            if data is None or not (name == NAMES[0] or b"tool.warpcost" in data):
                continue
            if WorkspaceFiles([workspace_of(above)]).holds(path):
                return with_model_files(read_settings(path, data, base), data)
            trouble = bad_setting(
                Span(FileId(path), 0, 0), "it is a link that leads out of the project, and is not read"
            )
            return SettingsFile(path, base, findings=(trouble,))
    return SettingsFile(None, base)


def read_settings(path: str, data: bytes, base: Settings, own: bool = False) -> SettingsFile:
    """`base` with what a settings file's bytes say.  `path` tells which of the two kinds it is; `own`: the user named the file, so that
    it may raise budgets, too.  Never raises."""
    if data.startswith(codecs.BOM_UTF8):
        data = b" " * len(codecs.BOM_UTF8) + data[len(codecs.BOM_UTF8) :]  # places stay where they are
    table, trouble = _table(path, data)
    settings = base
    exclude: tuple[str, ...] = ()
    database: NamedDatabase | None = None
    wrong: list[tuple[Path, str, bool]] = []
    said: set[str] = set()
    for key, value in table.items():
        name = key.replace("-", "_")
        try:
            if name == "exclude":
                exclude = _strings(value)
            elif name == "compile_commands":
                from analysis_core.workspace.toml_places import toml_places

                where = _place(path, toml_places(data), (key,), at_key=False)
                database = NamedDatabase(_database(value, path), Span(FileId(path), *where))
            elif name in _READERS:
                held = _READERS[name](value, settings)
                if isinstance(held, Partly):
                    wrong += [((key, *bad.keys), str(bad), bad.at_key) for bad in held.troubles]
                    held = held.value
                if name in BUDGETS and not own and held > getattr(base, name):
                    raise BadValue(f"a project may lower this, not raise it: {getattr(base, name)} holds")
                settings = replace(settings, **{_FIELDS.get(name, name): held})
                said.add(_FIELDS.get(name, name))
            else:
                wrong.append(((key,), f"unknown setting '{key}'{did_you_mean(key, setting_names())}", True))
        except BadValue as bad:
            wrong.append(((key, *bad.keys), str(bad), bad.at_key))
    findings = [] if trouble is None else [trouble]
    findings += _findings(path, data, wrong)
    if settings.include_paths != base.include_paths:
        folder = os.path.dirname(path)
        below = tuple(os.path.join(folder, part) for part in settings.include_paths)
        settings = replace(settings, include_paths=below)
    if settings.models != base.models:
        beside = tuple(os.path.join(os.path.dirname(path), part) for part in settings.models)
        settings = replace(settings, models=beside)
    return SettingsFile(path, settings, exclude, tuple(findings), database, frozenset(said))


def laid_over(project: SettingsFile, text: bytes) -> SettingsFile:
    """A project's settings with what the user says of them on top, in the words of a settings file."""
    said = read_settings("warpcost.toml", text, project.settings, own=True)
    database = said.compile_commands or project.compile_commands
    found = replace(project, settings=said.settings, compile_commands=database, keys=project.keys | said.keys)
    return with_model_files(found, text) if "models" in said.keys else found


def with_model_files(found: SettingsFile, data: bytes) -> SettingsFile:
    """The settings with the files that their globs of models stand for, and what is wrong with these; `data`: of the settings file."""
    if not found.settings.models:
        return found
    models, troubles = model_files(found.settings.models)
    wrong = [(("models", number), text, False) for number, text in troubles.items()]
    findings = (*found.findings, *_findings(found.path or "", data, wrong))
    return replace(found, settings=replace(found.settings, models=models), findings=findings)


def excluded_by(found: SettingsFile) -> Globs:
    """What a settings file leaves out, from its folder on."""
    return Globs(os.path.realpath(os.path.dirname(found.path or "")), found.exclude)


def setting_names() -> tuple[str, ...]:
    """All keys, as they are written."""
    return tuple(sorted(name.replace("_", "-") for name in {*_READERS, *_BESIDE} - _OTHER_SPELLINGS))


def _database(value: Any, path: str) -> str | None:
    if value is False:
        return None
    if not isinstance(value, str) or not value:
        raise BadValue("the path of a compilation database or its folder is expected here, or false")
    return os.path.join(os.path.dirname(path), value)


def _table(path: str, data: bytes) -> tuple[Mapping[str, Any], Finding | None]:
    """The table of settings, and what was wrong with the file as a whole."""
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return {}, _finding(path, (error.start, error.start + 1), "this file is not UTF-8; it is ignored")
    except (ValueError, RecursionError) as error:  # ValueError: a number of thousands of digits, too.
        return {}, _finding(path, _error_place(data, str(error)), f"not TOML, so it is ignored: {error}")
    if os.path.basename(path) != "pyproject.toml":
        return document, None
    tool = document.get("tool", {})
    table = tool.get("warpcost", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        (finding,) = _findings(path, data, [((), "tool.warpcost has to be a table", True)])
        return {}, finding
    return table, None


def _findings(path: str, data: bytes, wrong: Sequence[tuple[Path, str, bool]]) -> list[Finding]:
    """What is wrong, each at its key or value, or at the nearest one above that has a place."""
    if not wrong:
        return []
    from analysis_core.workspace.toml_places import toml_places

    places = toml_places(data)
    return [_finding(path, _place(path, places, keys, at_key), text) for keys, text, at_key in wrong]


def _place(path: str, places: Mapping[Path, TomlPlace], keys: Path, at_key: bool) -> tuple[int, int]:
    from analysis_core.workspace.toml_places import own_table

    top = own_table(path)
    full: Path = (*top, *keys)
    while full not in places and full:
        full, at_key = full[:-1], True
    place = places.get(full)
    return (0, 0) if place is None else place.value if place.key is None or not at_key else place.key


def _finding(path: str, place: tuple[int, int], text: str) -> Finding:
    return bad_setting(Span(FileId(path), *place), text)


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
"""From a value as tomllib gives it to a field of `Settings`, or to `Partly`.  Raises `BadValue` where nothing of it holds."""


@dataclass(frozen=True, slots=True)
class Partly:
    """A value that holds in part, and what is wrong with the rest."""

    value: Any
    troubles: tuple[BadValue, ...]


def _number(least: float, kind: type[int] | type[float], most: float = 10**12) -> Reader:
    def read(value: Any, _: Settings) -> float | int:
        fits = isinstance(value, int | float) if kind is float else isinstance(value, int)
        if not fits or isinstance(value, bool):
            raise BadValue(f"a{'n integer' if kind is int else ' number'} is expected here")
        if not least <= value <= most:
            limit = f"at least {least:g}" if most >= 10**12 else f"{least:g} to {most:g}"
            raise BadValue(f"{value} is out of range: {limit} is expected")
        return kind(value)

    return read


def _yes_or_no(value: Any, _: Settings) -> bool:
    if not isinstance(value, bool):
        raise BadValue("true or false is expected here")
    return value


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        raise BadValue("a list of strings is expected here")
    wrong = next((number for number, item in enumerate(value) if not isinstance(item, str)), None)
    if wrong is not None:
        raise BadValue("a list of strings is expected here; this is none", (wrong,))
    return tuple(value)


def _words(value: Any, _: Settings) -> tuple[str, ...] | None:
    """What a program is run with: words, of which some may be written as numbers; None where it is said that nobody knows."""
    if value is False:
        return None
    if not isinstance(value, list):
        raise BadValue("a list of strings and numbers is expected here, or false")
    for number, item in enumerate(value):
        if not isinstance(item, str | int | float) or isinstance(item, bool):
            raise BadValue("a string or a number is expected here", (number,))
    return tuple(map(str, value))


def _each(pairs: Iterable[tuple[Any, Any]], read: Callable[[Any, Any], tuple[Any, Any]]) -> Partly:
    """What `read` makes of every pair of a key and a value, as a dictionary; those that it refuses are left out."""
    held, troubles = {}, []
    for key, value in pairs:
        try:
            name, item = read(key, value)
        except BadValue as bad:
            troubles.append(BadValue(str(bad), (key, *bad.keys), bad.at_key))
        else:
            held[name] = item
    return Partly(held, tuple(troubles))


def _table_of(value: Any, what: str, read: Callable[[Any, Any], tuple[Any, Any]]) -> Partly:
    if not isinstance(value, dict):
        raise BadValue(f"a table of {what} is expected here")
    return _each(value.items(), read)


def _conditions(value: Any, _: Settings) -> Partly:
    """Conditions in the language of annotations; what names mean is found out kernel by kernel."""
    texts = _strings(value)
    several = isinstance(value, list)
    found = _each(enumerate(texts), lambda number, text: (number, condition_of(text)))
    troubles = found.troubles if several else tuple(BadValue(str(bad)) for bad in found.troubles)
    return Partly(tuple(found.value.values()), troubles)


def _values(value: Any, _: Settings) -> Partly:
    def read(name: str, number: Any) -> tuple[str, int]:
        if re.fullmatch(r"[A-Za-z_][\w.]*", name) is None:
            raise BadValue(f"'{name}' is not the name of a parameter", (), at_key=True)
        if not isinstance(number, int) or isinstance(number, bool) or abs(number) >= 2**63:
            raise BadValue("an integer is expected here")
        return name, number

    return _table_of(value, "integers", read)


def _defines(value: Any, _: Settings) -> Partly:
    def read(name: str, text: Any) -> tuple[str, str]:
        if re.fullmatch(r"[A-Za-z_]\w*", name) is None:
            raise BadValue(f"'{name}' is not the name of a macro", (), at_key=True)
        if not isinstance(text, int | str):
            raise BadValue("a string or an integer is expected here")
        return name, str(int(text)) if isinstance(text, bool) else str(text)

    return _table_of(value, "strings or integers", read)


def _levels(value: Any, _: Settings) -> Partly:
    """How loud rules are, by code or name."""

    def read(rule: str, level: Any) -> tuple[str, str]:
        check = rule_of(rule)
        if check is None:
            raise BadValue(f"unknown rule '{rule}'{did_you_mean(rule, RULE_WORDS)}", (), at_key=True)
        if level not in LEVELS:
            meant = did_you_mean(level, LEVELS) if isinstance(level, str) else ""
            raise BadValue(f"one of {', '.join(LEVELS)} is expected here{meant}")
        return check.code, level

    return _table_of(value, "levels by rule", read)


_COUNTED = tuple(metric.value for metric in Metric)
_OPERATIONS = (
    "flops",
    "bytes",
    "instructions",
    "requests",
    "atomics",
    "divisions",
    "conversions",
    "barriers",
    "calls.NAME",
)


def _metrics(value: Any, _: Settings) -> Partly:
    """Metrics of the user's own.  One with a bad weight is left out: its figures would be those of another sum."""

    def weight(metric: str, number: Any) -> int:
        from analysis_core.ir.operations import NAMES, is_operation

        if metric not in _COUNTED and not is_operation(metric):
            meant = did_you_mean(metric, (*_COUNTED, *NAMES)) or f"; there are {', '.join((*_COUNTED, *_OPERATIONS))}"
            raise BadValue(f"'{metric}' is not counted{meant}", (metric,), at_key=True)
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 10**6:
            raise BadValue("an integer from 0 to 999999 is expected here", (metric,))
        return number

    def read(name: str, weights: Any) -> tuple[str, Mapping[str, int]]:
        if name in _COUNTED or re.fullmatch(r"[A-Za-z][\w-]{0,39}", name, re.ASCII) is None:
            what = (
                "is counted already" if name in _COUNTED else "has other characters than letters, digits, '_' and '-'"
            )
            raise BadValue(f"'{name}' {what}; a metric of one's own needs another name", (), at_key=True)
        if not isinstance(weights, dict) or not weights:
            raise BadValue("a table of weights by metric is expected here, such as { sectors = 32 }")
        return name, {metric: weight(metric, number) for metric, number in _dotted(weights)}

    return _table_of(value, "metrics, each a table of weights,", read)


def _dotted(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """`flops.fma = 2` is a table in a table to TOML."""
    for name, value in table.items():
        if isinstance(value, dict) and value:
            yield from _dotted(value, f"{before}{name}.")
        else:
            yield before + name, value


def _default_blocks(value: Any, settings: Settings) -> Partly:
    """One shape, or several: each replaces the default for its number of dimensions."""
    several = isinstance(value, list) and not all(isinstance(item, int) for item in value)
    shapes = list(settings.default_blocks)
    found = _each(enumerate(value if several else [value]), lambda number, item: (number, block_of(item)))
    for shape in found.value.values():
        shapes[dimensions_of(shape) - 1] = shape
    troubles = found.troubles if several else tuple(BadValue(str(bad)) for bad in found.troubles)
    return Partly(tuple(shapes), troubles)


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
    "models": lambda value, _: _strings(value),
    "run_arguments": _words,
    "cc": lambda value, _: cc_of(value),
    "cuda_version": lambda value, _: toolkit_of(value),
    "compute_capability": lambda value, _: cc_of(value),
    "warning_factor": _number(1, float),
    "warning_share": _number(0, float, 1),
    "information_share": _number(0, float, 1),
    "representative_size": _number(1, int),
    "representative_trips": _number(0, int),
    "exact_iterations": _number(0, int),
    "launch_configurations": _number(1, int),
    "kernel_seconds": _number(0, float),
    "kernel_megabytes": _number(1, int),
    "kernel_symbols": _number(1, int),
    "hints": _yes_or_no,
    "levels": _levels,
    "metrics": _metrics,
    "bounds": _yes_or_no,
    "inline_depth": _number(0, int),
    "inline_statements": _number(0, int),
}

_BESIDE = ("exclude", "compile_commands")
"""Keys that are none of `Settings`."""

_OTHER_SPELLINGS = frozenset({"default_blocks", "compute_capability"})
"""Keys that are understood, and not advertised."""
