"""What is true of base functions: the axioms that a certificate may use, each with its reason in one line.

A rule has premises, affine expressions that must be >= 0, and a conclusion: a polynomial that then is `= 0` (an equality,
used to rewrite its first argument) or `>= 0`.  This table is all that is trusted beside the arithmetic of polynomials.
"""

from __future__ import annotations

from analysis_core.bounds.program import Affine, plus, times
from analysis_core.lp.polynomials import Atom, Ceil, Log, Max, Poly, combine, factor, name_of, poly_of, product
from analysis_core.text.records import dataclass

ONE = Affine(1)


@dataclass(frozen=True, slots=True)
class Rule:
    """`conclusion` is 0 if `equal`, else >= 0, where all `premises` are >= 0.  `name` says which rule it is."""

    name: str
    arguments: tuple[Atom | Affine | int, ...]
    premises: tuple[Affine, ...]
    conclusion: Poly
    equal: bool
    left: str = ""

    @property
    def value(self) -> Poly:
        """What an equality's left side is equal to."""
        return combine([(1, factor(self.left)), (-1, self.conclusion)])


Arguments = tuple[Atom | Affine | int, ...]


def _equal(name: str, arguments: Arguments, premises: tuple[Affine, ...], left: Atom, right: Poly) -> Rule:
    key = name_of(left)
    return Rule(name, arguments, premises, combine([(1, factor(key)), (-1, right)]), True, key)


def _at_least(name: str, arguments: Arguments, premises: tuple[Affine, ...], greater: Poly, less: Poly) -> Rule:
    return Rule(name, arguments, premises, combine([(1, greater), (-1, less)]), False)


def _divisor(atom: Ceil) -> Affine:
    return plus(atom.d, Affine(-1))


# --- equalities ---------------------------------------------------------------------------------------------------


def max_is(atom: Max) -> Rule:
    """max(0, e) = e for e >= 0."""
    return _equal("max-is", (atom,), (atom.e,), atom, poly_of(atom.e))


def zero(atom: Atom) -> Rule:
    """max(0, e) = ceil(max(0, e) / d) = 0 for e <= 0; no rounds for e < x, x >= 1."""
    match atom:
        case Max(e):
            return _equal("zero", (atom,), (times(-1, e),), atom, {})
        case Ceil(e, _):
            return _equal("zero", (atom,), (times(-1, e), _divisor(atom)), atom, {})
        case Log(_, e, x):
            below = plus(x, times(-1, plus(e, ONE)))
            return _equal("zero", (atom,), (below, plus(x, Affine(-1))), atom, {})


def ceil_shift(after: Ceil, before: Ceil, k: int) -> Rule:
    """ceil(e / d) = ceil((e - k*d) / d) + k, and max(0, .) changes neither quotient where the lesser of the two
    dividends is > -d: from there to 0 both round up to 0."""
    if plus(before.e, times(-1, after.e)) != times(k, after.d) or before.d != after.d:
        raise ValueError("not a shift by a multiple of the divisor")
    lesser = after.e if k >= 0 else before.e
    guard = plus(lesser, plus(after.d, Affine(-1)))
    right = combine([(1, factor(name_of(before))), (-k, {(): 1})])
    return _equal("ceil-shift", (after, before, k), (guard, _divisor(after)), after, right)


def log_step(after: Log, before: Log) -> Rule:
    """Exactly one round fewer: where both `log_falls` and `log_keeps` apply."""
    premises = (*_log_premises(after, before, fall=True), *_log_premises(after, before, fall=False))
    right = combine([(1, factor(name_of(before))), (-1, {(): 1})])
    return _equal("log-step", (after, before), premises, after, right)


# --- inequalities -------------------------------------------------------------------------------------------------


def non_negative(atom: Atom) -> Rule:
    """All base functions are >= 0."""
    return _at_least("non-negative", (atom,), (), factor(name_of(atom)), {})


def max_above(atom: Max) -> Rule:
    """max(0, e) >= e."""
    return _at_least("max-above", (atom,), (), factor(name_of(atom)), poly_of(atom.e))


def max_below(atom: Max, e: Affine) -> Rule:
    """max(0, e') <= e where e >= 0 and e >= e'."""
    return _at_least("max-below", (atom, e), (e, plus(e, times(-1, atom.e))), poly_of(e), factor(name_of(atom)))


def ceil_low(atom: Ceil) -> Rule:
    """d * ceil(max(0, e) / d) >= e."""
    left = product(poly_of(atom.d), factor(name_of(atom)))
    return _at_least("ceil-low", (atom,), (_divisor(atom),), left, poly_of(atom.e))


def ceil_high(atom: Ceil) -> Rule:
    """d * ceil(max(0, e) / d) <= e + d - 1 for e > -d."""
    end = plus(atom.e, _divisor(atom))
    right = product(poly_of(atom.d), factor(name_of(atom)))
    return _at_least("ceil-high", (atom,), (end, _divisor(atom)), poly_of(end), right)


def ceil_positive(atom: Ceil) -> Rule:
    """ceil(max(0, e) / d) >= 1 for e >= 1."""
    premises = (plus(atom.e, Affine(-1)), _divisor(atom))
    return _at_least("ceil-positive", (atom,), premises, factor(name_of(atom)), {(): 1})


def ceil_most(atom: Ceil, k: int) -> Rule:
    """ceil(max(0, e) / d) <= k for e <= k*d, k >= 0."""
    if k < 0:
        raise ValueError("only for k >= 0")
    premises = (plus(times(k, atom.d), times(-1, atom.e)), _divisor(atom))
    return _at_least("ceil-most", (atom, k), premises, {(): k} if k else {}, factor(name_of(atom)))


def ceil_falls(after: Ceil, before: Ceil, k: int) -> Rule:
    """ceil(max(0, e') / d) <= ceil(max(0, e) / d) - k where e' <= e - k*d, and e - k*d > -d if k > 0."""
    kd = times(k, after.d)
    less = plus(before.e, times(-1, plus(after.e, kd)))
    guard = (plus(plus(before.e, times(-1, kd)), _divisor(after)),) if k > 0 else ()
    right = combine([(1, factor(name_of(before))), (-k, {(): 1})])
    return _at_least("ceil-falls", (after, before, k), (less, *guard, _divisor(after)), right, factor(name_of(after)))


def ceil_keeps(after: Ceil, before: Ceil, k: int) -> Rule:
    """ceil(max(0, e') / d) >= ceil(max(0, e) / d) - k where e' >= e - k*d, k >= 0."""
    if k < 0:
        raise ValueError("only for k >= 0")
    more = plus(plus(after.e, times(k, after.d)), times(-1, before.e))
    right = combine([(1, factor(name_of(before))), (-k, {(): 1})])
    return _at_least("ceil-keeps", (after, before, k), (more, _divisor(after)), factor(name_of(after)), right)


def log_positive(atom: Log) -> Rule:
    """A round is made where e >= x >= 1."""
    premises = (plus(atom.e, times(-1, atom.x)), plus(atom.x, Affine(-1)))
    return _at_least("log-positive", (atom,), premises, factor(name_of(atom)), {(): 1})


def log_falls(after: Log, before: Log) -> Rule:
    """One round fewer after x' >= c*x, or after c*e' <= e, for e >= x >= 1: x * c**r > e makes x * c**(r - 1) > e'."""
    premises = _log_premises(after, before, fall=True)
    right = combine([(1, factor(name_of(before))), (-1, {(): 1})])
    return _at_least("log-falls", (after, before), premises, right, factor(name_of(after)))


def log_keeps(after: Log, before: Log) -> Rule:
    """At most one round fewer after x' <= c*x, or after c*e' >= e - (c - 1): x * c**r > e' makes x * c**(r + 1) > e."""
    premises = _log_premises(after, before, fall=False)
    right = combine([(1, factor(name_of(before))), (-1, {(): 1})])
    return _at_least("log-keeps", (after, before), premises, factor(name_of(after)), right)


def _log_premises(after: Log, before: Log, fall: bool) -> tuple[Affine, ...]:
    """By which of the two, x or e, the rounds change."""
    if after.base != before.base:
        raise ValueError("different bases")
    c = before.base
    sign = 1 if fall else -1
    if after.x == before.x:
        slack = Affine(0 if fall else c - 1)
        change = plus(times(sign, plus(before.e, times(-c, after.e))), slack)
    elif after.e == before.e:
        change = times(sign, plus(after.x, times(-c, before.x)))
    else:
        raise ValueError("both sides change")
    ends = (plus(before.x, Affine(-1)), plus(after.x, Affine(-1)))
    return (change, *ends, plus(before.e, times(-1, before.x))) if fall else (change, *ends)


# --- checking -----------------------------------------------------------------------------------------------------


def is_instance(rule: Rule) -> bool:
    """Whether a rule is what its axiom says for its arguments."""
    try:
        return rule == _again(rule.name, rule.arguments)
    except ValueError:
        return False


def _again(name: str, arguments: Arguments) -> Rule | None:
    match name, arguments:
        case "max-is", (Max() as atom,):
            return max_is(atom)
        case "zero", ((Max() | Ceil() | Log()) as atom,):
            return zero(atom)
        case "non-negative", ((Max() | Ceil() | Log()) as atom,):
            return non_negative(atom)
        case "max-above", (Max() as atom,):
            return max_above(atom)
        case "max-below", (Max() as atom, Affine() as e):
            return max_below(atom, e)
        case "ceil-shift", (Ceil() as after, Ceil() as before, int(k)):
            return ceil_shift(after, before, k)
        case "ceil-low", (Ceil() as atom,):
            return ceil_low(atom)
        case "ceil-high", (Ceil() as atom,):
            return ceil_high(atom)
        case "ceil-positive", (Ceil() as atom,):
            return ceil_positive(atom)
        case "ceil-most", (Ceil() as atom, int(k)):
            return ceil_most(atom, k)
        case "ceil-falls", (Ceil() as after, Ceil() as before, int(k)):
            return ceil_falls(after, before, k)
        case "ceil-keeps", (Ceil() as after, Ceil() as before, int(k)):
            return ceil_keeps(after, before, k)
        case "log-step", (Log() as after, Log() as before):
            return log_step(after, before)
        case "log-positive", (Log() as atom,):
            return log_positive(atom)
        case "log-falls", (Log() as after, Log() as before):
            return log_falls(after, before)
        case "log-keeps", (Log() as after, Log() as before):
            return log_keeps(after, before)
        case _:
            return None
