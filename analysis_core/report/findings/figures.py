"""The figures of a kernel that are shown: one per metric, chosen from its bounds.

A bound may hold in cases ("32 when w % 32 == 0, else at most 40").  A reader wants one number first, so the first exact
case that the launches in view may meet speaks, with its condition beside it, and the unconditional bound follows as "else".
Cards, lenses, hints and the command line all say these same figures.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping
from math import lcm, prod
from types import MappingProxyType

from analysis_core.expressions.bounds import BoundCase, MetricBound, Reason, SumBound, WarpBound
from analysis_core.expressions.compare import at_most, simplified
from analysis_core.expressions.conditions import holds
from analysis_core.expressions.conditions import names as names_in
from analysis_core.expressions.expression import ZERO, Expression, constant, multiply, scale, symbol
from analysis_core.expressions.expression_people import Spelling, condition_text, multiples_of
from analysis_core.expressions.metric import Metric
from analysis_core.ir.types import OTHER_BYTES, Space
from analysis_core.profile.line_shares import value_at
from analysis_core.profile.sizes import representative_sizes
from analysis_core.report.findings.model import KernelReport, LaunchReport
from analysis_core.report.findings.wording import types_text
from analysis_core.requests.facts import KernelFacts
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass

SHOWN = ("sectors", "conflicts", "divergences")
"""What a card shows unless asked for more; `steps` come on request, weighted metrics of the user's always."""

_FREE = frozenset({"conflicts", "divergences", "excessive_sectors"})
"""Metrics whose ideal is none at all."""

_COUNTED = frozenset(metric.value for metric in Metric)

_NUMBER = re.compile(r"(\w+) == (\d+)$")
"""A condition that says which number a size is."""

_LONGEST_REST = 80

_SIZE = "sizeof("

_AXES = tuple(symbol(f"gridDim.{axis}") for axis in "xyz")
_GRIDS = (_AXES[:1], _AXES[:2], _AXES, _AXES[1:2])
"""Factors of the number of blocks, for grids of one, two and three dimensions, and of one column."""

_HIDDEN = frozenset({"excessive_sectors", "wavefronts", "steps"})


@dataclass(frozen=True, slots=True)
class Amount:
    """A cost, exact or an upper bound; `expression` None: there is no bound."""

    expression: Expression | None
    exact: bool

    def text(self, spelling: Spelling) -> str:
        """ "32", "<= 8 + 65*T17"; "" without a bound."""
        if self.expression is None:
            return ""
        return ("" if self.exact else "<= ") + spelling.text(self.expression)


@dataclass(frozen=True, slots=True)
class Figure:
    """What is shown of one metric. `when`: the conditions under which `warp` holds, () if always; `otherwise`: what
    holds else. `because`: why there is no bound.  `rest`: an upper figure of what was understood, where something was not.
    `resized`: what holds at the other size of types that are not declared, where that is something else."""

    metric: str
    warp: Amount
    block: Amount
    launch: Amount
    ideal: Expression | None
    when: tuple[str, ...]
    otherwise: Amount
    because: Reason | None
    rest: Amount = Amount(None, False)
    excluded: tuple[Reason, ...] = ()
    resized: Amount = Amount(None, False)

    @property
    def is_nothing(self) -> bool:
        """Whether it is known that no warp pays anything."""
        return self.warp.expression is not None and constant(self.warp.expression) == 0

    @property
    def is_weighted(self) -> bool:
        """Whether it is a sum of the user's, whose name is no plural of anything."""
        return self.metric not in _COUNTED


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of one launch.  `spelling` speaks under the conditions of `when`, `always` without them."""

    figures: tuple[Figure, ...]
    when: tuple[str, ...]
    spelling: Spelling
    always: Spelling
    names: Mapping[str, str]
    unsized: tuple[str, ...] = ()

    def get(self, metric: str) -> Figure | None:
        return next((figure for figure in self.figures if figure.metric == metric), None)

    @property
    def condition(self) -> str:
        """The conditions as C spells them, with names as in the source; "" if there are none."""
        text = condition_text(" and ".join(self.when))
        return re.sub(r"\b[A-Za-z_]\w*\b", lambda match: self.names.get(match[0], match[0]), text)

    @property
    def sizes(self) -> frozenset[str]:
        """The names of sizes that the conditions ask for, as in the source."""
        return frozenset(self.names.get(name, name) for part in self.when for name in names_in(part))

    def spell(self, amount: Amount) -> Spelling:
        """The text of an amount; only an amount that is exact under the conditions is simplified by them."""
        return self.spelling if amount.exact else self.always

    def rest(self, figure: Figure) -> str | None:
        """ "<= 36 sectors": what all that was understood pays of a metric without a bound; None where that is not known, nothing, or long."""
        amount = figure.rest
        if amount.expression is None or constant(amount.expression) == 0:
            return None
        text = amount.text(self.spell(amount))
        return f"{text} {figure.metric}" if len(text) <= _LONGEST_REST else None

    def at_other_size(self) -> str | None:
        """ "<= 10 sectors per warp if `T` has 2 bytes": what is something else at the other size of types that are not declared."""
        other = [(one, one.resized.text(self.always)) for one in self.figures if one.resized.expression is not None]
        said = [f"{text} {one.metric}" for one, text in other if len(text) <= _LONGEST_REST]
        has = "has" if len(self.unsized) == 1 else "have"
        return f"{', '.join(said)} per warp if {types_text(self.unsized)} {has} {OTHER_BYTES} bytes" if said else None


def figures_of(
    facts: KernelFacts, steps: bool = False, passed: Mapping[str, int] = MappingProxyType({})
) -> Figures | None:
    """The figures of a launch, or None where no bounds were sought.  `passed`: the numbers that all launches in view pass, by the safe names of
    parameters; no case speaks that they do not meet."""
    if facts.bounds is None:
        return None
    metrics = facts.bounds.metrics
    hidden = _HIDDEN - {"steps"} if steps else _HIDDEN
    order = [name for name in (*SHOWN, *metrics) if name in metrics and name not in hidden]
    unsized = {info.name: info.source[len(_SIZE) : -1] for info in facts.symbols if info.source.startswith(_SIZE)}
    warps = -(-prod(facts.block) // 32)
    found = tuple(
        _figure(metrics[name], passed, unsized.keys(), warps)
        for name in dict.fromkeys(order)
        if _says_something(name, facts)
    )
    when = _together(tuple(dict.fromkeys(part for figure in found for part in figure.when)))
    names = {info.name: info.source for info in facts.symbols}
    stated = _multiples((a.text for a in facts.assumptions), names)
    sizes = tuple(info.source for info in facts.symbols)
    under = {**stated, **_multiples(when, names)}
    return Figures(found, when, Spelling(sizes, under), Spelling(sizes, stated), names, tuple(unsized.values()))


def is_ideal(figure: Figure, figures: Figures) -> bool:
    """Whether it is proved that no pattern would pay less."""
    upper = figure.warp.expression
    if upper is None or figure.ideal is None:
        return False
    return at_most(upper, figure.ideal, multiples=figures.spell(figure.warp).multiples) is True


def ideal_of(figure: Figure) -> Expression | None:
    """What the best pattern would pay; nothing at all for conflicts and splits."""
    return figure.ideal if figure.ideal is not None else unspoken_ideal(figure.metric)


def unspoken_ideal(metric: str) -> Expression | None:
    """The ideal of a metric for which no bound states one."""
    return ZERO if metric in _FREE else None


def worst_launch(kernel: KernelReport, settings: Settings) -> LaunchReport | None:
    """The launch that speaks for the kernel: one without a bound, else the most expensive at representative sizes."""
    return max(kernel.launches, key=lambda launch: _weight(launch, settings), default=None)


def expense(kernel: KernelReport, settings: Settings) -> tuple[int, int]:
    """A key that orders instantiations of a template: those with a metric without a bound first, then by cost at
    representative sizes."""
    return max((_weight(launch, settings) for launch in kernel.launches), default=(0, 0))


def withheld(facts: KernelFacts) -> dict[Reason, list[str]]:
    """Why metrics have no bound: each reason with its metrics, in the order in which they are shown."""
    found: dict[Reason, list[str]] = {}
    for name in SHOWN:
        bound = facts.bounds.metrics.get(name) if facts.bounds is not None else None
        if bound is not None and bound.per_warp.upper is None and bound.per_warp.because is not None:
            found.setdefault(bound.per_warp.because, []).append(name)
    return found


def _weight(launch: LaunchReport, settings: Settings) -> tuple[int, int]:
    bounds = launch.facts.bounds
    if bounds is None:
        return 0, 0
    values = representative_sizes(launch.profile, settings).values
    found = [bounds.metrics[name].per_warp.upper for name in SHOWN if name in bounds.metrics]
    costs = [None if upper is None else value_at(upper, values) for upper in found]
    return sum(cost is None for cost in costs), sum(cost for cost in costs if cost is not None)


def _says_something(metric: str, facts: KernelFacts) -> bool:
    """A kernel without shared memory has no row for conflicts, one without global memory none for sectors."""
    space = {"sectors": Space.GLOBAL, "conflicts": Space.SHARED}.get(metric)
    if space is None or any(access.space in (space, Space.UNKNOWN) for access in facts.accesses):
        return True
    bound = facts.bounds.metrics[metric].per_warp if facts.bounds is not None else None
    return bound is not None and (bound.upper is None or constant(bound.upper) != 0)


def _figure(bound: MetricBound, passed: Mapping[str, int], unsized: Collection[str], warps: int) -> Figure:
    warp = bound.per_warp
    case, when = _speaking(warp.cases, passed)
    upper = Amount(_simple(warp.upper), warp.exact and not warp.cases)
    amount = upper if case is None else Amount(_simple(case.upper), True)
    block, launch = (_sum(total, case, passed) for total in (bound.per_block, bound.per_launch))
    if case is not None and case.upper is not None and not block.exact:
        block = _smaller(block, scale(warps, case.upper))
        launch = _of_blocks(block, bound, launch)
    ideal = bound.ideal if case is None or case.ideal is None else case.ideal
    return Figure(
        bound.metric,
        amount,
        block,
        launch,
        ideal,
        when,
        _otherwise(warp, case),
        warp.because,
        Amount(_simple(warp.known), False),
        warp.excluded,
        _resized(warp, unsized),
    )


def _resized(warp: WarpBound, unsized: Collection[str]) -> Amount:
    """What the first case says, if that is one of sizes of types."""
    first = warp.cases[0] if warp.cases else None
    if first is None or not unsized or not names_in(first.when) <= set(unsized):
        return Amount(None, False)
    return Amount(_simple(first.upper), first.exact)


def _speaking(cases: tuple[BoundCase, ...], passed: Mapping[str, int]) -> tuple[BoundCase | None, tuple[str, ...]]:
    """The first case that the numbers passed do not exclude, if it is exact, and its conditions.  A case that follows others holds only where those do
    not, so that the numbers which exclude them are conditions, too."""
    left_out: dict[str, None] = {}
    for case in cases:
        parts = _conjuncts(case.when)
        if not any(holds(part, passed) is False for part in parts):
            speaks = case.exact and case.upper is not None
            return (case, tuple(dict.fromkeys((*left_out, *parts)))) if speaks else (None, ())
        left_out.update(
            dict.fromkeys(f"{name} == {passed[name]}" for name in sorted(names_in(case.when)) if name in passed)
        )
    return None, ()


def _together(when: tuple[str, ...]) -> tuple[str, ...]:
    """The conditions without those that the numbers among them decide: `n == 64` says that `n % 32 == 0`."""
    numbers = {match[1]: int(match[2]) for part in when if (match := _NUMBER.match(part)) is not None}
    return tuple(part for part in when if _NUMBER.match(part) is not None or holds(part, numbers) is not True)


def _otherwise(warp: WarpBound, case: BoundCase | None) -> Amount:
    """What holds where the case does not: the second of two, if it is exact too, else the bound without conditions."""
    if case is not None and len(warp.cases) == 2 and warp.exact and warp.cases[1].exact and case is warp.cases[0]:
        return Amount(_simple(warp.cases[1].upper), True)
    return Amount(_simple(warp.upper), warp.exact and case is None)


def _sum(total: SumBound, case: BoundCase | None, passed: Mapping[str, int]) -> Amount:
    """The sum under the condition of the figure per warp, if it has that case, else without conditions."""
    own, _ = _speaking(total.cases, passed)
    if own is not None and case is not None and own.when == case.when:
        return Amount(_simple(own.upper), True)
    return Amount(_simple(total.upper), total.exact and not total.cases)


def _of_blocks(block: Amount, bound: MetricBound, launch: Amount) -> Amount:
    """What a launch pays at most if its bound is that of a block for each block of the grid, and a block pays less."""
    whole, each = bound.per_launch.upper, bound.per_block.upper
    if launch.exact or whole is None or each is None or block.expression is None:
        return launch
    for blocks in _GRIDS:
        if multiply(each, *blocks) == whole:
            return _smaller(launch, multiply(block.expression, *blocks))
    return launch


def _smaller(amount: Amount, other: Expression) -> Amount:
    """The smaller of two upper figures, if that is known."""
    if amount.expression is None or at_most(other, amount.expression) is True:
        return Amount(_simple(other), False)
    return amount


def _simple(expression: Expression | None) -> Expression | None:
    return None if expression is None else simplified(expression)


def _conjuncts(condition: str) -> tuple[str, ...]:
    """The parts of a conjunction; a condition of another shape is one part."""
    try:
        tree = ast.parse(condition, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return (condition,)
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return tuple(_part(part) for part in tree.values)
    return (_part(tree),)


def _part(tree: ast.expr) -> str:
    """Its text, in parentheses where `and` would bind closer."""
    text = ast.unparse(tree)
    return f"({text})" if isinstance(tree, ast.BoolOp | ast.IfExp) else text


def _multiples(conditions: Iterable[str], names: Mapping[str, str]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for condition in conditions:
        for name, number in multiples_of(condition).items():
            source = names.get(name, name)
            found[source] = lcm(number, found.get(source, 1))
    return found
