"""The annotation that caps a loop whose iterations are data: what it buys, by the bounds before and after.

`T17` stands in bounds for the iterations of a loop that memory decides.  `//@ loop_bound 64` puts a number in its place,
unless the loop has another reason to go on, or nothing that is shown depends on it.  So the caller analyses the edited text, and `gain` compares:
it is worth offering only if some bound that holds the symbol holds it no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.expressions.expression import symbols
from analysis_core.report.findings.figures import Figure, Figures, figures_of
from analysis_core.report.findings.model import Edit
from analysis_core.report.fixes.edits import moved
from analysis_core.requests.facts import KernelFacts
from analysis_core.text.span import Span

LONGEST = 60
"""Characters of two bounds that a title still shows."""


def gain(before: Sequence[KernelFacts], after: Sequence[KernelFacts], loop: Span, edit: Edit) -> tuple[str, ...] | str:
    """What becomes of each bound that rested on the iterations of the loop, as text; or why nothing is gained."""
    if len(before) != len(after):
        return "the edited kernel has other launches"
    pairs = list(zip(before, after, strict=True))
    if all(old.bounds is None for old in before):
        capped = any(trips_at(old, loop) and not trips_at(new, moved(loop, edit)) for old, new in pairs)
        return () if capped else "the iterations stay unknown"
    gained = {name: text for old, new in pairs for name, text in _gains(old, new, loop, edit)}
    if gained:
        return tuple(gained.values())
    names = sorted({name for old in before for name in trips_at(old, loop)})
    rests = any(_rests_on(figure, names) for old in before for figure in _figures(old))
    return f"the bounds still hold {', '.join(names)}" if rests else f"no bound holds {', '.join(names)}"


def trips_at(facts: KernelFacts, loop: Span) -> frozenset[str]:
    """The symbols that stand for the iterations of a loop, as expressions name them."""
    return frozenset(info.source for info in facts.symbols if info.kind == "trip" and info.span == loop)


def _gains(old: KernelFacts, new: KernelFacts, loop: Span, edit: Edit) -> Iterator[tuple[str, str]]:
    was, becomes = figures_of(old), figures_of(new)
    if was is None or becomes is None:
        return
    names, left = trips_at(old, loop), trips_at(new, moved(loop, edit))
    for figure in was.figures:
        capped = becomes.get(figure.metric)
        if capped is None or capped.warp.expression is None:
            continue
        if _rests_on(figure, names) and not _rests_on(capped, left):
            yield figure.metric, _text(figure, was, capped, becomes)


def _rests_on(figure: Figure, names: Sequence[str] | frozenset[str]) -> bool:
    upper = figure.warp.expression
    return upper is not None and not symbols(upper).isdisjoint(names)


def _figures(facts: KernelFacts) -> tuple[Figure, ...]:
    found = figures_of(facts)
    return () if found is None else found.figures


def _text(was: Figure, old: Figures, becomes: Figure, new: Figures) -> str:
    """ "sectors <= 4 + 32*T4 -> <= 2052"; of long bounds only the name."""
    texts = was.warp.text(old.spell(was.warp)), becomes.warp.text(new.spell(becomes.warp))
    return f"{was.metric} {texts[0]} -> {texts[1]}" if sum(map(len, texts)) <= LONGEST else was.metric


def title(proposed: str, gained: Sequence[str]) -> str:
    """ "Insert `//@ loop_bound 64`: cap the iterations T4 of this loop, sectors <= 4 + 32*T4 -> <= 2052"."""
    return ", ".join((proposed, *gained[:1]))
