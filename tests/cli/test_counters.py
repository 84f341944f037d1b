"""Predicted counters: `warpcost counters`, and the intervals against simulated launches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from analysis_core.main import main
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.counters import Amount, amount_text, counters_of
from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.run import simulate
from analysis_core.support.settings import Settings
from analysis_core.workspace.disk import DiskFiles
from tests.simulate.running import kernel_in

SCHEMA = json.loads((Path(__file__).parents[2] / "analysis_core" / "cli" / "counters_schema.json").read_text())

TILED = Path(__file__).parent / "profiles" / "tiled.cu"
LOAD, STORE = (f"l1tex__t_sectors_pipe_lsu_mem_global_op_{one}.sum" for one in ("ld", "st"))
SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"


def predicted(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["counters", str(TILED), "--no-config", "--format", "json", *words]) == 0
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    return {one["kernel"]: one for one in found["launches"]}


def values(launch: dict[str, Any]) -> dict[str, tuple[int, int | None]]:
    return {one["name"]: (one["low"], one["high"]) for one in launch["counters"]}


def test_a_kernel_whose_sizes_all_launches_pass_has_exact_counters(capsys: pytest.CaptureFixture[str]) -> None:
    launch = predicted(capsys, "--kernel", "transpose")["transpose"]
    assert (launch["per"], launch["sizes"]) == ("launch", {"w": 1024, "h": 1024})
    found = values(launch)
    assert found[LOAD] == (131072, 131072) and found[STORE] == (1048576, 1048576)
    assert found[SHARED] == (1048576, 1048576)
    assert found["memory_l1_wavefronts_shared_ideal"] == (65536, 65536)
    assert found["derived__memory_l2_theoretical_sectors_global_excessive"] == (917504, 917504)
    assert found["lts__t_sectors_srcunit_tex_op_read.sum"] == (0, 131072)
    store = next(one for one in launch["accesses"] if one["text"] == "out[x * h + y]")
    assert (store["low"], store["ideal"], store["requests"]["high"]) == (1048576, 131072, 32768)


def test_what_memory_decides_is_an_interval(capsys: pytest.CaptureFixture[str]) -> None:
    low, high = values(predicted(capsys, "--kernel", "gather")["gather"])[LOAD]
    assert (low, high) == (640, 4608)  # one sector of a gather for each warp at least


def test_sizes_of_the_command_line_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    launch = predicted(capsys, "--kernel", "scale<2, float>", "--set", "n=8192")["scale<2, float>"]
    assert launch["sizes"] == {"n": 8192} and values(launch)[LOAD] == (512, 512)


def test_without_a_grid_figures_are_per_block(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text("__global__ void k(float *a) { a[threadIdx.x] = 1; }\n")
    assert main(["counters", str(source)]) == 0
    out = capsys.readouterr().out
    assert "per block:" in out and "32 sectors" in out


def test_code_that_is_not_understood_leaves_no_upper_figure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text("void f(float *);\n__global__ void k(float *a) { a[threadIdx.x] = 1; f(a); }\n")
    assert main(["counters", str(source), "--format", "json"]) == 0
    (launch,) = json.loads(capsys.readouterr().out)["launches"]
    assert all(high is None for name, (_, high) in values(launch).items() if "st.sum" in name)


def test_iterations_can_be_given(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(
        "__global__ void k(float *a, const int *n) {\n    for (int i = 0; i < *n; i++) a[threadIdx.x] = i;\n}\n"
    )
    assert main(["counters", str(source), "--block", "32", "--grid", "4"]) == 0
    assert "Not known without: T2 (--set NAME=VALUE)" in capsys.readouterr().out
    assert main(["counters", str(source), "--block", "32", "--grid", "4", "--set", "T2=10"]) == 0
    assert "up to 160 sectors" in capsys.readouterr().out


def test_wrong_use_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["counters", str(TILED), "--kernel", "nope"]) == 2
    assert "no kernel is named nope" in capsys.readouterr().err
    assert main(["counters", str(tmp_path / "absent.cu")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_amounts_are_said_in_words() -> None:
    shown = [amount_text(Amount(*one)) for one in ((5, 5), (0, 1024), (8, 1024), (8, None), (0, None))]
    assert shown == ["5", "up to 1,024", "8 to 1,024", "at least 8", "an unknown number of"]


@pytest.mark.parametrize("n", [1, 31, 255, 256, 700, 1024])
def test_simulated_launches_lie_within_the_figures(n: int) -> None:
    """The guard's ends, whole and in part; by the simulator, which knows nothing of bounds."""
    blocks = 4
    settings = Settings(block=(256, 1, 1), grid=(blocks, 1, 1), assume=(f"n == {n}",))
    path = Path(__file__).parents[1] / "simulate" / "kernels" / "published.cu"
    (kernel,) = analyse_file(str(path), DiskFiles(), settings, kernel="vector_add").kernels
    (launch,) = kernel.launches
    counters = counters_of(launch.profile, {"n": n})
    arrays = {name: ArrayArgument(np.zeros(n, dtype=np.float32)) for name in "abc"}
    outcome = simulate(
        kernel_in("published.cu", "vector_add"), LaunchRequest((256, 1, 1), (blocks, 1, 1), {**arrays, "n": n})
    )
    total = int(outcome.warps.by_name()["sectors"].sum())
    (all_of_them,) = [
        one.amount for one in counters.kernel if one.counter.name == "memory_l2_theoretical_sectors_global"
    ]
    assert all_of_them.low <= total <= (all_of_them.high or 0)
    if n % 256 == 0 and n == 256 * blocks:
        assert all_of_them.exact
