"""A compiler for CUDA as a reader: its machine code has the requests that we say compilers make."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.oracles.compiled_requests import AGAIN, AS_WRITTEN, FIXTURES, KINDS, SIDES, Verdict, compare, table
from tests.oracles.sass import MISSING, MachineRequest, is_there, read_sass

needs_compiler = pytest.mark.skipif(not is_there(), reason=MISSING)

_LISTING = """
//--------------------- .text._Z4sumsPK4PairPfi   --------------------------
	.section	.text._Z4sumsPK4PairPfi,"ax",@progbits
_Z4sumsPK4PairPfi:
.text._Z4sumsPK4PairPfi:
	//## File "/a/sums.cu", line 3
        /*0010*/                   S2R R0, SR_TID.X ;
        /*0050*/                   LDG.E.64 R2, [R2.64] ;
	//## File "/a/sums.cu", line 5
        /*0080*/                   ISETP.GE.AND P0, PT, R5, 0x1, PT ;
        /*00b0*/              @!P0 BRA `(.L_x_0) ;
.L_x_1:
	//## File "/a/other.cuh", line 9 inlined at "/a/sums.cu", line 6
	//## File "/a/sums.cu", line 6
        /*0100*/                   LDS.U8 R2, [R2] ;
	//## File "/a/sums.cu", line 6
        /*0150*/              @P2  LDG.E.CONSTANT R7, [R2.64+0x10] ;
        /*0160*/              @!P0 BRA `(.L_x_1) ;
.L_x_0:
	//## File "/a/sums.cu", line 7
        /*0170*/                   ST.E.128 [R4.64], R7 ;
        /*0180*/                   EXIT ;
.L_x_2:
        /*0190*/                   BRA `(.L_x_2);
"""


def test_requests_are_read_off_a_listing() -> None:
    """`@!P0 BRA` back to `.L_x_1` makes a loop of what is between; a branch to itself makes none of what stands before it."""
    assert read_sass(_LISTING, "sums.cu") == {
        "_Z4sumsPK4PairPfi": [
            MachineRequest(3, True, "global", 8, False),
            MachineRequest(6, True, "global", 4, True),
            MachineRequest(7, False, "global", 16, False),
        ]
    }
    assert read_sass(_LISTING, "other.cuh") == {"_Z4sumsPK4PairPfi": [MachineRequest(9, True, "shared", 1, True)]}


@pytest.fixture(scope="module")
def verdicts() -> Sequence[Verdict]:
    return list(compare(FIXTURES))


@needs_compiler
@pytest.mark.parametrize("kind", [kind for kind in range(len(KINDS)) if kind != SIDES], ids=KINDS.__getitem__)
def test_machine_code_has_the_requests_of_each_kind(kind: int, verdicts: Sequence[Verdict]) -> None:
    """Nearly all; SIDES we leave as they are in the source, where compilers choose."""
    mine = [verdict for verdict in verdicts if verdict.group.kind == kind]
    wrong = [str(verdict) for verdict in mine if not verdict.agrees]
    assert len(mine) >= 5
    assert len(wrong) <= len(mine) * (0.15 if kind in (AGAIN, AS_WRITTEN) else 0.2), "\n".join(
        [*wrong, table(verdicts)]
    )


@needs_compiler
def test_each_kind_has_a_kernel_that_agrees(verdicts: Sequence[Verdict]) -> None:
    """The fixture of the kinds says what machine code has, but for sides of a branch."""
    mine = [verdict for verdict in verdicts if verdict.file == "compiled_requests.cu"]
    wrong = [str(verdict) for verdict in mine if not verdict.agrees and not verdict.group.kernel.startswith("either_")]
    assert not wrong, "\n".join(wrong)
    assert {verdict.group.kind for verdict in mine} == {*range(len(KINDS))}
