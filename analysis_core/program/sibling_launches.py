"""Launches of a unit's kernels in other files of the program, which declare them: `__global__ void scale(float *, int);`.

A file that launches a kernel that it only declares is looked at as if the declaration were the kernel; parameters go by their numbers, since
declarations name them as they like.  What such a launch says is taken where the unit itself launches nothing of the kernel; which files make
a program is a guess, which each of these launches lists.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from dataclasses import replace

from analysis_core.ir.launch_site import LaunchSite
from analysis_core.lower.names.unit_tables import index
from analysis_core.program.launches import find_launches
from analysis_core.support.facts import Assumption
from analysis_core.support.settings import Settings
from analysis_core.syntax.read import tree as syn

Elsewhere = tuple[tuple[str, LaunchSite], ...]
"""By the name of a kernel."""


def launches_there(tree: syn.SyntaxTree, kernels: Collection[str], settings: Settings) -> Elsewhere:
    """The launches in a file of kernels that it only declares; parameters are named by their numbers."""
    found = (d for d in tree.declarations if isinstance(d, syn.FunctionDecl) and _stands_for(d, kernels))
    declared = {d.name: d for d in found}
    if not declared:
        return ()
    stubs = {id(d): _stub(d) for d in declared.values()}
    declarations = tuple(stubs.get(id(d), d) for d in tree.declarations)
    launches = find_launches(index(replace(tree, declarations=declarations), settings))
    sites = [(one.kernel.name, one.site) for one in launches if one.site is not None and one.kernel.name in declared]
    return tuple((name, _noted(name, site)) for name, site in sites if not site.dead)


def _stands_for(declaration: syn.FunctionDecl, kernels: Collection[str]) -> bool:
    plain = declaration.is_kernel and declaration.body is None and not declaration.template
    return plain and not declaration.scope and not declaration.owner and declaration.name in kernels


def _stub(declaration: syn.FunctionDecl) -> syn.FunctionDecl:
    parameters = tuple(replace(p, name=str(n)) for n, p in enumerate(declaration.parameters))
    return replace(declaration, parameters=parameters, body=syn.Compound(span=declaration.span, body=()))


def _noted(name: str, site: LaunchSite) -> LaunchSite:
    text = f"`{name}` is launched in {posixpath.basename(site.span.file)}, as part of the same program"
    return replace(site, rests_on=(*site.rests_on, Assumption(text, site.span)))
