"""The numbers of `access!` claims in the coverage fixtures are those of the compiled code (see run.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.annotations import Claim, parse
from tests.harness.concrete.run import Truth, run

COVERAGE = Path(__file__).resolve().parents[2] / "kernels" / "coverage"
FIXTURES = sorted(COVERAGE.glob("*.cu"))
EVERY_TIME = {"arithmetic", "extern_cast", "shuffle", "struct_pointer"}  # the rest at night: g++ takes its time


def disagreements(claim: Claim, truths: list[Truth]) -> list[str]:
    """What the claim says and the runs do not; `true_worst` counts as `worst`."""
    wrong = []
    for key, value in claim.values.items():
        name = key.removeprefix("true_")
        if not claim.certain and name == key:
            continue
        found = {str(getattr(truth, name, value)) for truth in truths}
        if name == "rw":
            found = {"RW" if len(truths) == 2 else truths[0].rw}
        if found != {value}:
            wrong.append(f"{key}={value}, in truth {sorted(found)}")
    return wrong


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=() if p.stem in EVERY_TIME else pytest.mark.nightly, id=p.stem) for p in FIXTURES],
)
def test_claims_are_true(path: Path) -> None:
    fixture = parse(path.read_bytes())
    truths = run(path.read_text(encoding="latin-1"))
    wrong = []
    for claim in fixture.claims:
        if claim.word != "access":
            continue
        line = fixture.line_of(claim.start)
        here = [truth for truth in truths if truth.line == line]
        assert here, f"line {line} was never executed"
        wrong += [f"line {line}: {text}" for text in disagreements(claim, here)]
    assert not wrong, "\n".join(wrong)
