"""Hover cards as Markdown, free of protocol types (the frame is fixed by the rendering standard of the project).

The first line carries the answer; prose stays within 100 columns and code blocks within 72.  `<=` is an upper figure; a
bare number is exact.  `where` spells a place: the server makes links of it, tests plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from analysis_core.cost.expression import constant, to_text
from analysis_core.cost.facts import AccessFact, BranchFact, Divergence, KernelFacts, ReadWrite
from analysis_core.ir.nodes import LoopKind
from analysis_core.ir.types import Space
from analysis_core.report.checks.divergent_branch import active_text
from analysis_core.report.picture import picture_lines
from analysis_core.report.shares import access_times, sizes_text, weigh
from analysis_core.report.wording import factor_text
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span

Where = Callable[[Span], str]

COLUMNS = 100

_VERBS: Mapping[ReadWrite, str] = {
    ReadWrite.READ: "load",
    ReadWrite.WRITE: "store",
    ReadWrite.BOTH: "load and store",
    ReadWrite.ATOMIC: "atomic",
}

_SPLITS: Mapping[Divergence, str] = {
    Divergence.NEVER: "**never splits a warp**",
    Divergence.BOUNDARY: "**splits only at the boundary**",
    Divergence.POSSIBLE: "**may split a warp**",
    Divergence.ALWAYS: "**splits the warp**",
}


def hover_access(fact: AccessFact, facts: KernelFacts, settings: Settings, where: Where) -> str:
    """The card of one access under one launch: cost, lanes, cases, share, reason, assumptions."""
    paragraphs = [_headline(fact)]
    picture = picture_lines(fact)
    if picture:
        paragraphs.append("\n".join(("```text", *picture, "```")))
    if fact.cases:
        paragraphs.append(_wrapped([f"{case.cost} when `{case.when}`" for case in fact.cases]))
    if (run := _runs(fact, facts, settings)) is not None:
        paragraphs.append(run)
    why = _why(fact, where)
    assumed = _assumes(facts, where)
    paragraphs.append("\n".join(part for part in (why, assumed) if part))
    return "\n\n".join(part for part in paragraphs if part) + "\n"


def hover_branch(fact: BranchFact, facts: KernelFacts, where: Where) -> str:
    """The card of one branch or loop test."""
    what = "loop" if isinstance(fact.kind, LoopKind) else "branch"
    head = f"{_SPLITS[fact.divergence]} · {what}"
    if fact.divergence in (Divergence.POSSIBLE, Divergence.ALWAYS):
        head += f", {active_text(fact.active)}"
    runs = "Runs an unknown number of times" if fact.times is None else f"Runs `{to_text(fact.times)}` times per warp"
    lines = [runs if fact.times is None or constant(fact.times) != 1 else "Runs once per warp"]
    if fact.spread is not None and fact.spread > 0:
        lines.append(f"Lanes leave at up to {fact.spread + 1} different iterations")
    reasons = _reasons(
        fact.origin, fact.cause.reason if fact.cause else None, fact.cause.span if fact.cause else None, where
    )
    parts = [head, " · ".join(lines), "\n".join(part for part in (reasons, _assumes(facts, where)) if part)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _headline(fact: AccessFact) -> str:
    tail = f"{_VERBS[fact.rw]}, {_lanes(fact)}{fact.bytes} bytes"
    if fact.space not in (Space.GLOBAL, Space.SHARED):
        return f"**{fact.space.value} memory: not counted** · {tail}"
    unit = "sector" if fact.space is Space.GLOBAL else "wavefront"
    plural = "s" if fact.worst != 1 else ""
    figure = str(fact.worst) if fact.exact or fact.best == fact.worst else f"<= {fact.worst}"
    over = f" (**{factor_text(fact.worst, fact.ideal)}**)" if fact.worst > fact.ideal else ""
    conflict = " · bank conflict" if fact.space is Space.SHARED and fact.worst > fact.ideal else ""
    return f"**{figure} {unit}{plural} per request**, ideal {fact.ideal}{over}{conflict} · {tail}"


def _lanes(fact: AccessFact) -> str:
    if fact.picture is None:
        return ""
    active = sum(group is not None for group in fact.picture.group)
    return f"{active} lane{'s' if active != 1 else ''} x "


def _runs(fact: AccessFact, facts: KernelFacts, settings: Settings) -> str | None:
    """ "Runs once per warp · 89% of this kernel's sectors (32 of 36 at h = w = 1024)"."""
    if fact not in facts.accesses:
        return None
    weights = weigh(facts, settings)
    place = facts.accesses.index(fact)
    total = sum(c for a, c in zip(facts.accesses, weights.accesses, strict=True) if a.space is fact.space)
    if fact.times is None:
        run = "Runs an unknown number of times"
    elif constant(fact.times) is not None:
        number = constant(fact.times)
        run = "Runs once per warp" if number == 1 else f"Runs {number} times per warp"
    else:
        run = f"Runs `{to_text(fact.times)}` times per warp"
    if fact.requests > 1:
        run += f", {fact.requests} requests each"
    if fact.space not in (Space.GLOBAL, Space.SHARED) or total == 0:
        return run
    metric = "sectors" if fact.space is Space.GLOBAL else "wavefronts"
    sizes = sizes_text(access_times(facts, fact), weights.sizes)
    detail = f"{weights.accesses[place]} of {total}" + (f" at {sizes}" if sizes else "")
    return _wrapped([run, f"{round(100 * weights.access_shares[place])}% of this kernel's {metric} ({detail})"])


def _why(fact: AccessFact, where: Where) -> str:
    cause = fact.cause
    text = _reasons(fact.origin, cause.reason if cause else None, cause.span if cause else None, where)
    if fact.contention is not None and fact.contention > 1:
        text += f"\nContention: up to {fact.contention} lanes on one address take turns"
    if fact.via:
        text += f"\nThrough {' · '.join(where(span) for span in fact.via)}"
    return text.strip()


def _reasons(origin: Span | None, reason: str | None, place: Span | None, where: Where) -> str:
    parts = []
    if origin is not None:
        parts.append(f"it depends on the thread since {where(origin)}")
    if reason is not None:
        parts.append(f"{reason} ({where(place)})" if place is not None else reason)
    return _wrapped(parts, "Why: ") if parts else ""


def _assumes(facts: KernelFacts, where: Where) -> str:
    block = "({}, {}, {})".format(*facts.block)
    source = f"from {where(facts.launch_span)}" if facts.launch_span is not None else f"({facts.source})"
    return _wrapped([f"block {block} {source}", *(assumption.text for assumption in facts.assumptions)], "Assumes: ")


def _wrapped(parts: list[str], head: str = "") -> str:
    """The parts with middle dots between, broken so that no line exceeds `COLUMNS` unless one part does."""
    lines = [head]
    for part in parts:
        dot = "" if lines[-1] == head and len(lines) == 1 else " · "
        if dot and len(lines[-1]) + len(dot) + len(part) > COLUMNS:
            lines[-1] += " ·"
            lines.append(part)
        else:
            lines[-1] += dot + part
    return "\n".join(lines)
