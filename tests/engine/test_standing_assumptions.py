"""What results rest on without a word of the source is listed, where they do, and not where they do not."""

from __future__ import annotations

import pytest

from analysis_core.cli.rule_pages import page_of
from analysis_core.support.facts import STANDING
from tests.engine.interpreted import events_of

THREADS = "a launch has fewer than 2^31 threads along x"
OVERFLOW = "signed arithmetic does not overflow"
BARRIERS = "barriers are reached by all threads of the block that have not left the kernel"


def listed(body: str, parameters: str = "float *a, const int *p") -> list[str]:
    """The assumptions of a kernel with this body."""
    return [assumption.text for assumption in events_of(f"__global__ void k({parameters}) {{ {body} }}").assumptions]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int k = p[threadIdx.x]; if (k - 1 < k) a[0] = 1;", True),
        ("for (int i = p[0]; i < p[1]; i++) a[threadIdx.x] = i;", True),
        ("int k = threadIdx.x; if (k + 1 > k) a[3 * k] = 1;", False),
        ("unsigned k = p[threadIdx.x]; if (k + 1 > k) a[0] = 1;", False),
    ],
)
def test_signed_overflow(body: str, expected: bool) -> None:
    assert (OVERFLOW in listed(body)) is expected


def test_signed_overflow_is_listed_once_beside_parameters() -> None:
    texts = listed("int k = p[threadIdx.x]; if (k + 1 > k) a[n] = 1;", "float *a, const int *p, int n")
    assert [text for text in texts if "overflow" in text] == [f"integer parameters are not negative, and {OVERFLOW}"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a[blockIdx.x * blockDim.x + threadIdx.x] = 1;", True),
        ("a[gridDim.x] = 1;", True),
        ("a[blockIdx.y] = threadIdx.x;", False),
    ],
)
def test_threads_along_x(body: str, expected: bool) -> None:
    assert (THREADS in listed(body)) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (threadIdx.x < 5) __syncthreads();", True),
        ("if (p[threadIdx.x]) return; __syncthreads();", True),
        ("for (int i = threadIdx.x; i < p[0]; i += 32) __syncthreads();", True),
        ("if (p[0]) __syncthreads();", False),
        ("for (int i = 0; i < 4; i++) __syncthreads();", False),
        ("if (threadIdx.x < 5) __syncwarp();", False),
    ],
)
def test_barriers(body: str, expected: bool) -> None:
    assert (BARRIERS in listed(body)) is expected


def test_the_page_of_the_standing_assumptions_lists_each() -> None:
    page = page_of("assumptions")
    assert page is not None
    rows = {line.split("|")[1].strip() for line in page.splitlines() if line.startswith("|")}
    assert rows - {"assumed", "---"} == STANDING
