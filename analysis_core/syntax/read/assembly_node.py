"""What a statement of inline assembly says, beside its operands."""

from __future__ import annotations

from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class AssemblyText:
    """`asm("text" : "=r"(x) : [n] "r"(y));`: `constraints` and `names` ("" without one) are those of the operands in order."""

    text: str
    constraints: tuple[str, ...]
    names: tuple[str, ...]
