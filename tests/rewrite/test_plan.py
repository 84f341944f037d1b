"""Several refactorings in a row: greedily, or as a chain; every step on what the one before has left."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from analysis_core.main import main
from analysis_core.rewrite.plan import Step, Stopped, chain, plan
from tests.rewrite.harness import unit_of

CHAIN = """//@ launch block=64 grid=4
//@ assume n >= 2
__global__ void first(float *b, const float *a, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    for (int k = 0; k < n; k++) b[i] += a[i] * k;
}
//@ launch block=64 grid=4
__global__ void second(float *c, const float *b) {
    int i = blockIdx.x * 64 + threadIdx.x;
    c[i] = b[i] + 1.0f;
}
void host(float *c, float *b, const float *a, int n) {
    first<<<4, 64>>>(b, a, n);
    second<<<4, 64>>>(c, b);
}
"""

REDUCTION = """//@ launch block=128 grid=4
__global__ void tree(int *out, const int *in) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int k = 1; k < 128; k *= 2) {
        if (t % (2 * k) == 0) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
"""


def test_chain_of_the_paper() -> None:
    steps = list(chain(unit_of(CHAIN), ["fuse", "prefetch-register", "unroll"]))
    done = [one for one in steps if isinstance(one, Step)]
    assert [one.found.action.name for one in done] == ["fuse", "prefetch-register", "unroll"] and len(done) == len(
        steps
    )
    last = done[-1].after.text.decode()
    assert "for (int k = 2; k < n; k++) b_reg" in last and "//@ assume n >= 2" in last
    for one, following in pairwise(done):
        assert one.after is following.before
        costs = ({cost.metric: cost for cost in each.found.costs} for each in (one, following))
        left, right = costs
        assert all(left[name].after == right[name].before for name in left)


def test_chain_stops_with_the_reason() -> None:
    steps = list(chain(unit_of(CHAIN.replace("n >= 2", "n >= 1")), ["prefetch-register", "unroll", "fuse"]))
    assert isinstance(steps[0], Step) and isinstance(steps[1], Stopped) and len(steps) == 2
    assert steps[1].action == "unroll" and "n >= 2" in steps[1].reason.annotation
    (only,) = chain(unit_of(REDUCTION), ["fuse"])
    assert isinstance(only, Stopped) and only.reason.reason == "there is no place for it"


def test_greedily() -> None:
    steps = list(plan(unit_of(REDUCTION)))
    assert steps and steps[0].found.action.name == "shuffle-reduction"
    gains = [one.found.gain for one in steps]
    assert all(gain > 0 for gain in gains)
    names = [(one.found.action.name, one.found.site.subject) for one in steps]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--plan"], 0),
        (["--plan", "sequential-addressing, shuffle-reduction"], 0),
        (["--plan", "unroll,fuse"], 3),
        (["--plan", "unrol"], 2),
        (["--plan", "--list"], 2),
        (["--plan", "--line", "7"], 2),
    ],
)
def test_command(arguments: list[str], status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cu"
    path.write_text(REDUCTION)
    assert main(["refactor", str(path), *arguments]) == status
    said = capsys.readouterr()
    if status == 0:
        assert said.out.startswith("1. line 7: ") and "   then sectors " in said.out
    else:
        assert said.err.count("\n") == 1 and bool(said.out) == (status == 3)
    assert path.read_text() == REDUCTION


def test_written_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cu"
    path.write_text(REDUCTION)
    assert main(["refactor", str(path), "--plan", "shuffle-reduction", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["action"] for one in told["steps"]] == ["shuffle-reduction"] and told["steps"][0]["bounds"]
    assert main(["refactor", str(path), "--plan", "shuffle-reduction", "--write"]) == 0
    assert "__shfl_down_sync" in path.read_text() and not capsys.readouterr().out
