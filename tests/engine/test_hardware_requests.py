"""What counts as a request: copies of records, compound assignments, kinds of memory that are not counted."""

from __future__ import annotations

import pytest

from analysis_core.expressions.expression import to_text
from analysis_core.ir.types import Space
from tests.engine.warp_costs import access, facts_of

RECORDS = """
struct Triple { float x, y, z; };
struct Mixed { double a; float b; };
struct Pair { float4 low; float4 high; };
struct Nested { Triple first; int4 rest; };
"""


@pytest.mark.parametrize(
    ("record", "requests"),
    [
        # Bytes and sectors of each request: pieces at the stride of the record, 12, 16, 32 and 32 bytes apart.
        ("Triple", [(4, 12), (4, 12), (4, 12)]),
        ("Mixed", [(4, 16), (8, 16)]),
        ("Pair", [(16, 32), (16, 32)]),
        ("Nested", [(4, 32), (8, 32), (16, 32)]),
        ("float4", [(16, 16)]),
        ("double2", [(16, 16)]),
        ("float2", [(8, 8)]),
        ("uchar4", [(4, 4)]),
    ],
)
def test_a_copy_takes_the_largest_pieces_that_the_alignment_allows(
    record: str, requests: list[tuple[int, int]]
) -> None:
    text = f"{RECORDS} __global__ void k({record} *to, const {record} *from) {{ to[threadIdx.x] = from[threadIdx.x]; }}"
    facts = facts_of(text, block=(32, 1, 1))
    for name in ("to[threadIdx.x]", "from[threadIdx.x]"):
        found = sorted((a.bytes, a.worst) for a in facts.accesses if a.text.startswith(name))
        assert found == requests
    assert all(a.worst == a.best for a in facts.accesses)


@pytest.mark.parametrize(
    ("statement", "rw", "requests"),
    [
        ("p[i] = 1", "W", 1),
        ("p[i] += 1", "RW", 2),
        ("p[i]++", "RW", 2),
        ("--p[i]", "RW", 2),
        ("p[i] <<= 1", "RW", 2),
        ("atomicAdd(&p[i], 1)", "A", 1),
        ("int x = p[i]; p[64] = x", "R", 1),
    ],
)
def test_requests_of_a_statement(statement: str, rw: str, requests: int) -> None:
    text = f"__global__ void k(int *p) {{ int i = threadIdx.x; {statement}; }}"
    found = access(facts_of(text, block=(32, 1, 1)), "p[i]")
    assert (found.rw.value, found.requests) == (rw, requests)
    assert found.times is not None and to_text(found.times) == "1"
    assert (found.worst, found.best, found.ideal) == (4, 4, 4)


def test_the_arms_of_a_choice_are_executed_by_those_who_take_them() -> None:
    text = """__global__ void k(float *p, const float *a, const float *b) {
        int i = threadIdx.x;
        p[i] = i % 2 ? a[i] : b[i / 2];
    }"""
    facts = facts_of(text, block=(32, 1, 1))
    odd, even = access(facts, "a[i]"), access(facts, "b[i / 2]")
    assert (odd.worst, odd.best, odd.ideal) == (4, 4, 2)  # 16 lanes, every second element
    assert (even.worst, even.best, even.ideal) == (2, 2, 2)  # 16 lanes side by side


def test_the_right_side_of_a_connective_is_executed_by_those_who_need_it() -> None:
    text = """__global__ void k(float *p, const float *a) {
        int i = threadIdx.x;
        if (i < 8 && a[i] > 0)
            p[0] = 1;
        if (i < 24 || a[4 * i] > 0)
            p[0] = 2;
    }"""
    facts = facts_of(text, block=(32, 1, 1))
    assert (access(facts, "a[i]").worst, access(facts, "a[i]").best) == (1, 1)
    assert (access(facts, "a[4 * i]").worst, access(facts, "a[4 * i]").best) == (4, 4)  # lanes 24 to 31


def test_memory_of_a_thread_is_not_counted() -> None:
    text = """__global__ void k(float *p, int n) {
        float own[64];
        own[n] = 1;
        p[threadIdx.x] = own[n + 1];
    }"""
    facts = facts_of(text, block=(32, 1, 1))
    local = access(facts, "own[n]")
    assert local.space is Space.LOCAL
    assert (local.worst, local.best, local.ideal) == (0, 0, 0)


@pytest.mark.parametrize(("index", "addresses"), [("0", 1), ("n", 1), ("threadIdx.x", 32), ("threadIdx.x / 4", 8)])
def test_constant_memory_serves_one_address_after_the_other(index: str, addresses: int) -> None:
    text = f"__constant__ float table[64]; __global__ void k(float *p, int n) {{ p[threadIdx.x] = table[{index}]; }}"
    found = access(facts_of(text, block=(32, 1, 1)), f"table[{index}]")
    assert (found.space, found.worst, found.best, found.ideal) == (Space.CONSTANT, addresses, addresses, 1)


@pytest.mark.parametrize(
    ("index", "sectors", "contention"),
    [("0", 1, 32), ("n", 1, 32), ("threadIdx.x", 4, 1), ("threadIdx.x % 4", 1, 8), ("threadIdx.x / 16 * 64", 2, 16)],
)
def test_contention_of_atomics(index: str, sectors: int, contention: int) -> None:
    text = f"__global__ void k(int *p, int n) {{ atomicAdd(&p[{index}], 1); }}"
    found = access(facts_of(text, block=(32, 1, 1)), f"p[{index}]")
    assert (found.worst, found.best, found.contention) == (sectors, sectors, contention)


def test_lanes_on_one_word_of_shared_memory_are_no_conflict() -> None:
    text = "__global__ void k() { __shared__ int s[32]; atomicAdd(&s[threadIdx.x / 8], 1); }"
    found = access(facts_of(text, block=(32, 1, 1)), "s[threadIdx.x / 8]")
    assert (found.worst, found.ideal, found.contention) == (1, 1, 8)
