"""Variables of file scope that keep the value they begin with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.values import Operand
from analysis_core.program.host import host_flow
from analysis_core.program.host.host_constants import initial, is_known
from analysis_core.support.facts import Assumption
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass


@dataclass(slots=True)
class Settled:
    """The variables of file scope that keep the value they begin with, as far as the host functions in `hosts` tell."""

    ctx: Lowering
    hosts: Sequence[syn.FunctionDecl]
    assigned: frozenset[str] | None = None

    def among(self, names: Iterable[str], scope: Scope) -> dict[str, tuple[Operand, Assumption | None]]:
        """Those of these names that keep their value, with the values and the assumptions behind them."""
        found: dict[str, tuple[Operand, Assumption | None]] = {}
        unit = self.ctx.unit
        for name in sorted(names):
            declared = unit.find_variable(name, scope.namespace)
            if declared is None or not host_flow.is_variable(declared[1]):
                continue
            if self.assigned is None:
                self.assigned = host_flow.assigned_anywhere(unit, self.hosts).union(unit.tree.beyond.assigned)
            if declared[1].name in self.assigned:
                continue
            home = declared[0].rpartition("::")[0]
            with self.ctx.in_scope(Scope(None, home)), self.ctx.scratch():
                type = resolve.resolve_type(self.ctx, declared[1].type)
                value = initial(self.ctx, type, declared[1].init)
            if is_known(value):
                rests = Assumption(f"`{name}` keeps its value: nothing in view assigns it", declared[1].span)
                found[name] = value, None if "static" in declared[1].storage else rests
        return found
