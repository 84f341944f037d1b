"""Launches as conditions of refactorings: those that are known, or what to state so that they are."""

from __future__ import annotations

from analysis_core.ir.launch_site import is_assumed, made_launches
from analysis_core.ir.nodes import Kernel
from analysis_core.program.launch import Launch, shape_text
from analysis_core.rewrite.core.action import Refused
from analysis_core.rewrite.core.unit import Unit


def known_launches(unit: Unit, kernel: Kernel) -> tuple[Launch, ...] | Refused:
    """All launches of a kernel, where their blocks are stated or constants of calls in view, every one of them."""
    launches = unit.launches(kernel)
    stated = f"//@ launch block={shape_text(launches[0].block)}"
    if any(is_assumed(one.source) for one in launches):
        return Refused(f"the block of `{kernel.name}` is not known", stated)
    if launches[0].source == "call":
        for site in made_launches(kernel.launches):
            if all(site.block != one.block for one in launches):
                return Refused(
                    f"`{kernel.name}` is launched with a block that is not known: `{site.block_text}`", stated
                )
    return launches
