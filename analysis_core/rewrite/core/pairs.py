"""Two launches in a row in the host's code: which they are, whether they are alike, and what the host does between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis_core.ir.launch_site import LaunchSite
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import PointerType
from analysis_core.program.launch import shape_text
from analysis_core.rewrite.core.action import Refused
from analysis_core.rewrite.core.launching import calls_of, made_elsewhere
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass

_IDLE = frozenset({"cudaDeviceSynchronize", "cudaGetLastError", "cudaPeekAtLastError", "cudaThreadSynchronize"})
"""Calls that only wait, or ask how it went."""

_COPIES = frozenset({"cudaMemcpy", "cudaMemcpyAsync", "cudaMemset", "cudaMemsetAsync", "cudaMemcpy2D"})


_NUMBERS = frozenset(
    {"bool", "char", "short", "int", "unsigned", "unsigned int", "long", "size_t", "float", "double", "dim3"}
)
"""Types of which no pointer is made."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`first` and `second`: statements of one block, each a launch; `between`: what stands between them."""

    function: syn.FunctionDecl
    first: syn.ExprStmt
    second: syn.ExprStmt
    between: tuple[syn.Stmt, ...]

    @property
    def launches(self) -> tuple[syn.KernelLaunch, syn.KernelLaunch]:
        one, other = self.first.expr, self.second.expr
        assert isinstance(one, syn.KernelLaunch) and isinstance(other, syn.KernelLaunch)
        return one, other

    @property
    def names(self) -> tuple[str, str]:
        one, other = (launch.callee for launch in self.launches)
        assert isinstance(one, syn.Name) and isinstance(other, syn.Name)
        return one.name, other.name


def pairs_of(unit: Unit) -> Iterator[Pair]:
    """All launches with the next one in the same block, of kernels that are named."""
    for function in unit.tree.declarations:
        if not isinstance(function, syn.FunctionDecl) or function.body is None or function.span.file != unit.file:
            continue
        for block in inside(function.body):
            if not isinstance(block, syn.Compound):
                continue
            last: tuple[int, syn.ExprStmt] | None = None
            for number, stmt in enumerate(block.body):
                if not isinstance(stmt, syn.ExprStmt) or not _launches(stmt):
                    continue
                if last is not None:
                    yield Pair(function, last[1], stmt, block.body[last[0] + 1 : number])
                last = number, stmt


def _launches(stmt: syn.ExprStmt) -> bool:
    return isinstance(stmt.expr, syn.KernelLaunch) and isinstance(stmt.expr.callee, syn.Name)


def unlike(unit: Unit, pair: Pair, kernels: tuple[Kernel, Kernel]) -> Refused | None:
    """Why the two launches cannot be one; None if they are the only ones of their kernels, alike, and nothing happens between them."""
    sites: list[LaunchSite] = []
    for kernel, launch in zip(kernels, pair.launches, strict=True):
        calls = calls_of(unit, kernel)
        if isinstance(calls, Refused):
            return calls
        if len(calls) != 1 or calls[0].site is None or calls[0].launch is not launch:
            return Refused(f"`{kernel.name}` is launched {len(calls)} times")
        sites.append(calls[0].site)
    if reason := _configured(unit, pair, sites):
        return Refused(reason)
    for launched, statement in zip(pair.launches, (pair.first, pair.second), strict=True):
        if statement.expansion or (reason := made_elsewhere(unit, launched)):
            return Refused(f"a launch cannot be edited: {reason if not statement.expansion else 'a macro makes it'}")
    for stmt in pair.between:
        if reason := _done(unit, stmt):
            return Refused(reason)
    one, other = ([(each.block, each.grid) for each in unit.launches(kernel)] for kernel in kernels)
    if one != other:
        return Refused("what is stated of their launches differs")
    return None


def _configured(unit: Unit, pair: Pair, sites: list[LaunchSite]) -> str | None:
    told = [_told(site) for site in sites]
    texts = [[unit.spelled(part.span) for part in launch.config] for launch in pair.launches]
    if told[0] != told[1]:
        return f"launched with {told[0]} and {told[1]}"
    for number in range(2, max(map(len, texts))):
        if any(text[number : number + 1] not in ([], ["0"]) for text in texts) and texts[0][2:] != texts[1][2:]:
            return "launched with other shared memory, or on other streams"
    parts = [
        n.name for launch in pair.launches for part in launch.config for n in inside(part) if isinstance(n, syn.Name)
    ]
    within = {name for stmt in pair.between for one in inside(stmt) for name in _assigned(one)}
    return "the host changes the launch in between" if within & set(parts) else None


def _assigned(node: syn.Node) -> Iterator[str]:
    match node:
        case syn.Assign(target=syn.Name(name=name)) | syn.IncDec(operand=syn.Name(name=name)) | syn.VarDecl(name=name):
            yield name
        case _:
            pass


def _told(site: LaunchSite) -> str:
    """ "4 x 256"."""
    x, y, z = site.grid
    grid = (
        shape_text((x, y, z)) if x is not None and y is not None and z is not None else " ".join(site.grid_text.split())
    )
    return f"{grid} x {' '.join(site.block_text.split()) if site.block is None else shape_text(site.block)}"


def _done(unit: Unit, stmt: syn.Stmt) -> str | None:
    """What the host does in a statement that a launch must not be moved across; None for nothing."""
    calls = [
        one
        for one in inside(stmt)
        if isinstance(one, syn.Call | syn.KernelLaunch | syn.OpaqueStmt | syn.OpaqueExpr | syn.Lambda)
    ]
    for call in calls:
        name = call.callee.name if isinstance(call, syn.Call) and isinstance(call.callee, syn.Name) else ""
        if name in _COPIES and isinstance(call, syn.Call):
            sources = [one for arg in call.args[:3] for one in inside(arg) if isinstance(one, syn.Name)]
            text = f"`{sources[1].name}`" if name.startswith("cudaMemcpy") and len(sources) > 1 else "memory"
            return f"the host {'copies' if 'cpy' in name else 'sets'} {text} between the launches"
        if name not in _IDLE:
            return f"the host does more between the launches (line {unit.line(stmt.span)})"
    if (isinstance(stmt, syn.ExprStmt) and calls) or isinstance(stmt, syn.Empty):
        return None
    return f"the host does more between the launches (line {unit.line(stmt.span)})"


def arguments(unit: Unit, pair: Pair, kernels: tuple[Kernel, Kernel]) -> tuple[list[str], list[str]] | Refused:
    """What is passed to both kernels, as spelled; the same text is the same value, and other texts are other arrays."""
    texts = []
    arrays: dict[str, str] = {}
    for launch, kernel in zip(pair.launches, kernels, strict=True):
        texts.append([" ".join(unit.spelled(arg.span).split()) for arg in launch.args])
        if len(launch.args) != len(kernel.parameters):
            return Refused(f"`{kernel.name}` is not launched with an argument for each parameter")
        for arg, text, parameter in zip(launch.args, texts[-1], kernel.parameters, strict=True):
            if any(isinstance(n, syn.Call | syn.Assign | syn.IncDec | syn.OpaqueExpr) for n in inside(arg)):
                return Refused(f"`{text}` is not the same whenever it is asked for")
            if isinstance(kernel.variables[parameter].type, PointerType):
                for name in inside(arg):
                    if isinstance(name, syn.Name) and arrays.setdefault(name.name, text) != text:
                        return Refused(f"`{text}` and `{arrays[name.name]}` may be parts of one array")
    if (pair_of_names := _one_array(unit, pair.function, arrays)) is not None:
        return Refused("`{}` may lead to the same array as `{}`".format(*pair_of_names))
    return texts[0], texts[1]


def _one_array(unit: Unit, function: syn.FunctionDecl, arrays: Mapping[str, str]) -> tuple[str, str] | None:
    """Two names of arrays with other texts that may lead to one array: one is made from the other, or both from a third, or a function makes both."""
    declared = [n for one in (function, *unit.tree.declarations) for n in _variables(one)]
    numbers = {n.name for n in declared if isinstance(n.type, syn.NamedType) and n.type.name in _NUMBERS}
    leading = {n.name for n in declared if n.name} - numbers
    groups: list[set[str]] = []
    for one in inside(function):
        match one:
            case (
                syn.VarDecl(name=found, init=syn.Expr() as value) | syn.Assign(target=syn.Name(name=found), value=value)
            ):
                together = {found, *_named(value)}
            case syn.Call(callee=syn.Name(name=callee), args=args) if not callee.startswith("cuda"):
                handed = [n for arg in args if isinstance(arg, syn.Unary) and arg.op == "&" for n in _named(arg)]
                together = {n for arg in args for n in _named(arg)} if len(handed) > 1 else set()
            case _:
                continue
        together &= leading
        if len(together) > 1:
            merged = [group for group in groups if group & together]
            groups = [group for group in groups if not group & together] + [together.union(*merged)]
    for group in groups:
        found_here = sorted(name for name in arrays if name in group)
        if len(found_here) > 1:
            return found_here[1], found_here[0]
    return None


def _variables(node: syn.Node) -> Iterator[syn.VarDecl | syn.Parameter]:
    if isinstance(node, syn.VarDecl | syn.FunctionDecl):
        for one in inside(node) if isinstance(node, syn.FunctionDecl) else (node,):
            if isinstance(one, syn.VarDecl | syn.Parameter):
                yield one


def _named(node: syn.Node) -> Iterator[str]:
    return (one.name for one in inside(node) if isinstance(one, syn.Name))
