"""Where the preprocessor stands in the files that are open, and what it goes back to."""

from __future__ import annotations

from analysis_core.syntax.lex.assumed_macros import OpenConditional
from analysis_core.syntax.lex.macros import Macro
from analysis_core.syntax.lex.preprocessor_lines import FileLines
from analysis_core.text.records import dataclass


class Frame:
    """An open file: the next part, the next token of that part, and the conditionals open in it.  `again`: it was read before."""

    __slots__ = ("again", "conditionals", "file", "part", "path", "token")

    def __init__(self, path: str, file: FileLines, again: bool) -> None:
        self.path = path
        self.file = file
        self.again = again
        self.part = 0
        self.token = 0
        self.conditionals: list[OpenConditional] = []

    @property
    def active(self) -> bool:
        return not self.conditionals or self.conditionals[-1].active

    def copy(self) -> Frame:
        made = Frame(self.path, self.file, self.again)
        made.part, made.token = self.part, self.token
        made.conditionals = [conditional.copy() for conditional in self.conditionals]
        return made


@dataclass(frozen=True, slots=True)
class Snapshot:
    frames: list[Frame]
    macros: dict[str, Macro]
    once: set[str]
    counter: int
    problems: int
    inactive: int
    conditionals: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the text; `crossed` directives had been met in the current expansion before it."""

    part: int
    token: int
    crossed: int
    snapshot: Snapshot | None
