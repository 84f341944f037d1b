"""What the host says of a launch: its shape, and what reaches the kernel's parameters."""

from __future__ import annotations

from dataclasses import dataclass

from analysis_core.support.facts import Assumption
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class SizeRange:
    """What is seen of an integer parameter: it is `least` or more, `most` or less; `step`: a loop of the host counts it up by
    that; `condition`: the launch stands under conditions of the host that say so; `filled`: no launch says so, but the elements that the
    kernel accesses of each row do (filled_rows.py)."""

    name: str
    least: int | None
    most: int | None
    step: int | None = None
    condition: bool = False
    filled: bool = False


@dataclass(frozen=True, slots=True)
class LaunchSite:
    """One `k<<<grid, block>>>` of the project. `block` holds three ints where constant, else None, and `extents` those of them that are
    known; `grid` and `block_text` as spelled; `aligned_args`: parameter name -> bytes of proven offset alignment, for `p + c` (others:
    the allocator's); `rests_on`: what tells the block if taken for granted; `ranges`: what the host says of the values of arguments;
    `dead`: a constant condition leaves it out; `rooms`: parameter name -> bytes allocated for it, where few and known; `unplaced`:
    pointers that may have been moved; `orders`: those that lead to rising numbers; `few`: those that lead to few different ones, with how many;
    `held`: those that lead to whole numbers of which the greatest is known; `scaled`: sizes that a
    loop of the host doubles or halves; `handed`: the block is the caller's; `lesser`: another is launched beside it over a dimension more."""

    span: Span
    block: tuple[int, int, int] | None
    grid: tuple[int | None, int | None, int | None]
    block_text: str
    grid_text: str
    template_args: tuple[str, ...]
    aligned_args: tuple[tuple[str, int], ...] = ()
    rests_on: tuple[Assumption, ...] = ()
    ranges: tuple[SizeRange, ...] = ()
    dead: bool = False
    rooms: tuple[tuple[str, int], ...] = ()
    extents: tuple[int | None, int | None, int | None] = (None, None, None)
    unplaced: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    few: tuple[tuple[str, int], ...] = ()
    held: tuple[tuple[str, int], ...] = ()
    scaled: tuple[str, ...] = ()
    handed: bool = False
    lesser: bool = False


def is_assumed(source: str) -> bool:
    """Whether a launch of this source is a guess of ours rather than something the user wrote."""
    return source in ("shape", "launch_bounds", "default")
