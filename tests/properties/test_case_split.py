"""Case splitting against every request of a brute force: random kernels, and the smallest ones that once came out too low.

More of them by hand: `python -m tests.properties.split_check FIRST COUNT`.
"""

from __future__ import annotations

import pytest

from analysis_core.requests.evaluate import access_sites
from analysis_core.requests.event_costs import EventCosts
from tests.properties.split_check import Tally, analyse, examine
from tests.properties.split_kernels import make

_BATCH = 8
_EVERY_TIME = 40


@pytest.mark.parametrize("first", range(0, _EVERY_TIME, _BATCH))
def test_no_request_costs_more(first: int) -> None:
    tally = Tally()
    for seed in range(first, first + _BATCH):
        kernel = make(seed)
        broken = examine(kernel, seed, tally)
        assert not broken, f"seed {seed}, block {kernel.block}\n{kernel.text}\n" + "\n".join(broken)
    assert tally.undefined < tally.samples
    assert tally.split


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(10_000, 14_000, 100))
def test_no_request_costs_more_at_night(first: int) -> None:
    for seed in range(first, first + 100):
        kernel = make(seed)
        broken = examine(kernel, seed)
        assert not broken, f"seed {seed}, block {kernel.block}\n{kernel.text}\n" + "\n".join(broken)


def worst_costs(body: str, parameters: str = "float *a, float *b, int n, int m, int w", block: int = 32) -> list[int]:
    """The worst cost of each access, in order."""
    text = f"__global__ void k({parameters}) {{\n int t = threadIdx.x;\n{body}\n}}"
    sites = access_sites(analyse(text, (block, 1, 1)))
    return [site.worst.worst for site in sites if site.worst is not None]


def test_a_join_under_a_mask_says_nothing_of_the_same_join_without() -> None:
    """In the `if`, lanes 16 .. 31 satisfy the inner condition for certain; after it they need not: n = 0, 8*t for all."""
    inside, after = worst_costs("""
        int x = 8*t;
        if (t < 16 || t + m < n) {
            if (t + m < n) x = t + w;
            b[x] = 1.0f;
        }
        int y = 8*t;
        if (t + m < n) y = t + w;
        a[y] = 1.0f;""")
    assert (inside, after) == (16, 32)


def test_bits_below_a_mask_are_known_whatever_lies_above() -> None:
    """(t + m) & 6 over the residues of m modulo 8: a pattern of four addresses, 8 bytes apart."""
    assert worst_costs("a[(t + m) & 6] = 1.0f;") == [1]
    assert worst_costs("a[8 * ((t + m) & 6)] = 1.0f;") == [4]


def test_cases_of_an_unrolled_loop_are_costed_up_to_a_limit() -> None:
    """A column that is `t / w` has some hundred cases; in 64 rounds, each with cells of its own, they would be too many: there each
    lane may be anywhere.  In 4 rounds they are looked at."""
    costed = {}
    for rounds in (4, 64):
        text = f"""__global__ void k(float *a, const int *at, int w, int n) {{
            int t = blockIdx.x * blockDim.x + threadIdx.x;
            for (int r = 0; r < {rounds}; r++) a[(t / w + at[r]) * n + t % w] = 1;
        }}"""
        events = analyse(text, (32, 1, 1))
        costs = EventCosts.of(events)
        (site,) = [site for site in access_sites(events, costs) if site.events[0].base == "a"]
        costed[rounds] = sum(len(costs.requests(event).costed) for event in site.events)
        assert site.split == (rounds == 4)
        assert site.worst is not None and site.worst.worst == 32
    assert costed[4] > 4 * 300 and costed[64] == 64
