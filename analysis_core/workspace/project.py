"""What is known of a project: which file includes which.  How that is found out is told in scan.py; whoever only asks need not load it."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.syntax.units import includers_of, includes_of, tops_of
from analysis_core.text.records import dataclass

__all__ = ["Folders", "Scan", "includers_of", "includes_of", "tops_of"]


@dataclass(frozen=True, slots=True)
class Folders:
    """What to look through: `deep` with all that is below, `flat` without."""

    deep: tuple[str, ...]
    flat: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scan:
    """For each file (by path) the paths that its includes may name.  `include_paths`: where the project looks for includes, as it says or
    as its headers lie;
    `missed`: how many files more limits left out, at least."""

    includes: Mapping[str, tuple[str, ...]]
    include_paths: tuple[str, ...] = ()
    missed: int = 0

    @property
    def left_out(self) -> str | None:
        """What limits left out, said to the user; None if nothing was."""
        if not self.missed:
            return None
        return (
            f"{len(self.includes)} of {len(self.includes) + self.missed} source files of the workspace were looked at for launches; "
            "`exclude` in warpcost.toml or .gitignore leaves folders out"
        )
