"""The rules, in the order of their codes: an explicit tuple, so that what runs can be read off and nothing registers itself."""

from __future__ import annotations

from analysis_core.report.checks import (
    absent_lanes,
    atomic_contention,
    bad_annotation,
    bad_setting,
    bank_conflict,
    barrier_divergence,
    broken_claim,
    budget_exceeded,
    cost_contract,
    data_race,
    divergent_branch,
    divergent_loop,
    idle_barrier,
    local_memory,
    lock_step,
    misaligned_access,
    narrow_requests,
    not_analysed,
    outside_array,
    redundant_loads,
    uncoalesced_access,
    unused_suppression,
)
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import CheckId

CHECKS: tuple[Check, ...] = (
    uncoalesced_access.CHECK,
    misaligned_access.CHECK,
    local_memory.CHECK,
    narrow_requests.CHECK,
    redundant_loads.CHECK,
    bank_conflict.CHECK,
    atomic_contention.CHECK,
    divergent_branch.CHECK,
    divergent_loop.CHECK,
    data_race.CHECK,
    barrier_divergence.CHECK,
    lock_step.CHECK,
    idle_barrier.CHECK,
    outside_array.CHECK,
    absent_lanes.CHECK,
    broken_claim.CHECK,
    cost_contract.CHECK,
    not_analysed.CHECK,
    bad_annotation.CHECK,
    unused_suppression.CHECK,
    bad_setting.CHECK,
    budget_exceeded.CHECK,
)


RULE_WORDS: tuple[str, ...] = tuple(word for check in CHECKS for word in (check.code, check.name))
"""What users may call a rule."""


def check_of(code: str) -> Check | None:
    """The rule with this code."""
    return next((check for check in CHECKS if check.code == code), None)


def rule_of(word: str) -> Check | None:
    """The rule with this code or name, as users write them."""
    return next((check for check in CHECKS if word.lower() in (check.code.lower(), check.name)), None)


def name_of(code: CheckId) -> str:
    """ "uncoalesced-access" for "WC101"."""
    check = check_of(code)
    return code if check is None else check.name
