"""Published costs beside simulated ones, every row: `python tests/bench/published_totals.py [KERNEL...] [--quick]`.

Columns: warp 0 as simulated in the paper and here; the launch's total as profiled on a GPU and as simulated here, with the
difference; `~` marks totals that are scaled up from some blocks of the grid.  `--quick` leaves out launches of more than a few
seconds.  A row whose warp 0 or total differs ends with `<`.

Known differences: profiled totals of sizes that are no multiples of a sector are up to 2% below (8% for the matrix products, whose
profiled launch is not known in all detail); the paper's steps of reduce3 count the right side of `s[t] = sum = ...` twice.
"""

from __future__ import annotations

import sys
from math import prod
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.simulate.published import NOT_SIMULATED, Row, Simulated, rows, simulated

_QUICK = {"matrix": 400, "vector": 1 << 20, "syn-br": 1000, "addSub": 1 << 17, "reduce": 1 << 20}
"""The greatest product of the sizes with `--quick`, by the first letters of the kernel."""


def main(arguments: list[str]) -> int:
    """Prints the table; returns 0."""
    quick = "--quick" in arguments
    wanted = [word for word in arguments if not word.startswith("--")]
    known: dict[tuple[str, tuple[tuple[str, int], ...]], Simulated | None] = {}
    print(f"{'kernel':<20}{'metric':<12}{'sizes':<28}{'warp 0':>10}{'here':>10}{'profiled':>13}{'here':>14}{'diff':>9}")
    equal = differing = 0
    for row in rows():
        if wanted and row.kernel not in wanted:
            continue
        if row.kernel in NOT_SIMULATED:
            print(f"{_head(row)}{_text(row.warp0):>10}{'-':>10}{_text(row.total):>13}  {NOT_SIMULATED[row.kernel]}")
            continue
        key = (row.kernel, row.parameters)
        if key not in known:
            large = prod(value for _, value in row.parameters) > _QUICK[row.kernel[:6]]
            known[key] = None if quick and large else simulated(row.kernel, dict(row.parameters))
        found = known[key]
        if found is None:
            print(f"{_head(row)}{_text(row.warp0):>10}{'-':>10}{_text(row.total):>13}  left out (--quick)")
            continue
        line, same = _compared(row, found)
        equal, differing = equal + same, differing + (not same)
        print(line, flush=True)
    print(f"{equal} rows equal, {differing} differ")
    return 0


def _head(row: Row) -> str:
    sizes = " ".join(f"{name}={value}" for name, value in row.parameters)
    return f"{row.kernel:<20}{row.metric:<12}{sizes:<28}"


def _text(number: int | None) -> str:
    return "-" if number is None else str(number)


def _compared(row: Row, found: Simulated) -> tuple[str, bool]:
    warp0, total = found.warp0[row.metric], found.total[row.metric]
    same = row.warp0 in (None, warp0) and (row.total is None or row.total == total)
    difference = "-" if row.total is None else f"{(total - row.total) / max(1, row.total):+.2%}"
    shown = f"{'~' if found.scaled else ''}{total:.0f}"
    line = f"{_head(row)}{_text(row.warp0):>10}{warp0:>10}{_text(row.total):>13}{shown:>14}{difference:>9}"
    return line + ("" if same else " <"), same


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
