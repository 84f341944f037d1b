"""Launches of a kernel as host code has them: the calls, with the types of the names that stand in them; for refactorings that edit them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import PointerType
from analysis_core.rewrite.core.action import Comparison, Launching, Moved
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class HostLaunch:
    """`types`: of the variables that the function around the launch knows, by name, as spelled; "" for those that are declared twice."""

    call: syn.KernelLaunch
    function: syn.FunctionDecl
    types: dict[str, str]


def launches_of(unit: Unit, kernels: Sequence[Kernel], declaration: syn.FunctionDecl) -> list[HostLaunch] | str:
    """All launches of a kernel, where all of them are calls in this file that may be edited; or why one is not."""
    found: list[HostLaunch] = []
    callees: set[int] = set()
    outer = _declared(one for one in unit.tree.declarations if isinstance(one, syn.VarDecl))
    functions = [
        inner
        for one in unit.tree.declarations
        for inner in inside(one)
        if isinstance(inner, syn.FunctionDecl) and inner.body is not None and inner is not declaration
    ]
    for function in functions:
        for node in inside(function):
            if isinstance(node, syn.KernelLaunch) and _names(node.callee, declaration.name):
                callees.add(id(node.callee))
                if node.span.file != unit.file or node.expansion is not None:
                    return "a launch of it stands in another file or in a macro"
                own = _declared(inner for inner in inside(function) if isinstance(inner, syn.VarDecl | syn.Parameter))
                found.append(HostLaunch(node, function, {**outer, **own}))
    for function in functions:
        for node in inside(function):
            if isinstance(node, syn.Name) and _names(node, declaration.name) and id(node) not in callees:
                return f"`{declaration.name}` is also named in line {unit.line(node.span)}"
    spans = {one.call.span for one in found}
    if any(site.span not in spans for kernel in kernels for site in kernel.launches):
        return "a launch of it is not one that can be edited"
    return found


def _names(node: syn.Expr, name: str) -> bool:
    return isinstance(node, syn.Name) and node.name.rpartition("::")[2] == name


def _declared(nodes: Iterable[syn.Node]) -> dict[str, str]:
    types: dict[str, str] = {}
    for one in nodes:
        if isinstance(one, syn.VarDecl | syn.Parameter) and one.name:
            type_ = one.type.name if isinstance(one.type, syn.NamedType) and not one.type.template_args else "?"
            types[one.name] = type_ if types.get(one.name, type_) == type_ else "?"
    return types


def run_together(kernels: Sequence[Kernel], called: Mapping[str, Mapping[str, str]], moved: Moved | None) -> Comparison:
    """Runs of all kernels that are edited, one after the other.  `called`: what parameters of each have to be called, by the kernel's name; other arrays
    are each kernel's own, and other numbers are alike where their names are."""
    special = {name for names in called.values() for name in names.values()}
    launchings = []
    for kernel in kernels:
        own = dict(called.get(kernel.name, {}))
        for place in kernel.parameters:
            variable = kernel.variables[place]
            if variable.name in own:
                continue
            apart = len(kernels) > 1 and isinstance(variable.type, PointerType)
            if apart or variable.name in special:
                own[variable.name] = f"{kernel.name}.{variable.name}"
        launchings.append(Launching(kernel.instantiation or kernel.name, own))
    return Comparison(tuple(launchings), tuple(launchings), moved=moved)
