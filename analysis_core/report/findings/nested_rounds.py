"""What only rounds inside of rounds make much of, where nobody knows the one or the other: a guess of a guess.

    while (walking) {
        ..
        for (int k = 0; k < leaves; k++) .. level[leaf[k]] ..
    }

At the representative number of rounds the inner statement runs a thousand times, beside which all else is nothing; and where each walk
is a few steps and has a leaf or two, it is nothing itself.  So a figure that memory decides, or a count of which it is told that it is one "at most",
needs more than that: its share has to hold, for the most part, where any of these loops is short, and where all of them are.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.expressions.expression import Expression, Product, Symbol, fold
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.run_totals import of_one_run
from analysis_core.profile.shares import shares_at
from analysis_core.profile.sizes import Sizes, kind_by_name, symbol_infos
from analysis_core.profile.sureness import may_be_cheap
from analysis_core.report.findings.alike import Alike
from analysis_core.report.findings.branch_gates import LIKELY

_SHORT = 2
"""Rounds of a loop of unknown length that has hardly any."""


def is_guess_of_guess(context: Context, found: Alike) -> bool:
    """Whether a share rests on at least two nested loops whose numbers of rounds are both guesses, for a figure that
    is not sure."""
    access = found.access
    if not (may_be_cheap(access.fact) or access.frequency.rarity or access.frequency.ends) or access.fact.times is None:
        return False
    unknown = _unknown_rounds(context)
    nested = _nested(access.fact.times, unknown)
    if len(nested) < 2:
        return False
    shorter = [{name: _SHORT} for name in sorted(nested)] + [dict.fromkeys(nested, _SHORT)]
    return any(_share_with(context, found, values) < LIKELY * found.share for values in shorter)


def _unknown_rounds(context: Context) -> frozenset[str]:
    """The numbers of rounds that stand at the representative one."""
    infos, most = symbol_infos(context.facts), context.settings.representative_trips
    usual = (name for name, value in context.weights.sizes.values.items() if value == most)
    known = context.profile.trips.keys() | context.settings.values.keys()
    kinds = {name: infos[name].kind if name in infos else kind_by_name(name) for name in usual if name not in known}
    return frozenset(name for name, kind in kinds.items() if kind == "trip")


def _nested(times: Expression, names: frozenset[str]) -> frozenset[str]:
    """Those of the names that are multiplied by each other, of the longest product."""

    def combine(node: Expression, below: tuple[frozenset[str], ...]) -> frozenset[str]:
        if isinstance(node, Symbol):
            return frozenset({node.name}) & names
        if isinstance(node, Product):
            return frozenset[str]().union(*below)
        return max(below, key=len, default=frozenset())

    return fold(times, combine)


def _share_with(context: Context, found: Alike, values: Mapping[str, int]) -> float:
    """The share of the group where these numbers of rounds are what is given."""
    sizes = Sizes.of(context.profile, {**context.weights.sizes.values, **values})
    asked = {id(access) for access in (found.access, *found.others)}
    shares = shares_at(context.profile, sizes, context.settings)
    known = zip(context.profile.accesses, shares, strict=True)
    return of_one_run((access.frequency.sides, share) for access, share in known if id(access) in asked)
