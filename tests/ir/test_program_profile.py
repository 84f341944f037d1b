"""What the rest of a program says of a kernel: which mechanism, how loud findings may be, and why."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import KernelReport, Reason
from analysis_core.report.findings.program_gates import domination, launches_of
from analysis_core.report.hover_kernel import part_text
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

KERNELS = """
__global__ void light(float *p, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) p[8 * i] = 1; }
__global__ void heavy(float *p, int n) { for (int k = 0; k < n; k++) p[blockIdx.x * 256 + threadIdx.x] += p[k]; }
"""


def kernels(host: str) -> dict[str, KernelReport]:
    """The kernels of a file with this host, by name."""
    files = MemoryFiles({"p.cu": (KERNELS + host).encode()})
    report = analyse_file("p.cu", files, Settings(bounds=False, hints=True), strict=True)
    return {kernel.name: kernel for kernel in report.kernels}


def beside(host: str) -> Reason | None:
    """What the heavy kernel says of the light one."""
    found = kernels(host)
    return domination(found["light"], launches_of(found["heavy"]))


@pytest.mark.parametrize(
    ("host", "times"),
    [
        ("light<<<n / 256, 256>>>(p, n); heavy<<<n / 256, 256>>>(p, n);", "2000"),
        ("light<<<n / 256, 256>>>(p, n); heavy<<<n / 256, 256>>>(p, 100);", "200"),
        ("for (int s = 0; s < steps; s++) { light<<<n / 256, 256>>>(p, n); heavy<<<n / 256, 256>>>(p, n); }", "2000"),
        ("light<<<n / 256, 256>>>(p, n); for (int s = 0; s < steps; s++) heavy<<<n / 256, 256>>>(p, n);", "2 million"),
        ("light<<<n / 256, 256>>>(p, n); while (more(p)) heavy<<<n / 256, 256>>>(p, 2);", "130"),
    ],
)
def test_work_is_threads_times_rounds_times_requests(host: str, times: str) -> None:
    gate = beside(f"bool more(float *p);\nvoid run(float *p, int n, int steps) {{ {host} }}")
    assert gate is not None and gate.text == f"`heavy` does {times} times as much"


@pytest.mark.parametrize(
    "host",
    [
        pytest.param("light<<<m / 256, 256>>>(p, m); heavy<<<n / 256, 256>>>(p, n);", id="another size"),
        pytest.param("while (more(p)) light<<<n / 256, 256>>>(p, n); heavy<<<n / 256, 256>>>(p, n);", id="open loop"),
        pytest.param("if (m == 1) light<<<n / 256, 256>>>(p, n); else heavy<<<n / 256, 256>>>(p, n);", id="one of two"),
        pytest.param("light<<<n / 256, 256>>>(p, n); heavy<<<n / 256, 256>>>(p, 3);", id="a few times"),
        pytest.param(
            "light<<<n / 256, 256>>>(p, n); for (int k = 1; k < 9; k++) heavy<<<n / 256, 256>>>(p, k);", id="counter"
        ),
    ],
)
def test_nothing_is_said_where_that_is_not_certain(host: str) -> None:
    assert beside(f"bool more(float *p);\nvoid run(float *p, int n, int m) {{ {host} }}") is None


def test_every_way_in_which_a_kernel_is_launched_counts() -> None:
    both = "void run(float *p, int n) { light<<<n / 256, 256>>>(p, n); heavy<<<n / 256, 256>>>(p, n); }\n"
    assert beside(both) is not None
    assert beside(both + "void other(float *p, int n) { light<<<n / 256, 256>>>(p, n); }") is None


def test_a_function_that_calls_itself_launches_nobody_knows_how_often() -> None:
    own = "void go(float *p, int n) { light<<<n / 256, 256>>>(p, n); if (n > 1) go(p, n); }\n"
    assert beside(own + "void run(float *p, int n) { go(p, n); heavy<<<n / 256, 256>>>(p, n); }") is None


@pytest.mark.parametrize(
    ("host", "level"),
    [
        ("int main() { float *p = 0; light<<<8, 256>>>(p, 2048); }", "hint"),
        ("int main() { float *p = 0; light<<<64, 256>>>(p, 16384); }", "warning"),
        ("void run(float *p) { light<<<8, 256>>>(p, 2048); }", "warning"),
        ("void verify(float *p, int n) { light<<<n / 256, 256>>>(p, n); }", "hint"),
        ("const bool dead = false; void run(float *p, int n) { if (dead) light<<<64, 256>>>(p, n); }", "hint"),
    ],
)
def test_smallness_and_reach(host: str, level: str) -> None:
    assert [finding.level.value for finding in kernels(host)["light"].findings] == [level]


def test_parts_of_a_program_are_shown_and_order_findings() -> None:
    host = "void run(float *p, int n) { light<<<n / 256, 256>>>(p, n); heavy<<<n / 256, 256>>>(p, 64); }"
    found = kernels(host)
    light, heavy = found["light"].part, found["heavy"].part
    assert light is not None and heavy is not None and 0 < light < 0.2 and light + heavy == pytest.approx(1)
    assert part_text(found["light"]) == f"about {100 * light:.0f}% of the traffic of its program"
    alone = kernels("void run(float *p, int n) { light<<<n / 256, 256>>>(p, n); }")["light"]
    assert alone.part is None and not part_text(alone)
