"""What may stand at a place of an annotation or of a settings file: choices for what is being typed, and a card for what is there."""

from __future__ import annotations

from enum import Enum

from analysis_core.text.records import dataclass


class Kind(Enum):
    """What a choice is."""

    WORD, KEY, VALUE, VARIABLE, FUNCTION, RULE = range(6)


@dataclass(frozen=True, slots=True)
class Choice:
    """`text`: what is inserted, in place of the bytes from `start` to `end`.  `says`: what it means, as Markdown; `detail`: the same in a
    few words."""

    label: str
    kind: Kind
    start: int
    end: int
    text: str
    says: str = ""
    detail: str = ""
