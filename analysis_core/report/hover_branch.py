"""The cards of branches and loops.

    **Splits the warp** · `if (i % 2)`, 16 of 32 threads active

    Tested `ceil(n/256)` times per warp · each warp diverges here `ceil(n/256)` times

    Why: `i` is computed from threadIdx.x (line 3) and is taken modulo 2 (here)
    Assumes: block 256 from main.cu:88

The first line says whether a warp can split and what runs then, the second how often, the last what makes the lanes differ
and what decides.  A loop's card counts iterations and says how far apart the threads exit.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.expressions.expression import ZERO, Expression, constant
from analysis_core.expressions.expression_people import Spelling
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.profile.leaving import apart_text
from analysis_core.profile.line_shares import METRIC_OF_SPACE, cost_within
from analysis_core.profile.shares import access_times, total_named, weigh
from analysis_core.profile.sizes import at_sizes
from analysis_core.report.checks.divergent_branch import active_text
from analysis_core.report.code_spans import code
from analysis_core.report.findings.model import LaunchReport
from analysis_core.report.findings.reasons import Where, assumes, seen, through, why, why_this_level, wrapped
from analysis_core.report.findings.wording import times_words
from analysis_core.report.trip_ends import CAPPED, end_of
from analysis_core.requests.facts import BranchFact, Divergence
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span

LONGEST_PAIR = 60
"""Columns for a loop's cost and the kernel's, side by side."""

LEAVES_A_LOOP = "WC302"
"""The rule about tests by which threads leave a loop, be they the loop's own or an `if` inside."""

_SPLITS: Mapping[Divergence, str] = {
    Divergence.NEVER: "**Never splits a warp**",
    Divergence.BOUNDARY: "**Splits only at the boundary**",
    Divergence.POSSIBLE: "**May split a warp**",
    Divergence.ALWAYS: "**Splits the warp**",
}

_LEAVES: Mapping[Divergence, str] = {
    Divergence.NEVER: "**All threads exit together**",
    Divergence.BOUNDARY: "**Threads exit at different iterations only at the boundary**",
    Divergence.POSSIBLE: "**Threads may exit at different iterations**",
    Divergence.ALWAYS: "**Threads exit at different iterations**",
}

_KEYWORDS: Mapping[object, str] = {
    IfKind.IF: "if ({})",
    IfKind.AND: "{} && ..",
    IfKind.OR: "{} || ..",
    IfKind.SELECT: "{} ? .. : ..",
    LoopKind.FOR: "for (..; {}; ..)",
    LoopKind.WHILE: "while ({})",
    LoopKind.DO: "do .. while ({})",
    "switch": "switch ({})",
}

_FIRST_LINE = 64
"""Columns for the statement in the first line, beside what the card says of it."""


def hover_branch(fact: BranchFact, launch: LaunchReport, settings: Settings, where: Where) -> str:
    """The card of one branch or loop test."""
    profile = launch.profile
    asked = launch.asked_at(fact.span, fact.spelled.text)
    level = why_this_level(asked)
    body = _loop_lines(fact, profile, settings) if isinstance(fact.kind, LoopKind) else _branch_lines(fact)
    last = [
        why(fact.why.story, fact.why.origin, (fact.why.cause,), where),
        through(fact.via, where),
        level if fact.divergence in (Divergence.POSSIBLE, Divergence.ALWAYS) else "",
        assumes(profile.facts, where),
    ]
    leaves = isinstance(fact.kind, LoopKind) or any(one.code == LEAVES_A_LOOP for one in asked)
    parts = [_headline(fact, leaves), "\n".join(body), "\n".join(part for part in last if part)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _headline(fact: BranchFact, leaves: bool) -> str:
    """`leaves`: threads leave a loop by it."""
    claims = _LEAVES if leaves else _SPLITS
    statement = _KEYWORDS.get(fact.kind, "{}").format(fact.spelled.text)
    if len(statement) > _FIRST_LINE:
        statement = statement[: _FIRST_LINE - 3] + "..."
    head = f"{claims[fact.divergence]} · {code(statement)}"
    if fact.divergence is Divergence.NEVER:
        return head
    active = active_text(fact.splits.active)
    return f"{head},\n{active}" if seen(head) + len(active) > 98 else f"{head}, {active}"


def _branch_lines(fact: BranchFact) -> list[str]:
    """How often it is decided, and at how many of these tests a warp splits."""
    parts = [f"Tested {times_words(fact.times)} per warp"]
    runs = fact.runs
    if runs is not None and runs.tests > 1 and fact.divergence is not Divergence.NEVER:
        if runs.splits:
            parts.append(f"{runs.splits} of the {runs.tests} tests in a block split a warp")
        if runs.open:
            parts.append(f"{runs.open} of the {runs.tests} tests in a block may split a warp")
    if constant(fact.splits.upper) != 0:
        parts.append(f"each warp diverges here {_bound(fact)}")
    return [wrapped(parts)]


def _loop_lines(fact: BranchFact, profile: KernelProfile, settings: Settings) -> list[str]:
    """How many iterations, how the lanes leave, what part of the kernel's cost it holds, what a trip count stands for."""
    parts = [
        "Iterations per warp: not known"
        if fact.leaving.rounds is None
        else f"Iterates {times_words(fact.leaving.rounds)} per warp"
    ]
    if fact.leaving.spread is None and not fact.leaving.exits:
        parts.append("nothing bounds how far apart the threads exit")
    elif fact.leaving.spread != 0:
        parts.append(f"threads exit {apart_text(fact, {})}")
    if constant(fact.splits.upper) != 0:
        parts.append(f"each warp diverges here {_bound(fact)}")
    lines = [wrapped(parts), *_held(fact.whole or fact.span, profile, settings)]
    trips = (info for info in profile.facts.symbols if info.kind == "trip" and info.span in (fact.span, fact.whole))
    name = next((info.name for info in trips), None)
    if name is not None:
        lines.append(wrapped([f"{name} = iterations of this loop, which {end_of(name, profile.facts)} {CAPPED}"]))
    return lines


def _held(whole: Span, profile: KernelProfile, settings: Settings) -> list[str]:
    """ "Holds 94% of this kernel's global traffic (`8*ceil(n/256)` of `2 + 8*ceil(n/256)` sectors per warp) if n = 1024": its share of the cost."""
    weights = weigh(profile, settings)
    spelling = Spelling(tuple(info.source for info in profile.facts.symbols))
    parts: list[str] = []
    used: list[Expression | None] = []
    for space, metric in METRIC_OF_SPACE.items():
        costs = [(a, cost) for a, cost in zip(profile.accesses, weights.accesses, strict=True) if a.fact.space is space]
        total = sum(cost for _, cost in costs)
        if total == 0:
            continue
        inside = sum(cost for a, cost in costs if whole.encloses(a.fact.span))
        part = f"{round(100 * inside / total)}% of this kernel's {total_named(profile, space)}"
        bounds = cost_within(profile.facts, metric, whole)
        texts = [] if bounds is None else [spelling.text(bound) for bound in bounds]
        if texts and constant(bounds[1] if bounds else ZERO) is None and sum(map(len, texts)) <= LONGEST_PAIR:
            part += f" (`{texts[0]}` of `{texts[1]}` {metric} per warp)"
        parts.append(part)
        used += access_times(profile, costs[0][0])
    if not parts:
        return []
    return [wrapped([*parts[:-1], parts[-1] + at_sizes(used, weights.sizes)], "Holds ")]


def _bound(fact: BranchFact) -> str:
    exact = fact.splits.upper == fact.splits.lower
    return f"{'' if exact else 'at most '}{times_words(fact.splits.upper)}"
