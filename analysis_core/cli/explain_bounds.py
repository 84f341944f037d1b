"""`explain --stage cost` and `--stage lp`: the cost programs of a kernel's warps, and how their bounds are proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analysis_core.bounds.build_program import warp_classes
from analysis_core.bounds.program import CostProgram
from analysis_core.bounds.program_text import program_text
from analysis_core.bounds.weighted import weighted_classes
from analysis_core.expressions.expression import to_text
from analysis_core.interp.core.trace import depth
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Kernel
from analysis_core.lp.infer import Inference, Memo, Options, infer, studied
from analysis_core.lp.kernel_bounds import DEEPEST, metric_names
from analysis_core.lp.lp_text import lp_text
from analysis_core.lp.transitions import TooManyPaths
from analysis_core.program.launch import choose_launches
from analysis_core.support.fuel import UNITS_PER_SECOND
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span

Place = Callable[[Span], str]


def bounds_text(kernel: Kernel, settings: Settings, stage: str, place: Place) -> str:
    """All launches and classes of warps; ends with a newline."""
    return "".join(f"{line}\n" for line in _lines(kernel, settings, stage, place))


def _lines(kernel: Kernel, settings: Settings, stage: str, place: Place) -> Iterator[str]:
    for launch in choose_launches(kernel, settings):
        events = interpret(kernel, launch, settings)
        block = "x".join(map(str, launch.block))
        if depth(events.trace) > DEEPEST:
            yield f"kernel {kernel.instantiation or kernel.name}, block {block}: nested too deeply for a cost program"
            continue
        for found in weighted_classes(warp_classes(kernel, events), settings.metrics):
            yield f"kernel {kernel.instantiation or kernel.name}, block {block}, {_warps(found.warps)}"
            yield from _program(found.program, settings, stage, place)
            if found.other is not None:
                yield "  the same warps, loops without closed form as in the source"
                yield from _program(found.other, settings, stage, place)


def _program(program: CostProgram, settings: Settings, stage: str, place: Place) -> Iterator[str]:
    text = program_text(program, place) if stage == "cost" else _proofs(program, settings, place)
    yield from (f"    {line}" for line in text.splitlines())


def _warps(warps: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, warps[:8]))
    return f"warp {shown}" if len(warps) == 1 else f"warps {shown}{' ..' if len(warps) > 8 else ''}"


def _proofs(program: CostProgram, settings: Settings, place: Place) -> str:
    """By linear programs throughout, closed forms included, so that there is something to see."""
    memo = Memo()
    options = Options(short_cut=False, work=round(settings.kernel_seconds * UNITS_PER_SECOND))
    inferences = [infer(program, metric, options, memo) for metric in metric_names(settings)]
    bounds = [b for i in inferences for b in (i.upper, i.lower_bound) if b is not None]
    studies = memo.studies.get(studied(program))
    head = "".join(f"{_summary(inference)}\n" for inference in inferences)
    if studies is None or isinstance(studies, TooManyPaths):
        return head
    return head + "".join(lp_text(study, [b.claims[k] for b in bounds], place) for k, study in enumerate(studies))


def _summary(inference: Inference) -> str:
    lower = to_text(inference.lower)
    if inference.upper is not None:
        return f"{inference.metric}: at most {to_text(inference.upper.expression)}, at least {lower}"
    reason = inference.because.text if inference.because is not None else "nothing known"
    return f"{inference.metric}: no upper bound ({reason}), at least {lower}"
