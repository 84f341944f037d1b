"""What reading a translation unit pays for macros and for files that it includes again.

The account grows with the text: each file brings units along when it is opened first.  One invocation of a macro takes half of what is left
at most, and files included again leave the half for macros that all units have, so that what multiplies leaves enough for all else.
"""

from __future__ import annotations

from analysis_core.support.fuel import OF_TEXT, READING, Fuel
from analysis_core.syntax.lex.preprocessor_lines import FileLines
from analysis_core.text.records import dataclass

_INCLUDED, _PARTS = 10, 10
"""Units for including a file once more, and its runs and directives for one unit; besides, each of its tokens that counts takes one."""


@dataclass(frozen=True, slots=True)
class Spent:
    """`units` that a text took, of which one invocation took the `largest` part; `own`: those that it had when it was begun; `repeated`: files
    were included again."""

    units: int = 0
    largest: int = 0
    own: int = 0
    repeated: bool = False

    @property
    def crowded(self) -> bool:
        """Whether it took so much that other functions beside it may find too little."""
        return self.units > self.own // 2

    def after(self, longer: int) -> Spent:
        """What the same tokens take of a text that is longer by so many bytes."""
        return Spent(self.units, self.largest, self.own + OF_TEXT * longer, self.repeated)

    def is_as_part(self, shorter: int) -> bool:
        """Whether what was read is read the same beside all else of a text that is not crowded.  `shorter`: bytes that this text has lost
        since: with its own units, half of what that one had is left, which is enough for the largest part and for files included again."""
        least = 2 * self.largest + self.units + OF_TEXT * shorter // 2 + (READING // 2 if self.repeated else 0)
        return least <= self.own // 2


class Account:
    """The account of one unit, which has `units` before anything is opened."""

    def __init__(self, units: int) -> None:
        self.fuel = Fuel.of(units)
        self._units = self._granted = units
        self._own = self._largest = 0
        self._repeated = False

    def opened(self, size: int) -> None:
        """Grants what a file of so many bytes brings along."""
        self._granted += OF_TEXT * size
        self._own = self._own or self._granted
        self.fuel.grant(OF_TEXT * size)

    def pays(self, units: int) -> None:
        """Pays for the expansion of an invocation, whether the account lasts or not."""
        self._largest = max(self._largest, units)
        self.fuel.left -= units

    def pays_again(self, file: FileLines) -> bool:
        """Pays for opening a file that was read before; False if too much was read more than once."""
        self._repeated = True
        if self.fuel.left < self._units // 2:
            return False
        self.fuel.left -= _INCLUDED + len(file.parts) // _PARTS
        return True

    @property
    def spent(self) -> Spent:
        return Spent(self._granted - self.fuel.left, self._largest, self._own, self._repeated)
