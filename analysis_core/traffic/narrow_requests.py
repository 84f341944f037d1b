"""Neighbouring elements that a thread moves one by one though one request could move 8 or 16 bytes of them.

    out[4 * i] = a;  out[4 * i + 1] = b;  out[4 * i + 2] = c;  out[4 * i + 3] = d;

Elements behind a `float *` compilers never join, as nobody tells them where they begin (joined_requests.py).  Here it is known: modulo 16 bytes, for all
threads, or but for sizes that would have to be multiples (`assumed`).  Only executions of one stretch of straight-line code are looked at, made by the same
threads as often as each other, with nothing between them that may be to their array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from analysis_core.domains.congruence import known_residue
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import some_nonzero
from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.interp.core.trace import Accessed, Branched, Chosen, Looped, Node
from analysis_core.ir.nodes import AccessId, Kernel, LoopKind
from analysis_core.ir.straight_lines import StraightLines, straight_lines
from analysis_core.ir.types import Space
from analysis_core.text.records import dataclass
from analysis_core.traffic.addresses import split_address
from analysis_core.traffic.compiled_memory import Member, members_of

_WIDE = (16, 8)
"""Bytes that one request of a lane may move, from a multiple of as many."""

_MOST_EXECUTIONS = 4096


@dataclass(frozen=True, slots=True)
class Narrow:
    """`accesses`: by number; in each stretch of code they make `requests` of `width` bytes where `wide` would do.  `assumed`: the sizes that have to be
    such multiples that elements begin at a multiple of 16 bytes; none where that is known."""

    accesses: tuple[int, ...]
    width: int
    requests: int
    wide: int
    assumed: tuple[str, ...]


def narrow_requests(kernel: Kernel, events: Events, groups: Sequence[Sequence[AccessEvent]]) -> tuple[Narrow, ...]:
    """In the order of their first accesses.  `groups`: the executions of each access."""
    if len(events.accesses) > _MOST_EXECUTIONS:
        return ()
    members = dict(members_of(kernel))
    asked = [event for event in events.accesses if _is_asked(event, members)]
    if max(Counter((e.kind, e.base, e.access.width) for e in asked).values(), default=0) < 2:
        return ()
    numbers = {id(event): number for number, group in enumerate(groups) for event in group}
    found: dict[tuple[int, ...], Narrow] = {}
    for run in _Runs(events, straight_lines(kernel)).all():
        for group in _groups(run, members):
            for one in _joined(group, numbers):
                before = found.get(one.accesses)
                if before is None or (one.wide * before.requests, len(one.assumed)) > (
                    before.wide * one.requests,
                    len(before.assumed),
                ):
                    found[one.accesses] = one  # the least that is gained
    return tuple(found[key] for key in sorted(found))


def _is_asked(event: AccessEvent, members: Mapping[AccessId, Member]) -> bool:
    access = event.access
    if (
        event.space is not Space.GLOBAL
        or event.kind is AccessKind.ATOMIC
        or access.volatile
        or access.deferred
        or access.merges
    ):
        return False
    member = members.get(access.id)
    return access.width in (1, 2, 4, 8) and not event.own and (member is None or member.record.align <= access.width)


class _Runs:
    """The executions of each stretch of straight-line code, in order."""

    def __init__(self, events: Events, lines: StraightLines) -> None:
        self.events, self.lines = events, lines
        self.run: list[AccessEvent] = []
        self.done: list[list[AccessEvent]] = []
        self.stretch: int | None = None

    def all(self) -> list[list[AccessEvent]]:
        self._walk(self.events.trace)
        self._end()
        return self.done

    def _end(self) -> None:
        if len(self.run) > 1:
            self.done.append(self.run)
        self.run = []

    def _walk(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            match node:
                case Accessed(index=index):
                    event = self.events.accesses[index]
                    stretch = self.lines.stretches.get(event.access.id)
                    if stretch is None or stretch != self.stretch:
                        self._end()
                    self.stretch = stretch
                    self.run.append(event)
                case Branched(index=index):
                    branch = self.events.branches[index]
                    if not isinstance(branch.kind, LoopKind) or branch.whole not in self.lines.unrolled:
                        self._end()
                case Chosen(arms=arms):
                    for arm in arms:
                        self._end()
                        self._walk(arm)
                    self._end()
                case Looped(test=test, body=body):
                    for part in (test, body):
                        self._end()
                        self._walk(part)
                    self._end()
                case _:
                    pass


def _groups(run: Iterable[AccessEvent], members: Mapping[AccessId, Member]) -> Iterator[dict[int, AccessEvent]]:
    """Executions that are alike but for a constant distance, by that; what may be to their array, and is otherwise, ends them."""
    open_: dict[Hashable, dict[int, AccessEvent]] = {}
    for event in run:
        others = [key for key, group in open_.items() if _parts(event, next(iter(group.values())))]
        yield from (open_.pop(key) for key in others)
        if _is_asked(event, members):
            rest, offset = split_address(event)
            key = (event.kind, event.base, rest, event.mask.content, event.times, event.access.width)
            open_.setdefault(key, {}).setdefault(offset, event)
    yield from open_.values()


def _parts(event: AccessEvent, other: AccessEvent) -> bool:
    return (
        event.base in (other.base, "?")
        and (event.kind is not AccessKind.READ or other.kind is not AccessKind.READ)
        and event.kind is not other.kind
    )


def _joined(group: Mapping[int, AccessEvent], numbers: Mapping[int, int]) -> Iterator[Narrow]:
    """The chains of neighbours in a group, where fewer requests would do."""
    chains: list[list[int]] = []
    width = next(iter(group.values())).access.width
    for offset in sorted(group):
        if chains and offset == chains[-1][-1] + width:
            chains[-1].append(offset)
        else:
            chains.append([offset])
    for chain in (chain for chain in chains if len(chain) > 1):
        known = _start(group[chain[0]])
        if known is None:
            continue
        start, assumed = known
        wide = _wide(start, width, len(chain))
        places = tuple(sorted({numbers[id(group[offset])] for offset in chain}))
        if wide < len(chain):
            yield Narrow(places, width, len(chain), wide, assumed)


def _wide(start: int, width: int, count: int) -> int:
    """The requests that move so many elements, the first of them so many bytes behind a multiple of 16."""
    made, at, end = 0, start, start + width * count
    while at < end:
        at += next((wide for wide in _WIDE if wide > width and at % wide == 0 and at + wide <= end), width)
        made += 1
    return made


def _start(event: AccessEvent) -> tuple[int, tuple[str, ...]] | None:
    """The address modulo 16, and the sizes that it takes for 0 modulo 16 in it; None where lanes, rounds or memory decide."""
    grain = _WIDE[0]
    kept, assumed = {}, dict[str, None]()
    for monomial, coefficient in event.address.poly.terms.items():
        if (
            monomial
            and known_residue(Poly({monomial: coefficient}), grain) is None
            and not _is_multiple(coefficient, grain)
        ):
            sizes = [symbol for symbol in monomial if symbol.kind is SymbolKind.PARAMETER]
            if not sizes or event.address.bits is not None:
                return None
            assumed[sizes[0].name] = None
        elif not _is_multiple(coefficient, grain) or not monomial:
            kept[monomial] = coefficient
    residue = known_residue(Poly(kept), grain)
    if residue is None:
        return None
    if isinstance(residue, int):
        return residue % grain, tuple(assumed)
    lanes = {int(one) for one in residue[event.mask.may] % grain}
    return (lanes.pop(), tuple(assumed)) if len(lanes) == 1 else None


def _is_multiple(coefficient: Coefficient, grain: int) -> bool:
    return coefficient % grain == 0 if isinstance(coefficient, int) else not some_nonzero(coefficient % grain)
