"""Prefetch to a register: a cell that every round of a loop reads or writes is loaded once before it, and stored once behind it.

    for (int k = 0; k < n; k++) a[t] += b[t] * k;      ->      int a_reg = a[t]; .. a_reg += b_reg * k; .. a[t] = a_reg;

See cells.py for what may be kept, and registers.py for the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from analysis_core.report.findings.model import CheckId, Edit
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.cells import Place, is_tested_first, same_in_all
from analysis_core.rewrite.core.loop_text import head_of, made_apart, start_of
from analysis_core.rewrite.core.loops import OneLoop, in_every, loop_sites
from analysis_core.rewrite.core.registers import kept_text
from analysis_core.rewrite.core.shown import rounds_shown
from analysis_core.rewrite.core.unit import Unit
from analysis_core.text.span import Span

_MOST = 16
"""Places that are kept at once: registers are not without a price."""


def kept(
    wanted: Callable[[Place], bool], title: Callable[[list[Place]], str], nothing: str
) -> Callable[[Unit, Site, Choice], Rewritten | Refused]:
    """The action that keeps places of one kind: `nothing`: why a place of another kind is refused."""

    def rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
        loops = in_every(unit, site.kernel, site.declaration, site.node)
        if not loops:
            return Refused("not every instantiation of the template has this loop")
        node = loops[0].node
        if (reason := made_apart(unit, node)) is not None:
            return Refused(reason)
        found, refused = same_in_all(loops, unit, choice.names)
        places = [place for place in found if wanted(place)][:_MOST]
        absent = next((name for name in choice.names if all(place.text != name for place in places)), None)
        if absent is not None or not places:
            return _none(absent, found, refused, nothing)
        head = head_of(unit, site.declaration, node)
        if isinstance(head, str):
            return Refused(head)
        surely = all(_is_entered(unit, one, places) for one in loops)
        text = kept_text(unit, site.declaration, loops, head, places, surely)
        if text is None:
            return Refused("it is not known that the loop makes a round, and its test reads memory")
        return Rewritten(
            title(places),
            (Edit(Span(unit.file, start_of(unit, head, node), node.span.end), text),),
            tuple(_rests(loops[0], places)),
            "nobody else comes to what is kept in a register while the loop runs",
        )

    return rewrite


def listed(places: list[Place]) -> str:
    """ "`a[t]` and `b[t]`"."""
    rest = f" and {len(places) - 3} more" if len(places) > 3 else ""
    return " and ".join(f"`{place.text}`" for place in places[:3]) + rest


def _title(places: list[Place]) -> str:
    return f"Keep {listed(places)} in {'a register' if len(places) == 1 else 'registers'} through the loop"


def _is_entered(unit: Unit, one: OneLoop, places: list[Place]) -> bool:
    driver = one.driver
    if isinstance(driver, str):
        return all(is_tested_first(one, place) for place in places)
    return rounds_shown(unit, one, driver, 1)[0] == 1


def _none(absent: str | None, found: list[Place], refused: Mapping[str, str], nothing: str) -> Refused:
    """Why a place that was asked for, or the first there is, is not kept."""
    name = absent or next(iter(refused), None)
    if name is None:
        return Refused(nothing.format(found[0].text) if found else "no round comes back to the same cell of memory")
    if name in refused:
        return Refused(refused[name])
    if any(place.text == name for place in found):
        return Refused(nothing.format(name))
    return Refused(f"`{name}` is not read or written by the loop, or not at the same address in each round")


def _rests(one: OneLoop, places: list[Place]) -> Iterator[str]:
    bases = {place.base for place in places}
    others = {v.name for v in one.kernel.variables if v.parameter} - bases
    if any(place.base in {v.name for v in one.kernel.variables if v.parameter} for place in places) and others:
        yield "pointers of different names do not overlap"
    if any(place.written for place in places):
        yield "no other thread comes to the cell meanwhile: no race is possible"
    else:
        yield "nobody writes it while the loop runs"


ACTION = Action(
    "prefetch-register",
    "keeps cells that every round comes back to in registers",
    frozenset({CheckId("WC101")}),
    loop_sites,
    kept(lambda place: True, _title, "`{}` is not kept"),
)
