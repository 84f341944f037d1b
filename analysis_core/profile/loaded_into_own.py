"""What is loaded from memory and kept in an array of the thread's own before it is used.

    for (int k = 0; k < 4; k++) v[k] = map[k * n + i];
    for (int k = 0; k < 4; k++) sum += table[(int)v[k]];         the values of `map` say where in `table` lanes are

Interpretation follows no contents of such arrays, and knows no more of `v[k]` than that it was kept there.  The statements say what was: whatever is
stored into an array may come out of it.  For findings only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from analysis_core.ir.nodes import AddressOf, Assign, Expr, Kernel, Load, Local, Stmt, Store, VarId
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements_of, subexpressions
from analysis_core.support.derived import derived
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@derived
def loaded_into_own(kernel: Kernel) -> Mapping[Span, Cause]:
    """By the place of a load from an array of the thread's own: a load from memory that its value may come from."""
    sources = _Sources.of(kernel)
    loads = [stmt for stmt in statements_of(kernel) if isinstance(stmt, Load) and sources.own(stmt.address)]
    found = ((stmt.access.span, sources.first_load(sources.own(stmt.address))) for stmt in loads)
    return {span: cause for span, cause in found if cause is not None}


@dataclass(slots=True)
class _Sources:
    """`made`: the statements that assign a variable; `stored`: what is stored into an array of the thread's own, by its number."""

    kernel: Kernel
    made: dict[VarId, list[Stmt]] = field(default_factory=dict)
    stored: dict[int, list[Expr]] = field(default_factory=dict)

    @staticmethod
    def of(kernel: Kernel) -> _Sources:
        found = _Sources(kernel)
        for stmt in statements_of(kernel):
            match stmt:
                case Assign(var=var):
                    found.made.setdefault(var, []).append(stmt)
                case Load(vars=vars):
                    for var in vars:
                        found.made.setdefault(var, []).append(stmt)
                case Store():
                    for number in found.own(stmt.address):
                        found.stored.setdefault(number, []).extend(stmt.values)
                case _:
                    pass
        return found

    def own(self, address: Expr) -> list[int]:
        """The arrays of the thread's own that an address leads into."""
        named = (e.object for e in subexpressions(address) if isinstance(e, AddressOf))
        return [number for number in named if self.kernel.objects[number].space is Space.LOCAL]

    def first_load(self, arrays: Iterable[int]) -> Cause | None:
        """The first load from memory whose value may lie in one of the arrays."""
        pending, seen = [e for number in arrays for e in self.stored.get(number, ())], set[VarId]()
        while pending:
            for var in _variables(pending.pop(0)):
                for stmt in () if var in seen else self.made.get(var, ()):
                    if isinstance(stmt, Assign):
                        pending.append(stmt.value)
                    elif isinstance(stmt, Load) and (own := self.own(stmt.address)):
                        pending += [e for number in own for e in self.stored.get(number, ())]
                    elif isinstance(stmt, Load):
                        text = f"`{stmt.access.text}` is loaded from memory"
                        return Cause(CauseKind.DATA, text, stmt.access.span)
                seen.add(var)
        return None


def _variables(expr: Expr) -> Iterator[VarId]:
    return (e.var for e in subexpressions(expr) if isinstance(e, Local))
