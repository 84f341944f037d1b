"""The card of a kernel, on its name: what its most expensive warp pays, where that goes, and what it rests on.

The first line carries the answer.  `=` or a bare number is exact, `<=` an upper bound.  Without bounds the card still says
where the cost goes.
"""

from __future__ import annotations

from analysis_core.expressions.expression import Expression, symbol, symbols
from analysis_core.expressions.expression_people import in_people, marked
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.profile.line_shares import value_at
from analysis_core.profile.sizes import at_sizes, representative_sizes
from analysis_core.report.code_spans import code
from analysis_core.report.cost_places import OF_WORK, WORK, CostPlace, Unreported, cost_places, once, unreported
from analysis_core.report.findings.figures import (
    Amount,
    Figure,
    Figures,
    figures_of,
    ideal_of,
    is_ideal,
    worst_launch,
)
from analysis_core.report.findings.model import NOT_COMPUTED, KernelReport, LaunchReport
from analysis_core.report.findings.reasons import Where, assumed, block_text, wrapped
from analysis_core.report.findings.uncounted import uncounted
from analysis_core.report.findings.wording import capitalised
from analysis_core.report.line_costs import one_line
from analysis_core.report.trip_ends import CAPPED, end_of
from analysis_core.support.facts import as_far_as_read
from analysis_core.support.settings import Settings

LONGEST_CELL = 30
_TOLD = 0.1
"""The part of the work from which on divisions are told."""

LONGEST_HEADLINE = 44
LONGEST_IN_FULL = 200

_GRID_SIZE, _BLOCKS = "gridDim.x*gridDim.y*gridDim.z", "blocks"
"""The number of blocks of a launch, and its name in the table."""

_NAMES = {"conflicts": "bank conflict"}


def hover_kernel(kernel: KernelReport, settings: Settings, where: Where, steps: bool = False) -> str:
    """The card of a kernel: the launch that is most expensive speaks, the others are listed."""
    name = kernel.instantiation or kernel.name
    launch = worst_launch(kernel, settings)
    if launch is None:
        return f"**{name}** · not analysed: {kernel.failure or 'no launch configuration'}\n"
    profile = launch.profile
    figures = figures_of(profile.facts, steps, profile.passed)
    paragraphs = [_first(name, profile, figures, settings, where)]
    if figures is not None:
        card = _Card(profile, figures, settings, where)
        paragraphs += [card.table(), card.condition(), card.in_full(), card.without_bounds()]
    paragraphs.append(_gains(kernel, launch, figures, settings, where, steps))
    last = (
        capitalised(part_text(kernel)),
        _launches(kernel, launch, settings, where),
        _assumes(profile),
        _not_counted(kernel),
    )
    paragraphs.append("\n".join(part for part in last if part))
    return "\n\n".join(part for part in paragraphs if part) + "\n"


def part_text(kernel: KernelReport) -> str:
    """ "about 3% of the traffic of its program", "" where nobody knows."""
    if kernel.part is None:
        return ""
    percent = f"{100 * kernel.part:.0f}" if kernel.part >= 0.01 else "less than 1"
    return f"about {percent}% of the traffic of its program".replace("about less", "less")


def amount_text(figure: Figure, figures: Figures, profile: KernelProfile, settings: Settings, longest: int) -> str:
    """ "32", "<= 8 + 65*T17"; where that is too long, its value at usual sizes: "<= 33024 if n = 1024"."""
    amount = figure.warp
    text = amount.text(figures.spell(amount))
    if len(text) <= longest or amount.expression is None:
        return text
    return _at_sizes(amount.expression, amount.exact, profile, settings) or f"{text[: longest - 3]}..."


def _at_sizes(expression: Expression, exact: bool, profile: KernelProfile, settings: Settings) -> str | None:
    sizes = representative_sizes(profile, settings)
    value = value_at(expression, sizes.values)
    if value is None:
        return None
    return f"{'' if exact else '<= '}{value}{at_sizes([expression], sizes)}"


def phrase(figure: Figure, figures: Figures, profile: KernelProfile, settings: Settings, bold: bool = True) -> str:
    """ "**32 sectors** (ideal)", "**124 bank conflicts**", "no splits", "no bound on sectors"; "**dram 1024**"."""
    if figure.is_weighted:
        if figure.warp.expression is None:
            return f"no bound on {figure.metric}"
        text = amount_text(figure, figures, profile, settings, LONGEST_HEADLINE)
        return f"**{figure.metric} {marked(text)}**" if bold else f"{figure.metric} {text}"
    noun = _NAMES.get(figure.metric, figure.metric.removesuffix("s"))
    if figure.warp.expression is None:
        return f"no bound on {noun}s"
    if figure.is_nothing:
        return f"no {noun}s"
    amount = amount_text(figure, figures, profile, settings, LONGEST_HEADLINE)
    figure_text = counted(amount, f"{noun}s")
    amount = _without_sizes(amount)[0]
    if bold:
        sign = "<= " if amount.startswith("<= ") else ""
        figure_text = f"**{sign}{marked(amount.removeprefix(sign))}{figure_text[len(amount) :]}**"
    return figure_text + (" (ideal)" if is_ideal(figure, figures) else "")


def counted(amount: str, label: str) -> str:
    """ "1 conflict", "124 conflicts", "<= 33024 sectors if n = 1024"."""
    number, sizes = _without_sizes(amount)
    noun = label.removesuffix("s") if number in ("1", "<= 1") else label
    return f"{number} {noun}{sizes}"


def _without_sizes(amount: str) -> tuple[str, str]:
    """The number of an amount, and what it is for: "33024", " if n = 1024"."""
    place = min((found for word in (" if ", ", assuming ") if (found := amount.find(word)) >= 0), default=len(amount))
    return amount[:place], amount[place:]


def _first(name: str, profile: KernelProfile, figures: Figures | None, settings: Settings, where: Where) -> str:
    """ "**spmv** · most expensive warp: **<= 8 + 65*T17 sectors** · T17 = iterations of the loop at line 17"."""
    if figures is None:
        return f"**{name}** · {NOT_COMPUTED}"
    said = ", ".join(phrase(figure, figures, profile, settings) for figure in figures.figures)
    if not said:
        return f"**{name}** · nothing that is counted"
    used = {n for f in figures.figures if f.warp.expression is not None for n in symbols(f.warp.expression)}
    trips = [info for info in profile.facts.symbols if info.kind == "trip" and info.source in used]
    heads = [f"**{name}** · most expensive warp: {said}"]
    lines: list[str] = []
    for info in trips[:3]:
        place = f" at {where(info.span)}" if info.span is not None else ""
        heads.append(f"{info.source} = iterations of the loop{place}")
        lines.append(wrapped([f"{info.source} {end_of(info.source, profile.facts)} {CAPPED}"]))
    return "\n".join([wrapped(heads), *lines])


class _Card:
    """The parts of a card that show figures."""

    def __init__(self, profile: KernelProfile, figures: Figures, settings: Settings, where: Where) -> None:
        self._profile, self._figures, self._settings, self._where = profile, figures, settings, where
        self._sizes = representative_sizes(profile, settings)

    def table(self) -> str:
        """Metric by scope, padded, since some editors show raw Markdown."""
        rows = [["metric", "per warp", "per block", "per launch", "ideal per warp"]]
        for figure in self._figures.figures:
            ideal = ideal_of(figure)
            amounts = [self._cell(amount) for amount in (figure.warp, figure.block, figure.launch)]
            rows.append([figure.metric, *amounts, "" if ideal is None else self._cell(Amount(ideal, True), "")])
        if len(rows) == 1:
            return ""
        widths = [max(len(row[column]) for row in rows) for column in range(5)]
        rule = ["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]
        lines = [f"| {' | '.join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])} |" for row in rows]
        return "\n".join((lines[0], f"|{'|'.join(rule)}|", *lines[1:]))

    def _cell(self, amount: Amount, equal: str = "= ") -> str:
        """ "= 32", "<= 40", "no bound"; for what is long its value at representative sizes: "<= 66816 (below)"."""
        if amount.expression is None:
            return "no bound"
        sign = equal if amount.exact else "<= "
        text = marked(sign + self._figures.spell(amount).text(amount.expression).replace(_GRID_SIZE, _BLOCKS))
        if len(text) <= LONGEST_CELL:
            return text
        value = value_at(amount.expression, self._sizes.values)
        return f"{sign}..." if value is None else f"{sign}{value} (below)"

    def condition(self) -> str:
        """What the signs mean, and what holds where the conditions do not: "`=` is exact. These figures hold when `w % 32 == 0`; otherwise at most
        40 sectors, 124 conflicts."."""
        figures = [figure for figure in self._figures.figures if figure.warp.expression is not None]
        shown = [one for figure in figures for one in (figure.warp, figure.block, figure.launch) if one.expression]
        exact, upper = (any(amount.exact is sign for amount in shown) for sign in (True, False))
        signs = ", ".join(("`=` is exact",) * exact + ("`<=` is an upper bound",) * upper)
        if not self._figures.when:
            resized = self._figures.at_other_size()
            return wrapped([f"{signs}.", *([] if resized is None else [marked(resized)])]) if signs else ""
        certain = all(f.otherwise.exact for f in figures)
        other = [
            self._else(figure)
            for figure in figures
            if figure.otherwise.expression is not None and self._differs(figure)
        ]
        tail = (
            f"; otherwise {'' if certain else 'at most '}{', '.join(other)}"
            if other
            else "; otherwise `=` is an upper bound, too"
        )
        return wrapped([f"{signs}. These figures hold when `{self._figures.condition}`{tail}."])

    def _differs(self, figure: Figure) -> bool:
        """Whether a figure says something else where its conditions do not hold."""
        return figure.when != () and figure.otherwise.expression != figure.warp.expression

    def _else(self, figure: Figure) -> str:
        expression = figure.otherwise.expression
        assert expression is not None
        text = self._figures.always.text(expression)
        if len(text) > LONGEST_HEADLINE:
            value = value_at(expression, self._sizes.values)
            return f"more {figure.metric}" + (
                "" if value is None else f" ({value}{at_sizes([expression], self._sizes)})"
            )
        if figure.is_weighted:
            return f"{figure.metric} {marked(text)}"
        return f"{marked(text)} {figure.metric if text != '1' else figure.metric.removesuffix('s')}"

    def in_full(self) -> str:
        """The bounds that were too long for the table, as long as anybody would read them, and the sizes used there."""
        lines: list[str] = []
        used: list[Expression] = []
        for figure in self._figures.figures:
            for scope, amount in (("warp", figure.warp), ("block", figure.block), ("launch", figure.launch)):
                sign = "=" if amount.exact else "<="
                spelling = self._figures.spell(amount)
                if amount.expression is not None and self._cell(amount).endswith((" (below)", " ...")):
                    used.append(amount.expression)
                    text = f"{figure.metric} per {scope} {sign} {spelling.short(amount.expression, LONGEST_IN_FULL)}"
                    lines += _code(text)
        if not lines:
            return ""
        at = at_sizes(used, self._sizes, "at")
        return "\n".join(("```text", *(_code(f"figures above{at}; as formulas:") if at else ()), *lines, "```"))

    def without_bounds(self) -> str:
        """What prevents a bound, where, and the annotation that would help."""
        lines: list[str] = []
        for figure in self._figures.figures:
            because = figure.because
            if figure.warp.expression is not None or because is None:
                continue
            at = f" ({self._where(because.span)})" if because.span is not None else ""
            helps = f" Add `{because.annotation}`" if because.annotation is not None else ""
            rest, more = self._figures.rest(figure), len(figure.excluded) - 1
            beside = f" and {more} more place{'s' * (more > 1)}" if more > 0 else ""
            known = f" Excluding that{beside}: {marked(rest)} per warp." if rest is not None else ""
            lines.append(wrapped([f"No bound on {figure.metric}: {because.text}{at}.{known}{helps}"]))
        return "\n".join(dict.fromkeys(lines))


def _code(text: str, columns: int = 72) -> list[str]:
    """Lines of a code block, broken between words."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > columns:
            lines.append("  " + word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return lines


def _gains(
    kernel: KernelReport, launch: LaunchReport, figures: Figures | None, settings: Settings, where: Where, steps: bool
) -> str:
    """ "**Most to gain**": the places of findings, what else is dear, and what is not reported, with the reason."""
    profile = launch.profile
    free = [f.metric for f in figures.figures if f.is_nothing] if figures is not None else []
    found = cost_places(kernel, launch, settings, steps)
    places = [place for place in found if place.metric not in free or place.code is not None]
    sizes = representative_sizes(profile, settings)
    asked = {name for place in places for name in place.sizes}
    asked |= figures.sizes if figures is not None else frozenset()
    at = at_sizes([symbol(name) for name in asked if name in sizes.values], sizes).lstrip(", ")
    read = as_far_as_read(profile.facts.unknowns)
    lost = [place for place in places if place.lost]
    silent = bool(lost) and all(place.unreported for place in lost)
    head = "Largest losses, none of them reported" if silent else "Most to gain" if lost else "Where it goes"
    lines = [f"**{head}**{f' ({at})' if at else ''}"] if places else []
    for number, place in enumerate(once(places, where), 1):
        lines.append(wrapped(_place(place, where, read), f"{number}. "))
        if place.fix is not None:
            lines.append(wrapped([place.fix], "   Fix: "))
    small = [_unreported(one, figures, profile, settings, where) for one in unreported(kernel, launch, places)]
    told = wrapped(small, "Not reported: ") if small else ""
    paragraphs = [part for part in ("\n".join(lines), told, _divisions(launch)) if part]
    if any(OF_WORK in part for part in paragraphs):
        paragraphs.append(WORK)
    return "\n\n".join(paragraphs)


def _divisions(launch: LaunchReport) -> str:
    """What integer divisions are of the work, where that is something: each is some twenty instructions, and up to ninety of 64 bits."""
    if launch.divided < _TOLD:
        return ""
    said = f"Integer divisions and remainders by values of the run are about {launch.divided:.0%} {OF_WORK}:"
    return wrapped([said + " each takes some 20 instructions, of 64 bits 26 to 90."])


def _place(place: CostPlace, where: Where, read: str) -> list[str]:
    """ "line 42 `tile[x][y]`: 32-way conflict x 4, and 3 more places", "the ideal saves about 60% of the work", "not reported: .."."""
    does, times, often = place.what.partition(" x ")
    what = f": {does}{times}{marked(often)}" if place.what else ""
    others = f", and {place.others} more place{'s' * (place.others > 1)}" if place.others else ""
    head = f"{where(place.span)} {code(one_line(place.text, 40))}{what}{others}"
    *shares, last = place.share_texts()
    return [head, *shares, last + read, *([f"not reported: {place.unreported}"] if place.unreported else [])]


def _unreported(
    one: Unreported, figures: Figures | None, profile: KernelProfile, settings: Settings, where: Where
) -> str:
    """ "line 40: 707 conflicts, 3% of the work (served while the warp waits)"."""
    figure = None if figures is None else figures.get(one.metric)
    amount = (
        "" if figure is None or figures is None else amount_text(figure, figures, profile, settings, LONGEST_HEADLINE)
    )
    part = f"{one.gain:.0%}" if one.gain >= 0.01 else "less than 1%"
    said = (
        counted(amount, one.metric)
        if amount and one.metric != "sectors"
        else one.metric.replace("sectors", "extra sectors")
    )
    unless = (
        f", unless `{figures.condition}`" if figure and figures and figure.when and is_ideal(figure, figures) else ""
    )
    return f"{where(one.span)}: {said}, {part} of the work{unless}{f' ({one.reason})' if one.reason else ''}"


def _launches(kernel: KernelReport, launch: LaunchReport, settings: Settings, where: Where) -> str:
    """ "Launch: block (32, 8), grid (ceil(w/32), ceil(h/32)), from main.cu:88", and what other launches pay."""
    lines = [wrapped([_launch(launch.profile, where)], "Launch: ")]
    others: list[str] = []
    for other in (other for other in kernel.launches if other is not launch):
        figures = figures_of(other.profile.facts, passed=other.profile.passed)
        said = [phrase(f, figures, other.profile, settings, bold=False) for f in figures.figures] if figures else []
        others.append(_launch(other.profile, where) + (f": {', '.join(said)}" if said else ""))
    return "\n".join([*lines, wrapped(others, "Also launched: ")] if others else lines)


def _launch(profile: KernelProfile, where: Where) -> str:
    shape = f"{block_text(profile.facts)}{_grid(profile)}"
    return (
        f"{shape}, from {where(profile.facts.launch_span)}"
        if profile.facts.launch_span is not None
        else f"{shape} ({profile.facts.source})"
    )


def _grid(profile: KernelProfile) -> str:
    if profile.facts.grid is None:
        return ""
    texts = [in_people(text) for text in profile.facts.grid]
    while len(texts) > 1 and texts[-1] == "1":
        texts.pop()
    return f", grid {texts[0]}" if len(texts) == 1 else f", grid ({', '.join(texts)})"


def _assumes(profile: KernelProfile) -> str:
    said = list(assumed(profile.facts))
    return wrapped(said, "Assumes: ") if said else ""


def _not_counted(kernel: KernelReport) -> str:
    """ "Not counted: texture fetches", which no figure of the card includes."""
    left_out = uncounted(kernel.unknowns)
    return wrapped([left_out], "Not counted: ") if left_out else ""
