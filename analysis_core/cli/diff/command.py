"""`warpcost diff`: what a change does to the bounds and findings of kernels; the exit status says whether they got worse."""

from __future__ import annotations

import sys
from argparse import Namespace

from analysis_core.changes.difference import Difference, difference
from analysis_core.changes.sides import BadSide
from analysis_core.cli.diff.roots import BadComparison
from analysis_core.cli.diff.sides import Compared, compared_sides
from analysis_core.cli.statuses import BROKEN, CLEAN, FOUND
from analysis_core.cli.terminal import Style, complain, style_for
from analysis_core.cli.work import report_problems
from analysis_core.workspace.revisions import BadRevision


def diff(args: Namespace) -> int:
    """Runs the command; returns the exit status."""
    try:
        sides = compared_sides(args)
        if sides.unknown is not None:
            complain(sides.unknown)
            return BROKEN
        found = difference(sides.before, sides.after, sides.one_file)
    except (BadComparison, BadRevision, BadSide) as bad:
        complain(str(bad))
        return BROKEN
    print(_rendered(args.format, found, sides), end="", flush=True)
    report_problems(sides.problems)
    if sides.failed or any(problem.fatal for problem in sides.problems):
        return BROKEN
    return FOUND if _fails(found, args.fail_on) else CLEAN


def _rendered(format: str, found: Difference, sides: Compared) -> str:
    match format:
        case "json":
            from analysis_core.cli.diff.as_json import difference_json

            return difference_json(found, sides.base, sides.head)
        case "markdown":
            from analysis_core.cli.diff.as_markdown import difference_markdown

            return difference_markdown(found, sides.base, sides.head)
        case "sarif":
            from analysis_core.cli.diff.as_sarif import new_sarif

            return new_sarif(found, sides)
        case _:
            from analysis_core.cli.diff.text import difference_text

            return difference_text(found, style_for(sys.stdout) if format == "text" else Style(False))


def _fails(found: Difference, threshold: str) -> bool:
    match threshold:
        case "regression":
            return found.is_worse
        case "finding":
            return bool(found.loud)
        case "change":
            return not found.is_empty
        case _:
            return False
