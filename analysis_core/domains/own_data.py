"""Whether what lanes differ by comes from memory lane by lane, or is a function of the lane and of contents that all share.

`p[t / rows + i]` with `rows` loaded is an address whose lanes are apart by an arithmetic that was not followed, as if `rows` were
a parameter.  A size in memory scatters nothing: to say that memory may send the lanes anywhere would be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from analysis_core.domains import condition as cond
from analysis_core.domains.condition import Condition
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import Other, Value, is_data, level_of

_SIZED = frozenset({"/", "%", "floor/", "floor%", "min", "max", "blend", "choice", ">>", "&"})
"""What is done with sizes.  Other operations mix bits, as hash functions do: of a seed that all lanes share they make anything."""


def is_own_data(value: Value, derivations: Mapping[Symbol, Derivation]) -> bool:
    """Whether contents of memory that each lane has for itself go into the value."""
    if isinstance(value, Other):
        return value.own
    return has_own_data(value.poly.symbols(), derivations)


def makes_own(operands: Sequence[Value], derivations: Mapping[Symbol, Derivation]) -> bool:
    """Whether a floating-point result of these operands may depend on contents of memory that each lane has for
    itself. A lane's number times a size does not; a sum of such products, a rotation, takes lanes anywhere."""
    own = [value for value in operands if level_of(value) is Level.LANE]
    if len(own) > 1:
        return any(is_data(value) for value in operands)
    return any(is_own_data(value, derivations) for value in own)


def are_near(values: Iterable[Value], derivations: Mapping[Symbol, Derivation]) -> bool:
    """Whether lanes differ in these values by their own numbers alone, and all contents of memory in them are the same
    for all lanes."""
    return all(_is_near(value, derivations) for value in values)


def _is_near(value: Value, derivations: Mapping[Symbol, Derivation]) -> bool:
    if level_of(value) is not Level.LANE:
        return True
    if isinstance(value, Other):
        return value.near
    lost = any(s.kind is SymbolKind.UNKNOWN and s.level is Level.LANE for s in value.poly.symbols())
    return not lost and not has_own_data(value.poly.symbols(), derivations)


def has_own_data(
    symbols: Iterable[Symbol],
    derivations: Mapping[Symbol, Derivation],
    is_near: Callable[[Symbol], bool] = lambda _: False,
) -> bool:
    """Whether contents of memory that each lane has for itself go into one of the symbols. Symbols that `is_near`
    accepts do not count: memory moves lanes on by them step by step only. Nor does a condition that chooses between
    such a symbol and its next step."""
    pending, seen = list(symbols), set[Symbol]()
    while pending:
        symbol = pending.pop()
        if symbol.level is not Level.LANE or symbol in seen or is_near(symbol):
            continue
        seen.add(symbol)
        derivation = derivations.get(symbol)
        if derivation is None or derivation.op not in _SIZED:
            if symbol.kind is SymbolKind.DATA:
                return True
            continue
        condition = derivation.condition
        from_near = any(is_near(s) for operand in derivation.operands for s in operand.poly.symbols())
        if condition is not None and not from_near:
            if _is_open_by_memory(condition):
                return True
            pending.extend(cond.symbols(condition))
            pending.extend(_compared(condition))
        pending.extend(s for operand in derivation.operands for s in operand.poly.symbols())
    return False


def _is_open_by_memory(c: Condition) -> bool:
    """Whether part of the formula is known by its level alone (it compares floating-point values), a lane's own, and rests on
    memory."""
    return any(a.poly is None and a.compared is None and a.data and a.level is Level.LANE for a in cond.atoms(c))


def _compared(c: Condition) -> Iterator[Symbol]:
    """The symbols of values that may wrap around, and whose difference therefore says nothing."""
    for atom in cond.atoms(c):
        if atom.compared is not None:
            yield from atom.compared.left.poly.symbols()
            yield from atom.compared.right.poly.symbols()
