"""`warpcost rule WC101` (or `uncoalesced-access`): the documentation page of a rule, as it is written."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from analysis_core.cli.statuses import BROKEN, CLEAN
from analysis_core.cli.terminal import printable
from analysis_core.report.checks.registry import CHECKS, RULE_WORDS, rule_of
from analysis_core.support.spelling import do_you_mean

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

FOLDERS = (os.path.join(_PACKAGE, "docs", "rules"), os.path.join(os.path.dirname(_PACKAGE), "docs", "rules"))
"""Where the pages lie: in an installed package, and in a checkout."""


def rule(args: Namespace) -> int:
    """Prints the page; returns the exit status."""
    known = rule_of(args.code)
    page = None if known is None else page_of(known.code)
    if page is not None:
        print(page, end="")
        return CLEAN
    meant = do_you_mean(args.code, RULE_WORDS)
    print(f"warpcost: there is no rule {printable(args.code)}{meant}", file=sys.stderr)
    for check in CHECKS:
        print(f"  {check.code}  {check.name}: {check.summary}", file=sys.stderr)
    return BROKEN


def page_of(code: str) -> str | None:
    """The Markdown page of a rule, if it is there; `code` as registered."""
    path = page_path(code)
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def page_path(code: str) -> str | None:
    """Where the page of a rule lies, if it is there."""
    paths = (os.path.join(folder, f"{code}.md") for folder in FOLDERS)
    return next((path for path in paths if os.path.isfile(path)), None)


def version() -> str | None:
    """The installed version; slow to find, so nothing asks for it twice."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("warpcost")
    except PackageNotFoundError:
        return None
