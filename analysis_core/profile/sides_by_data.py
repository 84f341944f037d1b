"""How many lanes idle beside a side that memory decides, as far as the text tells: half of them, where nothing is known.

    if (diagonal[i] != 0.0f) ..          a number is rarely the very one that it is compared with
    if (mask[i] != OUTSIDE) ..           flags of one byte make regions: neighbours hold the same but at their borders

Whole numbers that are compared with 0 or 1 may be flags, of which one value is as good as the other, and what is negative may stand for nothing.
What asks for one value of a flag (`letter[i] == 'A'`), or whether it is set, may as well ask for what is scattered.  Nobody idles who has nothing
left to do: a loop that counts no rounds, and in which the block meets, goes on until all are done (`while (true) { __syncthreads(); if (!done) .. }`).
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.effects import assigned_by, made_of, variables_in
from analysis_core.ir.loop_info import ORDERS, loops_of
from analysis_core.ir.nodes import Assign, Binary, Const, Expr, If, Kernel, Load, Local, Loop, LoopKind, VarId
from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.ir.walk import statements_of, uncast
from analysis_core.profile.idioms.searches import begun_alike
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_HALF = 0.5

_UNUSUAL = 1 / 6
"""The part of the lanes for which a number is the very one of many that it is asked to be (profile/branch_probability.py)."""

_PARTED = 0.5
"""The part of the rounds of a search in which lanes are no more at one place: where they look for neighbours in what is sorted, the last log2
of how far these are apart; else all but the first five."""

_LEAST = 2
"""The least number that is no flag, and that a kind has besides set and not set; the bytes of the narrowest type that is for more than flags."""


@dataclass(frozen=True, slots=True)
class SidesByData:
    """What is known of conditions that data decides: the usual side of each, or None if both sides are; those whose
    other lanes have nothing left to do; and those in searches that all lanes begin at one place."""

    usual: Mapping[Span, int | None]
    done: frozenset[Span]
    searching: frozenset[Span]

    @staticmethod
    @derived
    def of(kernel: Kernel) -> SidesByData:
        """All of a kernel."""
        usual: dict[Span, int | None] = {}
        given = (stmt for stmt in statements_of(kernel) if not isinstance(stmt, Assign))
        loaded = made_of(statements_of(kernel), frozenset(var for stmt in given for var in assigned_by(stmt)))
        flags = {
            var
            for s in statements_of(kernel)
            if isinstance(s, Load) and s.access.width == 1 and not variables_in(s.address) & loaded
            for var in s.vars
        }
        for stmt in statements_of(kernel):
            asked = uncast(stmt.condition) if isinstance(stmt, If) else None
            if isinstance(stmt, If) and isinstance(asked, Binary):
                if asked.op in ("==", "!=") and _is_one_of_many(asked):
                    usual[stmt.span] = 0 if asked.op == "!=" else 1
                elif asked.op in (*ORDERS, "!=") and _flag(asked) in flags:
                    usual.setdefault(stmt.span, None)
        waiting = (info for info in loops_of(kernel) if info.meets and not _counts(info.loop))
        done = frozenset(inner.span for info in waiting for inner in info.inside if isinstance(inner, If))
        return SidesByData(usual, done, begun_alike(kernel))

    def idle(self, condition: Span, side: int) -> float:
        """The part of the lanes that is idle while the others run the side."""
        if condition in self.done:
            return 0.0
        return _UNUSUAL if self.usual.get(condition, 1 - side) in (side, None) else _HALF

    def parting(self, condition: Span) -> float:
        """The part of the tests at which lanes may go different ways."""
        return _PARTED if condition in self.searching else 1.0


def _is_one_of_many(asked: Binary) -> bool:
    sides = uncast(asked.left), uncast(asked.right)
    types = [side.type for side in sides if isinstance(side.type, ScalarType)]
    if len(types) < len(sides):
        return False
    if any(type.kind is ScalarKind.FLOAT for type in types):
        return True
    wide = all(type.kind is ScalarKind.INT and type.size >= _LEAST for type in types)
    return wide and all(side.value >= _LEAST for side in sides if isinstance(side, Const))


def _flag(order: Binary) -> VarId | None:
    """The variable that is set in order to a constant."""
    sides: tuple[Expr, Expr] = uncast(order.left), uncast(order.right)
    flag = next((side.var for side in sides if isinstance(side, Local)), None)
    return flag if any(isinstance(side, Const) and side.value >= _LEAST for side in sides) else None


def _counts(loop: Loop) -> bool:
    return loop.kind is LoopKind.FOR and loop.condition is not None
