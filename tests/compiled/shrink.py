"""The smallest kernel that breaks a claim of the same kind."""

from __future__ import annotations

from pathlib import Path

from tests.compiled.examine import kinds_broken
from tests.compiled.tree import smaller
from tests.compiled.unit import Unit


def shrunk(unit: Unit, kind: str, folder: Path, tries: int = 300) -> Unit:
    """Statements are left out, and blocks opened, as long as the claim stays broken."""
    found = True
    while found:
        found = False
        for nodes in smaller(unit.nodes):
            tries -= 1
            if tries < 0:
                return unit
            candidate = unit.with_nodes(nodes)
            if kind in kinds_broken(candidate, folder):
                unit, found = candidate, True
                break
    return unit
