"""How deep the loops of a kernel stand in each other, those of the functions that it calls among them: a rough word on what a thread does.

    __global__ void nearest(..) { for (c < clusters) d = min(d, distance(..)); }        2
    __device__ float distance(..) { for (i < features) sum += ..; return sum; }         1
    __global__ void turn(..) { for (i < features) out[i * n + t] = in[t * m + i]; }     1

Loops of few rounds, by the number they count up to, are none.  Of several functions with one name the deepest counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.ir.host_calls import bare_name
from analysis_core.ir.literals import literal
from analysis_core.ir.walk_syntax import inside, uncast
from analysis_core.syntax import tree as syn

_FEW = 8
"""Rounds of a loop up to which what stands beside it may weigh as much as what stands in it."""

_DEEP = 12


class Nests:
    """The depths of functions by bare name.  `functions`: all of a unit."""

    def __init__(self, functions: Mapping[str, Sequence[syn.FunctionDecl]]) -> None:
        self._bodies: dict[str, list[syn.Compound]] = {}
        for group in functions.values():
            for one in group:
                if one.body is not None:
                    self._bodies.setdefault(one.name, []).append(one.body)
        self._known: dict[str, int] = {}

    def of(self, name: str) -> int | None:
        """None of what has no body in view."""
        return self._of(name, _DEEP) if name in self._bodies else None

    def _of(self, name: str, left: int) -> int:
        if name not in self._known:
            self._known[name] = 0  # Of what calls itself, the calls add nothing.
            self._known[name] = max((self._within(body, left) for body in self._bodies.get(name, ())), default=0)
        return self._known[name]

    def _within(self, body: syn.Compound, left: int) -> int:
        nodes = list(inside(body))
        loops = [node.span for node in nodes if isinstance(node, syn.Loop) and not counts_to_few(node)]
        deepest = 0
        for node in nodes:
            called = self._of(bare_name(node.callee), left - 1) if left > 0 and isinstance(node, syn.Call) else 0
            if called or isinstance(node, syn.Loop):
                deepest = max(deepest, called + sum(loop.encloses(node.span) for loop in loops))
        return deepest


def counts_to_few(loop: syn.Node) -> bool:
    """Whether a loop counts up to a small number."""
    match loop:
        case syn.For(
            condition=syn.Binary(op="<" | "<=" | "!=", right=end), step=syn.IncDec(op="++") | syn.Assign(op="+=")
        ):
            number = number_of(end)
            return number is not None and number <= _FEW
        case _:
            return False


def number_of(expr: syn.Expr) -> int | None:
    """The number that a literal stands for."""
    expr = uncast(expr)
    known = literal(expr) if isinstance(expr, syn.Literal) else None
    return known.value if known is not None and isinstance(known.value, int) else None
