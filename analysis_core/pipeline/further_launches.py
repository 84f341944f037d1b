"""A kernel analysed once more under one launch: at the other common blocks, with the numbers that all launches in view pass, and at another size of
types that are not declared (other_sizes.py).

    k<<<1, 512>>>(out, in, 1024);      the only launch: n is 1024

A figure that holds for every n often is not reached, or says nothing of a loop that doubles a distance up to n.  With the numbers it is exact, as a
case of the bounds: "= 664 when n == 1024".  Of places that cost more with them than is known without, findings are told, too.
Each takes no more than `FURTHER` of a kernel's work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analysis_core.expressions.bounds import KernelBounds, MetricBound
from analysis_core.expressions.conditions import holds
from analysis_core.expressions.expression import safe_name
from analysis_core.expressions.metric import Metric
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.clock import Clock
from analysis_core.pipeline.launch_stages import bound_launch, cost_launch
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.program.launch import Launch, other_common_blocks
from analysis_core.report.judge import rests_on_block
from analysis_core.support.fuel import FOLLOWED, FURTHER, Fuel
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store

_ASKED = (Metric.SECTORS.value, Metric.CONFLICTS.value, Metric.DIVERGENCES.value)


def with_further(
    kernel: Kernel, launch: Launch, profile: KernelProfile, settings: Settings, store: Store | None = None
) -> KernelProfile:
    """The profile with those of further launches, as far as they are asked for and paid."""
    found = _with_other_blocks(kernel, launch, profile, settings, store)
    found = _with_numbers(kernel, launch, found, settings, store)
    if kernel.resized is None or not _is_paid(1, profile, settings):
        return found
    from analysis_core.pipeline.other_sizes import with_sizes  # few kernels have elements of unknown type

    sized = with_sizes(kernel, kernel.resized, launch, found, settings, store)
    numbered = found.at_numbers
    if numbered is None or not _is_paid(2, profile, settings):
        return sized
    # Cards and rules speak of these where they say more: they have to say it of both sizes, too.
    within = replace(settings, values={**numbered.numbers, **settings.values})
    return replace(sized, at_numbers=with_sizes(kernel, kernel.resized, launch, numbered, within, store))


def _with_other_blocks(
    kernel: Kernel, launch: Launch, profile: KernelProfile, settings: Settings, store: Store | None
) -> KernelProfile:
    """With those at the other common blocks, where nothing keeps a loss from being a warning but that the block is a guess."""
    others = other_common_blocks(kernel, launch)
    if not others or not _is_paid(len(others), profile, settings) or not rests_on_block(kernel, profile, settings):
        return profile
    costed = (cost_launch(kernel, other, settings, Clock(), store=store) for other in others)
    return replace(profile, at_other_blocks=tuple(one.profile for one in costed))


def _with_numbers(
    kernel: Kernel, launch: Launch, profile: KernelProfile, settings: Settings, store: Store | None
) -> KernelProfile:
    """With that for the numbers that all launches in view pass, where a bound is not exact without them."""
    numbers, bounds = numbers_passed(launch, profile), profile.facts.bounds
    if not numbers or bounds is None or not _is_paid(1, profile, settings):
        return profile
    known = {safe_name(name): value for name, value in numbers.items()}
    if all(_is_exact(bound, known) for name, bound in bounds.metrics.items() if name in _ASKED):
        return profile
    within = replace(settings, values={**numbers, **settings.values}, bound_cases=False)
    costed = cost_launch(kernel, launch, within, Clock(), store=store)
    found = replace(bound_launch(kernel, launch, costed, within, Clock(), store), numbers=numbers)
    facts = replace(profile.facts, bounds=_with_cases(bounds, known, found.facts.bounds))
    return replace(profile, facts=facts, at_numbers=found)


def numbers_passed(launch: Launch, profile: KernelProfile) -> Mapping[str, int]:
    """The parameters, by name, to which all launches that this one stands for pass one number that the host's text says, and on which a
    figure of the kernel rests."""
    asked = {info.source for info in profile.facts.symbols if info.kind == "parameter"}
    known = (one for one in launch.arguments.ranges if one.name in asked and not one.run)
    return {one.name: one.least for one in known if one.least is not None and one.least == one.most}


def _is_paid(times: int, profile: KernelProfile, settings: Settings) -> bool:
    return Fuel.of_kernel(FURTHER, settings).left >= times * profile.followed * FOLLOWED


def _is_exact(bound: MetricBound, numbers: Mapping[str, int]) -> bool:
    """Whether it is known with these numbers what the most expensive warp pays."""
    cases = (case for case in bound.per_warp.cases if case.exact)
    return bound.per_warp.exact or any(holds(case.when, numbers) for case in cases)


def _with_cases(known: KernelBounds, numbers: Mapping[str, int], found: KernelBounds | None) -> KernelBounds:
    """The bounds with the case of these numbers behind their own, of metrics that are exact there and not without it."""
    if found is None:
        return known
    when = " and ".join(f"{name} == {value}" for name, value in numbers.items())
    metrics = {
        name: bound.in_case(when, found.metrics[name])
        if found.metrics[name].per_warp.exact and not _is_exact(bound, numbers)
        else bound
        for name, bound in known.metrics.items()
    }
    return replace(known, metrics=metrics)
