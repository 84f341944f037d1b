"""No claim of the JSON is broken by kernels that a C++ compiler gives their meaning.

A failure names the seed and prints the kernel; `python -m tests.compiled.hunt SEED 1 --shrink` makes it small, and what is left of it goes to
tests/kernels/soundness.  Without g++ the tests say so and are skipped: the product does not need a compiler.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from analysis_core.main import main as command_line
from tests.compiled.broken import Broken
from tests.compiled.build import compiler
from tests.compiled.claims import claims
from tests.compiled.compare import Tally
from tests.compiled.examine import examine
from tests.compiled.program.generate import unit
from tests.compiled.unit import Unit, texts_of

pytestmark = pytest.mark.skipif(compiler() is None, reason="no g++: kernels cannot be run, and no claim is tested")

_BATCH = 50


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where programs are made; the runtime in it is compiled once."""
    return tmp_path_factory.mktemp("compiled")


def told(found: Sequence[tuple[Unit, list[Broken]]]) -> str:
    return "\n".join(
        f"seed {u.seed}, block {u.block}\n{texts_of(u).cuda}" + "\n".join(f"{b.kind}: {b.text}" for b in broken)
        for u, broken in found
    )


def _examine(first: int, count: int, folder: Path) -> Tally:
    tally = Tally()
    found = examine([unit(seed) for seed in range(first, first + count)], folder, tally)
    assert not found, told(found)
    assert not tally.unread, tally
    assert tally.launches > 3 * sum(tally.void.values()), f"too few launches prove something: {tally}"
    return tally


@pytest.mark.parametrize("first", range(0, 50, _BATCH))
def test_no_claim_is_broken(first: int, folder: Path) -> None:
    tally = _examine(first, _BATCH, folder)
    assert tally.checks > 200 * _BATCH


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1_000_000, 1_010_000, _BATCH))
def test_no_claim_is_broken_at_night(first: int, folder: Path) -> None:
    _examine(first, _BATCH, folder)


@pytest.mark.parametrize("seed", [3, 11])
def test_the_command_line_says_the_same(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    u = unit(seed)
    cuda = texts_of(u).cuda
    (tmp_path / "k.cu").write_text(cuda, encoding="utf-8")
    block = ",".join(map(str, u.block))
    command_line(["check", str(tmp_path / "k.cu"), "--no-config", "--format", "json", "--block", block])
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert file["kernels"][0]["launches"] == [claims(cuda, u.block)]
