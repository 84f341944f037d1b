"""The harness itself: each way of being wrong must fail, or fixtures prove nothing."""

from __future__ import annotations

import pytest

from tests.harness.annotations import BadFixture, fenced, parse
from tests.harness.check import Observed, SeenFact, SeenFinding, SeenKernel, check
from tests.harness.update import update

SOURCE = b"""// PARAM: --block 32,8 --set n=1024
//! block (32,8)
//! unknown none
__global__ void k(float *a, int n) {
    a[n * 2] = a[n];
//  ^^^^^^^^ warn[WC101]! "32 sectors where 4 would do"
//  ^^^^^^^^ access! worst=32 best=1 times="ceil(n/256)"
//             ^^^^ none[WC101]
    if (n) a[0] = 1;
//      ^ branch divergence=never active=32,32
}
"""
STORE = SOURCE.index(b"a[n * 2]")
LOAD = SOURCE.index(b"a[n];")
BRANCH = SOURCE.index(b"if (n)") + 4


def access(**changed: str) -> SeenFact:
    return SeenFact(STORE, STORE + 8, {"worst": "32", "best": "1", "times": "ceil(n/256)"} | changed)


def kernel(**changed: object) -> SeenKernel:
    branch = SeenFact(BRANCH, BRANCH + 1, {"divergence": "never", "active": "32,32"})
    base = {"accesses": (access(),), "branches": (branch,), "block": (32, 8, 1), "unknowns": ()}
    return SeenKernel("k", SOURCE.index(b"k("), len(SOURCE), **(base | changed))  # type: ignore[arg-type]


FINDING = SeenFinding("WC101", "warning", STORE, STORE + 8, "32 sectors where 4 would do (8x); more")


def problems(source: bytes = SOURCE, **changed: object) -> list[str]:
    seen = Observed(**({"findings": (FINDING,), "kernels": (kernel(),)} | changed))  # type: ignore[arg-type]
    return [str(problem) for problem in check(parse(source), seen)]


def test_all_claims_met_is_no_problem() -> None:
    assert problems() == []


def test_options_are_read() -> None:
    assert parse(SOURCE).params == ("--block", "32,8", "--set", "n=1024")


def test_an_unmet_claim_fails_and_names_unsoundness() -> None:
    [problem] = problems(findings=())
    assert problem.startswith("line 6: warn[WC101] is not reported") and "unsound" in problem


def test_an_unclaimed_finding_fails() -> None:
    extra = SeenFinding("WC301", "warning", BRANCH, BRANCH + 1, "splits")
    assert problems(findings=(FINDING, extra)) == ["line 9: column 9: not expected: warning[WC301] 'splits'"]


@pytest.mark.parametrize(
    "finding",
    [
        SeenFinding("WC102", "warning", STORE, STORE + 8, FINDING.message),
        SeenFinding("WC101", "information", STORE, STORE + 8, FINDING.message),
        SeenFinding("WC101", "warning", STORE, STORE + 7, FINDING.message),
        SeenFinding("WC101", "warning", STORE + 1, STORE + 8, FINDING.message),
    ],
    ids=["code", "level", "end", "start"],
)
def test_code_level_and_place_all_count(finding: SeenFinding) -> None:
    assert len(problems(findings=(finding,))) == 2  # the claim is not met, and the finding is not claimed


def test_other_wording_fails() -> None:
    other = SeenFinding("WC101", "warning", STORE, STORE + 8, "16 sectors where 4 would do")
    assert len(problems(findings=(other,))) == 1


def test_none_must_stay_quiet() -> None:
    loud = SeenFinding("WC101", "warning", LOAD, LOAD + 4, "no")
    found = problems(findings=(FINDING, loud))
    assert any(p.startswith("line 8: should stay quiet") for p in found)


def test_a_todo_claims_its_finding_and_fails_once_it_stops() -> None:
    source = SOURCE.replace(b"warn[WC101]!", b"todo[WC101] ")
    assert problems(source) == []
    assert problems(source, findings=()) == ["line 6: todo[WC101] is not reported"]


@pytest.mark.parametrize(("key", "value"), [("worst", "31"), ("best", "2")])
def test_a_fact_that_promises_too_much_is_unsound(key: str, value: str) -> None:
    [problem] = problems(kernels=(kernel(accesses=(access(**{key: value}),)),))
    assert "unsound" in problem


@pytest.mark.parametrize(("key", "value"), [("worst", "33"), ("best", "0"), ("times", "n")])
def test_a_fact_that_differs_fails(key: str, value: str) -> None:
    [problem] = problems(kernels=(kernel(accesses=(access(**{key: value}),)),))
    assert "unsound" not in problem and f"{key} is {value}" in problem


def test_an_accepted_coarse_fact_is_still_checked_for_soundness() -> None:
    source = SOURCE[: BRANCH - 8].replace(b"access! worst=32 best=1", b"access worst=40 best=1 true_worst=32")
    assert problems(source, kernels=(kernel(accesses=(access(worst="40"),)),)) == []
    [problem] = problems(source, kernels=(kernel(accesses=(access(worst="31"),)),))
    assert "worst is 31" in problem and "unsound" in problem


def test_a_missing_fact_fails() -> None:
    assert problems(kernels=(kernel(accesses=()),)) == ["line 7: no access is known at this place"]
    assert problems(kernels=(kernel(branches=()),)) == ["line 10: no branch is known at this place"]


def test_one_of_several_launches_may_meet_a_fact() -> None:
    assert problems(kernels=(kernel(accesses=(access(worst="4"),)), kernel())) == []


def test_block_and_unknown_are_about_the_next_kernel() -> None:
    assert problems(kernels=(kernel(block=(256, 1, 1)),)) == ["line 2: block is (256, 1, 1), not (32, 8, 1)"]
    [problem] = problems(kernels=(kernel(unknowns=(("reader", "what is this"),)),))
    assert problem == "line 3: 1 unknown in k: ['reader: what is this']"
    wanted = b'//! unknown "what is" kind=reader'
    by_reader = SeenKernel("k", start=40, block=(32, 1, 1), end=41, unknowns=(("reader", "what is this"),))
    by_data = SeenKernel("k", start=40, block=(32, 1, 1), end=41, unknowns=(("data", "what is this"),))
    assert problems(wanted, findings=(), kernels=(by_reader,)) == []
    assert len(problems(wanted, findings=(), kernels=(by_data,))) == 1


def test_hover() -> None:
    source = b'int x = f(1);\n//      ^^^^ hover "one"\n'
    assert check(parse(source), Observed(hover=lambda at: "one" if at == 8 else None)) == []
    assert len(check(parse(source), Observed())) == 1


@pytest.mark.parametrize("claim", ["wran[WC101]", "access worst", "warn[WC101] unquoted", "WC101"])
def test_a_claim_that_cannot_be_read_is_loud(claim: str) -> None:
    with pytest.raises(BadFixture):
        parse(b"    x;\n//  ^ " + claim.encode())


def test_columns_are_bytes() -> None:
    source = "    é = a[i];\n//       ^^^^ none[WC101]\n".encode()
    [claim] = parse(source).claims
    assert source[claim.start : claim.end] == b"a[i]"


def test_a_finding_over_several_lines_is_claimed_by_its_first() -> None:
    source = b"    f(a,\n//  ^^^^ info[WC900]\n      b);\n"
    seen = Observed((SeenFinding("WC900", "information", 4, 30, "m"),))
    assert check(parse(source), seen) == []


def test_update_rewrites_words_and_numbers() -> None:
    source = SOURCE.replace(b"warn[WC101]! ", b"warn[WC101]  ").replace(b"access! worst=32", b"access  worst=31")
    seen = Observed((SeenFinding("WC101", "warning", STORE, STORE + 8, "5 sectors; a"),), (kernel(),))
    text = update(parse(source), seen)
    assert 'warn[WC101]  "5 sectors"' in text and 'access  worst=32 best=1 times="ceil(n/256)"' in text
    assert [p for p in check(parse(text.encode()), seen) if "branch" not in p.text] == []  # its place has moved


def test_update_leaves_what_is_certain_alone() -> None:
    seen = Observed(
        (SeenFinding("WC101", "warning", STORE, STORE + 8, "5 sectors"),), (kernel(accesses=(access(worst="9"),)),)
    )
    assert update(parse(SOURCE), seen).encode() == SOURCE


def test_update_claims_a_new_finding_without_certainty() -> None:
    extra = SeenFinding("WC301", "warning", BRANCH, BRANCH + 1, 'splits "here"; twice')
    seen = Observed((FINDING, extra), (kernel(),))
    text = update(parse(SOURCE), seen)
    assert '//      ^ warn[WC301] "splits"' in text
    assert check(parse(text.encode()), seen) == []


def test_examples_of_a_page_are_found() -> None:
    page = b"# WC101\n\n```cuda\n__global__ void k() {}\n```\ntext\n```cuda\nint x;\n```\n"
    assert fenced(page) == [(3, b"__global__ void k() {}\n"), (7, b"int x;\n")]
