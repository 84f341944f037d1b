"""What is known of systems of one shape: their invariants, linear programs and cases of closed forms, which do not rest on what
transitions pay or where they stand (`transitions.shape`).

While somebody types, a kernel's loops mostly stay as they are: then none of these is made again, and where costs are the same too,
nothing is solved (`Level.solve`).  Work that was done before counts as if it were done now, so the bounds are those from scratch.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from analysis_core.lp.counted import Counted
from analysis_core.support.store import Stage

if TYPE_CHECKING:  # whoever holds shapes need not load what makes them
    from analysis_core.lp.invariants import Invariants
    from analysis_core.lp.level import Level
    from analysis_core.lp.polynomials import Atom, Monomial
    from analysis_core.lp.short_cut import Frame
    from analysis_core.lp.transitions import System
    from analysis_core.support.fuel import Fuel

LIMIT = 100_000
"""Numbers in the linear programs that are kept, of some hundred bytes each."""

_ALONE = 500
"""What a shape without linear programs counts as."""


_FRAMES = 8
"""Sets of cases for closed forms that are kept of a shape: one serves nearly all metrics."""


class Shape:
    """What programs of one shape share: frames of closed forms and linear programs."""

    def __init__(self, invariants: Invariants, units: int = 0) -> None:
        self.invariants, self.units = invariants, units  # and the fuel that finding them took
        self._levels: Counted[int, Level] = Counted()
        self._frames: dict[Hashable, Frame] = {}

    @property
    def size(self) -> int:
        """Numbers that it holds, about."""
        frames = sum(frame.size for frame in self._frames.values())
        return _ALONE + frames + sum(level.size for level in self._levels.values())

    def frame(
        self, system: System, potentials: tuple[frozenset[Monomial], ...], atoms: dict[str, Atom], fuel: Fuel
    ) -> Frame:
        """The cases for closed forms whose potentials have these monomials; they cost fuel each time."""
        from analysis_core.lp.short_cut import Frame

        key = potentials, tuple(atoms)  # a base function's name spells it out
        if key in self._frames:
            fuel.spend_spare(self._frames[key].units, "the cases of its loops and branches are too many")
        else:
            while len(self._frames) >= _FRAMES:
                del self._frames[next(iter(self._frames))]
            self._frames[key] = Frame(system, self.invariants, potentials, atoms, fuel)
        return self._frames[key]

    def level(self, system: System, degree: int, fuel: Fuel | None) -> Level:
        """The linear program for products of up to `degree` factors.  Raises as `Fuel.spend` and `Solver` do."""
        from analysis_core.lp.level import Level

        if fuel is None:
            return Level(system, self.invariants, degree, None)
        return self._levels.get(degree, lambda: Level(system, self.invariants, degree, fuel), fuel)


SHAPES: Stage[Hashable, Shape] = Stage("shapes of linear programs", LIMIT, lambda shape: shape.size, fewest=1)
"""By shape of a system.  Whoever finds out more of one puts it again, since it takes more then."""
