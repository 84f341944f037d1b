"""Puts what 30 kernels waste, as written down by hand, beside what is told of them now: recall.

    warpcost check --no-config --format json CORPUS... > found.json
    python tests/bench/compare_kernels.py found.json

Per wasteful place of `judged_kernels.tsv`: `finding` (a finding of its kind stands on its line), `together` (a finding of its kind
and kernel names the line as alike or as that of the call, or its array), else `figure`; of a kernel that wastes nothing `quiet`, or `finding`.  Prints the
counts beside those of the table's column `now`, and every place that differs.  A statement of several lines may stand on another
of them: what is told with the worst access of its statement counts as `together` here.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

TABLES = tuple(Path(__file__).with_name(name) for name in ("judged_kernels.tsv", "judged_more_kernels.tsv"))

FAMILY = {"conflict": "WC2", "split": "WC3", "loop": "WC3", "none": "WC"}
"""First letters of the rules that tell of a kind; all other kinds are of sectors."""

BESIDE = ("alike", "called from here")
"""How notes begin whose places a finding is about as well."""

TOLD = frozenset({"finding", "statement", "together"})


def findings_by_kernel(report: dict[str, Any]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Findings by file and name of the kernel; what was left out, and suppressions, are none."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for file in report["files"]:
        for kernel in file["kernels"]:
            found[file["path"], kernel["name"]] += [f for f in kernel["findings"] if not f["code"].startswith("WC9")]
    return found


def status(row: dict[str, str], findings: list[dict[str, Any]]) -> str:
    """What is told of the place of the row by these findings of its kernel."""
    family = FAMILY.get(row["kind"].split()[0], "WC1")
    fitting = [f for f in findings if f["code"].startswith(family)]
    if row["kind"] == "none":
        return "finding" if fitting else "quiet"
    line = int(row["line"])
    if any(f["line"] == line for f in fitting):
        return "finding"
    array = re.split(r"[\[.-]", row["place"])[0]
    alike = {note.get("line") for f in fitting for note in f["notes"] if note["message"].startswith(BESIDE)}
    named = any(re.search(rf"access(es)? of [^%]*`{re.escape(array)}\b", f["message"]) for f in fitting)
    return "together" if line in alike or named else "figure"


def main() -> int:
    """Prints the comparison; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    found = findings_by_kernel(json.loads(parser.parse_args().report.read_text()))
    for table in TABLES:
        with table.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        then: Counter[str] = Counter()
        now: Counter[str] = Counter()
        for row in rows:
            place = f"/{row['corpus']}/{row['path']}"
            told = [
                f for (path, name), fs in found.items() if path.endswith(place) and name == row["kernel"] for f in fs
            ]
            was, is_now = row["now"], status(row, told)
            then[was] += 1
            now[is_now] += 1
            if (was in TOLD) != (is_now in TOLD):
                print(
                    *(row[n] for n in ("path", "kernel", "line", "place", "kind", "judged")),
                    f"{was} -> {is_now}",
                    sep="\t",
                )
        print(f"{table.name}: {len(rows)} rows, in the table {dict(then)}, now {dict(now)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
