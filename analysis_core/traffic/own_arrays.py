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

from collections.abc import Iterable, Mapping, Sequence

from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.nodes import AccessId, Assign, Const, Expr, Kernel, Load, Local, Loop, Store, VarId
from analysis_core.ir.straight_lines import straight_lines
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements, statements_of, subexpressions
from analysis_core.machine.sizes import SECTOR_BYTES, WORD_BYTES
from analysis_core.text.records import dataclass

_LANES_OF_SECTOR = SECTOR_BYTES // WORD_BYTES


def own_sectors(kernel: Kernel, groups: Sequence[Sequence[AccessEvent]]) -> Mapping[int, int]:
    """The sectors of a request to an array in local memory, by the number of the access's group."""
    own = [n for n, group in enumerate(groups) if group[0].space is Space.LOCAL]
    if not own:
        return {}
    arrays = {n: _array(groups[n][0]) for n in own}
    moving = [n for n in own if len({event.address.poly.key() for event in groups[n]}) > 1 or _is_open(groups[n])]
    if not moving:
        return {}
    counted = _Counted.of(kernel)
    indexed = {arrays[n] for n in moving if counted.varies(groups[n])} - {None}
    if not indexed:
        return {}
    changing = _stored_values(kernel)
    computed = {arrays[n] for n in own if any(event.access.id in changing for event in groups[n])}
    return {n: max(map(_sectors, groups[n])) for n in own if arrays[n] in indexed & computed}


def _array(event: AccessEvent) -> Symbol | None:
    return next((s for s in event.address.poly.symbols() if s.kind is SymbolKind.BASE), None)


def _is_open(group: Iterable[AccessEvent], known: SymbolKind = SymbolKind.BASE) -> bool:
    """Whether anything but the array and what is `known` goes into the addresses."""
    polys = (event.address.poly for event in group)
    kinds = (SymbolKind.BASE, known)
    return any(not isinstance(p.constant, int) or any(s.kind not in kinds for s in p.symbols()) for p in polys)


@dataclass(frozen=True, slots=True)
class _Counted:
    """The accesses whose index counts the rounds of loops: of such as compilers write out one by one (`fixed`), or others (`rolled`)."""

    fixed: frozenset[AccessId]
    rolled: frozenset[AccessId]

    @staticmethod
    def of(kernel: Kernel) -> _Counted:
        written_out = straight_lines(kernel).written_out
        every = statements_of(kernel)
        loops = [stmt for stmt in every if isinstance(stmt, Loop)]
        short = _stepped(loop for loop in loops if loop.whole in written_out)
        long = _stepped(loop for loop in loops if loop.whole not in written_out)
        made = [(stmt.access.id, _variables(stmt.address)) for stmt in every if isinstance(stmt, (Load, Store))]
        rolled = frozenset(number for number, read in made if read & long)
        return _Counted(frozenset(number for number, read in made if read & short) - rolled, rolled)

    def varies(self, group: Sequence[AccessEvent]) -> bool:
        """Whether the index is not known when the code is compiled."""
        number = group[0].access.id
        return number in self.rolled or _is_open(
            group, SymbolKind.ITERATION if number in self.fixed else SymbolKind.BASE
        )


def _stepped(loops: Iterable[Loop]) -> frozenset[VarId]:
    return frozenset(stmt.var for loop in loops for stmt in statements(loop.step) if isinstance(stmt, Assign))


def _variables(address: Expr) -> frozenset[VarId]:
    return frozenset(node.var for node in subexpressions(address) if isinstance(node, Local))


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
