"""What the host code of other files says of a translation unit: the one place where that comes from.

    siblings (syntax/siblings.py) -> their functions put together -> what they hand to the unit, and leave of what it hands them (`Beyond`)

The functions of siblings are looked at as those of a unit are, apart from it.  So an edit in the unit changes nothing here unless it adds or takes a function, and one in
a sibling changes the unit's meaning only where what is said of it changes.  Functions that two siblings define are nobody's.

A file that launches a kernel that it only declares (`__global__ void scale(float *, int);`) is looked at as if the declaration were the kernel; parameters
go by their numbers, since declarations name them as they like.  What such a launch says is taken where the unit itself launches nothing of the kernel; which
files make a program is a guess, which each of these launches lists.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from analysis_core.ir.launch_site import LaunchSite
from analysis_core.lower.context import Frame, Lowering
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.names.unit_tables import index
from analysis_core.program import launch_sizes
from analysis_core.program.host import host_calls
from analysis_core.program.launch_coverage import LaunchCoverage
from analysis_core.program.launches import find_launches
from analysis_core.support.facts import Assumption
from analysis_core.support.files import Files
from analysis_core.support.fuel import OutOfFuel
from analysis_core.support.settings import Settings
from analysis_core.support.store import Stage, Store
from analysis_core.syntax.parse import ParsedUnit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.beyond import Beyond
from analysis_core.syntax.siblings import Joint, Siblings, beside_of, contents_of, joint_of, siblings_of, still_holds
from analysis_core.text.records import dataclass

Pause = Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Known:
    """What is said of a unit, the other sources of its folder, and the files on which that rests with their texts (None: sought in vain)."""

    beside: tuple[str, ...]
    others: Mapping[str, bytes | None]
    beyond: Beyond


_SAID: Stage[tuple[Joint, str], _Known] = Stage("units beside siblings", 24)
"""By unit and settings, what was found last; of a text that changes its functions, each counts."""


def joined(unit: ParsedUnit, files: Files, settings: Settings, store: Store, pause: Pause = lambda: None) -> ParsedUnit:
    """The unit with what its siblings say of it.  `pause`: is called where the work may be given up."""
    known = _said(joint_of(unit), files, settings, store, pause)
    return replace(unit, tree=replace(unit.tree, beyond=known.beyond, beside=tuple(known.others)))


def still(
    joint: Joint, tree: syn.SyntaxTree, files: Files, settings: Settings, store: Store, pause: Pause = lambda: None
) -> bool:
    """Whether the siblings of a unit that was read say the same as then."""
    known = _said(joint, files, settings, store, pause)
    return known.beyond == tree.beyond and tuple(known.others) == tree.beside


def _said(joint: Joint, files: Files, settings: Settings, store: Store, pause: Pause) -> _Known:
    key, beside = (joint, repr(settings)), beside_of(joint.main, files)
    known = store.get(_SAID, key, lambda known: known.beside == beside and still_holds(known.others, files))
    if known is None:
        siblings = siblings_of(joint, beside, files, settings, store, pause)
        pause()
        said = beyond(siblings, settings)
        others = contents_of((path for path in siblings.rests if path != joint.main), files, store)
        known = _Known(beside, others, said)
        store.put(_SAID, key, known)
    return known


def beyond(siblings: Siblings, settings: Settings) -> Beyond:
    """What siblings say, put together."""
    mentions = None if siblings.mentions is None else tuple(sorted(siblings.mentions))
    launches = [site for tree in siblings.trees for site in launches_there(tree, siblings.kernels, settings)]
    numbers, run_numbers = (_numbers(siblings, settings, run) for run in (False, True))
    return Beyond(numbers, run_numbers, tuple(launches), mentions=mentions)


def _numbers(siblings: Siblings, settings: Settings, run: bool) -> tuple[tuple[str, launch_sizes.Numbers], ...]:
    """The numbers that other files hand to functions of the unit, each by itself.  `run`: as the program is run."""
    numbers: dict[str, launch_sizes.Numbers] = {}
    for tree in siblings.trees:
        unit = index(tree, settings)
        hosts = host_calls.host_functions(unit)
        calls = host_calls.calls_of(hosts)
        ctx = Lowering(unit, Frame("", None, Scope()), Scope())
        try:
            found = launch_sizes.numbers_handed(ctx, hosts, calls, siblings.outer, run)
        except OutOfFuel:  # nobody knows what that file hands over
            return tuple((name, ()) for name in sorted(siblings.outer))
        for name, handed in found.items():
            numbers[name] = launch_sizes.agreed(numbers.get(name), handed)
    for name, handed in siblings.unread.items():
        numbers[name] = launch_sizes.agreed(numbers.get(name), handed)
    return tuple(sorted(numbers.items()))


def launches_there(
    tree: syn.SyntaxTree, kernels: Collection[str], settings: Settings
) -> tuple[tuple[str, LaunchSite], ...]:
    """The launches in a file of kernels that it only declares; parameters are named by their numbers."""
    found = (d for d in tree.declarations if isinstance(d, syn.FunctionDecl) and _stands_for(d, kernels))
    declared = {d.name: d for d in found}
    if not declared:
        return ()
    stubs = {id(d): _stub(d) for d in declared.values()}
    declarations = tuple(stubs.get(id(d), d) for d in tree.declarations)
    coverage = LaunchCoverage()
    try:
        launches = find_launches(index(replace(tree, declarations=declarations), settings), coverage)
    except OutOfFuel:  # as where nobody knows who else launches a kernel
        return ()
    sites = [(one.kernel.name, one.site) for one in launches if one.site is not None and one.kernel.name in declared]
    unread = tuple(replace(one, text=f"{posixpath.basename(tree.main)}: {one.text}") for one in coverage.unread)
    return tuple((name, _noted(name, site, unread)) for name, site in sites if not site.dead)


def _stands_for(declaration: syn.FunctionDecl, kernels: Collection[str]) -> bool:
    plain = declaration.is_kernel and declaration.body is None and not declaration.template
    return plain and not declaration.scope and not declaration.owner and declaration.name in kernels


def _stub(declaration: syn.FunctionDecl) -> syn.FunctionDecl:
    parameters = tuple(replace(p, name=str(n)) for n, p in enumerate(declaration.parameters))
    return replace(declaration, parameters=parameters, body=syn.Compound(span=declaration.span, body=()))


def _noted(name: str, site: LaunchSite, unread: tuple[Assumption, ...]) -> LaunchSite:
    text = f"`{name}` is launched in {posixpath.basename(site.span.file)}, as part of the same program"
    return replace(site, rests_on=(*site.rests_on, Assumption(text, site.span), *unread))
