"""What part of a loop's rounds lanes idle in that left it before others of their warp."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.domains.shape import WARP, distinct_numbers, warps_with
from analysis_core.interp.core.events import BranchEvent
from analysis_core.requests.rounds_apart import walks


def idle_part(tests: Sequence[BranchEvent]) -> float | None:
    """The part of the rounds that warps make which they would not if the lanes that make each round stood side by side in the block; None where some
    rounds are summarised, or it is not known who makes them."""
    found = walks(tests)
    if any(event.iteration is not None for event in tests) or any(walk.open for walk in found):
        return None
    made = needed = 0
    for walk in found:
        last = 0
        for rounds in distinct_numbers(walk.most[walk.most > 0]).tolist():
            lanes = walk.most >= rounds
            made += (rounds - last) * int(warps_with(lanes).sum())
            needed += (rounds - last) * -(-int(lanes.sum()) // WARP)
            last = rounds
    return 1 - needed / made if made else None
