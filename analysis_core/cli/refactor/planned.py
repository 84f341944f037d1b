"""`warpcost refactor FILE --plan`: what several refactorings would gain together, with the bounds after each."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from analysis_core.cli.edited import patch, print_exactly, written
from analysis_core.cli.places import shown_path
from analysis_core.cli.runner_commands import no_command, no_command_in_json
from analysis_core.cli.statuses import BROKEN, CLEAN, REFUSED
from analysis_core.cli.terminal import complain, printable
from analysis_core.rewrite.core.action import Choice
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.plan import Step, Stopped, chain, plan


def planned(unit: Unit, choice: Choice, args: Namespace) -> int:
    """Runs it; returns the exit status: 3 if an action of a chain is refused, which then is not written either."""
    actions = [name.strip() for name in args.plan.split(",") if name.strip()]
    found = list(chain(unit, actions, choice, args.kernel) if actions else plan(unit, choice, args.kernel))
    steps = [one for one in found if isinstance(one, Step)]
    stopped = next((one for one in found if isinstance(one, Stopped)), None)
    after = steps[-1].after.text if steps else unit.text
    if args.write and stopped is None and (trouble := written(unit.place.path, unit.text, after)) is not None:
        complain(f"{shown_path(unit.place.path)}: {trouble}")
        return BROKEN
    if args.format == "json":
        told: dict[str, Any] = {"steps": [_json(one) for one in steps]}
        if stopped is not None:
            told["stopped"] = {
                "action": stopped.action,
                "reason": stopped.reason.reason,
                "annotation": stopped.reason.annotation or None,
            }
        print(no_command_in_json(json.dumps(told, indent=2)))
        return CLEAN if stopped is None else REFUSED
    for line in _lines(steps):
        (complain if args.diff or args.write else lambda text: print(no_command(printable(text))))(line)
    if not steps and stopped is None:
        complain(f"{shown_path(unit.place.path)}: nothing gains")
    if stopped is not None:
        help_ = f"; `{stopped.reason.annotation}` would help" if stopped.reason.annotation else ""
        complain(f"{stopped.action} is refused: {stopped.reason.reason}{help_}")
        return REFUSED
    if args.diff and steps:
        print_exactly(patch(unit.place.path, unit.text, after))
    return CLEAN


def _lines(steps: list[Step]) -> Iterator[str]:
    for number, step in enumerate(steps, start=1):
        yield f"{number}. line {step.line}: {step.found.action.name}: {step.found.title}"
        yield "   then " + ", ".join(f"{one.metric} {one.after} {one.scope}" for one in step.found.costs)


def _json(step: Step) -> dict[str, Any]:
    return {
        "action": step.found.action.name,
        "line": step.line,
        "title": step.found.title,
        "equality": step.found.equality,
        "gain": round(step.found.gain, 6),
        "bounds": [
            {"metric": one.metric, "scope": one.scope, "before": one.before, "after": one.after}
            for one in step.found.costs
        ],
    }
