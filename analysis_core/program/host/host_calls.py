"""Who calls whom among the functions of the host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.lower.names.scope import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.launchers import LAUNCHERS
from analysis_core.syntax.read.walk_syntax import inside

Calls = Mapping[int, tuple[bool, frozenset[str]]]
"""By identity of a function: whether it launches a kernel itself, and the names that it calls."""


def is_host(declaration: syn.FunctionDecl) -> bool:
    """Whether a function has a body that runs on the host."""
    device_only = "__device__" in declaration.qualifiers and "__host__" not in declaration.qualifiers
    return declaration.body is not None and not declaration.is_kernel and not device_only


def host_functions(unit: Unit) -> list[syn.FunctionDecl]:
    """The functions of a unit that run on the host."""
    return [d for group in unit.functions.values() for d in group if is_host(d)]


def calls_of(functions: Iterable[syn.FunctionDecl]) -> Calls:
    """What each of these functions does."""
    return {id(d): called(d) for d in functions}


def bare_name(callee: syn.Expr) -> str:
    """The name that a call or launch uses, without namespaces and objects; "" where it uses none."""
    return callee.name.rpartition("::")[2] if isinstance(callee, syn.Name | syn.Member) else ""


def called(declaration: syn.FunctionDecl) -> tuple[bool, frozenset[str]]:
    """Whether a function launches a kernel itself, and the names that it calls."""
    launches = False
    names: set[str] = set()
    assert declaration.body is not None
    for node in inside(declaration.body):
        match node:
            case syn.KernelLaunch():
                launches = True
            case syn.Call(callee=syn.Member(base=syn.Name() as callee, name="operator()")):
                names.add(bare_name(callee))
            case syn.Call(callee=syn.Name() | syn.Member() as callee):
                names.add(bare_name(callee))
            case _:
                pass
    return launches or bool(names & LAUNCHERS.keys()), frozenset(names)
