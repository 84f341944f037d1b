"""`warpcost rule WC101` (or `uncoalesced-access`): the documentation page of a rule, or a guide, as it is written; without one, the list of the
rules."""

from __future__ import annotations

from argparse import Namespace

from analysis_core.cli.rule_pages import GUIDES, page_of
from analysis_core.cli.statuses import BROKEN, CLEAN
from analysis_core.cli.terminal import complain
from analysis_core.report.checks.registry import CHECKS, RULE_WORDS, rule_of
from analysis_core.support.spelling import did_you_mean


def rule(args: Namespace) -> int:
    """Prints the page; returns the exit status."""
    if args.code is None:
        for check in CHECKS:
            print(f"{check.code}  {check.name}: {check.summary}")
        return CLEAN
    known = rule_of(args.code)
    name = args.code.lower() if args.code.lower() in GUIDES else known and known.code
    page = page_of(name) if name else None
    if page is not None:
        print(page, end="")
        return CLEAN
    meant = did_you_mean(args.code, (*RULE_WORDS, *GUIDES))
    complain(f"unknown rule {args.code}{meant} (list: warpcost rule)")
    return BROKEN
