"""The trace: what the interpreter executed, as a tree of one block's events (from which cost programs are made).

    Node = Accessed | Branched | Stepped | Barred | Awaited | Chosen | Looped

Exact rounds of loops are spelled out; a summarised loop is one `Looped` with the events of its round k.  Accesses and
branches are indices into `Events`, because later statements may still add to what an event says.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping

from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import BoolVector, IntVector
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.domains.thread_value import Value
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.loop_tests import Movers
from analysis_core.interp.core.trips import LoopTest
from analysis_core.ir.nodes import BarrierScope, Loop, VarId
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Accessed:
    index: int


@dataclass(frozen=True, slots=True)
class Branched:
    index: int


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Threads of one number in `groups` wait for each other, those of a negative one for nobody. `split`: those of whose group some may come
    without others. `count`: of a barrier with a number, which `groups` is, how many threads it waits for; of an object, when it is made.
    `object`: its address; `step`: as in the IR; `token`: a key for it; of stages, how many."""

    groups: IntVector
    split: BoolVector
    count: IntVector | None = None
    object: Hashable = None
    step: str = "sync"
    token: Hashable = None


@dataclass(frozen=True, slots=True, eq=False)
class Barred:
    """A barrier: the threads of a block (or a part of it, or the grid) wait for each other. `mask`: the threads that come;
    `whole`: all of the block that have not left the kernel come together, or none. `part`: who waits for whom in a part of the block, None if
    that is not known."""

    scope: BarrierScope
    span: Span
    mask: Mask
    whole: bool
    part: Part | None = None


UNCOUNTED = -2
"""How many groups are left where that is not known, or there is none to wait for: then none is counted in the whole kernel."""


@dataclass(frozen=True, slots=True, eq=False)
class Awaited:
    """What the threads of `mask` have deferred is a group from here on (`left` is None), or done but for the last `left` groups; or an `object`, by its
    address, waits for it."""

    mask: Mask
    left: int | None = None
    object: Hashable = None


Ranges = tuple[tuple[str, int, int], ...]
"""Operations with the least and the most of each, as in `ir/operations.py`."""


@dataclass(frozen=True, slots=True, eq=False)
class Stepped:
    """Abstract steps of some statements that the threads of `mask` execute one after the other: `most` where parts of their
    expressions are evaluated that need not be.  `operations`: of those that the settings ask for (ir/operations.py)."""

    mask: Mask
    least: int
    most: int
    operations: Ranges = ()

    def and_then(self, other: Stepped, sign: int = 1) -> Stepped:
        """Both together, of one mask; or the first without the second."""
        operations = self.operations
        if other.operations:
            found = {name: (low, high) for name, low, high in operations}
            for name, low, high in other.operations:
                least, most = found.get(name, (0, 0))
                found[name] = least + sign * low, most + sign * high
            operations = tuple((name, *both) for name, both in found.items() if any(both))
        return Stepped(self.mask, self.least + sign * other.least, self.most + sign * other.most, operations)


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The arms of a branch, each with the mask of the threads that enter it.  `branch`: its event, None if there is none."""

    branch: int | None
    before: Mask
    entries: tuple[Mask, ...]
    arms: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Looped:
    """The rounds of a summarised loop, as one node. `before`: the threads that enter it; `staying`: those that make
    round k; `test` runs once more than the rounds do, and so do the first `lead` nodes of `body`.

    `loop` starts at a test, with the values `entry`; `levels`: how uniform the variables that it changes are, anywhere
    in it. `counter`: the symbol of k; `trips`: an upper expression. `tests`: what ends the loop, read over k; `sole`:
    one of them is the whole of the loop's condition. `leaves`: threads may leave in another way; `all`: the tests by
    which all of them leave, those in the first `lead` nodes included (none: not known); `passed`: the threads that
    pass these in round k. `branch`: the test's event; `movers`: the symbols for functions of k.
    `clock`: symbols younger than this were made in the loop; `leaving`: how uniformly threads leave."""

    span: Span
    counter: Symbol
    before: Mask
    staying: Mask
    tests: tuple[LoopTest, ...]
    sole: LoopTest | None
    trips: Expression
    leaves: bool
    branch: int | None
    test: tuple[Node, ...]
    body: tuple[Node, ...]
    lead: int
    loop: Loop
    entry: Mapping[VarId, Value]
    levels: Mapping[VarId, Level]
    movers: Movers
    all: tuple[LoopTest, ...] = ()
    passed: Mask | None = None
    clock: int = 0
    leaving: Level = Level.LANE


Node = Accessed | Branched | Stepped | Barred | Awaited | Chosen | Looped


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """All nodes at any depth, in no order."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        match node:
            case Chosen(arms=arms):
                for arm in arms:
                    pending += arm
            case Looped(test=test, body=body):
                pending += [*test, *body]
            case _:
                pass


def depth(nodes: tuple[Node, ...]) -> int:
    """How deep the trace is nested; 0 for straight-line code."""
    deepest, pending = 0, [(nodes, 0)]
    while pending:
        block, level = pending.pop()
        deepest = max(deepest, level)
        for node in block:
            match node:
                case Chosen(arms=arms):
                    pending.extend((arm, level + 1) for arm in arms)
                case Looped(test=test, body=body):
                    pending += [(test, level + 1), (body, level + 1)]
                case _:
                    pass
    return deepest
