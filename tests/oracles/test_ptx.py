"""A compiler for CUDA as a reader: where its PTX stores is where our lowering says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracles import ptx
from tests.oracles.agreement import Outcome
from tests.oracles.excused import EXCUSES
from tests.oracles.programs import program
from tests.oracles.ptx_agreement import compare

needs_nvcc = pytest.mark.skipif(ptx.compiler() is None, reason=ptx.MISSING)

_SAMPLE = """
.visible .entry k(
	.param .u64 .ptr .align 1 k_param_0
)
{
	ld.param.u64 	%rd1, [k_param_0];
	cvta.to.global.u64 	%rd2, %rd1;
	mov.u32 	%r1, %tid.x;
	mul.wide.u32 	%rd3, %r1, 12;
	add.s64 	%rd4, %rd2, %rd3;
	mov.b16 	%rs1, 1;
	st.global.u8 	[%rd4+8], %rs1;
	ret;
}
"""


def test_a_store_is_read_off_the_text() -> None:
    assert dict(ptx.stores(_SAMPLE)) == {"k": (8, 12)}
    assert dict(ptx.stores(_SAMPLE.replace("+8", "+-8"))) == {"k": (-8, 12)}
    assert dict(ptx.stores(_SAMPLE.replace("%tid.x", "%tid.y"))) == {}


def _compare(first: int, count: int, folder: Path) -> Outcome:
    outcome = compare([program(seed) for seed in range(first, first + count)], folder)
    excused = {excuse.feature for excuse in EXCUSES}
    differences = [str(d) for d in outcome.differences if d.feature not in excused]
    assert not differences, "\n".join(differences)
    return outcome


@needs_nvcc
def test_stores_go_where_the_compiler_puts_them(tmp_path: Path) -> None:
    counts = _compare(0, 20, tmp_path).counts
    assert counts["place", "equal"] > 100
    assert counts["place", "equal"] > 10 * counts["place", "not folded by the compiler"]


@needs_nvcc
@pytest.mark.nightly
@pytest.mark.parametrize("first", range(20_000, 21_000, 50))
def test_stores_go_where_the_compiler_puts_them_at_night(first: int, tmp_path: Path) -> None:
    _compare(first, 50, tmp_path)
