"""What reading a translation unit pays for macros and for files that it includes again.

The account grows with the text: each file brings units along when it is opened first.  One invocation of a macro takes half of what is left
at most, and files included again leave the half for macros that all units have, so that what multiplies leaves enough for all else.
"""

from __future__ import annotations

from analysis_core.support.fuel import OF_TEXT, READING, Fuel
from analysis_core.syntax.lex.preprocessor_lines import FileLines
from analysis_core.text.records import dataclass

_ENOUGH = 0.5
"""Of the units that all texts have: an invocation that takes a third of this finds it wherever it stands."""

_INCLUDED, _PARTS = 10, 10
"""Units for including a file once more, and its runs and directives for one unit; besides, each of its tokens that counts takes one."""


@dataclass(frozen=True, slots=True)
class Spent:
    """`units` that a text took; `crowded`: so little was left at some time that other functions beside it may find nothing."""

    units: int = 0
    crowded: bool = False

    def is_as_part(self, shorter: int) -> bool:
        """Whether what was read is read the same beside all else of a text that is not crowded.  `shorter`: bytes that this text has lost
        since."""
        return not self.crowded and 3 * self.units + OF_TEXT * shorter <= _ENOUGH * READING


class Account:
    """The account of one unit, which has `units` before anything is opened."""

    def __init__(self, units: int) -> None:
        self.fuel = Fuel.of(units)
        self._units = self._granted = self._fewest = units

    def opened(self, size: int) -> None:
        """Grants what a file of so many bytes brings along."""
        self._fewest = min(self._fewest, self.fuel.left)
        self._granted += OF_TEXT * size
        self.fuel.grant(OF_TEXT * size)

    def pays_again(self, file: FileLines) -> bool:
        """Pays for opening a file that was read before; False if too much was read more than once."""
        if self.fuel.left < self._units // 2:
            return False
        self.fuel.left -= _INCLUDED + len(file.parts) // _PARTS
        return True

    @property
    def spent(self) -> Spent:
        fewest = min(self._fewest, self.fuel.left)
        return Spent(self._granted - self.fuel.left, fewest < _ENOUGH * self._units)
