"""The card of the access or branch under the cursor, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analysis_core.cost.facts import BranchFact, Divergence
from analysis_core.report.hover import hover_access
from analysis_core.report.hover_branch import hover_branch
from analysis_core.report.model import FileReport
from analysis_core.support.settings import Settings
from analysis_core.text.span import FileId, Span


@dataclass(frozen=True, slots=True)
class Card:
    """`span`: the text that the card is about."""

    span: Span
    markdown: str


def hover(path: str, report: FileReport, settings: Settings, offset: int, where: Callable[[Span], str]) -> Card | None:
    """The card of the innermost access or branch at a byte.

    Of several launches (or instantiations) the most expensive speaks, since findings are about that one too."""
    cards = list(_cards(FileId(path), report, settings, offset, where))
    if not cards:
        return None
    _, _, card = min(cards, key=lambda found: found[:2])
    return card


def _cards(
    file: FileId, report: FileReport, settings: Settings, offset: int, where: Callable[[Span], str]
) -> Iterator[tuple[int, int, Card]]:
    """Cards with what orders them: length of the text, then minus the cost."""
    for launch in (launch for kernel in report.kernels for launch in kernel.launches):
        for access in launch.facts.accesses:
            span = access.span
            if span.file == file and span.contains(offset):
                card = Card(span, hover_access(access, launch.facts, settings, where))
                yield span.end - span.start, -access.worst, card
        for branch in launch.facts.branches:
            # Keyword and condition; an access inside of a condition, and a condition inside of a head, is meant first.
            span = branch.head or branch.span
            if span.file == file and span.contains(offset):
                yield span.end - span.start, _rank(branch), Card(span, hover_branch(branch, launch.facts, where))


def _rank(branch: BranchFact) -> int:
    """Of several launches the one under which the branch is worst speaks: less is worse."""
    return -tuple(Divergence).index(branch.divergence)
