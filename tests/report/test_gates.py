"""Tables of gates: how a loss goes through one, and that the rules' own say what they ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from analysis_core.profile.evidence import Evidence
from analysis_core.report.checks import bank_conflict, divergent_loop, misaligned_access, uncoalesced_access
from analysis_core.report.findings.branch_gates import LOSSES
from analysis_core.report.findings.gates import Gate, asked, passes
from analysis_core.report.findings.model import Level
from analysis_core.report.findings.split_gates import SPLITS
from analysis_core.report.judge import judge
from analysis_core.support.settings import Settings
from tests.report.samples import access, by_data, facts, good, kernel, our_limit

QUIET: Gate[int] = Gate("small", Evidence.PROVED, "it is small", lambda n: n < 10)
LOW: Gate[int] = Gate("odd", Evidence.SEEN, "it is odd", lambda n: n % 2 == 1, Level.INFORMATION)
LOWER: Gate[int] = Gate(
    "many", Evidence.NAME, "it has three digits", lambda n: n > 99, Level.HINT, only_at=Level.INFORMATION
)

TABLES: Sequence[Sequence[Gate[Any]]] = (
    uncoalesced_access.SITES,
    (*uncoalesced_access.GROUPS, *uncoalesced_access.WHOLE),
    bank_conflict.SITES,
    bank_conflict.GROUPS,
    misaligned_access.SITES,
    SPLITS,
    divergent_loop.WAYS,
    LOSSES,
)


@pytest.mark.parametrize(
    ("number", "level"),
    [(4, None), (12, Level.WARNING), (13, Level.INFORMATION), (101, Level.HINT), (102, Level.WARNING)],
)
def test_each_yes_caps_the_level_and_the_first_silent_one_ends_it(number: int, level: Level | None) -> None:
    assert passes((QUIET, LOW, LOWER), number, Level.WARNING) is level


def test_what_cannot_change_the_level_is_not_asked() -> None:
    level, reasons = asked((QUIET, LOW, LOWER), 101, Level.HINT)
    assert level is Level.HINT
    assert [(reason.gate, reason.holds) for reason in reasons] == [("small", False), ("odd", None), ("many", None)]
    level, reasons = asked((QUIET, LOW, LOWER), 5, Level.WARNING)
    assert level is None and [reason.gate for reason in reasons] == ["small"]


@pytest.mark.parametrize("table", TABLES)
def test_gates_have_names_of_their_own_and_ask_in_words(table: Sequence[Gate[Any]]) -> None:
    assert len({gate.name for gate in table}) == len(table)
    for gate in table:
        assert gate.asks[0].islower() and not gate.asks.endswith(".") and len(gate.asks) > 10, gate.name


def test_every_access_above_its_ideal_has_an_answer_whether_it_is_told_or_not() -> None:
    """What is told, what memory decides, what is not understood, a share too small; not what is at its ideal."""
    dear = (access(100), access(200, cause=by_data(), best=4), access(300, cause=our_limit()))
    judged = judge(kernel(), facts(*dear, good(400)), Settings())
    assert sorted(one.span.start for one in judged.asked) == [100, 200, 300]
    assert {one.span.start: one.level for one in judged.asked}[300] is None
    told = {one.span: one.level for one in judged.asked if one.finding is not None}
    assert {finding.span: finding.level for finding in judged.findings} == told
    (last,) = [one.reasons[-1] for one in judged.asked if one.span.start == 300]
    assert last.holds and last.gate == "not understood" and last.evidence is Evidence.DEFAULT
