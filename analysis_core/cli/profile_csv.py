"""The CSV exports of the profiler, read into one shape: kernels with their blocks and grids, counters, and counters of source lines.

`ncu --csv` prints three kinds of tables, each behind whatever the program itself has printed:

- page raw: a row per launch, a column per metric, units in a row of their own;
- page details: a row per metric of a launch, with its name, unit and value;
- page source: a table per kernel and file, a row per line or instruction, behind rows that name the kernel and the file.

Numbers have separators of thousands as the locale has them, units may be scaled ("Ksector"), and names of metrics may be those of columns on the
profiler's page.  Only counters that are predicted here are kept (machine/counters.py).  Nothing in an export raises anything but `Unreadable`.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from analysis_core.machine.block_shape import Shape
from analysis_core.machine.counters import BY_NAME
from analysis_core.text.records import dataclass

MOST_BYTES = 64 * 2**20

_KERNEL = frozenset({"Kernel Name", "Function Name", "Demangled Name"})
_FILE = frozenset({"File Path", "File Name", "Source File"})
_HEADS = ("Kernel Name", "Function Name", "Demangled Name", "Address", "Line No", "Line Number", "Source Line")
"""What a line has that begins a table, or says of which kernel it is."""

_LINE = ("Line No", "Line", "Line Number", "Source Line")
_THOUSANDS: Mapping[str, int] = {"K": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4}
_UNITS = frozenset({"sector", "inst", "request", "warp", "wavefront", "byte", ""})

_ENGLISH = re.compile(r"\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,}|\d+\.\d{1,2}|\d+\.\d{4,}")
_OTHER = re.compile(r"\d{1,3}([.\s\u00a0\u202f']\d{3})+,\d+|\d{1,3}(\.\d{3}){2,}|\d+,\d{1,2}|\d+,\d{4,}")
_CAPABILITY = re.compile(r"\d{1,2}\.\d")
"""A compute capability, which every locale writes so."""

_NUMBER = re.compile(r"[+-]?[\d.,\s\u00a0\u202f']*\d(?:[eE][+-]?\d{1,2})?")


class Unreadable(Exception):
    """The export cannot be read; the text says why, as a sentence."""


@dataclass(frozen=True, slots=True)
class Value:
    """A measured number, which is rounded by `slack` at most: exports shorten what they write in scaled units."""

    number: float
    slack: float = 0.0

    def __add__(self, other: Value) -> Value:
        return Value(self.number + other.number, self.slack + other.slack)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one kernel: of one launch, or by source lines of all (`block` and `grid` None: the export does not say).  `counters`: by
    their names here; `lines`: the same by file and line."""

    kernel: str
    block: Shape | None
    grid: Shape | None
    counters: Mapping[str, Value] = field(default_factory=dict)
    lines: Mapping[tuple[str, int], Mapping[str, Value]] = field(default_factory=dict)


def read_export(data: bytes) -> tuple[Measured, ...]:
    """All that an export says of counters that are predicted.  Raises `Unreadable`."""
    if len(data) > MOST_BYTES:
        raise Unreadable(f"it is larger than {MOST_BYTES // 2**20} MiB")
    lines = _decoded(data).splitlines()
    # What the program printed before may have quotes of its own.
    start = next((number for number, line in enumerate(lines) if any(name in line for name in _HEADS)), len(lines))
    lines = lines[start:]
    try:
        read = csv.reader(lines, delimiter=_delimiter(lines[0] if lines else ""))
        rows = [[cell.strip() for cell in row] for row in read]
    except csv.Error as error:
        raise Unreadable(f"it is no CSV: {error}") from None
    found = tuple(_Tables(rows).read())
    if not found:
        raise Unreadable("no table of kernels is in it: expected is what ncu --csv prints, page raw, details or source")
    return found


def _decoded(data: bytes) -> str:
    """Text of whatever encoding a shell redirects to."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", errors="replace")
    else:
        text = data.decode("utf-8-sig", errors="replace")
    return text.replace("\0", "")


def _delimiter(line: str) -> str:
    """What stands between the cells of a line, which may have the others inside of quotes."""
    return max(",;\t", key=lambda mark: (line.count(f'"{mark}"'), line.count(mark)))


class _Tables:
    """Reads tables one after the other; what stands between them tells of which kernel and file the next one is."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self._rows = rows
        self._comma = _decimal_comma(rows)
        self._kernel = self._file = ""

    def read(self) -> Iterator[Measured]:
        start = 0
        while start < len(self._rows):
            row, end = self._rows[start], start + 1
            if _is_table(row):
                while end < len(self._rows) and not self._begins(self._rows[end]):
                    end += 1
                yield from self._table(row, self._rows[start + 1 : end])
            elif row and row[0] in _KERNEL and len(row) > 1:
                self._kernel = row[1]
            elif row and row[0] in _FILE and len(row) > 1:
                self._file = row[1]
            start = end

    def _begins(self, row: Sequence[str]) -> bool:
        return _is_table(row) or (len(row) > 1 and row[0] in _KERNEL | _FILE)

    def _table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Measured]:
        cells = [dict(zip(reversed(head), reversed(row[: len(head)]))) for row in rows if len(row) >= len(head) - 1]
        if "Metric Name" in head and "Metric Value" in head:
            yield from self._details(cells)
        elif any(name in head for name in _KERNEL) and not _is_source(head):
            yield from self._raw(head, cells)
        else:
            yield from self._source(head, cells)

    def _raw(self, head: Sequence[str], rows: Sequence[Mapping[str, str]]) -> Iterator[Measured]:
        units: Mapping[str, str] = {}
        for row in rows:
            kernel = _kernel_of(row)
            if not kernel:
                units = units or row
                continue
            counters = {}
            for title in head:
                name, unit = _titled(title)
                value = self._number(row.get(title, ""), units.get(title, "") or unit)
                if name in BY_NAME and value is not None:
                    counters[BY_NAME[name].name] = value
            yield Measured(kernel, _shape(row, "block"), _shape(row, "grid"), counters)

    def _details(self, rows: Sequence[Mapping[str, str]]) -> Iterator[Measured]:
        found: dict[tuple[str, ...], tuple[Measured, dict[str, Value]]] = {}
        for row in rows:
            kernel = _kernel_of(row)
            key = (
                row.get("Process ID", ""),
                row.get("ID", ""),
                kernel,
                row.get("Block Size", ""),
                row.get("Grid Size", ""),
            )
            if not kernel:
                continue
            _, counters = found.setdefault(key, (Measured(kernel, _shape(row, "block"), _shape(row, "grid")), {}))
            name = row.get("Metric Name", "")
            value = self._number(row.get("Metric Value", ""), row.get("Metric Unit", ""))
            if name in BY_NAME and value is not None:
                counters[BY_NAME[name].name] = value
        for one, counters in found.values():
            yield Measured(one.kernel, one.block, one.grid, counters)

    def _source(self, head: Sequence[str], rows: Sequence[Mapping[str, str]]) -> Iterator[Measured]:
        """Rows of lines hold what their instructions add up to; without such rows the instructions are all there is."""
        wanted = {title: BY_NAME[name].name for title in head if (name := _titled(title)[0]) in BY_NAME}
        by_line = any(name in head for name in _LINE)
        total: dict[str, Value] = {}
        lines: dict[tuple[str, int], dict[str, Value]] = {}
        for row in rows:
            line = next((row[name] for name in _LINE if row.get(name)), "")
            if by_line and not (line.isascii() and line.isdigit()):
                continue
            file = next((row[name] for name in _FILE if row.get(name)), self._file)
            for title, name in wanted.items():
                value = self._number(row.get(title, ""), "")
                if value is not None:
                    total[name] = total.get(name, Value(0)) + value
                    if by_line:
                        here = lines.setdefault((file, int(line[:9])), {})
                        here[name] = here.get(name, Value(0)) + value
        if wanted:
            yield Measured(self._kernel, None, None, total, lines)

    def _number(self, text: str, unit: str) -> Value | None:
        """A number as the locale writes it, in the unit's base; None where there is none ("n/a", "-")."""
        found = _NUMBER.match(text)
        if found is None or len(found[0]) > 40:
            return None
        digits = re.sub(r"[\s\u00a0\u202f']", "", found[0])
        digits = digits.replace(".", "").replace(",", ".") if self._comma else digits.replace(",", "")
        try:
            value = float(digits)
        except ValueError:
            return None
        if value < 0:  # No counter is.
            return None
        if unit[:1] not in _THOUSANDS or unit[1:].lower().rstrip("s") not in _UNITS:
            return Value(value)
        scale, decimals = _THOUSANDS[unit[0]], len(digits.partition(".")[2])
        return Value(value * scale, scale / 10**decimals)


def _decimal_comma(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the locale writes 1.234,5: as more of the numbers that only one way of writing has say."""
    cells = [cell for row in rows[:2000] for cell in row if cell[:1].isdigit() and not _CAPABILITY.fullmatch(cell)]
    other = sum(_OTHER.fullmatch(cell) is not None for cell in cells)
    return other > sum(_ENGLISH.fullmatch(cell) is not None for cell in cells)


def _is_table(row: Sequence[str]) -> bool:
    """Whether a row is the head of a table of one of the three pages."""
    return len(row) > 2 and (any(name in row for name in ("Kernel Name", "Demangled Name")) or _is_source(row))


def _is_source(head: Sequence[str]) -> bool:
    return "Source" in head and any(name in head for name in ("Address", "#", *_LINE))


def _kernel_of(row: Mapping[str, str]) -> str:
    return next((row[name] for name in ("Kernel Name", "Demangled Name", "Function Name") if row.get(name)), "")


def _titled(title: str) -> tuple[str, str]:
    """The name and the unit of a column, "sectors [sector]" having both."""
    name, _, unit = title.partition(" [")
    return name, unit.rstrip("]")


def _shape(row: Mapping[str, str], what: str) -> Shape | None:
    """The block or the grid of a launch, "(32, 8, 1)"; None where it is not said in full."""
    numbers = re.findall(r"\d+", row.get(f"{what.capitalize()} Size", ""))
    if len(numbers) != 3:
        numbers = re.findall(r"\d+", " ".join(row.get(f"launch__{what}_dim_{axis}", "") for axis in "xyz"))
    if len(numbers) != 3 or any(len(one) > 10 or int(one) == 0 for one in numbers):
        return None
    x, y, z = map(int, numbers)
    return x, y, z
