"""Numbers of a text that are set together with a knob, so that the launch covers the same data and the kernel knows its block.

    k<<<(n + 255) / 256, 256>>>(..)              255 and 256 of the grid go with the block's 256
    k<128><<<n / 128, 128>>>(..)                 so does the template argument
    k<<<grid, 256, 256 * sizeof(float)>>>(..)    and the shared memory that the launch adds
    __launch_bounds__(256)                       and the promise, if that is the block, or where more threads come

As knobs, they are found by trying: a number is set to another value, and what changes says what it is.  Whether a kernel with all of them set does the same
is for a run to say (trials.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from analysis_core.advice.grids import blocks_of, site_of
from analysis_core.advice.knobs import MOST_TRIED, Knob, Launched, Variants, candidates, int_of
from analysis_core.machine.block_shape import Shape
from analysis_core.report.findings.model import Edit
from analysis_core.text.span import FileId, Span

_BOUNDS = re.compile(rb"\b__launch_bounds__\s*\(\s*([1-9]\d{0,3})\s*[,)]")

_ALIKE = Fraction(1, 1000)
"""Of the threads of a launch at a large size: what the last block leaves over is less."""


def with_companions(variants: Variants, found: Launched, knobs: Sequence[Knob]) -> tuple[Knob, ...]:
    """The knobs of a launch with the numbers that go along."""
    at = found.launch.span
    if at is None or not knobs:
        return tuple(knobs)
    values = {knob.value + more for knob in knobs for more in (0, -1)}
    taken = {knob.span for knob in knobs}
    near = [span for _, span in candidates(variants.text, at, values) if span not in taken][:MOST_TRIED]
    changes = {span: _changed(variants, found, span) for span in near if not variants.account.is_spent()}
    return tuple(_with(variants, found, knob, knobs, changes) for knob in knobs)


def _changed(variants: Variants, found: Launched, span: Span) -> frozenset[str]:
    """What another value of a number changes: axes of the grid ("0", "1", "2"), the "template" arguments, "shared" bytes."""
    value = int_of(variants.text[span.start : span.end].decode())
    after = variants.probed(found, span, value // 2 if value % 2 == 0 else value - 1)
    if after is None or after.launch.block != found.launch.block:
        return frozenset()
    told = {str(axis) for axis in range(3) if _extent(found, axis) != _extent(after, axis)}
    if after.kernel.instantiation != found.kernel.instantiation:
        told.add("template")
    before, now = site_of(found), site_of(after)
    if before is not None and now is not None and before.shared != now.shared:
        told.add("shared")
    return frozenset(told)


def _extent(found: Launched, axis: int) -> object:
    """What is said of the grid along an axis."""
    launch, site = found.launch, site_of(found)
    stated = launch.stated_grid[axis] if axis < len(launch.stated_grid) else None
    handed = dict(site.profile.executions[0].handed) if site is not None and site.profile.executions else {}
    return launch.grid[axis], stated, handed.get(f"gridDim.{'xyz'[axis]}")


def _with(
    variants: Variants, found: Launched, knob: Knob, knobs: Sequence[Knob], changes: dict[Span, frozenset[str]]
) -> Knob:
    other = max(1, knob.value // 2)
    fixed = tuple(_of_kernel(variants, knob, knobs, changes))
    axes = {str(axis) for axis in knob.axes}
    grid = tuple(
        (span, more)
        for span, changed in changes.items()
        if changed and changed <= axes and (more := _value(variants, span) - knob.value) in (0, -1)
    )
    for along in (fixed, (*fixed, *grid)):
        tried = replace(knob, along=along)
        after = variants.turned(found, tried.turned(other))
        if after is not None and _covers(found, after):
            return tried
    return replace(knob, along=fixed)


def _of_kernel(
    variants: Variants, knob: Knob, knobs: Sequence[Knob], changes: dict[Span, frozenset[str]]
) -> Iterator[tuple[Span, int]]:
    """The numbers of the template's arguments, and of the shared memory that the launch adds, that are as large as the knob; where two knobs are, the
    first number goes with the first of them."""
    alike = [one for one in knobs if one.value == knob.value]
    for kind in ("template", "shared"):
        spans = [span for span, changed in changes.items() if kind in changed and _value(variants, span) == knob.value]
        if len(alike) == 1:
            yield from ((span, 0) for span in spans)
        elif len(spans) == len(alike):
            yield sorted(spans, key=lambda span: span.start)[alike.index(knob)], 0


def _value(variants: Variants, span: Span) -> int:
    return int_of(variants.text[span.start : span.end].decode())


def _covers(found: Launched, after: Launched) -> bool:
    """Whether a launch has as many threads as before, where that is known of both."""
    before, now = blocks_of(found), blocks_of(after)
    if before is None or now is None:
        return before is now
    threads = [blocks * prod(one.launch.block) for blocks, one in ((before, found), (now, after))]
    return abs(threads[0] - threads[1]) <= _ALIKE * threads[0]


def launch_bounds_of(variants: Variants, found: Launched, block: Shape) -> tuple[Edit, ...]:
    """What makes a promise of threads, if it is a number before the kernel's name, fit another block."""
    kernel = found.kernel
    if kernel.launch_bounds is None or kernel.name_span.file != variants.place.path:
        return ()
    number = _BOUNDS.search(variants.text, kernel.span.start, kernel.name_span.start)
    now, most = prod(found.launch.block), kernel.launch_bounds
    if number is None or int(number[1]) != most or not (most == now or prod(block) > most):
        return ()
    return (Edit(Span(FileId(variants.place.path), number.start(1), number.end(1)), str(prod(block))),)
