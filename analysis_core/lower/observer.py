"""Who wants to know what lowering decides: another reader of C++ is held against it (`tests/oracles`).

Nothing that is told changes a result.  The same decision may be told more than once: kernels are lowered again where an
address escapes, and operands are lowered without effect to learn their types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from analysis_core.ir.nodes import Const, Kernel
from analysis_core.syntax.read import tree as syn

if TYPE_CHECKING:
    from analysis_core.lower.context import Lowering
    from analysis_core.lower.names.scope import Binding


class Observer(Protocol):
    """Told each decision of lowering when it is made. `ctx.frames` and `ctx.via` say inside of which calls."""

    def called(
        self, ctx: Lowering, call: syn.Node, declaration: syn.FunctionDecl, bindings: Mapping[str, Binding]
    ) -> None:
        """The call, operator or initialiser `call` means this function under these template arguments."""

    def folded(self, ctx: Lowering, expr: syn.Expr, value: Const) -> None:
        """The constant expression `expr` has this value."""

    def lowered(self, ctx: Lowering, kernel: Kernel) -> None:
        """All of a kernel is lowered: its types and instances of classes are in `ctx`."""
