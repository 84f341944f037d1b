"""Short remarks at the ends of lines, only where there is something to lose.

    out[x*h + y] = v;                     32 sectors (8x)
    v = tile[threadIdx.x][threadIdx.y];   32-way conflict
    a[i*n]                                32 sectors, 4 if n == 1
    for (i = tid; i < n; i += 256)        ceil(n/256) times per warp
    if (tid % 2)                          diverges: 16 of 32 active
    p[idx[i]]                             up to 32 sectors (depends on data)

At most `LONGEST` characters; one per statement, the worst.  Quiet where the analysis only knows no better, as the rules are, for
what compilers make no request for, for a single sector too many, and at loops that multiply nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from analysis_core.expressions.expression import constant, symbols
from analysis_core.expressions.expression_people import Spelling, condition_text
from analysis_core.ir.nodes import LoopKind
from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import AccessProfile, BranchProfile, KernelProfile
from analysis_core.profile.line_shares import METRIC_OF_SPACE
from analysis_core.profile.shares import weigh
from analysis_core.profile.sizes import kind_by_name
from analysis_core.profile.sureness import is_dear_at_all_sizes, is_of_open_size, is_our_limit, rests_on_data
from analysis_core.report.findings.check import QUIET_SECTORS
from analysis_core.report.findings.split_gates import wastes_lanes
from analysis_core.report.findings.wording import decider
from analysis_core.requests.facts import AccessFact, Divergence
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

LONGEST = 36

Statement = Callable[[Span], object]


@dataclass(frozen=True, slots=True)
class Hint:
    """`span`: what it is about; its card is the tooltip.  `weight` orders hints of one statement."""

    span: Span
    label: str
    weight: float


def hints(launches: Iterable[KernelProfile], settings: Settings, statement: Statement) -> tuple[Hint, ...]:
    """The hints of all kernels and launches, in source order.  `statement` names the statement of a place."""
    worst: dict[tuple[object, bool], Hint] = {}
    for profile in launches:
        for hint, on_branch in _hints(profile, settings):
            key = (statement(hint.span), on_branch)
            if key not in worst or hint.weight > worst[key].weight:
                worst[key] = hint
    return tuple(sorted(worst.values(), key=lambda hint: (hint.span.file, hint.span.start, hint.label)))


def _hints(profile: KernelProfile, settings: Settings) -> Iterator[tuple[Hint, bool]]:
    """Hints with whether they are about a branch, which is a statement of its own beside what it holds."""
    weights = weigh(profile, settings)
    lossy: list[Span] = []
    for plain, cost in zip(profile.accesses, weights.accesses, strict=True):
        access = plain.as_passed or plain
        label = access_label(access)
        if label is not None:
            lossy.append(access.fact.span)
            yield (
                Hint(access.fact.span, label, cost * (access.fact.worst - access.fact.ideal) / access.fact.worst),
                False,
            )
    spelling = Spelling(tuple(info.source for info in profile.facts.symbols))
    for branch, times in zip(profile.branches, weights.branches, strict=True):
        if isinstance(branch.fact.kind, LoopKind):
            label = loop_label(branch, spelling) if _multiplies(branch, lossy) else None
        else:
            label = branch_label(branch)
        if label is not None:
            yield Hint(branch.fact.spelled.head or branch.fact.span, label, times), True


def access_label(access: AccessProfile) -> str | None:
    """ "32 sectors (8x)", "32-way conflict"; None if there is nothing to say."""
    if access.fact.worst <= access.fact.ideal or access.traffic.spared or access.fact.space not in METRIC_OF_SPACE:
        return None
    if rests_on_data(access.fact):
        return _by_data(access)
    if is_our_limit(access.fact):
        return None
    if is_of_open_size(access.fact):
        return _at_sizes(access.fact) if is_dear_at_all_sizes(access.fact) else None
    settled = access.fact.exact or access.fact.best == access.fact.worst or access.fact.variation.sizes is not None
    most = "" if settled else "up to "
    if access.fact.space is Space.SHARED:
        return most + (f"{access.fact.worst}-way conflict" if access.fact.ideal == 1 else _over(access, "wavefronts"))
    if access.fact.worst - access.fact.ideal < QUIET_SECTORS:
        return None
    met = next((case for case in access.fact.cases if case.cost <= access.fact.ideal), None)
    told = "" if met is None else f"{access.fact.worst} sectors, {met.cost} if {condition_text(met.when)}"
    return told if 0 < len(told) <= LONGEST else most + _over(access, "sectors")


def _over(access: AccessProfile, unit: str) -> str:
    """ "32 sectors (8x)"."""
    return f"{access.fact.worst} {unit} ({factor(access.fact.worst, access.fact.ideal)})"


def _at_sizes(fact: AccessFact) -> str:
    """ "32 or 16 sectors": at the sizes that are tried of types that are not declared."""
    costs = () if fact.variation.sized is None else fact.variation.sized.costs
    return f"{' or '.join(dict.fromkeys(str(one.worst) for one in costs))} {METRIC_OF_SPACE[fact.space]}"


def factor(actual: int, ideal: int) -> str:
    """ "8x", "2.5x", "1.3x"."""
    times = actual / max(1, ideal)
    return f"{times:.0f}x" if times == round(times) or times >= 10 else f"{times:.1f}x"


def _by_data(access: AccessProfile) -> str:
    """ "up to 32 sectors (idx[i] decides)": memory decides."""
    unit = METRIC_OF_SPACE[access.fact.space]
    load = decider(access.fact.why.cause)
    named = f"up to {access.fact.worst} {unit} ({load[1:-1]} decides)" if load is not None else ""
    return named if 0 < len(named) <= LONGEST else f"up to {access.fact.worst} {unit} (depends on data)"


def _multiplies(branch: BranchProfile, lossy: Iterable[Span]) -> bool:
    """Whether a loop multiplies what is lost in it, or its threads exit at different iterations."""
    whole = branch.fact.whole or branch.fact.span
    inside = any(s.file == whole.file and whole.start <= s.start and s.end <= whole.end for s in lossy)
    return inside or branch.fact.divergence in (Divergence.POSSIBLE, Divergence.ALWAYS)


def loop_label(branch: BranchProfile, spelling: Spelling) -> str | None:
    """ "ceil(n/256) times per warp", "iterations unknown"; a number that stands in the text needs no hint."""
    rounds = branch.fact.leaving.rounds
    if rounds is None or constant(rounds) is not None:
        return None
    if any(kind_by_name(name) == "trip" for name in symbols(rounds)):
        return "iterations unknown"
    label = f"{spelling.text(rounds)} times per warp"
    return label if len(label) <= LONGEST else None


def branch_label(branch: BranchProfile) -> str | None:
    """ "diverges: 16 of 32 active"."""
    if not wastes_lanes(branch) or branch.fact.divergence is Divergence.BOUNDARY:
        return None
    least, most = branch.fact.splits.active
    active = str(least) if least == most else f"{least}-{most}"
    return f"{'diverges' if branch.fact.divergence is Divergence.ALWAYS else 'may diverge'}: {active} of 32 active"
