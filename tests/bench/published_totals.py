"""Published costs beside simulated ones, every row: `python -m tests.bench.published_totals [KERNEL...]`.

Columns: warp 0 as simulated in the paper and here; the launch's total as profiled on a GPU and as simulated here, with the
difference; how many of the launch's blocks were run: the rest cost the same as some of them (tests/simulate/published.py says
why, and the run checks three blocks of each class).  A row whose warp 0 or total differs ends with `<`.  Without names the
table goes to `published_totals.tsv`.

Known differences: profiled totals of sizes that are no multiples of a sector are up to 6% below (10% for the matrix products, whose
profiled launch is not known in all detail), those of addSub0 and addSub1, whose lanes read far apart, up to 3%; the paper's steps of
reduce3 count the right side of `s[t] = sum = ...` twice; our rendition of matrixMulBad is 12 steps cheaper, those of syn-brdis take
2 steps more outside of their loops.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.simulate.published import NOT_SIMULATED, Row, Simulated, rows, simulated

TABLE = Path(__file__).with_name("published_totals.tsv")
HEAD = "kernel\tmetric\tsizes\twarp 0\there\tprofiled\there\tdifference\tblocks run"


def main(wanted: list[str]) -> int:
    """Prints the table; returns 0."""
    known: dict[tuple[str, tuple[tuple[str, int], ...]], Simulated] = {}
    lines, equal, differing = [HEAD], 0, 0
    print(HEAD)
    for row in rows():
        if wanted and row.kernel not in wanted:
            continue
        if row.kernel in NOT_SIMULATED:
            columns = [*_head(row), _text(row.warp0), "-", _text(row.total), "-", "-", NOT_SIMULATED[row.kernel]]
        else:
            key = (row.kernel, row.parameters)
            if key not in known:
                known[key] = simulated(row.kernel, dict(row.parameters))
            columns, same = _compared(row, known[key])
            equal, differing = equal + same, differing + (not same)
        lines.append("\t".join(columns))
        print(lines[-1], flush=True)
    print(f"{equal} rows equal, {differing} differ")
    if not wanted:
        TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _head(row: Row) -> tuple[str, str, str]:
    return row.kernel, row.metric, " ".join(f"{name}={value}" for name, value in row.parameters)


def _text(number: int | None) -> str:
    return "-" if number is None else str(number)


def _compared(row: Row, found: Simulated) -> tuple[list[str], bool]:
    warp0, total = found.warp0[row.metric], found.total[row.metric]
    same = row.warp0 in (None, warp0) and row.total in (None, total)
    difference = "-" if row.total is None else f"{(total - row.total) / max(1, row.total):+.2%}"
    ran = f"{found.run} of {found.blocks}" + ("" if same else " <")
    columns = [*_head(row), _text(row.warp0), str(warp0), _text(row.total), str(total), difference, ran]
    return columns, same


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
