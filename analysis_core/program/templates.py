"""Instances of kernels: the template arguments under which each kernel is analysed.

A kernel that is no template has one instance.  A template has one for each set of arguments found at its launches
and its explicit instantiations (up to `INSTANCES`), by name "reduce<256, float>".  Where no launch determines all of them there is one for each
set of those that launches determine (`k<scalar_t, 128>`: "k<?, 128>"), or a single one.  What these leave open is what the kernel asserts or launches of others
suggest (stated_arguments.py), else opaque types and constants; all of that is named as assumptions (`resolve.opaque_argument`).
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir.launch_site import LaunchSite
from analysis_core.ir.spelling import spelling
from analysis_core.lower.context import Instance
from analysis_core.lower.names.instance_names import argument_text
from analysis_core.lower.names.scope import Unit
from analysis_core.program import launches
from analysis_core.program.launches import FoundLaunch
from analysis_core.support.distinct import distinct
from analysis_core.support.facts import Assumption
from analysis_core.syntax.read import tree as syn

INSTANCES = 8


def instances_of(
    unit: Unit, kernel: syn.FunctionDecl, found: Sequence[FoundLaunch] | None = None
) -> tuple[Instance, ...]:
    """The instances of one kernel, at least one.  `found` saves the search where several kernels are asked for."""
    if found is None:
        found = launches.find_launches(unit)
    mine = [launch for launch in found if launch.kernel is kernel]
    sites = _sites(mine)
    if kernel.specialisation is not None:
        arguments = ", ".join(spelling(arg) for arg in kernel.specialisation)
        return (Instance(f"{kernel.name}<{arguments}>", {}, sites),)
    if not kernel.template:
        return (Instance(None, {}, sites),)
    groups: dict[str, list[FoundLaunch]] = {}
    for launch in mine:
        if launch.bindings is not None:
            groups.setdefault(_name(kernel, launch), []).append(launch)
    if not groups:
        return _open_instances(unit, kernel, mine, found)
    kept = list(groups.items())[:INSTANCES]
    notes: tuple[Assumption, ...] = ()
    if len(groups) > INSTANCES:
        text = f"{len(groups)} instantiations of `{kernel.name}` are launched here; the first {INSTANCES} are analysed"
        notes = (Assumption(text, kernel.name_span),)
    # Launches whose arguments are not known may be of any instance, but those with lambdas of their own.
    loose = [launch for launch in mine if launch.bindings is None and not launch.own]
    apart = _sites([launch for launch in mine if launch.bindings is None and launch.own])
    return tuple(
        Instance(name, dict(group[0].bindings or {}), _sites([*group, *loose]), notes, group[0].instances)
        for name, group in kept
    ) + ((Instance(None, {}, apart),) if apart else ())


def _open_instances(
    unit: Unit, kernel: syn.FunctionDecl, mine: Sequence[FoundLaunch], found: Sequence[FoundLaunch]
) -> tuple[Instance, ...]:
    """The instances of a template of which no launch determines all arguments."""
    from analysis_core.program.stated_arguments import stated_arguments  # few files have such kernels

    groups: dict[str, list[FoundLaunch]] = {}
    for launch in mine:
        if launch.partly and not launch.own:
            groups.setdefault(_name(kernel, launch), []).append(launch)
    if not groups or len(groups) > INSTANCES:
        undeclared = _undeclared(mine)
        return (stated_arguments(unit, kernel, Instance(None, {}, _sites(mine), undeclared=undeclared), found),)
    loose = [launch for launch in mine if not launch.partly or launch.own]
    begun = (
        Instance(
            name,
            dict(group[0].partly),
            _sites([*group, *loose]),
            (),
            group[0].instances,
            undeclared=_undeclared([*group, *loose]),
        )
        for name, group in groups.items()
    )
    return tuple(stated_arguments(unit, kernel, instance, found) for instance in begun)


def _undeclared(found: Sequence[FoundLaunch]) -> frozenset[str]:
    """The parameters that some launch gives a type which is not declared."""
    return frozenset().union(*(launch.undeclared for launch in found))


def _name(kernel: syn.FunctionDecl, launch: FoundLaunch) -> str:
    bindings = launch.partly if launch.bindings is None else launch.bindings
    texts = (argument_text(bindings.get(p.name or "")) for p in kernel.template or ())
    return f"{kernel.name}<{', '.join(texts)}>"


def _sites(found: Sequence[FoundLaunch]) -> tuple[LaunchSite, ...]:
    return tuple(distinct((one.site for one in found if one.site is not None), lambda site: site.span))
