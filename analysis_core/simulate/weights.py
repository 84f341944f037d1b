"""What statements and parts of expressions count as they are executed: steps, and the operations that a launch asks for."""

from __future__ import annotations

from analysis_core.ir.nodes import Expr, Stmt
from analysis_core.ir.operations import Amounts, Operations
from analysis_core.ir.steps import Weights
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Weight:
    """Steps and operations (ir/operations.py) of some code without control flow; names may come again."""

    steps: int = 0
    operations: Amounts = ()

    def __add__(self, other: Weight) -> Weight:
        return Weight(self.steps + other.steps, self.operations + other.operations)


NONE = Weight()


@dataclass(frozen=True, slots=True)
class Weighing:
    """How statements and expressions of one kernel are weighed."""

    steps: Weights
    operations: Operations

    def of_statement(self, stmt: Stmt, inlined: Span | None) -> Weight:
        """A statement itself, nested ones left out, and what not every lane evaluates.  `inlined`: the call whose body this is."""
        return Weight(self.steps.of_statement(stmt, inlined), self.operations.run(stmt))

    def of(self, expr: Expr) -> Weight:
        """A part of an expression that not every lane evaluates, without such parts of its own."""
        return Weight(self.steps.of(expr), self.operations.run_part(expr))
