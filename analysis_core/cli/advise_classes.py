"""Answers about classes of shapes: pitches of tiles, extents of blocks of one dimension, bounds with blockDim.x as a symbol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis_core.advice.blocks import WARP, BlockClasses, block_classes
from analysis_core.advice.pitches import PitchClass, pitch_classes
from analysis_core.cli.render_text import place_text
from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import WarpBound
from analysis_core.expressions.metric import Metric
from analysis_core.ir.nodes import Kernel
from analysis_core.program.launch import choose_launches
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.records import dataclass

_SHOWN = (Metric.SECTORS, Metric.CONFLICTS, Metric.DIVERGENCES)


@dataclass(frozen=True, slots=True)
class Classes:
    """What holds of classes of shapes, for one launch of a kernel."""

    pitches: tuple[PitchClass, ...] = ()
    blocks: BlockClasses | None = None


def classes_of(kernel: Kernel, settings: Settings) -> Classes:
    """Of the kernel's first launch, be it one that is taken for granted."""
    launch = choose_launches(kernel, settings)[0]
    return Classes(tuple(pitch_classes(kernel, launch, settings)), block_classes(kernel, launch, settings))


def class_lines(classes: Classes, sources: Sources) -> Iterator[str]:
    for one in classes.pitches:
        yield f"  `{one.array}` (line {sources.line(one.span)}): {one.text}."
    if classes.blocks is None:
        return
    requests: dict[str, list[str]] = {}
    for request in classes.blocks.requests:
        lines = requests.setdefault(request.text, [])
        place = f"{sources.line(request.access.span)}"
        lines += [place] if place not in lines else []
    for text, lines in requests.items():
        yield f"  Line{'s' * (len(lines) > 1)} {', '.join(lines)}: {text} (proved)."
    bounds = ", ".join(
        _bound(m.value, classes.blocks.per_warp[m.value]) for m in _SHOWN if m.value in classes.blocks.per_warp
    )
    yield f"  Wherever blockDim.x is a multiple of {WARP}, each warp pays {bounds} (proved); a block at most blockDim.x/{WARP} times as much."


def _bound(name: str, warp: WarpBound) -> str:
    return (
        f"{name} not bounded"
        if warp.upper is None
        else f"{name} {'=' if warp.exact else '<='} {ex.to_text(warp.upper)}"
    )


def classes_json(classes: Classes, sources: Sources) -> dict[str, Any]:
    blocks = classes.blocks
    return {
        "pitches": [
            {
                "array": one.array,
                "at": place_text(one.span, sources),
                "present": one.present,
                "from": one.least,
                "period": one.period,
                "without_conflicts": sorted(one.free),
                "iff": one.certain,
                "text": one.text,
            }
            for one in classes.pitches
        ],
        "blocks": None
        if blocks is None
        else {
            "multiple_of": WARP,
            "per_warp": {
                m.value: {
                    "upper": None if b.upper is None else ex.to_text(b.upper),
                    "exact": b.exact,
                }
                for m in _SHOWN
                if (b := blocks.per_warp.get(m.value)) is not None
            },
            "requests": [
                {
                    "at": place_text(one.access.span, sources),
                    "text": one.text,
                    "ideal_extents": len(one.ideal),
                    "worst": one.worst,
                    "ideal": one.best,
                }
                for one in blocks.requests
            ],
        },
    }
