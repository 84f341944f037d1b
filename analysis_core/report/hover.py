"""The hover card of an access as Markdown, free of protocol types (branches: hover_branch.py).

The first line carries the answer; prose stays within 100 columns and code blocks within 72.  `<=` is an upper figure; a
bare number is exact.  `where` spells a place: the server makes links of it, tests plain text.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.expressions.expression_people import condition_text
from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import AccessProfile, KernelProfile
from analysis_core.profile.line_shares import METRIC_OF_SPACE
from analysis_core.profile.shares import access_times, total_named, weigh
from analysis_core.profile.sizes import at_sizes
from analysis_core.profile.sureness import is_loose
from analysis_core.report.findings.model import LaunchReport
from analysis_core.report.findings.reasons import Where, assumes, sizes_passed, through, why, why_this_level, wrapped
from analysis_core.report.findings.wording import (
    access_text,
    capitalised,
    cost_text,
    sizes_text,
    tells_mean,
    times_words,
    where_text,
)
from analysis_core.report.picture import picture_lines
from analysis_core.requests.facts import AccessFact, Certainty
from analysis_core.support.settings import Settings

_COSTS = ("WC101", "WC201")
"""The rules that tell several accesses as one, with their share."""


def hover_access(access: AccessProfile, launch: LaunchReport, settings: Settings, where: Where) -> str:
    """The card of one access under one launch: cost, lanes, cases, share, reason, level, assumptions.

    Where only an upper figure is known without the numbers that all launches pass, it is the card for these numbers, as findings are."""
    access, profile = _with_numbers_passed(access, launch.profile)
    fact = access.fact
    level = why_this_level(launch.asked_at(fact.span, fact.text))
    seen = access.as_passed
    paragraphs = [_local(access, profile) if fact.space is Space.LOCAL else _headline(seen or access)]
    picture = picture_lines((seen or access).fact)
    if picture:
        paragraphs.append("\n".join(("```text", *picture, "```")))
    costs = (
        _passed(access, profile) or _cases(fact),
        _runs(access, profile, launch, settings),
        _profiler(fact, profile, settings),
    )
    paragraphs.append("\n".join(part for part in costs if part))
    paragraphs.append("\n".join(part for part in (_why(fact, where), level, assumes(profile.facts, where)) if part))
    # A fence needs no empty line around it, and Neovim shows one for the fence.
    text = "\n\n".join(part for part in paragraphs if part) + "\n"
    return text.replace("\n\n```", "\n```").replace("```\n\n", "```\n")


def _with_numbers_passed(access: AccessProfile, profile: KernelProfile) -> tuple[AccessProfile, KernelProfile]:
    numbered = profile.at_numbers
    if numbered is None or not is_loose(access.fact):
        return access, profile
    found = (one for one in numbered.accesses if (one.fact.span, one.fact.text) == (access.fact.span, access.fact.text))
    dearest = max(found, key=lambda one: one.fact.worst, default=None)
    return (access, profile) if dearest is None else (dearest, numbered)


def _cases(fact: AccessFact) -> str:
    """ "32 when `h >= 8` · fewer below · 4 when `h == 1`"; "4 when `w % 8 == 0` · at most 5 otherwise"."""
    sizes = fact.variation.sizes
    if sizes is not None:
        low = f"{sizes.least} when `{sizes.symbol} == {sizes.value}`"
        return wrapped([f"{sizes.worst} when `{sizes.symbol} >= {sizes.threshold}`", "fewer below", low])
    if all(case.cost == fact.worst for case in fact.cases):
        return ""
    cases = [f"{case.cost} when `{condition_text(case.when)}`" for case in fact.cases]
    return wrapped([*cases, f"at most {fact.worst} otherwise"])


def _passed(access: AccessProfile, profile: KernelProfile) -> str:
    """ "16 for `w` = 128, which launches pass; up to 32 otherwise": what the headline is for."""
    seen = access.as_passed
    if seen is None:
        return ""
    return wrapped(
        [f"{seen.fact.worst} for {sizes_passed(seen, profile.ranges)}; up to {access.fact.worst} for others"]
    )


def _headline(access: AccessProfile) -> str:
    """ "**Each warp touches 32 sectors where 4 would do (8x)** · store to `out`, 32 threads x 4 bytes"."""
    fact = access.fact
    tail = f"{access_text(access)}, {_threads(fact)}{fact.bytes} byte{'s' * (fact.bytes != 1)}"
    if fact.space not in METRIC_OF_SPACE:
        return f"**{capitalised(fact.space.value)} memory: not counted** · {tail}"
    if fact.why.unsized and fact.variation.sized is None:
        tail += ", elements of a type that is not known here"
    settled = fact.exact or fact.best == fact.worst or fact.variation.sizes is not None
    return wrapped([f"**{_cost(access, '' if settled else 'up to ')}**", tail])


def _local(access: AccessProfile, profile: KernelProfile) -> str:
    """ "**Local memory: `a` (32 bytes per thread) cannot stay in registers** · load from `a`, 4 bytes"."""
    number = next((n for n, one in enumerate(profile.accesses) if one is access), None)
    array = next((one for one in profile.own if number in one.accesses), None)
    if array is None:
        return _headline(access)
    size = "" if array.bytes is None else f" ({array.bytes} bytes per thread)"
    tail = f"{access_text(access)}, {access.fact.bytes} byte{'s' * (access.fact.bytes != 1)}"
    own = ", as this index is not known when the kernel is compiled" if number in array.indexed else ""
    return wrapped([f"**Local memory: `{array.name.rpartition(' ')[2]}`{size} cannot stay in registers{own}**", tail])


def _cost(access: AccessProfile, most: str) -> str:
    """ "32-way bank conflict: each request takes 32 wavefronts where 1 would do"."""
    fact = access.fact
    takes = "each warp touches" if fact.space is Space.GLOBAL else "each request takes"
    unit = METRIC_OF_SPACE[fact.space]
    if fact.variation.sized is not None:
        return capitalised(f"{takes} {sizes_text(fact.variation.sized, unit, most)}")
    costs = f"{takes} {most}{fact.worst} {unit if fact.worst != 1 else unit.removesuffix('s')}"
    if fact.why.unsized:
        return capitalised(costs)
    lost = fact.worst > fact.ideal
    costs += f" {where_text(fact.worst, fact.ideal)}" if lost else ", the ideal" if fact.space is Space.GLOBAL else ""
    if lost and fact.space is Space.GLOBAL and access.expected.usual is not None:
        return capitalised(f"{takes} {cost_text(access, unit, most)}")
    if fact.space is Space.GLOBAL:
        return capitalised(costs)
    if not lost:
        return f"No bank conflict: {costs}" + (f", as {fact.bytes} bytes a thread do" if fact.worst > 1 else "")
    if tells_mean(access):
        return f"Bank conflict, up to {fact.worst}-way: {takes} {cost_text(access, unit, most)}"
    return f"{f'{fact.worst}-way bank' if fact.ideal == 1 else 'Bank'} conflict: {costs}"


def _threads(fact: AccessFact) -> str:
    if fact.picture is None:
        return ""
    active = sum(group is not None for group in fact.picture.group)
    return f"{active} thread{'s' * (active != 1)} x "


def _runs(access: AccessProfile, profile: KernelProfile, launch: LaunchReport, settings: Settings) -> str | None:
    """ "Runs once per warp · 89% of this kernel's global traffic (256 of 288 per block if h = w = 1024)": the shares of findings, and that of the
    finding which tells it with others."""
    if access not in profile.accesses:
        return None
    fact, made = access.fact, profile.made
    weights = weigh(made, settings)
    place = profile.accesses.index(access)
    cost, share = weights.accesses[place], weights.access_shares[place]
    run = f"Runs {times_words(fact.times)}{'' if fact.times is None else ' per warp'}"
    if fact.requests > 1:
        run += f", {fact.requests} requests each"
    if fact.space not in METRIC_OF_SPACE or not weights.totals.get(fact.space):
        return run
    total = cost / share if share else weights.totals[fact.space]
    paid = f"{round(cost)} of {round(total)} {METRIC_OF_SPACE[fact.space]} per block"
    part = f"{round(100 * share)}% of this kernel's {total_named(made, fact.space)}"
    at = at_sizes(access_times(made, made.accesses[place]), weights.sizes)
    return wrapped([run, f"{part} ({paid}{at})", *_of_finding(fact, launch)])


def _of_finding(fact: AccessFact, launch: LaunchReport) -> Iterator[str]:
    """ "47% with 3 more accesses of this pattern": the share that the finding says which tells it with others."""
    for one in launch.findings:
        if one.share is not None and one.fellows and one.check in _COSTS and fact.span in (one.span, *one.fellows):
            others = len(one.fellows)
            yield f"{round(100 * one.share)}% with {others} more access{'es' * (others > 1)} of this pattern"
            return


def _contention(fact: AccessFact, most: int) -> str:
    """ "Contention: 32 threads of a warp (256 of the block) update one address one after the other"."""
    warp, block = fact.meets or (0, 0)
    said = f"{warp}" if warp == most and fact.together else f"up to {most}"
    of_block = f" ({block} of the block)" if warp == most and block > warp else ""
    return f"Contention: {said} threads of a warp{of_block} update one address one after the other"


def _profiler(fact: AccessFact, profile: KernelProfile, settings: Settings) -> str:
    """ "Profiler: `l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum` 1,048,576 per launch (ideal 131,072)": what its counter would show."""
    from analysis_core.report.counters import counter_text, counters_of, known_sizes

    if fact.space not in METRIC_OF_SPACE:
        return ""
    told = counter_text(fact, counters_of(profile, known_sizes(profile, settings.values)))
    return wrapped([told], "Profiler: ") if told else ""


def _why(fact: AccessFact, where: Where) -> str:
    """What makes the lanes differ; a cause that the cases explain is left out."""
    lines = [why(fact.why.story, fact.why.origin, (fact.why.cause,), where)]
    if fact.why.because is not None and fact.why.cause is None and fact.certainty is Certainty.RANGED:
        lines.append(f"A range because {fact.why.because}")
    if fact.contention is not None and fact.contention > 1:
        lines.append(_contention(fact, fact.contention))
    if fact.reuse is not None and fact.reuse.times >= 2 and fact.block.kept is None:
        lines.append(
            f"Reuse: threads of a block load each element {fact.reuse.times:.3g} times in this loop, if it is long"
            + " and all are active" * (not fact.together)
        )
    lines.append(through(fact.via, where))
    return "\n".join(line for line in lines if line)
