"""Which conditions let only some lanes of a warp run in one execution, or nobody can tell which.

All that may run at once run at some size where conditions are thresholds (`i < n`, `i / n < 4`), pointers that are null or not, or contents of
memory.  Where one asks lanes whether they are equal to something that they share (`i == n`), or compares what is not followed with a number
(`__popc(i ^ n) < 2`), no execution may have them all.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.domains import condition as cond
from analysis_core.domains.condition import Atom, Comparison, Condition, Relation
from analysis_core.domains.derivation import QUOTIENTS, Derivation
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.ir.types import PointerType
from analysis_core.support.facts import CauseKind

_DECIDED_ELSEWHERE = frozenset({SymbolKind.DATA, SymbolKind.UNKNOWN, SymbolKind.CHOICE})
_ONE_OF_TWO = frozenset({"min", "max", "blend", "choice"})

Derivations = Callable[[Symbol], Derivation | None]


def restricts(mask: Mask, derivations: Derivations) -> bool:
    """Whether some lanes of the mask never run together."""
    return any(divides(entry.formula, derivations) for entry in mask.literals)


def divides(condition: Condition, derivations: Derivations) -> bool:
    """Whether only some lanes of a warp may meet the condition in one execution, or nobody can tell which."""
    return any(_divides(atom, derivations) for atom in cond.atoms(condition))


def _divides(atom: Atom, derivations: Derivations) -> bool:
    if atom.level is not Level.LANE or atom.data:
        return False
    if atom.poly is None:
        compared = atom.compared
        if compared is None or compared.op != "==":
            return compared is None or _is_window(compared)
        return not isinstance(compared.type, PointerType)
    symbols = atom.poly.symbols()
    own = [symbol for symbol in symbols if symbol.level is Level.LANE]
    if atom.cause is not None and atom.cause.kind is CauseKind.DATA:
        return False
    if any(symbol.kind in _DECIDED_ELSEWHERE for symbol in own):
        return False  # Memory or joined values decide: all lanes may have what lets them pass.
    if atom.relation is Relation.ZERO:
        return True
    if atom.cause is not None and len(own) < len(symbols):
        return False  # What is not followed lies below a number that has no end.
    return any(not _has_no_end(symbol, derivations) for symbol in own)


def _is_window(compared: Comparison) -> bool:
    """Whether it is a check of a range in unsigned arithmetic, `(unsigned)(i - n) < 4`, that no warp fits into."""
    limit, places = compared.right.poly, compared.left.poly.constant
    if compared.left.exact or not limit.is_constant or not isinstance(limit.constant, int) or isinstance(places, int):
        return False
    rows = places.reshape(-1, WARP)
    return limit.constant <= int((rows.max(axis=1) - rows.min(axis=1)).max())


def _has_no_end(symbol: Symbol, derivations: Derivations) -> bool:
    """Whether all lanes may lie on one side of a number: one of two values, a quotient of or by a number without an end."""
    derivation = derivations(symbol)
    if derivation is None or derivation.op in _ONE_OF_TWO:
        return True
    asked = (s for v in derivation.operands for s in v.poly.symbols())
    return derivation.op in QUOTIENTS and any(s.high is None or s.high > 64 for s in asked)
