"""Cards and lane pictures, whole: the wording of these is fixed here and nowhere else."""

from __future__ import annotations

from analysis_core.expressions.expression import integer
from analysis_core.ir.nodes import LoopKind
from analysis_core.ir.types import Space
from analysis_core.report.findings.model import LaunchReport
from analysis_core.report.hover import hover_access
from analysis_core.report.hover_branch import hover_branch
from analysis_core.report.picture import picture_lines
from analysis_core.requests.facts import Divergence, LanePicture, Pattern
from analysis_core.support.facts import Assumption
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span
from tests.report.samples import access, branch, by_data, case, facts, good, shared, span


def where(place: Span) -> str:
    return f"byte {place.start}"


def test_the_card_of_a_strided_store() -> None:
    fact = access(
        text="out[x*h + y]", exact=False, best=4, cases=(case("h >= 8", 32), case("h == 1", 4)), origin=span(20),
        picture=LanePicture("sector", tuple(range(32)), "4*h"),
    )  # fmt: skip
    known = facts(fact, good(), assumptions=(Assumption("`out` is 256-byte aligned"),), block=(32, 8, 1))
    assert hover_access(fact, LaunchReport(known), Settings(), where) == (
        "**Each warp touches up to 32 sectors where 4 would do (8x)** · load from `b`, 32 threads x 4 bytes\n"
        "```text\n"
        "lane     0        8        16       24     31\n"
        "sector   ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef\n"
        "each sector: 4 of 32 bytes used; neighbours are 4*h bytes apart\n"
        "```\n"
        "32 when `h >= 8` · 4 when `h == 1` · at most 32 otherwise\n"
        "Runs once per warp · 89% of this kernel's global traffic (256 of 288 sectors per block if h = 1024)\n"
        "\n"
        "Why: differs between threads from byte 20 on\n"
        "Assumes: block (32, 8) from byte 900 · `out` is 256-byte aligned\n"
    )


def test_the_card_of_a_conflict() -> None:
    fact = shared(times=integer(4))
    card = hover_access(fact, LaunchReport(facts(fact)), Settings(), where)
    assert card.startswith(
        "**32-way bank conflict: each request takes 32 wavefronts where 1 would do (32x)** ·\n"
        "load from `tile`, 32 threads x 4 bytes\n"
    )
    assert (
        "bank     AAAAAAAA AAAAAAAA AAAAAAAA AAAAAAAA\nall 32 lanes on one bank\n32 different words -> 32 wavefronts (ideal 1)\n"
        in card
    )
    assert (
        "Runs 4 times per warp ·\n100% of this kernel's shared-memory traffic (1024 of 1024 wavefronts per block)"
        in card
    )


def test_the_card_of_memory_that_is_not_counted() -> None:
    fact = access(space=Space.LOCAL, picture=None)
    assert hover_access(fact, LaunchReport(facts(fact)), Settings(), where).startswith(
        "**Local memory: not counted** · load from `b`, 4 bytes\n"
    )


def test_lanes_at_one_address_are_not_0_bytes_apart() -> None:
    assert picture_lines(access(picture=LanePicture("sector", (0,) * 32, "0")).fact) == (
        "lane     0        8        16       24     31",
        "sector   AAAAAAAA AAAAAAAA AAAAAAAA AAAAAAAA",
        "all at one address",
    )


def test_the_lanes_of_constant_memory_are_on_addresses() -> None:
    fact = access(space=Space.CONSTANT, picture=LanePicture("address", tuple(range(32)), "4"))
    assert picture_lines(fact.fact) == (
        "lane     0        8        16       24     31",
        "address  ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef",
        "neighbours are 4 bytes apart",
    )


def test_the_card_of_an_unknown_gather_names_the_cause() -> None:
    fact = access(
        pattern=Pattern.UNKNOWN, exact=False, best=1, cause=by_data(), contention=32, picture=None, times=None
    )
    card = hover_access(fact, LaunchReport(facts(fact)), Settings(), where)
    assert "**Each warp touches up to 32 sectors where 4 would do (8x)**" in card
    assert "Why: `idx[i]` is loaded from memory (byte 50)" in card
    assert "Contention: up to 32 threads of a warp update one address one after the other" in card
    assert "Runs an unknown number of times" in card


def test_prose_stays_within_a_hundred_columns() -> None:
    many = tuple(Assumption(f"assumption number {i} about some pointer") for i in range(12))
    fact = access()
    card = hover_access(fact, LaunchReport(facts(fact, assumptions=many)), Settings(), where)
    assert max(len(line) for line in card.splitlines()) <= 102
    assert "assumption number 11" in card


def test_the_cards_of_branches() -> None:
    assert hover_branch(branch().fact, LaunchReport(facts()), Settings(), where).startswith(
        "**Splits the warp** · `if (i % 2)`, 16 of 32 threads active\n\nTested once per warp\n"
    )
    loop = branch(
        kind=LoopKind.FOR, divergence=Divergence.POSSIBLE, spread=31, active=(1, 31), times=None, cause=by_data()
    )
    card = hover_branch(loop.fact, LaunchReport(facts(source="default", launch_span=None)), Settings(), where)
    assert "Iterations per warp: not known · threads exit up to 31 iterations apart" in card
    assert "Assumes: block 256 (default)" in card


def test_pictures_of_partial_warps_and_many_groups() -> None:
    half = tuple(i // 2 if i < 16 else None for i in range(32))
    lines = picture_lines(access(picture=LanePicture("sector", half, None)).fact)
    assert lines[1] == "sector   AABBCCDD EEFFGGHH ........ ........"
    assert len(lines) == 2
    assert picture_lines(access(picture=None).fact) == ()
    free = picture_lines(shared(worst=1, best=1, picture=LanePicture("bank", tuple(range(32)), "4")).fact)
    assert free[2] == "every lane on a bank of its own -> 1 wavefront (ideal 1)"
