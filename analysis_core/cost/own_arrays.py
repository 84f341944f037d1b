"""What a thread's own arrays move where they cannot be registers.

    int shade[16];  ..  out[3 * i] = shade[which[i]];

Registers have no addresses: an array with one index that is not known when the code is compiled lies in local memory, as a whole, and
each of its elements that is stored or loaded is a request of the same sectors as others make (HARDWARE.md).  Bounds and hovers speak of
global and shared memory; but what is a part of a kernel's traffic is so beside this traffic too.

Hardware lays the words of the lanes beside each other: where all take the same element, a request is as good as a coalesced one.  Where
memory says which elements they take, eight lanes share each sector by chance.  A table that is filled with constants only is none of
these: compilers keep it once, for all threads.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from analysis_core.cost.straight_lines import straight_lines
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.events import AccessEvent
from analysis_core.ir.nodes import AccessId, Assign, Const, Expr, Kernel, Load, Local, Loop, Store, VarId
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements, subexpressions
from analysis_core.machine.sizes import SECTOR_BYTES, WORD_BYTES

_LANES_OF_SECTOR = SECTOR_BYTES // WORD_BYTES


def own_sectors(kernel: Kernel, groups: Sequence[Sequence[AccessEvent]]) -> Mapping[int, int]:
    """The sectors of a request, by the number of its group, of arrays in local memory."""
    own = [n for n, group in enumerate(groups) if group[0].space is Space.LOCAL]
    if not own:
        return {}
    arrays = {n: _array(groups[n][0]) for n in own}
    varied = [n for n in own if any(_has_open_index(event) for event in groups[n])]
    varied += _in_loops(kernel, {n: groups[n] for n in own if n not in varied})
    indexed = {arrays[n] for n in varied} - {None}
    if not indexed:
        return {}
    changing = _stored_values(kernel)
    computed = {arrays[n] for n in own if any(event.access.id in changing for event in groups[n])}
    return {n: max(map(_sectors, groups[n])) for n in own if arrays[n] in indexed & computed}


def _array(event: AccessEvent) -> Symbol | None:
    return next((s for s in event.address.poly.symbols() if s.kind is SymbolKind.BASE), None)


def _has_open_index(event: AccessEvent) -> bool:
    """Whether something that is not known when the code is compiled goes into the address."""
    poly = event.address.poly
    return not isinstance(poly.constant, int) or any(s.kind is not SymbolKind.BASE for s in poly.symbols())


def _in_loops(kernel: Kernel, groups: Mapping[int, Sequence[AccessEvent]]) -> list[int]:
    """Those that take another element in each round of a loop whose rounds are not written out one by one."""
    several = {n: group for n, group in groups.items() if len({e.address.poly.key() for e in group}) > 1}
    if not several:
        return []
    unrolled = straight_lines(kernel).unrolled
    every = tuple(statements(kernel.body))
    loops = (stmt for stmt in every if isinstance(stmt, Loop) and stmt.whole not in unrolled)
    counters = {stmt.var for loop in loops for stmt in statements(loop.step) if isinstance(stmt, Assign)}
    counted = {stmt.access.id for stmt in every if isinstance(stmt, (Load, Store)) and _reads(stmt.address, counters)}
    return [n for n, group in several.items() if group[0].access.id in counted]


def _reads(address: Expr, counters: Collection[VarId]) -> bool:
    return any(isinstance(node, Local) and node.var in counters for node in subexpressions(address))


def _stored_values(kernel: Kernel) -> frozenset[AccessId]:
    """The stores of what is no constant."""
    stores = (stmt for stmt in statements(kernel.body) if isinstance(stmt, Store))
    return frozenset(stmt.access.id for stmt in stores if not all(isinstance(v, Const) for v in stmt.values))


def _sectors(event: AccessEvent) -> int:
    """What a request of a full warp moves."""
    words = -(-event.access.width // WORD_BYTES)
    columns = WARP // _LANES_OF_SECTOR * words
    if not any(s.level is Level.LANE and s.kind is SymbolKind.DATA for s in event.address.poly.symbols()):
        return columns
    elements = max(1, (event.extent or WARP * event.access.width) // max(1, event.access.width))
    return round(columns * elements * (1 - (1 - 1 / elements) ** _LANES_OF_SECTOR))
