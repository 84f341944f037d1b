"""Cases: "4 sectors when width % 8 == 0", from the costs of all requests by the residue of one symbol.

Only parameters make a case that a user can act on; where the residue depends on blockIdx, a loop counter or data,
both costs occur within one launch and there is no case to tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd, lcm

from analysis_core.domains.symbol import SymbolKind
from analysis_core.expressions.expression import safe_name
from analysis_core.requests.access_cost import ResidueCosts
from analysis_core.requests.facts import CostCase, SizeMean

_MOST_RESIDUES = 1024


def together(tables: Iterable[ResidueCosts], floor: int) -> ResidueCosts | None:
    """The table of costs by residue for several requests, if one and the same symbol decides all of them: the greatest
    of each residue. `floor` is the worst of the requests that depend on no symbol."""
    result: ResidueCosts | None = None
    for table in tables:
        if result is None:
            result = ResidueCosts(table.monomial, tuple(max(cost, floor) for cost in table.costs))
            continue
        if table.monomial != result.monomial:
            return None
        size = lcm(len(result.costs), len(table.costs))
        if size > _MOST_RESIDUES:
            return None
        costs = (max(result.costs[r % len(result.costs)], table.costs[r % len(table.costs)]) for r in range(size))
        result = ResidueCosts(table.monomial, tuple(costs))
    return result


def mean_cost(table: ResidueCosts) -> SizeMean | None:
    """The mean over the residues that a parameter may have, all of them as likely; None where something else decides."""
    if len(table.monomial) != 1 or table.monomial[0].kind is not SymbolKind.PARAMETER:
        return None
    (symbol,) = table.monomial
    step = gcd(len(table.costs), symbol.modulus)
    costs = [cost for r, cost in enumerate(table.costs) if r % step == symbol.residue % step]
    return SizeMean(symbol.name, sum(costs) / len(costs))


def best_case(table: ResidueCosts) -> CostCase | None:
    """The residue class of the least cost as a condition on parameters, or None if it cannot be said in one."""
    if not table.monomial or any(s.kind is not SymbolKind.PARAMETER for s in table.monomial):
        return None
    modulus, least = len(table.costs), min(table.costs)
    good = {r for r, cost in enumerate(table.costs) if cost == least}
    if len(good) == modulus:
        return None
    name = "*".join(safe_name(s.name) for s in table.monomial)
    name = f"({name})" if len(table.monomial) > 1 else name
    for step in range(1, modulus + 1):
        if modulus % step == 0 and good == {r for r in range(modulus) if r % step == min(good) % step}:
            return CostCase(f"{name} % {step} == {min(good) % step}", least)
    if len(good) > 3:
        return None
    return CostCase(" or ".join(f"{name} % {modulus} == {r}" for r in sorted(good)), least)
