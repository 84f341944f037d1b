"""The card of the kernel, access, branch, barrier or claim under the cursor, as Markdown."""

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
    found = [
        *_kernels(FileId(path), report, settings, offset, where, steps),
        *_places(FileId(path), report, settings, offset, where),
    ]
    if not found:
        return None
    chosen = min(found, key=lambda one: one.order)
    return Card(chosen.span, chosen.write())


def prepare(report: FileReport, settings: Settings) -> None:
    """Computes what every card of these kernels needs first; the answers are kept with their facts."""
    for kernel in report.kernels:
        for launch in kernel.launches:
            weigh(launch.profile, settings)


def _kernels(
    file: FileId, report: FileReport, settings: Settings, offset: int, where: Callable[[Span], str], steps: bool
) -> Iterator[_Found]:
    for kernel in report.kernels:
        span = kernel.name_span
        if span.file == file and span.contains(offset):
            missing, cost = expense(kernel, settings)
            order = (span.end - span.start, -missing, -cost)
            yield _Found(span, order, partial(hover_kernel, kernel, settings, where, steps))


def _places(
    file: FileId, report: FileReport, settings: Settings, offset: int, where: Callable[[Span], str]
) -> Iterator[_Found]:
    for launch in (launch for kernel in report.kernels for launch in kernel.launches):
        profile = launch.profile
        for access in profile.accesses:
            span = access.fact.span
            if span.file == file and span.contains(offset):
                write = partial(hover_access, access, launch, settings, where)
                yield _Found(span, (span.end - span.start, -access.fact.worst), write)
        for branch in profile.branches:
            # Keyword and condition; an access inside of a condition, and a condition inside of a head, is meant first.
            span = branch.fact.spelled.head or branch.fact.span
            if span.file == file and span.contains(offset):
                write = partial(hover_branch, branch.fact, launch, settings, where)
                yield _Found(span, (span.end - span.start, _rank(branch.fact)), write)
        for barrier in () if profile.races is None else profile.races.barriers:
            span = barrier.barrier
            if span.file == file and span.contains(offset):
                order = (span.end - span.start, -len(barrier.pairs), not barrier.cause)
                yield _Found(span, order, partial(hover_barrier, barrier, launch, where))
        for claim in profile.claims:
            if claim.span.file == file and claim.span.contains(offset):
                standing = (claim.span.end - claim.span.start, claim.standing.rank)
                yield _Found(claim.span, standing, partial(hover_claim, claim, launch, where))


def _rank(branch: BranchFact) -> int:
    """Of several launches the one under which the branch is worst speaks: less is worse."""
    return -tuple(Divergence).index(branch.divergence)
