"""The card of the kernel, access, branch, barrier or claim under the cursor, or those of a line, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from analysis_core.profile.shares import weigh
from analysis_core.report.findings.figures import expense
from analysis_core.report.findings.model import FileReport
from analysis_core.report.hover import hover_access
from analysis_core.report.hover_barrier import hover_barrier
from analysis_core.report.hover_branch import hover_branch
from analysis_core.report.hover_claim import hover_claim
from analysis_core.report.hover_kernel import hover_kernel
from analysis_core.requests.facts import BranchFact, Divergence
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

_SAFETY = "WC4"
"""How the codes of rules begin that are about what a kernel does, not about what it costs."""


@dataclass(frozen=True, slots=True)
class Card:
    """A hover card. `span`: the text that it is about."""

    span: Span
    markdown: str


@dataclass(frozen=True, slots=True)
class _Found:
    """A card yet to be written; `order`: length of the text, then what makes one of several launches speak."""

    span: Span
    order: tuple[float, ...]
    write: Callable[[], str]


def hover(
    path: str,
    report: FileReport,
    settings: Settings,
    offset: int,
    where: Callable[[Span], str],
    steps: bool = False,
) -> Card | None:
    """The card of the innermost kernel name, access, branch, barrier or claim at a byte.

    Of several launches (or instantiations) the most expensive speaks, since findings are about that one too."""
    found = tuple(_found(report, settings, _holding(FileId(path), offset), where, steps))
    if not found:
        return None
    chosen = min(found, key=lambda one: one.order)
    return Card(chosen.span, chosen.write())


def cards_of(
    path: str, report: FileReport, settings: Settings, start: int, end: int, where: Callable[[Span], str]
) -> tuple[Card, ...]:
    """The cards of all that begins between two bytes of the file, in the order of the text."""

    def begins(span: Span) -> bool:
        return span.file == path and start <= span.start < end

    chosen: dict[Span, _Found] = {}
    for one in sorted(_found(report, settings, begins, where, False), key=lambda one: one.order):
        chosen.setdefault(one.span, one)
    return tuple(Card(span, chosen[span].write()) for span in sorted(chosen, key=lambda s: (s.start, s.end)))


def _holding(file: FileId, offset: int) -> Callable[[Span], bool]:
    return lambda span: span.file == file and span.contains(offset)


def _found(
    report: FileReport, settings: Settings, wanted: Callable[[Span], bool], where: Callable[[Span], str], steps: bool
) -> Iterator[_Found]:
    yield from _kernels(report, settings, wanted, where, steps)
    yield from _places(report, settings, wanted, where)


def prepare(report: FileReport, settings: Settings) -> None:
    """Computes what every card of these kernels needs first; the answers are kept with their facts."""
    for kernel in report.kernels:
        for launch in kernel.launches:
            weigh(launch.profile, settings)


def _kernels(
    report: FileReport, settings: Settings, wanted: Callable[[Span], bool], where: Callable[[Span], str], steps: bool
) -> Iterator[_Found]:
    for kernel in report.kernels:
        span = kernel.name_span
        if wanted(span):
            missing, cost = expense(kernel, settings)
            order = (span.end - span.start, -missing, -cost)
            yield _Found(span, order, partial(hover_kernel, kernel, settings, where, steps))


def _places(
    report: FileReport, settings: Settings, wanted: Callable[[Span], bool], where: Callable[[Span], str]
) -> Iterator[_Found]:
    for launch in (launch for kernel in report.kernels for launch in kernel.launches):
        profile = launch.profile
        for access in profile.accesses:
            span = access.fact.span
            if wanted(span):
                write = partial(_with_races, report, span, partial(hover_access, access, launch, settings, where))
                yield _Found(span, (span.end - span.start, -access.fact.worst), write)
        for branch in profile.branches:
            # Keyword and condition; an access inside of a condition, and a condition inside of a head, is meant first.
            span = branch.fact.spelled.head or branch.fact.span
            if wanted(span):
                write = partial(hover_branch, branch.fact, launch, settings, where)
                yield _Found(span, (span.end - span.start, _rank(branch.fact)), write)
        for barrier in () if profile.races is None else profile.races.barriers:
            span = barrier.barrier
            if wanted(span):
                order = (span.end - span.start, -len(barrier.pairs), not barrier.cause)
                yield _Found(span, order, partial(hover_barrier, barrier, launch, where))
        for claim in profile.claims:
            if wanted(claim.span):
                standing = (claim.span.end - claim.span.start, claim.standing.rank)
                yield _Found(claim.span, standing, partial(hover_claim, claim, launch, where))
        for one in profile.contracts:
            if wanted(one.span):
                from analysis_core.report.hover_contract import hover_contract

                rank = (one.span.end - one.span.start, one.standing.rank)
                yield _Found(one.span, rank, partial(hover_contract, one, launch, where))


def _with_races(report: FileReport, span: Span, write: Callable[[], str]) -> str:
    """The card behind what is reported of the place besides its cost: races, and accesses outside of their array."""
    said = [one for one in report.findings if one.span == span and one.check.startswith(_SAFETY)]
    parts = [" ".join((f"**{one.message}.**", *(f"{n.message}." for n in one.notes if n.span is None))) for one in said]
    return "\n\n".join((*parts, write()))


def _rank(branch: BranchFact) -> int:
    """Of several launches the one under which the branch is worst speaks: less is worse."""
    return -tuple(Divergence).index(branch.divergence)
