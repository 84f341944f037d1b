"""Writes the gates of all rules into docs/levels.md, as the code has them.

    python tools/gates_table.py

A rule asks its gates in the order of the table; `explain --why` prints their answers.  tests/test_papers.py fails where the
page differs from the code.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from analysis_core.report.checks import (  # noqa: E402
    atomic_contention,
    bank_conflict,
    divergent_branch,
    divergent_loop,
    local_memory,
    misaligned_access,
    narrow_requests,
    redundant_loads,
    uncoalesced_access,
)
from analysis_core.report.findings.gates import Gate  # noqa: E402

PAGE = ROOT / "docs" / "levels.md"
BEGIN, END = "## Gates, rule by rule\n", "## The numbers\n"
HEAD = """
What each rule asks of a loss, in order. It begins at the rule's loudest level; where the answer is yes, it is reported at this level at most, or not at all.
`warpcost explain FILE --why LINE` prints the answers for the accesses and branches of a line. (`python tools/gates_table.py` writes these tables.)
"""


TABLES = {
    "WC101": (uncoalesced_access, ("SITES", "GROUPS", "WHOLE")),
    "WC102": (misaligned_access, ("SITES",)),
    "WC103": (local_memory, ("SITES",)),
    "WC104": (narrow_requests, ("SITES",)),
    "WC105": (redundant_loads, ("SITES",)),
    "WC201": (bank_conflict, ("SITES", "GROUPS")),
    "WC202": (atomic_contention, ("SITES",)),
    "WC301": (divergent_branch, ("SPLITS", "LOSSES")),
    "WC302": (divergent_loop, ("WAYS", "LOSSES")),
}
"""By rule, where its tables of gates are, in the order in which they are asked."""


def row(gate: Gate[Any]) -> str:
    """One line of a table."""
    level = "silent" if gate.at_most is None else gate.at_most.value
    only = "" if gate.only_at is None else f" instead of {gate.only_at.value}"
    text = gate.asks.replace("|", "\\|")
    return f"| {gate.name} | {text} | {gate.evidence.name.lower()} | {level}{only} |"


def tables() -> str:
    """The section of the page."""
    lines = [BEGIN.rstrip(), HEAD.rstrip()]
    for code, (module, names) in TABLES.items():
        lines += [
            "",
            f"### {code}",
            "",
            "| gate | holds where | founded on | reported at most as |",
            "|---|---|---|---|",
        ]
        lines += [row(gate) for name in names for gate in getattr(module, name)]
    return "\n".join(lines) + "\n\n"


def written(page: str) -> str:
    """The page with the section as the code has it."""
    before, _, rest = page.partition(BEGIN if BEGIN in page else END)
    after = rest.partition(END)[2] if BEGIN in page else rest
    return before + tables() + END + after


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
