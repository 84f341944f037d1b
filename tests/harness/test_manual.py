"""The manual of expectations (docs/expectations.md) names every form that the harness reads, with an example, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.harness.annotations import ABOUT_KERNEL, POINTED, fenced, parse
from tests.harness.observe import observe

MANUAL = (Path(__file__).resolve().parents[2] / "docs" / "expectations.md").read_text(encoding="utf-8")
EXAMPLES = [(code, parse(code)) for _, code in fenced(MANUAL.encode())]


def named(section: str) -> list[str]:
    """The forms in the first column of a section's table, without the rule in brackets."""
    text = MANUAL.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(\w+)(?:\[RULE\])?` \|", text, re.MULTILINE)


@pytest.mark.parametrize(("section", "read"), [("About a place", POINTED), ("About the next kernel", ABOUT_KERNEL)])
def test_words_are_those_that_are_read(section: str, read: frozenset[str]) -> None:
    assert sorted(named(section)) == sorted(read)
    shown = {claim.word for _, fixture in EXAMPLES for claim in fixture.claims}
    assert read <= shown, f"no example of {sorted(read - shown)}"


def test_keys_are_those_that_are_observed() -> None:
    kernels = [kernel for code, fixture in EXAMPLES for kernel in observe("manual.cu", code, fixture).kernels]
    accesses = next(fact.values for kernel in kernels for fact in kernel.accesses)
    branches = next(fact.values for kernel in kernels for fact in kernel.branches)
    rows = re.findall(r"^\| `(\w+)` \| (access|branch|both) \|", MANUAL, re.MULTILINE)
    assert {key for key, of in rows if of != "branch"} == set(accesses)
    assert {key for key, of in rows if of != "access"} == set(branches)


def test_comments_about_the_file_are_read() -> None:
    assert named("About the file") == ["PARAM", "COVERS"]
    assert any(fixture.params for _, fixture in EXAMPLES)
    assert any(fixture.covers for _, fixture in EXAMPLES)
