"""What a thread's own arrays move where they cannot be registers.

    int shade[16];  ..  out[3 * i] = shade[which[i]];

Registers have no addresses: an array with one index that is not known when the code is compiled lies in local memory, as a whole, and
each of its elements that is stored or loaded is a request of the same sectors as others make (docs/hardware.md).  Bounds and hovers speak of
global and shared memory; but what is a part of a kernel's traffic is so beside this traffic too.

Hardware lays the words of the lanes beside each other: where all take the same element, a request is as good as a coalesced one.  Where
memory says which elements they take, eight lanes share each sector by chance.  A table that is filled with constants only is none of
these: compilers keep it once, for all threads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.layout import size_of
from analysis_core.ir.loop_info import LoopInfo
from analysis_core.ir.nodes import (
    AccessId,
    AddressOf,
    Assign,
    Const,
    Expr,
    Kernel,
    Load,
    Local,
    Loop,
    MemoryObject,
    Store,
    VarId,
)
from analysis_core.ir.straight_lines import straight_lines
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements, statements_of, subexpressions
from analysis_core.machine.sizes import SECTOR_BYTES, WORD_BYTES
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

REGISTER_BYTES = 4 * 255
"""What the registers of a thread hold at most (CUDA programming guide, technical specifications per compute capability)."""

_LANES_OF_SECTOR = SECTOR_BYTES // WORD_BYTES


@dataclass(frozen=True, slots=True)
class OwnArray:
    """An array of a thread's own that compilers cannot keep in registers.  `span`: of its name where it is declared; `bytes` of one thread, None if
    nobody knows; `accesses`: the sectors of a request, by the number of the access's group; `indexed`: the groups whose index is not known when the
    code is compiled; `loops`: of those that only count rounds, the loops (whole statements) that compilers do not write out; `chosen`: whether of all of them compilers choose whether they do."""

    name: str
    span: Span
    bytes: int | None
    accesses: Mapping[int, int]
    indexed: tuple[int, ...]
    loops: Mapping[int, Span]
    chosen: bool = False


def own_arrays(kernel: Kernel, groups: Sequence[Sequence[AccessEvent]]) -> tuple[OwnArray, ...]:
    """The arrays in local memory, in the order in which they are declared.  `groups`: the executions of each access."""
    own = [n for n, group in enumerate(groups) if group[0].space is Space.LOCAL]
    if not own:
        return ()
    arrays = {n: _array(groups[n][0]) for n in own}
    moving = [n for n in own if len({event.address.poly.key() for event in groups[n]}) > 1 or _is_open(groups[n])]
    if not moving:
        return ()
    counted = _Counted.of(kernel)
    indexed = [n for n in moving if arrays[n] is not None and counted.varies(groups[n])]
    if not indexed:
        return ()
    changing, undecided = _stored_values(kernel), straight_lines(kernel).undecided
    computed = {arrays[n] for n in own if any(event.access.id in changing for event in groups[n])}
    found = []
    placed = {arrays[n] for n in indexed} & computed
    for symbol in sorted((one for one in placed if one is not None), key=lambda one: one.number):
        mine = [n for n in own if arrays[n] == symbol]
        thing = _object(symbol, [groups[n][0].access.id for n in mine], kernel)
        decided = tuple(n for n in indexed if n in mine)
        loops = {n: counted.rolled[groups[n][0].access.id] for n in decided if counted.counts(groups[n])}
        if thing is not None:
            sectors = {n: max(map(_sectors, groups[n])) for n in mine}
            chosen = len(loops) == len(decided) and undecided.issuperset(loops.values())
            found.append(OwnArray(thing.name, thing.span, size_of(thing.type), sectors, decided, loops, chosen))
    return tuple(found)


def _object(symbol: Symbol, accesses: Collection[AccessId], kernel: Kernel) -> MemoryObject | None:
    """The array that a symbol is the address of: the one that one of its accesses names, else the first of its name."""
    made = (s for s in statements_of(kernel) if isinstance(s, (Load, Store)) and s.access.id in accesses)
    named = (e.object for stmt in made for e in subexpressions(stmt.address) if isinstance(e, AddressOf))
    own = [one for one in kernel.objects if one.space is Space.LOCAL and f"&{one.name}" == symbol.name]
    return next((kernel.objects[number] for number in named if kernel.objects[number] in own), next(iter(own), None))


def _array(event: AccessEvent) -> Symbol | None:
    return next((s for s in event.address.poly.symbols() if s.kind is SymbolKind.BASE), None)


def _is_open(group: Iterable[AccessEvent], known: SymbolKind = SymbolKind.BASE) -> bool:
    """Whether anything but the array and what is `known` goes into the addresses."""
    polys = (event.address.poly for event in group)
    kinds = (SymbolKind.BASE, known)
    return any(not isinstance(p.constant, int) or any(s.kind not in kinds for s in p.symbols()) for p in polys)


@dataclass(frozen=True, slots=True)
class _Counted:
    """The accesses whose index counts the rounds of loops around them: of such as compilers write out one by one (`fixed`), or of others (`rolled`, with
    the innermost of these)."""

    fixed: frozenset[AccessId]
    rolled: Mapping[AccessId, Span]

    @staticmethod
    def of(kernel: Kernel) -> _Counted:
        written_out = straight_lines(kernel).written_out
        users = _users(kernel)
        fixed, rolled = set[AccessId](), dict[AccessId, Span]()
        for loop in (stmt for stmt in statements_of(kernel) if isinstance(stmt, Loop)):
            counting = _closed(_stepped(loop), users)
            inside = (stmt for stmt in statements((loop,)) if isinstance(stmt, (Load, Store)))
            found = [stmt.access.id for stmt in inside if _variables(stmt.address) & counting]
            if loop.whole in written_out:
                fixed.update(found)
            else:
                rolled.update(dict.fromkeys(found, loop.whole))
        return _Counted(frozenset(fixed - rolled.keys()), rolled)

    def varies(self, group: Sequence[AccessEvent]) -> bool:
        """Whether the index is not known when the code is compiled."""
        number = group[0].access.id
        return number in self.rolled or _is_open(
            group, SymbolKind.ITERATION if number in self.fixed else SymbolKind.BASE
        )

    def counts(self, group: Sequence[AccessEvent]) -> bool:
        """Whether nothing but rounds of loops keeps the index from being known."""
        return group[0].access.id in self.rolled and not _is_open(group, SymbolKind.ITERATION)


def _stepped(loop: Loop) -> frozenset[VarId]:
    """What each round of a loop gives another value, made of the one before."""
    own = (stmt for stmt, _ in LoopInfo(loop).placed if isinstance(stmt, Assign))
    return frozenset(stmt.var for stmt in own if stmt.var in _variables(stmt.value))


def _users(kernel: Kernel) -> Mapping[VarId, Sequence[VarId]]:
    """By variable, those that are computed from it."""
    found: dict[VarId, list[VarId]] = {}
    for stmt in statements_of(kernel):
        if isinstance(stmt, Assign):
            for var in _variables(stmt.value):
                found.setdefault(var, []).append(stmt.var)
    return found


def _closed(variables: Iterable[VarId], users: Mapping[VarId, Sequence[VarId]]) -> frozenset[VarId]:
    """The variables, and all that are computed from them."""
    waiting = list(variables)
    found = set(waiting)
    for var in waiting:
        fresh = set(users.get(var, ())) - found
        found |= fresh
        waiting += sorted(fresh)
    return frozenset(found)


def _variables(expr: Expr) -> frozenset[VarId]:
    return frozenset(node.var for node in subexpressions(expr) if isinstance(node, Local))


def _stored_values(kernel: Kernel) -> frozenset[AccessId]:
    """The stores of what is no constant."""
    stores = (stmt for stmt in statements_of(kernel) if isinstance(stmt, Store))
    return frozenset(stmt.access.id for stmt in stores if not all(isinstance(v, Const) for v in stmt.values))


def _sectors(event: AccessEvent) -> int:
    """What a request of a full warp moves."""
    words = -(-event.access.width // WORD_BYTES)
    columns = WARP // _LANES_OF_SECTOR * words
    if not any(s.level is Level.LANE and s.kind is SymbolKind.DATA for s in event.address.poly.symbols()):
        return columns
    elements = max(1, (event.extent or WARP * event.access.width) // max(1, event.access.width))
    return round(columns * elements * (1 - (1 - 1 / elements) ** _LANES_OF_SECTOR))
