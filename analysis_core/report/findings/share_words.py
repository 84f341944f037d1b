"""Which word stands before a share: none, "up to" or "about".

    out[i] = in[index[i]];                                 up to 89%: addresses may be dear or not, and the store beside them is what it is
    out[at] = first[index[i]]; at += count[i];             about 41%: what the others cost is open as well

A share divides what a group of accesses costs by what all of them do.  What memory decides is taken for its worst there (in `shares`, what may be
expected).  Where only the group may be cheaper than that, its share is an upper bound; where others may be as well, the share grows as they
shrink, and is a bound of nothing.
"""

from __future__ import annotations

from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.run_totals import exclude
from analysis_core.profile.sureness import is_upper_figure, may_be_cheap
from analysis_core.report.findings.alike import Alike
from analysis_core.report.findings.wording import is_most, tells_mean

_OPEN = 0.1
"""The part of all that is weighed from which on others that may cost less make the share anything."""


def word_of_share(context: Context, found: Alike) -> str:
    """ "up to ", "about ", or nothing."""
    if not may_be_cheap(found.access.fact) or tells_mean(found.access):
        return ""
    group = {id(one) for one in (found.access, *found.others)}
    weighed = [
        (access, cost)
        for access, cost in zip(context.profile.accesses, context.weights.accesses, strict=True)
        if access.fact.space is found.access.fact.space
        and not exclude(access.frequency.sides, found.access.frequency.sides)
    ]
    open_cost = sum(cost for access, cost in weighed if id(access) not in group and _may_cost_less(access))
    return "about " if open_cost > _OPEN * sum(cost for _, cost in weighed) else "up to "


def _may_cost_less(access: AccessProfile) -> bool:
    return is_upper_figure(access) or is_most(access)
