"""Cases as text: from a residue class of a monomial to "width % 8 == 0".

Only parameters make a case that a user can act on; where the residue depends on blockIdx, a loop counter or data,
both costs occur within one launch and there is no case to tell.
"""

from __future__ import annotations

from math import gcd

from analysis_core.cost.access_cost import Residue
from analysis_core.cost.expression import safe_name
from analysis_core.domains.symbol import SymbolKind


def case_text(case: Residue) -> str | None:
    """The condition on parameters under which the request costs `case.cost`, or None if it is no such condition."""
    if any(s.kind is not SymbolKind.PARAMETER for s in case.monomial) or not case.monomial:
        return None
    modulus = case.modulus // gcd(case.modulus, case.scale)
    good = {r for r in range(modulus) if (case.offset + case.scale * r) % case.modulus in case.residues}
    if not good or len(good) == modulus:
        return None
    step = next((d for d in range(1, modulus + 1) if modulus % d == 0 and good == _class(min(good), d, modulus)), None)
    name = "*".join(safe_name(s.name) for s in case.monomial)
    name = f"({name})" if len(case.monomial) > 1 else name
    if step is not None:
        return f"{name} % {step} == {min(good) % step}"
    return " or ".join(f"{name} % {modulus} == {r}" for r in sorted(good)) if len(good) <= 3 else None


def _class(residue: int, step: int, modulus: int) -> set[int]:
    return {r for r in range(modulus) if r % step == residue % step}
