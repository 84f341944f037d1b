"""Padding: rows of a tile in shared memory longer by a word, so that a column lies on 32 banks.

When the rows may grow and what is edited is said once, for the fix of WC201 as well (report/fixes/tile.py, pad_tile.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.domains.shape import IntVector
from analysis_core.ir.nodes import Kernel
from analysis_core.report.checks.bank_conflict import CODE as BANK_CONFLICT
from analysis_core.report.fixes import pad_tile
from analysis_core.report.fixes.tile import tile_of
from analysis_core.rewrite.core import accesses as acc
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.shared_arrays import Move, conflicted, cost_of, two_extents
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read.tree import FunctionDecl


def _sites(unit: Unit, kernel: Kernel, declaration: FunctionDecl) -> Iterator[Site]:
    for name, span in conflicted(unit, kernel):
        if tile_of(kernel, name) is not None:
            yield Site(kernel, declaration, span, f"`{name}`")


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    name = site.subject.strip("`")
    kernels = acc.instances(unit, site)
    if (refused := acc.unstated(unit, kernels)) is not None:
        return refused
    tile = two_extents(unit, kernels, name)
    if isinstance(tile, str):
        return Refused(tile)

    def longer(by: int) -> Move:
        def move(at: IntVector) -> IntVector:
            moved: IntVector = at + at // tile.pitch * (by * tile.size)
            return moved

        return move

    wanted = (choice.factor,) if choice.factor is not None else pad_tile.paddings(tile)
    costs = {by: cost_of(unit, kernels, name, longer(by)) for by in (0, *wanted)}
    padding = min(costs, key=lambda by: costs[by])
    if not padding:
        return Refused("it would gain nothing")
    if (reason := acc.too_much_shared(kernels, tile.rows * padding * tile.size)) is not None:
        return Refused(reason)
    edit = pad_tile.padded(tile, padding, unit.text)
    if edit is None:
        return Refused("its extents do not stand behind its name")
    return Rewritten(
        f"Pad the rows of `{name}`",
        (edit,),
        (f"nothing but `{name}[row][column]` touches the tile, and no column lies outside of its row",),
        proof="each element of the tile is still the element of its row and column",
    )


ACTION = Action(
    "padding",
    "Pad the rows of a shared array",
    frozenset({BANK_CONFLICT}),
    _sites,
    _rewrite,
)
