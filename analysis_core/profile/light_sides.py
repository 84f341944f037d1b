"""Sides of branches that a compiler predicates although they touch memory: nothing runs one after the other there.

A side is *light* if it is a single store, or fills in a few constants where there is nothing to compute, or does what registers do.  Sides
that only store constants to one place (`switch (c) { case 'A': r[i] = 0; break; case 'C': r[i] = 1; .. }`) are one store of a number that
is picked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from analysis_core.ir.nodes import (
    COSTLY,
    Block,
    Const,
    Expr,
    If,
    Kernel,
    Load,
    Stmt,
    Store,
    Switch,
)
from analysis_core.ir.walk import statements, statements_of, uncast
from analysis_core.profile.access_profile import BranchProfile
from analysis_core.profile.own_elements import is_register
from analysis_core.requests.facts import Divergence
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_FILLED = 4

_MOST_OWN = 8


@dataclass(frozen=True, slots=True)
class Light:
    """Which sides of an `if` are light. `one_place`: all that any side does is to store a constant to one and the same
    place."""

    sides: tuple[bool, bool] = (False, False)
    one_place: bool = False

    def joined(self, other: Light) -> Light:
        """What holds of both branches."""
        first, second = zip(self.sides, other.sides, strict=True)
        return Light((all(first), all(second)), self.one_place and other.one_place)


@derived
def light_sides(kernel: Kernel) -> Mapping[Span, Light]:
    """For each `if` and `switch`, by its condition, which sides a compiler predicates."""
    found: dict[Span, Light] = {}
    for stmt in statements_of(kernel):
        if isinstance(stmt, If):
            sides = (_is_light(stmt.then, kernel), _is_light(stmt.otherwise, kernel))
            light = Light(sides, _fill_one_place((stmt.then, stmt.otherwise)))
        elif isinstance(stmt, Switch):
            light = Light(one_place=_fill_one_place(arm.body for arm in stmt.arms))
        else:
            continue
        found[stmt.span] = found.get(stmt.span, light).joined(light)
    return found


def without_light_sides(branch: BranchProfile, light: Light | None) -> BranchProfile:
    """The branch with the sides that are a single store, fill in constants, or stay in registers, taken for predicated: of a lone side (`if (lane % 4 == 0) s[w] = x;`), and
    where both have work and a split is only possible (`if (x < 0) a[i] = 0; else a[i] = f(x);`).  Two sides of which some
    lanes surely take each are told for what they are."""
    if light is not None and light.one_place:
        return _with(branch, (False,) * len(branch.fact.work))
    both = sum(branch.fact.work) >= 2
    if light is None or len(branch.fact.work) != 2 or (both and branch.fact.divergence is Divergence.ALWAYS):
        return branch
    work = zip(branch.fact.work, light.sides, strict=True)
    return _with(branch, tuple(has and not empty for has, empty in work))


def _with(branch: BranchProfile, work: tuple[bool, ...]) -> BranchProfile:
    return replace(branch, fact=replace(branch.fact, work=work))


def _is_light(arm: Block, kernel: Kernel) -> bool:
    """A single store, or a few of constants: what is filled in where there is nothing to compute.  Or a few loads and stores of
    arrays of the thread's own at constant indexes, which are registers (`if (x == 1) count[1]++;`)."""
    every = _costly(arm)
    found = [stmt for stmt in every if not (isinstance(stmt, (Load, Store)) and is_register(stmt.address, kernel))]
    if not found:
        return 0 < len(every) <= _MOST_OWN
    stores = [stmt for stmt in found if isinstance(stmt, Store)]
    filled = all(_is_filled(stmt) for stmt in stores)
    return len(stores) == len(found) and (len(stores) == 1 or (filled and 1 < len(stores) <= _MOST_FILLED))


def _fill_one_place(arms: Iterable[Block]) -> bool:
    """Whether all that the sides do is to store constants to one place."""
    found = [stmt for arm in arms for stmt in _costly(arm)]
    stores = [stmt for stmt in found if isinstance(stmt, Store) and _is_filled(stmt)]
    places: list[Expr] = [stmt.address for stmt in stores]
    return len(found) == len(stores) > 1 and all(place == places[0] for place in places)


def _costly(arm: Block) -> list[Stmt]:
    return [stmt for stmt in statements(arm) if isinstance(stmt, COSTLY)]


def _is_filled(store: Store) -> bool:
    return all(isinstance(uncast(value), Const) for value in store.values)
