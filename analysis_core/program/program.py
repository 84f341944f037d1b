"""What the host code of other files says of a translation unit: the one place where that comes from.

    siblings (syntax/siblings.py) -> their functions put together -> what they hand to the unit, and leave of what it hands them (`Beyond`)

The functions of siblings are looked at as those of a unit are (host_orders.py), apart from it: what the unit itself does with an array
before a sibling hands it on is not known there.  So an edit in the unit changes nothing here unless it adds or takes a function, and one in
a sibling changes the unit's meaning only where what is said of it changes.  Functions that two siblings define are nobody's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from analysis_core.lower.context import Frame, Lowering
from analysis_core.lower.names.scope import Scope, Unit
from analysis_core.lower.names.unit_tables import index
from analysis_core.program import launch_sizes, sibling_launches
from analysis_core.program.host import host_calls, host_orders
from analysis_core.support.files import Files
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
    if not siblings.trees:
        given = tuple((name, ()) for name in sorted(siblings.unread))
        handed = _numbers((), siblings, settings, run=False)
        return Beyond(given=given, numbers=handed, run_numbers=handed, mentions=mentions)
    unit = _put_together(siblings.trees, settings)
    hosts = host_calls.host_functions(unit)
    often = Counter(d.name for d in hosts if d.name != "main")
    hosts = [d for d in hosts if often[d.name] < 2]
    calls = host_calls.calls_of(hosts)
    left, ordered = host_orders.handed_beyond(unit, hosts, calls, siblings.outer)
    static = {d.name for d in hosts if "static" in d.qualifiers or d.owner}
    ordered.update(dict.fromkeys(siblings.unread, frozenset()))
    found = Beyond(
        tuple((name, tuple(sorted(parts))) for name, parts in sorted(left.items()) if name not in static),
        tuple((name, tuple(sorted(parts))) for name, parts in sorted(ordered.items())),
    )
    # What constants mean is each file's own, so launches and numbers are not looked for in all of them together.
    alone = [replace(tree, beyond=replace(tree.beyond, left=found.left)) for tree in siblings.trees]
    launches = [site for tree in alone for site in sibling_launches.launches_there(tree, siblings.kernels, settings)]
    numbers = [_numbers(alone, siblings, settings, run) for run in (False, True)]
    return replace(found, numbers=numbers[0], run_numbers=numbers[1], launches=tuple(launches), mentions=mentions)


def _numbers(
    trees: Iterable[syn.SyntaxTree], siblings: Siblings, settings: Settings, run: bool
) -> tuple[tuple[str, launch_sizes.Numbers], ...]:
    """The numbers that other files hand to functions of the unit, each by itself.  `run`: as the program is run."""
    numbers: dict[str, launch_sizes.Numbers] = {}
    for tree in trees:
        unit = index(tree, settings)
        hosts = host_calls.host_functions(unit)
        calls = host_calls.calls_of(hosts)
        ctx = Lowering(unit, Frame("", None, Scope()), Scope())
        for name, handed in launch_sizes.numbers_handed(ctx, hosts, calls, siblings.outer, run).items():
            numbers[name] = launch_sizes.agreed(numbers.get(name), handed)
    for name, handed in siblings.unread.items():
        numbers[name] = launch_sizes.agreed(numbers.get(name), handed)
    return tuple(sorted(numbers.items()))


def _put_together(trees: Sequence[syn.SyntaxTree], settings: Settings) -> Unit:
    """The declarations of several files, those of headers once."""
    once: dict[tuple[object, ...], syn.Declaration] = {}
    for tree in trees:
        for declaration in tree.declarations:
            once.setdefault((declaration.span, type(declaration)), declaration)
    return index(replace(trees[0], declarations=tuple(once.values())), settings)
