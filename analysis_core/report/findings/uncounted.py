"""What a kernel's total of sectors leaves out, said where a share of it is told, and on its card.

    uint4 next = tex2D<uint4>(nodes, at & 4095, at >> 12);          goes through the same caches, and is no request of global memory
    thrust::sort(thrust::seq, list + begin, list + end);            loads and stores of a body that nobody reads here

Neither has a figure: where a fetch leads is the layout of a texture, and how often an algorithm moves what, its own business.  Beside a hundred of
them a load that is made once may be hardly anything, whatever its part of what is counted.  So the share says of what it is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from analysis_core.ir.nodes import Kernel
from analysis_core.lower.library.intrinsics import BLOCK_MOVES, TEXTURE_VALUE
from analysis_core.support.facts import Cause
from analysis_core.support.spelling import in_a_row

_MOST_NAMED = 2

_ALGORITHM = re.compile(
    r"'((?:thrust::\w+)|(?:std::(?:\w*sort\w*|\w*copy\w*|move_backward|fill\w*|shuffle|reverse\w*|rotate\w*|nth_element|unique|remove\w*|partition"
    r"|merge|inplace_merge|\w*_heap|transform\w*|for_each\w*|accumulate|reduce|\w*_scan|inner_product|iota|replace\w*|swap_ranges|m\w+_element"
    r"|find\w*|count\w*|\w*_bound|equal_range|binary_search|equal|lexicographical_compare)))': "
)
_SAID = re.compile(r"(.+) are in no count")
_MOVE = re.compile(rf"'({'|'.join(sorted(BLOCK_MOVES))})' in device code")


def without(kernel: Kernel) -> str:
    """ " without texture fetches and `thrust::sort`", to be put behind what shares of global memory are shares of; "" where nothing is
    left out."""
    named = uncounted(kernel.unknowns)
    return f" without {named}" if named else ""


def uncounted(unknowns: Iterable[Cause]) -> str:
    """ "texture fetches and `thrust::sort`": what requests memory and is in no count, by what is not known of a kernel; "" where nothing is."""
    algorithms: dict[str, None] = {}
    fetches = False
    for cause in unknowns:
        fetches = fetches or cause.reason == TEXTURE_VALUE
        said = _SAID.fullmatch(cause.reason)
        if said is not None:
            algorithms[said.group(1)] = None
        found = _ALGORITHM.match(cause.reason) or _MOVE.match(cause.reason)
        if found is not None:
            algorithms[f"`{found.group(1)}`"] = None
    names = [*algorithms] if len(algorithms) <= _MOST_NAMED else [next(iter(algorithms)), "others"]
    return in_a_row(["texture fetches", *names] if fetches else names)
