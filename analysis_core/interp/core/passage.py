"""Passages as data: the way through one plain loop, what it asked for and what it left (made and used by passages.py)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Mask
from analysis_core.domains.symbol import Symbol
from analysis_core.domains.thread_value import Value
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Executed
from analysis_core.interp.core.roots import Root
from analysis_core.interp.core.state import Environment
from analysis_core.interp.core.trace import Node
from analysis_core.ir.nodes import Loop
from analysis_core.support.facts import Assumption
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """The state before a plain loop, as far as the loop can depend on it, with the number of everything that existed.
    `text`: what the kernel says about the loop outside of it (`_text`). `values`: those of the variables that the loop
    refers to, and of all cells."""

    text: Hashable
    mask: Mask
    times: Expression
    values: Mapping[Hashable, Value | None]
    assumptions: tuple[str, ...]
    epoch: int
    symbols: int
    exact_left: int
    events: tuple[int, int, int, int]
    tables: tuple[int, int, int, int]
    others: tuple[object, ...]
    asked: tuple[int, int]
    last: Node | None


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """What a loop left that was entered in the state `before`. `read`, `recalled`: the answers of side tables, None
    where they had none. `symbols`: how many symbols there were at its end."""

    loop: Loop
    before: Before
    read: Mapping[Hashable, tuple[Value, ...] | None]
    recalled: Mapping[Hashable, Symbol | None]
    loads: Mapping[Hashable, tuple[Value, ...]]
    remembered: Mapping[Hashable, Symbol]
    derivations: Mapping[Symbol, Derivation]
    bases: Mapping[Symbol, Root]
    env: Environment
    accesses: tuple[AccessEvent, ...]
    branches: tuple[BranchEvent, ...]
    executed: tuple[Executed, ...]
    nodes: tuple[Node, ...]
    assumptions: tuple[Assumption, ...]
    symbols: int
    spent: int


Known = Mapping[Span, Sequence[Passage | None]]
"""Passages by the text of the loop."""


@dataclass(slots=True)
class Passages:
    """The passages of one interpretation, by the loop's text, in the order in which the loop was met. `earlier`: those
    of the interpretation before, whose summarised loops had counters with these `numbers`. `texts`: see `_text`.
    `around`: what was applied before the loop that is being run through (`Run.applied`)."""

    earlier: Known
    numbers: Mapping[Span, int] = field(default_factory=dict)
    made: dict[Span, list[Passage | None]] = field(default_factory=dict)
    texts: dict[int, Hashable] = field(default_factory=dict)
    around: dict[tuple[int, ...], tuple[Value, object]] | None = None

    def known(self, loop: Loop) -> Passage | None:
        """What the earlier interpretation left when it met the loop as often as this one has now."""
        earlier, met = self.earlier.get(loop.whole, ()), len(self.made[loop.whole])
        return earlier[met] if met < len(earlier) else None
