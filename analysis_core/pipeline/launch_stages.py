"""One kernel under one launch, stage by stage: its costs, its bounds, its data races.  Stages are imported where they are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

from analysis_core.ir import nodes as ir
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.walk import statements_of
from analysis_core.pipeline.clock import Clock
from analysis_core.program.launch import Launch
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass

if TYPE_CHECKING:
    from analysis_core.interp.core.events import Events
    from analysis_core.interp.resume.trail import Trail
    from analysis_core.profile.access_profile import KernelProfile
    from analysis_core.requests.event_costs import EventCosts
    from analysis_core.requests.site_memo import Met


@dataclass(frozen=True, slots=True, eq=False)
class Costed:
    """The profile of a launch without bounds, and what bounds are made from.  `trail`: the way to them, if it was asked for; `met`: facts by
    their executions, if these are remembered."""

    profile: KernelProfile
    events: Events
    found: EventCosts
    trail: Trail | None = None
    met: Mapping[tuple[int, ...], Met] = field(default_factory=dict)


def cost_launch(
    kernel: Kernel,
    launch: Launch,
    settings: Settings,
    clock: Clock,
    past: Costed | None = None,
    again: bool = False,
    store: Store | None = None,
) -> Costed:
    """What each access and branch costs.  `past`: that of a kernel that may begin alike; `again`: keep the trail for the next;
    `store`: where facts are that were found out before."""
    from analysis_core.interp.interpret import interpret, interpret_again
    from analysis_core.profile.kernel_profile import profile_of
    from analysis_core.requests.evaluate import evaluate
    from analysis_core.requests.event_costs import EventCosts
    from analysis_core.requests.site_memo import Sites

    trail = None
    if again:
        events, trail = interpret_again(kernel, launch, settings, None if past is None else past.trail)
    else:
        events = interpret(kernel, launch, settings)
    clock.lap("interp")
    found = EventCosts.of(events, None if past is None else past.found)
    met: dict[tuple[int, ...], Met] = {}
    sites = None if store is None else Sites(store, {} if past is None else past.met, met)
    evaluation = evaluate(kernel, launch, events, found, sites)
    profile = profile_of(kernel, launch, events, evaluation, settings)
    clock.lap("cost")
    return Costed(profile, events, found, trail, met)


def bound_launch(
    kernel: Kernel, launch: Launch, costed: Costed, settings: Settings, clock: Clock, store: Store | None = None
) -> KernelProfile:
    """The profile with the bounds of all metrics.  `store`: where linear programs are that were made before."""
    from analysis_core.lp.kernel_bounds import kernel_bounds

    facts = costed.profile.facts
    bounds = kernel_bounds(kernel, launch, costed.events, facts, settings, costed.found, store)
    assumptions = tuple(dict.fromkeys((*facts.assumptions, *bounds.assumptions)))
    clock.lap("lp")
    return replace(costed.profile, facts=replace(facts, bounds=bounds, assumptions=assumptions))


def is_claiming(kernel: Kernel) -> bool:
    """Whether annotations claim something of its threads, of its launches or of what it costs."""
    return (
        bool(kernel.annotations.contracts)
        or kernel.claimed is not None
        or any(one.required for one in kernel.annotations.assumptions)
    )


def may_race(kernel: Kernel) -> bool:
    """Whether it writes to memory, so that races are looked for, or annotations claim something."""
    return is_claiming(kernel) or any(isinstance(stmt, ir.Store | ir.Atomic) for stmt in statements_of(kernel))


def race_launch(
    kernel: Kernel, launch: Launch, profile: KernelProfile, events: Events, settings: Settings, clock: Clock
) -> KernelProfile:
    """The profile with the data races of the launch, and with what becomes of the claims of annotations."""
    from analysis_core.races.decide import race_report

    found = replace(profile, races=race_report(kernel, launch, events, is_assumed(launch.source)))
    if is_claiming(kernel):
        from analysis_core.claims.decide import claims_of

        found = replace(found, claims=claims_of(kernel, launch, settings, found.races))
    if kernel.annotations.contracts:
        from analysis_core.contracts.decide import contracts_of

        found = replace(found, contracts=contracts_of(kernel, launch, events, found.facts, settings))
    clock.lap("races")
    return found
