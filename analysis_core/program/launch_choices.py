"""Launches of which a run makes one or the other: cases of a `switch` over a name that stays what it is, sides of `if (name == 1)`.

    switch (variant) {
        case 1: by_rows<<<blocks, 256>>>(p, n); break;
        case 2: by_columns<<<blocks, 256>>>(p, n); break;
    }

They do the same thing in two ways, so that neither is light because the other takes long.  A name that a loop around them changes chooses
each in turn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from analysis_core.program.host.host_cases import cases_of
from analysis_core.program.host.host_flow import assigned_base, targets_of
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast
from analysis_core.text.span import Span

Choices = Mapping[Span, tuple[int, str]]
"""By statement that chooses: which side, and the name that it goes by."""


class Choosing:
    """Which sides places of a function are on."""

    def __init__(self, nodes: Sequence[syn.Node]) -> None:
        self._sides = [found for node in nodes if (found := _sides(node))]
        self._loops = [node.span for node in nodes if isinstance(node, syn.Loop)]
        self._changed = tuple(_changed(nodes)) if self._sides else ()

    def at(self, place: Span) -> Choices:
        """The sides around a place that are the same in all rounds of the loops around it."""
        around = [side for side in self._sides if side[0].encloses(place) and side[2][0] <= place.start]
        return {
            span: (bisect_right(starts, place.start), name) for span, name, starts in around if self.stays(name, place)
        }

    def stays(self, name: str, place: Span) -> bool:
        """Whether no loop around a place changes the name."""
        loops = [loop for loop in self._loops if loop.encloses(place)]
        return not any(changed == name and loop.encloses(span) for changed, span in self._changed for loop in loops)

    def names(self, call: syn.Call) -> tuple[str, ...]:
        """The arguments that are names which stay what they are, "" for others."""
        plain = (arg.name if isinstance(arg := uncast(one), syn.Name) else "" for one in call.args)
        return tuple(name if name and self.stays(name, call.span) else "" for name in plain)


def are_alternatives(one: Choices, other: Choices) -> bool:
    """Whether no run makes both."""
    return any(other[span] != side for span, side in one.items() if span in other and other[span][1] == side[1])


def handed(choices: Choices, parameters: Sequence[str], names: Sequence[str]) -> Choices:
    """The choices of a function in the words of one that calls it, as far as it says which way they go."""
    meant = dict(zip(parameters, names, strict=False))
    return {span: (side, meant[name]) for span, (side, name) in choices.items() if meant.get(name)}


def _changed(nodes: Iterable[syn.Node]) -> Iterator[tuple[str, Span]]:
    """The names that statements set, or may, with where."""
    for node in nodes:
        if isinstance(node, syn.VarDecl):
            yield node.name, node.span
        yield from ((name, node.span) for target in targets_of(node) for name in assigned_base(target))


def _sides(node: syn.Node) -> tuple[Span, str, tuple[int, ...]] | None:
    """A statement that chooses, the name that it goes by, and where each side begins."""
    match node:
        case syn.Switch(selector=selector, body=syn.Compound(body=body)):
            name = uncast(selector)
            starts = tuple(labels[0].span.start for labels, _, closed in cases_of(body) if labels and closed)
            return (node.span, name.name, starts) if isinstance(name, syn.Name) and starts else None
        case syn.If(condition=syn.Binary(op="==", left=left, right=syn.Literal()), then=then, otherwise=otherwise):
            name = uncast(left)
            if otherwise is None or not isinstance(name, syn.Name):
                return None
            return node.span, name.name, (then.span.start, otherwise.span.start)
        case _:
            return None
