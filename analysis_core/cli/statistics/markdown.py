"""The statistics as Markdown, for a report or the summary of a CI job; made of the JSON form, so that both say the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MOST_ROWS = 10


def markdown(told: Mapping[str, Any]) -> list[str]:
    """The lines of the page; `told`: the statistics as JSON has them."""
    failures = told["failures"]
    return [
        f"# warpcost: {told['kernels']} kernels in {told['files']} files",
        "",
        f"{told['lines']:,} lines, {told['launches']} launch configurations, "
        f"{told['not_analysed']['kernels']} kernels with something not analysed, {len(failures)} internal errors.",
        *_findings(told),
        *_accesses(told),
        *_section("Branches", ("class", "number"), told["branches"].items()),
        *_bounds(told["bounds"]),
        *_resources(told),
        *_section(
            "Not known, by kernels",
            ("kind", "reason", "kernels"),
            ((row["kind"], row["reason"], row["kernels"]) for row in told["causes"][:MOST_ROWS]),
        ),
        *_section("Internal errors", ("error",), ((failure,) for failure in failures)),
    ]


def _findings(told: Mapping[str, Any]) -> list[str]:
    rows = ((code, f["count"], f"{f['per_1000_lines']:.2f}") for code, f in told["findings"].items())
    return _section("Findings", ("rule", "number", "per 1,000 lines"), rows)


def _accesses(told: Mapping[str, Any]) -> list[str]:
    total, direct = sum(told["accesses"].values()), told["direct"]
    rows = [(name, count, _share(count, total)) for name, count in told["accesses"].items()]
    lines = _section("Accesses", ("class", "number", "share"), rows)
    if direct["all"]:
        lines += [
            "",
            f"Of the {direct['all']} whose index does not come from memory, {_share(direct['known'], direct['all'])} have no "
            f"unknown in the address, {_share(direct['settled'], direct['all'])} have worst = best or a residue case.",
        ]
    unknowns = list(told["unknowns"].items())[:MOST_ROWS]
    return lines + _section("Unknown in the address", ("reason", "accesses"), unknowns)


def _bounds(bounds: Mapping[str, Any]) -> list[str]:
    rows = [
        (name, m["cells"], _share(m["found"], m["cells"]), _share(m["exact"], m["cells"]))
        for name, m in bounds["metrics"].items()
    ]
    lines = _section("Bounds", ("metric", "sought", "found", "exact"), rows)
    withheld = list(bounds["withheld"].items())[:MOST_ROWS]
    return lines + _section("Bounds withheld", ("reason", "bounds"), withheld)


def _resources(told: Mapping[str, Any]) -> list[str]:
    named = (("ms per kernel", told["kernel_ms"]), ("MB per file", told["file_megabytes"]))
    rows = [(name, *(f"{value:.1f}" for value in found.values())) for name, found in named if found is not None]
    lines = _section("Time and memory", ("", "median", "p90", "p95", "p99", "max"), rows)
    slow = ((row["kernel"], row["path"], f"{row['ms']:.0f}") for row in told["slowest"])
    return lines + _section("Slowest kernels", ("kernel", "file", "ms"), slow)


def _section(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A heading and a table, padded; nothing without rows.  Columns of numbers stand to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        return []
    widths = [max(len(row[i]) for row in (head, *cells)) for i in range(len(head))]
    right = [all(row[i][:1].isdigit() for row in cells) for i in range(len(head))]
    rule = [f"{'-' * (width - 1)}:" if is_right else "-" * width for width, is_right in zip(widths, right, strict=True)]
    return ["", f"## {title}", "", *(_row(row, widths, right) for row in (list(head), rule, *cells))]


def _row(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        text.rjust(width) if is_right else text.ljust(width)
        for text, width, is_right in zip(row, widths, right, strict=True)
    )
    return f"| {' | '.join(padded)} |"


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "0"
