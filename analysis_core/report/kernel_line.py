"""A kernel in one line: the code lens, and the line of the command line.

warp: 64 sectors (ideal 8) | 124 conflicts | most to gain: line 42
transpose: 32 sectors (ideal), 124 bank conflicts, no splits per warp, when w % 32 == 0; w*h/4 sectors per launch
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.expressions.expression import constant
from analysis_core.report.cost_places import most_to_gain
from analysis_core.report.findings.figures import Figure, Figures, figures_of, is_ideal, worst_launch
from analysis_core.report.findings.model import KernelReport
from analysis_core.report.findings.reasons import Where
from analysis_core.report.hover_kernel import amount_text, counted, part_text, phrase
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

LONGEST_AMOUNT = 32

_WARP = "warp: "


@dataclass(frozen=True, slots=True)
class KernelLine:
    """The line above a kernel. `worst`: the place to look at first, None if no loss is reported; `shorter`: versions of
    the text that say less and less."""

    title: str
    worst: Span | None
    shorter: tuple[str, ...] = ()


def lens(kernel: KernelReport, settings: Settings, where: Where, steps: bool = False) -> KernelLine | None:
    """The line above a kernel; None where no bounds were sought.  `where` is plain text here."""
    launch = worst_launch(kernel, settings)
    figures = None if launch is None else figures_of(launch.facts, steps, launch.profile.passed)
    if launch is None or figures is None or not figures.figures:
        return None
    bare: list[str] = []
    parts: list[str] = []
    for figure in figures.figures:
        if figure.warp.expression is None:
            because = figure.because
            at = f" ({where(because.span)})" if because is not None and because.span is not None else ""
            bare.append(f"no bound on {figure.metric}")
            parts.append(f"{bare[-1]}{at}")
        elif not figure.is_nothing:
            amount = amount_text(figure, figures, launch.profile, settings, LONGEST_AMOUNT)
            bare.append(f"{figure.metric} {amount}" if figure.is_weighted else counted(amount, figure.metric))
            parts.append(bare[-1] + (" (ideal)" if is_ideal(figure, figures) else _ideal_text(figure)))
    shorter = _shorter(bare)
    parts += _contracts(kernel)
    title = _joined(parts)
    place = most_to_gain(kernel, launch, settings)
    if place is not None:
        return KernelLine(_joined([*parts, f"most to gain: {where(place.span)}"]), place.span, (title, *shorter))
    return KernelLine(title, None, shorter)


def _contracts(kernel: KernelReport) -> list[str]:
    """ "2 of 3 contracts hold", under all launches; nothing where there are none."""
    found: dict[Span, bool] = {}
    for launch in kernel.launches:
        for one in launch.profile.contracts:
            found[one.span] = found.get(one.span, True) and one.standing.value == "holds"
    kept, all_ = sum(found.values()), len(found)
    if not all_:
        return []
    return [
        f"{kept} of {all_} contracts hold" if kept < all_ else f"{all_} contract{'s hold' if all_ > 1 else ' holds'}"
    ]


def _ideal_text(figure: Figure) -> str:
    """ " (ideal 24)", where that is a number and not none at all."""
    ideal = None if figure.ideal is None else constant(figure.ideal)
    return f" (ideal {ideal})" if ideal else ""


def _joined(parts: Sequence[str]) -> str:
    return f"{_WARP}{' | '.join(parts) or 'nothing lost'}"


def _shorter(bare: Sequence[str]) -> tuple[str, ...]:
    """The figures alone, then fewer of them; the first one without a word that it is of a warp."""
    fewer = (_joined(bare), *(f"{_joined(bare[:count])} …" for count in range(len(bare) - 1, 0, -1)))
    return (*fewer, fewer[-1].removeprefix(_WARP))


def kernel_text(kernel: KernelReport, settings: Settings) -> str | None:
    """The line for a terminal, without the place; None where no bounds were sought."""
    launch = worst_launch(kernel, settings)
    figures = None if launch is None else figures_of(launch.facts, passed=launch.profile.passed)
    if launch is None or figures is None:
        return None
    said = [phrase(figure, figures, launch.profile, settings, bold=False) for figure in figures.figures]
    text = f"{', '.join(said) or 'nothing that is counted'} per warp"
    if figures.when:
        text += f", when {figures.condition}"
    reasons = dict.fromkeys(f.because.text for f in figures.figures if f.warp.expression is None and f.because)
    sums = [_launch_sum(figure, figures) for figure in figures.figures]
    told = ", ".join(text for text in sums if text is not None)
    rest = ", ".join(text for text in map(figures.rest, figures.figures) if text is not None)
    excluding = f"excluding that {rest} per warp" if rest else ""
    resized = figures.at_other_size() or ""
    parts = (text, resized, f"{told} per launch" if told else "", part_text(kernel), *reasons, excluding)
    return "; ".join(part for part in parts if part)


def _launch_sum(figure: Figure, figures: Figures) -> str | None:
    amount = figure.launch
    if amount.expression is None or constant(amount.expression) == 0:
        return None
    text = amount.text(figures.spell(amount))
    said = f"{figure.metric} {text}" if figure.is_weighted else f"{text} {figure.metric}"
    return said if len(text) <= 2 * LONGEST_AMOUNT else None
