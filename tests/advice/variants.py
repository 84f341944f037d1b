"""A text as the advisor reads it."""

from __future__ import annotations

from analysis_core.advice.knobs import Knob, Variants, knobs_of
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store

PATH = "a.cu"


def variants(text: str, **settings: object) -> Variants:
    data = text.encode("utf-8", "surrogateescape")
    return Variants(Place(PATH, MemoryFiles({PATH: data}), Settings(**settings), (), Store()), data)  # type: ignore[arg-type]


def knobs(text: str) -> tuple[Knob, ...]:
    """Those of the first kernel."""
    found = variants(text)
    kernels = found.kernels()
    launched = found.launched(kernels[0].name_span) if kernels else None
    return () if launched is None else knobs_of(found, launched)
