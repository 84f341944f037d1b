"""Launches below flags of file scope that their callers ask for as well.

    bool fourfold = false;                                           main may set it
    void run(float *p, bool turned) { if (fourfold) k<<<..>>>(p, turned); }
    int main(..) { if (!fourfold) run(p, false);  run(p, true); }    `turned` is true wherever k is launched

Which numbers reach such a launch is asked once more for the flags as they are there (launch_sizes.py): a call on the other side of one is
none that leads to it.  For what findings speak of only, since the flag may change between the two; not at all where the function that launches sets it,
or where a side of a test of it does (`if (!ready) { ready = true; .. }`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from analysis_core.lower.names.scope import Unit
from analysis_core.program.host.host_flow import assigned_by, names_in
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.span import Span

Case = frozenset[tuple[str, bool]]
"""Flags by name, and what they are."""

_MOST = 4
"""Cases that are looked at."""


def flag_cases(unit: Unit, functions: Collection[syn.FunctionDecl]) -> Mapping[Span, Case]:
    """By launch that is handed a flag of its function's caller: the flags around it that are of file scope."""
    flags = {one.name for one in unit.variables.values() if _is_flag(one.type) and "const" not in one.type.qualifiers}
    if not flags:
        return {}
    for function in functions:
        flags -= set(_set_below(unit, function, flags))
    found: dict[Span, Case] = {}
    for function in functions:
        own = {one.name for one in function.parameters if one.name is not None}
        asked = {one.name for one in function.parameters if one.name is not None and _is_flag(one.type)}
        if not asked or function.body is None:
            continue
        nodes = list(inside(function.body))
        own |= {name for node in nodes for name in assigned_by(unit, function.scope, node)}
        own |= {node.name for node in nodes if isinstance(node, syn.VarDecl)}
        sides = [side for node in nodes if isinstance(node, syn.If) for side in _sides(node, flags - own)]
        for node in nodes:
            if isinstance(node, syn.KernelLaunch) and any(_is_name_of(arg, asked) for arg in node.args):
                case = frozenset((flag, truth) for span, flag, truth in sides if span.encloses(node.span))
                if case and (case in found.values() or len(set(found.values())) < _MOST):
                    found[node.span] = case
    return found


def _set_below(unit: Unit, function: syn.FunctionDecl, flags: Collection[str]) -> Iterator[str]:
    """The flags that are set on a side of a test of them."""
    for stmt in inside(function.body) if function.body is not None else ():
        if isinstance(stmt, syn.If) and (tested := names_in(stmt.condition).intersection(flags)):
            for side in (stmt.then, stmt.otherwise):
                nodes = inside(side) if side is not None else ()
                yield from (
                    name for node in nodes for name in assigned_by(unit, function.scope, node) if name in tested
                )


def _sides(stmt: syn.If, flags: Collection[str]) -> Iterator[tuple[Span, str, bool]]:
    """The sides of a test of one flag, with what it is there."""
    condition, truth = uncast(stmt.condition), True
    if isinstance(condition, syn.Unary) and condition.op == "!":
        condition, truth = uncast(condition.operand), False
    if isinstance(condition, syn.Name) and condition.name in flags:
        yield stmt.then.span, condition.name, truth
        if stmt.otherwise is not None:
            yield stmt.otherwise.span, condition.name, not truth


def _is_flag(type: syn.TypeNode) -> bool:
    return isinstance(type, syn.NamedType) and type.name == "bool"


def _is_name_of(arg: syn.Expr, names: Collection[str]) -> bool:
    arg = uncast(arg)
    return isinstance(arg, syn.Name) and arg.name in names
