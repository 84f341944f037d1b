"""How sure the figure of a fact is: whether memory decides it, whether only the analysis knows no better, or nobody can say."""

from __future__ import annotations

from analysis_core.expressions.expression import constant
from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import AccessProfile, BranchProfile
from analysis_core.requests.facts import AccessFact, BranchFact, Certainty, Divergence
from analysis_core.support.facts import CauseKind


def rests_on_data(fact: AccessFact | BranchFact) -> bool:
    """Whether memory contents decide the cost, so that it may be anything up to the worst.

    A known cause tells; what else is loaded on the way (`p[loaded + q]`, where only q is not understood) does not."""
    if fact.why.cause is not None:
        return fact.why.cause.kind is CauseKind.DATA
    return isinstance(fact, AccessFact) and fact.why.data_dependent


def scatters_by_data(access: AccessFact) -> bool:
    """Whether memory decides how the lanes lie to each other, and not only where all of them begin or which of them run."""
    return rests_on_data(access) and access.open is not None


SURE = 2
"""Times the ideal that a request costs at the best place to begin from which memory, which decides only that, makes nothing unsure."""


def may_be_cheap(access: AccessFact) -> bool:
    """Whether some contents of memory make the access cheap. They do not if the lanes' distances are known and dear
    wherever they begin."""
    return scatters_by_data(access) or (rests_on_data(access) and access.best < SURE * access.ideal)


def surely_splits(branch: BranchProfile) -> bool:
    """Whether some warp splits, and data does not decide whether it gets there."""
    return branch.fact.divergence is Divergence.ALWAYS and not branch.rarity


def is_our_limit(fact: AccessFact | BranchFact) -> bool:
    """Whether the cost is only an upper figure because the analysis knows no better: hovers say so, rules stay quiet."""
    return fact.why.cause is not None and fact.why.cause.kind is not CauseKind.DATA


def is_loose(fact: AccessFact) -> bool:
    """Whether the cost is an upper figure, and neither what memory holds nor the bits of a size say when it is less."""
    ranged = fact.certainty in (Certainty.RANGED, Certainty.EXECUTIONS) and not fact.cases
    return ranged and not fact.exact and not rests_on_data(fact)


def is_upper_figure(access: AccessProfile) -> bool:
    """Whether some admissible sizes or contents cost less than `worst` and no case says which: shown as "up to".  So where data
    decides which lanes get there."""
    if access.frequency.rarity > 0 or may_be_cheap(access.fact):
        return True
    return access.fact.best != access.fact.worst and (rests_on_data(access.fact) or not access.fact.exact)


def is_of_open_size(access: AccessFact) -> bool:
    """Whether its figures rest on the size of types that are not declared: whatever that is, lanes that go anywhere take a sector each."""
    return (access.why.unsized or access.variation.sized is not None) and not is_scattered_unsized(access)


def is_dear_at_all_sizes(access: AccessFact) -> bool:
    """Whether it costs at least twice the ideal at each size that is tried of types that are not declared."""
    sized = access.variation.sized
    return sized is not None and all(one.worst >= 2 * one.ideal for one in sized.costs)


def is_scattered_unsized(access: AccessFact) -> bool:
    """Whether lanes go anywhere in memory to elements of unknown size: each takes a sector of its own, whatever the
    size."""
    return access.why.unsized and access.space is Space.GLOBAL and rests_on_data(access)


def is_one_guess(access: AccessFact) -> bool:
    """Whether the access may as well be ideal, nobody can say for which sizes, and it is executed once, so that no
    round of a loop makes the dear case sure."""
    return (
        access.variation.undecided
        and access.best <= access.ideal
        and access.times is not None
        and constant(access.times) == 1
    )
