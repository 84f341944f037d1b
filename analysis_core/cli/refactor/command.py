"""`warpcost refactor FILE`: does to a text what an action says, once that is checked; or lists what may be done where, with its gain.

Exit status: 0: done, or listed; 3: refused, with the reason on one line; 2: wrong use.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from analysis_core.cli.edited import patch, print_exactly, written
from analysis_core.cli.places import shown_path
from analysis_core.cli.render_text import place_text
from analysis_core.cli.runner_commands import no_command, no_command_in_json
from analysis_core.cli.statuses import BROKEN, CLEAN, REFUSED
from analysis_core.cli.terminal import complain, printable
from analysis_core.cli.work import one_task, unknown_kernel
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Choice, Refused
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.offers import MOST_TRIED, Outcome, Spot, ranked, spots, tried
from analysis_core.rewrite.registry import ACTIONS, action_named
from analysis_core.support.spelling import did_you_mean
from analysis_core.support.store import Store


def refactor(args: Namespace) -> int:
    """Runs the command; returns the exit status."""
    task = one_task(args)
    if task is None:
        return BROKEN
    if args.kernel is not None and (unknown := unknown_kernel((task,))):
        complain(unknown)
        return BROKEN
    if args.action is not None and action_named(args.action) is None:
        names = [one.name for one in ACTIONS]
        complain(f"there is no action '{printable(args.action)}'{did_you_mean(args.action, names)}: {', '.join(names)}")
        return BROKEN
    if args.action is None and not args.list and args.plan is None:
        complain(
            "say which --action, or --list for what may be done where, or --plan for what would be gained by several"
        )
        return BROKEN
    unit = Unit(Place(task.path, task.files(), task.settings, task.units, Store()))
    choice = Choice(args.factor, tuple(args.name or ()), args.rounding)
    if args.plan is not None:
        return _plan(unit, choice, args)
    actions = ACTIONS if args.action is None else tuple(one for one in ACTIONS if one.name == args.action)
    found = list(spots(unit, actions, args.kernel))
    here = [one for one in found if args.line is None or unit.line(one.span) == args.line]
    if args.list:
        return _list(unit, here, choice, args.format)
    if not here or (args.line is None and len({one.span for one in here}) > 1):
        complain(_where(unit, found, args.action, args.line))
        return BROKEN
    return _do(unit, here, choice, args)


def _plan(unit: Unit, choice: Choice, args: Namespace) -> int:
    from analysis_core.cli.refactor.planned import planned

    wrong = next((one for one in args.plan.split(",") if one.strip() and action_named(one.strip()) is None), None)
    if wrong is not None or args.action is not None or args.list or args.line is not None:
        names = [one.name for one in ACTIONS]
        said = f"there is no action '{printable((wrong or '').strip())}'{did_you_mean((wrong or '').strip(), names)}"
        complain(said if wrong is not None else "--plan is of all actions and lines: say no --action, --line or --list")
        return BROKEN
    return planned(unit, choice, args)


def _where(unit: Unit, found: Sequence[Spot], action: str, line: int | None) -> str:
    """What to say instead of a line at which there is nothing to do, or of none."""
    lines = sorted({unit.line(one.span) for one in found})
    if not lines:
        return f"there is no place for {action}"
    said = f"there is no place for {action} on line {line}" if line is not None else "say which --line"
    return f"{said}; there is on line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"


def _do(unit: Unit, here: Sequence[Spot], choice: Choice, args: Namespace) -> int:
    """The first of the places that is accepted."""
    refusals: list[Refused] = []
    for spot in here:
        found = tried(unit, spot, choice)
        if isinstance(found, Refused):
            refusals.append(found)
            continue
        after = unit.edited(found.rewritten.edits).text
        if args.write and (trouble := written(unit.place.path, unit.text, after)) is not None:
            complain(f"{shown_path(unit.place.path)}: {trouble}")
            return BROKEN
        if args.format == "json":
            print(no_command_in_json(json.dumps(_json(unit, Outcome(spot, found)), indent=2)))
            return CLEAN
        for line in _told(found):
            complain(line)
        if not args.write:
            print_exactly(patch(unit.place.path, unit.text, after))
        return CLEAN
    if args.format == "json":
        print(no_command_in_json(json.dumps(_json(unit, Outcome(here[0], refusals[0])), indent=2)))
    else:
        complain(_refusal(refusals[0]))
    return REFUSED


def _refusal(found: Refused) -> str:
    return f"refused: {found.reason}" + (f"; `{found.annotation}` would help" if found.annotation else "")


def _told(found: Checked) -> Iterator[str]:
    yield found.title
    for condition in found.rewritten.rests_on:
        yield f"  rests on: {condition}"


# --- lists ----------------------------------------------------------------------------------------------------------


def _list(unit: Unit, here: Sequence[Spot], choice: Choice, format_: str) -> int:
    """Everything that may be done, by gain; and what is refused."""
    outcomes = [Outcome(spot, tried(unit, spot, choice)) for spot in here[:MOST_TRIED]]
    if format_ == "json":
        order = {id(one): number for number, one in enumerate(ranked(outcomes))}
        listed = sorted(outcomes, key=lambda one: order.get(id(one.found), len(order)))
        told = {"actions": [_json(unit, one) for one in listed], "left_out": len(here) - len(outcomes)}
        print(no_command_in_json(json.dumps(told, indent=2)))
        return CLEAN
    for line in _lines(unit, outcomes):
        print(no_command(printable(line)))
    if len(here) > len(outcomes):
        print(f"{len(here) - len(outcomes)} more places are not tried; say which --action, --kernel or --line")
    if not here:
        print(f"{printable(shown_path(unit.place.path))}: nothing to refactor")
    return CLEAN


def _lines(unit: Unit, outcomes: Sequence[Outcome]) -> Iterator[str]:
    for found in ranked(outcomes):
        yield f"{place_text(found.site.span, unit.sources)}: {found.action.name}: {found.title}"
    for one in outcomes:
        if isinstance(one.found, Refused):
            yield f"{place_text(one.spot.span, unit.sources)}: {one.spot.action.name}: {_refusal(one.found)}"


def _json(unit: Unit, one: Outcome) -> dict[str, Any]:
    line, column = unit.sources.position(one.spot.span)
    told: dict[str, Any] = {
        "action": one.spot.action.name,
        "kernel": one.spot.sites[0].kernel.name,
        "line": line,
        "column": column,
        "subject": one.spot.sites[0].subject,
        "applied": isinstance(one.found, Checked),
    }
    if isinstance(one.found, Refused):
        return {**told, "reason": one.found.reason, "annotation": one.found.annotation or None}
    found = one.found
    return {
        **told,
        "title": found.title,
        "equality": found.equality,
        "proof": found.rewritten.proof or None,
        "rests_on": list(found.rewritten.rests_on),
        "runs": found.ran.equal,
        "gain": round(found.gain, 6),
        "costs": [
            {"metric": cost.metric, "scope": cost.scope, "before": cost.before, "after": cost.after}
            for cost in found.costs
        ],
        "edits": [
            {
                "start": list(unit.index.position(edit.span.start)),
                "end": list(unit.index.position(edit.span.end)),
                "text": edit.text,
            }
            for edit in sorted(found.rewritten.edits, key=lambda each: each.span)
        ],
    }
