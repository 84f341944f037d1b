"""The findings that are new, for code scanning: each as `check --format sarif` would have it."""

from __future__ import annotations

import json

from analysis_core.changes.difference import Difference
from analysis_core.cli.diff.sides import Compared
from analysis_core.cli.render_sarif import sarif_log
from analysis_core.cli.runner_commands import no_command_in_json


def new_sarif(found: Difference, sides: Compared) -> str:
    """The log, with a line end."""
    results = sides.results or {}
    rows = [results[key] for one in found.came if (key := (one.path, one.fingerprint)) in results]
    fatal = [problem.text for problem in sides.problems if problem.fatal]
    log = sarif_log(rows, fatal, not sides.failed and not fatal)
    return no_command_in_json(json.dumps(log, indent=1)) + "\n"
