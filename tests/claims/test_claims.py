"""Where claims stand, what is said of those that cannot be used, and that they cost nothing."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from analysis_core.claims.verdicts import Standing
from analysis_core.incremental.kernel_pieces import pack_kernel, unpack_kernel
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.cards import hover
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from tests.claims.random_claims import random_claims
from tests.races.test_verdicts import kernels_of


def _report(text: str) -> FileReport:
    return analyse_file("k.cu", MemoryFiles({"k.cu": text.encode("latin-1")}), Settings())


def _wrong(text: str) -> list[str]:
    return [f.message for f in _report(text).findings if f.check == "WC901"]


def _standings(text: str) -> Mapping[str, Standing]:
    return {
        one.text: one.standing for k in _report(text).kernels for launch in k.launches for one in launch.profile.claims
    }


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("assert", "`assert` wants a condition"),
        ("assert q > 0", "`q` is not declared"),
        ("assert t = 3", "this cannot stand in an annotation"),
        ("assert f(t) == 1", "a claim calls nothing but"),
        ("assert *a == 1", "this operator cannot be used"),
        ("assert a[t", "this is no expression"),
        ("assert (t > 0", "this parenthesis is not closed"),
        (r"assert \forall int i; t > i", r"`\forall` is not understood"),
        (r"assert \old(t) == t", "is not declared"),
        ("ensures", "`ensures` wants a condition"),
        ("ensures i > 0", "`i` is not declared"),
        ("requires t > 0", "neither a parameter"),
        ("asert t > 0", "did you mean `assert`"),
    ],
)
def test_what_cannot_be_used_is_said(said: str, why: str) -> None:
    text = f"__global__ void k(int *a, int n) {{\n int t = threadIdx.x;\n //@ {said}\n a[t] = n;\n}}\n"
    found = _wrong(text)
    assert len(found) == 1 and why in found[0], found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("//@ assert 1 > 0\n__global__ void k(int *a) { a[0] = 1; }", "stands in the body"),
        ("__global__ void k(int *a) { if (a[0]) //@ assert 1 > 0\n a[0] = 1; }", "between the statements"),
        (
            "__global__ void k(int *a) { switch (a[0]) { case 1: a[1] = 2; //@ assert 1 > 0\n case 2: break; } }",
            "arm of a `switch`",
        ),
        (
            "__device__ void d(int *a) { //@ ensures 1 > 0\n a[0] = 1; }\n__global__ void k(int *a) { d(a); }",
            "belongs to a kernel",
        ),
    ],
)
def test_where_a_claim_cannot_stand_is_said(text: str, why: str) -> None:
    found = _wrong(text)
    assert len(found) == 1 and why in found[0], found


def test_claims_stand_before_statements_and_at_ends_of_blocks() -> None:
    text = """__device__ int d(int x) { int y = x + 1; //@ assert y == x + 1
      return y; }
    __global__ void k(int *a, int n) {
      //@ assert threadIdx.x < 1024
      for (int i = 0; i < n; i++) { a[i] = d(i); //@ assert i < n
      }
      switch (n) { case 1: { a[0] = n; //@ assert n == 1
      } break; default: //@ assert n != 1
         a[1] = 2; }
      a[threadIdx.x] = 1;
      //@ assert n >= 0
    }"""
    assert _standings(text) == dict.fromkeys(
        ("y == x + 1", "threadIdx.x < 1024", "i < n", "n == 1", "n != 1", "n >= 0"), Standing.PROVED
    )


def test_ensures_speaks_of_what_was_passed() -> None:
    text = r"""//@ ensures n == \old(n) && \old(a[0]) == \old(a[0])
    //@ ensures n < 5
    __global__ void k(int *a, int n) { if (threadIdx.x > 3) return; n += 7; a[threadIdx.x] = n; }"""
    found = _standings(text)
    assert list(found.values()) == [Standing.PROVED, Standing.REFUTED]


def test_claims_change_no_cost() -> None:
    for seed in range(12):
        text = random_claims(seed)
        bare = "".join(
            "\n" if line.lstrip().startswith(("//@ assert ", "//@ ensures")) else line + "\n"
            for line in text.split("\n")
        )
        kept, without = (
            [
                [(a.text, a.worst, a.best, a.requests) for a in launch.facts.accesses]
                for k in _report(t).kernels
                for launch in k.launches
            ]
            for t in (text, bare)
        )
        assert kept == without, text


def test_kernels_with_claims_are_packed_whole() -> None:
    for seed in range(6):
        (kernel,) = kernels_of(random_claims(seed))
        assert unpack_kernel(pack_kernel(kernel, Store())[0]) == kernel


def test_any_bytes_may_follow() -> None:
    rng = random.Random(5)
    for _ in range(150):
        said = "".join(
            rng.choice("a[]()tn \\old<>=!&|+-*/%?:.,;'\"#@{}0x19u\xff\xe9") for _ in range(rng.randint(1, 30))
        )
        word = rng.choice(("assert", "ensures", "requires"))
        text = f"__global__ void k(int *a, int n) {{ int t = threadIdx.x;\n //@ {word} {said}\n a[t] = n; }}\n"
        assert all(k.failure is None for k in _report(text).kernels), text


def test_the_card_of_a_claim_says_what_the_proof_rests_on() -> None:
    text = """__global__ void k(int *a, int n) { int t = threadIdx.x;
    //@ assert t < 1024 // a remark
    //@ assert t < n
    //@ assert a[t] > 0
    a[t] = n; }
    void run(int *a) { k<<<1, 64>>>(a, 3); }"""
    report = _report(text)

    def card(needle: str) -> str:
        found = hover(
            "k.cu", report, Settings(), text.index(needle), lambda span: f"line {text[: span.start].count(chr(10)) + 1}"
        )
        assert found is not None
        return found.markdown

    assert card("t < 1024").startswith("**proved** · `t < 1024`\n\nRests on this: the ranges")
    assert "Thread (3, 0, 0) of block (0, 0, 0) breaks it with n = 3." in card("t < n")
    assert "**undecided**" in card("a[t] > 0") and "is loaded from memory" in card("a[t] > 0")


@pytest.mark.parametrize(
    "said",
    [
        "/*@ requires \\valid(a + (0 .. n-1)); ensures \\forall integer i; a[i] == 0; */",
        "/*@ requires n > 0;\n  @ ensures a[0] == 1; @*/",
        "//@ requires Perm(a[tid], 1);",
        "//@ ensures \\result == 1;",
        "/*@ ensures */",
    ],
)
def test_contracts_of_other_verifiers_are_left_alone(said: str) -> None:
    assert not _wrong(f"{said}\n__global__ void k(int *a, int n) {{ a[0] = n; }}\n")


def test_a_semicolon_may_end_a_claim() -> None:
    text = "__global__ void k(int *a, int n) { //@ assert n >= 0;\n a[0] = n; /*@ assert n >= -1; @*/ }"
    assert list(_standings(text).values()) == [Standing.PROVED] * 2
