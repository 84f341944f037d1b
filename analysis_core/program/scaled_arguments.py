"""Arguments that a loop of the host doubles or halves from launch to launch.

    for (int n = 1 << levels; n > 2048; n >>= 2) pass<<<blocks, 256>>>(p, n / 4);

Of passes at each power of two all but a few are at powers that fill sectors.  What a request costs at the least of them is not what
the launches pay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from analysis_core.ir.launch_site import LaunchSite
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.span import Span

_SCALING = frozenset({"*", "/", "<<", ">>"})


def scaled_arguments(functions: Collection[syn.FunctionDecl]) -> Mapping[Span, frozenset[int]]:
    """By the place of a launch, the arguments that each round of a loop around it scales."""
    found: dict[Span, frozenset[int]] = {}
    for function in functions:
        for loop in inside(function.body) if function.body is not None else ():
            if isinstance(loop, syn.For | syn.While | syn.DoWhile):
                for span, positions in _launches(loop):
                    found[span] = found.get(span, frozenset()) | positions
    return found


def with_scaled(
    kernel: syn.FunctionDecl, site: LaunchSite | None, scaled: Mapping[Span, frozenset[int]]
) -> LaunchSite | None:
    """The launch; the kernel's parameters that are scaled from one to the next."""
    if site is None or not scaled.get(site.span):
        return site
    names = (p.name for n, p in enumerate(kernel.parameters) if n in scaled[site.span])
    found = tuple(name for name in names if name is not None)
    return replace(site, arguments=replace(site.arguments, scaled=found))


def _launches(loop: syn.For | syn.While | syn.DoWhile) -> Iterator[tuple[Span, frozenset[int]]]:
    nodes = list(inside(loop.body))
    launches = [node for node in nodes if isinstance(node, syn.KernelLaunch)]
    if not launches:
        return
    nodes += inside(loop.step) if isinstance(loop, syn.For) and loop.step is not None else ()
    names = frozenset(name for node in nodes if (name := _scaled(node)) is not None)
    for launch in launches if names else ():
        yield launch.span, frozenset(n for n, arg in enumerate(launch.args) if _is_of(arg, names))


def _scaled(node: syn.Node) -> str | None:
    """The name that a statement makes a multiple or a part of itself."""
    match node:
        case syn.Assign(op="*=" | "/=" | "<<=" | ">>=", target=syn.Name(name=name), value=value) if _is_number(value):
            return name
        case syn.Assign(op="=", target=syn.Name(name=name), value=value):
            value = uncast(value)
            if isinstance(value, syn.Binary) and value.op in _SCALING and _is_number(value.right):
                left = uncast(value.left)
                return name if isinstance(left, syn.Name) and left.name == name else None
            return None
        case _:
            return None


def _is_of(arg: syn.Expr, names: Collection[str]) -> bool:
    """Whether an argument is such a name, or a part or multiple of it."""
    arg = uncast(arg)
    while isinstance(arg, syn.Binary) and arg.op in _SCALING and _is_number(arg.right):
        arg = uncast(arg.left)
    return isinstance(arg, syn.Name) and arg.name in names


def _is_number(expr: syn.Expr) -> bool:
    expr = uncast(expr)
    return isinstance(expr, syn.Literal) and expr.kind is syn.LiteralKind.INT
