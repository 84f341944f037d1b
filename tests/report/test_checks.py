"""When each rule fires, how loudly, in which words, and when it stays quiet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis_core.expressions.bounds import KernelBounds, Reason
from analysis_core.expressions.expression import ceil_div, integer, scale, symbol
from analysis_core.ir.nodes import Assign, Break, Const, If, IfKind, Loop, LoopKind, VarId
from analysis_core.ir.types import BOOL, INT, Space
from analysis_core.profile.access_profile import AccessProfile, BranchProfile
from analysis_core.profile.random_words import random_wavefronts
from analysis_core.report.findings.model import Finding, Level, Note, Verdict
from analysis_core.report.judge import judge
from analysis_core.requests.facts import (
    ArmRuns,
    BranchRuns,
    Divergence,
    Factor,
    Hop,
    IndexStory,
    OpenLanes,
    Pattern,
    ReadWrite,
)
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.support.settings import Settings
from tests.report.bound_samples import withheld
from tests.report.samples import (
    H,
    access,
    branch,
    by_data,
    case,
    changed,
    facts,
    good,
    kernel,
    our_limit,
    shared,
    span,
    statement,
)

HALVES = BranchRuns(8, 8, 0, (ArmRuns(8, 128, 4), ArmRuns(8, 128, 4)))
"""Half of the lanes of each of eight warps take each side."""


def found(*known: AccessProfile | BranchProfile, settings: Settings | None = None, **changes: Any) -> list[Finding]:
    told = [changed(f, runs=f.fact.runs or HALVES) if isinstance(f, BranchProfile) else f for f in known]
    body = tuple(statement(fact) for fact in told if isinstance(fact, BranchProfile))
    return list(judge(kernel(body=body), facts(*told, **changes), settings or Settings()).findings)


def only(findings: list[Finding], code: str) -> Finding:
    assert [finding.check for finding in findings] == [code]
    return findings[0]


def one_side(warps: int, lanes: int, packed: int, tests: int | None = None, gaps: int = 0) -> BranchRuns:
    """Counts of an `if` without `else` whose body was run by so many warps and lanes."""
    return BranchRuns(tests or warps, warps, 0, (ArmRuns(warps, lanes, packed, gaps), ArmRuns(0, 0, 0)))


# --- WC101 --------------------------------------------------------------------------------------------------------


def test_a_strided_access_is_a_warning_with_its_figures() -> None:
    finding = only(found(access(times=ceil_div(H, integer(2))), good(times=scale(5, H))), "WC101")
    assert finding.level is Level.WARNING
    assert finding.verdict is Verdict.FAILS
    assert finding.span == span(100)
    assert finding.message == (
        "Uncoalesced load from `b`: each warp touches 32 sectors where 4 would do (8x). Runs ceil(h/2) times per warp. "
        "44% of this kernel's global traffic if h = 1024."
    )
    assert finding.share == pytest.approx(512 * 32 / (512 * 32 + 5 * 1024 * 4))


def test_an_access_that_is_bad_for_some_sizes_only_may_fail() -> None:
    finding = only(found(access(best=4, exact=False, cases=(case("h == 1", 4), case("h >= 8", 32)))), "WC101")
    assert finding.verdict is Verdict.MAY_FAIL
    assert finding.level is Level.WARNING
    assert ". 4 when h == 1." in finding.message


@pytest.mark.parametrize(("share_of_32", "level"), [(8, Level.WARNING), (4, Level.INFORMATION), (3, None)])
def test_the_share_decides_the_level(share_of_32: int, level: Level | None) -> None:
    # One bad access of cost 32 beside good ones: 32 of 32 * 32 / share.
    rest = (32 * 32 // share_of_32 - 32) // 4
    findings = found(access(), good(times=integer(rest)))
    assert [finding.level for finding in findings] == ([] if level is None else [level])


def test_a_factor_below_two_is_information() -> None:
    assert only(found(access(worst=6, best=6)), "WC101").level is Level.INFORMATION


def test_thresholds_are_settings() -> None:
    strict = Settings(warning_factor=10.0)
    assert only(found(access(), settings=strict), "WC101").level is Level.INFORMATION
    silent = Settings(information_share=0.9)
    assert found(access(), good(times=integer(8)), settings=silent) == []


@pytest.mark.parametrize("source", ["default", "shape", "launch_bounds"])
def test_a_guessed_block_lowers_the_level_and_is_named(source: str) -> None:
    finding = only(found(access(), source=source, block=(16, 16, 1)), "WC101")
    assert finding.level is Level.INFORMATION
    assert finding.message.endswith(". Assumes block 16x16.")


@pytest.mark.parametrize("source", ["default", "shape", "launch_bounds"])
def test_a_guessed_row_of_threads_lowers_nothing_where_all_warps_do_the_same(source: str) -> None:
    assert only(found(access(), source=source), "WC101").level is Level.WARNING
    uneven = access(uneven=True)
    assert only(found(uneven, source=source), "WC101").level is Level.INFORMATION
    assert only(found(access(), source=source, block=(48, 1, 1)), "WC101").level is Level.INFORMATION


@pytest.mark.parametrize("pattern", [Pattern.SCATTERED, Pattern.UNKNOWN])
def test_a_gather_is_a_hint_and_says_up_to(pattern: Pattern) -> None:
    lanes = OpenLanes((True,) * 32, 32, 1, None)
    gathered = access(pattern=pattern, best=1, data_dependent=True, cause=by_data(), open=lanes)
    finding = only(found(gathered), "WC101")
    assert finding.level is Level.HINT
    assert finding.verdict is Verdict.MAY_FAIL
    assert finding.message.startswith(
        "Uncoalesced load from `b`: each warp touches up to 32 sectors where 4 would do (8x) if the values of `idx[i]` scatter."
    )
    assert [(note.message, note.span) for note in finding.notes] == [
        ("`idx[i]` is loaded from memory", span(50)),
        ("launched here with block 256", span(900)),
    ]


@pytest.mark.parametrize(
    "quiet",
    [
        good(),
        access(worst=1, best=1, ideal=1, pattern=Pattern.UNIFORM),
        access(pattern=Pattern.UNKNOWN, best=1, cause=our_limit()),
        access(pattern=Pattern.STRIDED, best=1, cause=our_limit()),
        access(space=Space.LOCAL),
        access(space=Space.UNKNOWN),
        access(worst=2, best=1, ideal=1, picture=replace(access().fact.picture, group=(0, *(None,) * 31))),  # type: ignore[type-var]
    ],
)
def test_quiet_accesses(quiet: AccessProfile) -> None:
    assert found(quiet) == []


def test_requests_count_and_unknown_multiplicities_are_said() -> None:
    finding = only(found(access(requests=2, rw=ReadWrite.BOTH, times=None)), "WC101")
    assert "Runs an unknown number of times (2 requests each)" in finding.message


def test_trip_counts_have_their_representative_value() -> None:
    finding = only(found(access(times=symbol("T17")), good(times=integer(128))), "WC101")
    assert finding.share == pytest.approx(32 * 32 / (32 * 32 + 128 * 4))
    assert finding.message.endswith(
        "67% of this kernel's global traffic, assuming 32 iterations of the loop at line 17."
    )


def test_values_that_the_user_set_are_used() -> None:
    settings = Settings(values={"h": 8})
    finding = only(found(access(times=H), good(times=integer(64)), settings=settings), "WC101")
    assert finding.message.endswith("50% of this kernel's global traffic if h = 8.")


def test_a_division_by_zero_at_representative_sizes_is_survived() -> None:
    odd = ceil_div(integer(100), symbol("z"))
    assert only(found(access(times=odd), settings=Settings(values={"z": 0})), "WC101")


def test_notes_name_origin_and_calls() -> None:
    finding = only(found(access(origin=span(20), via=(span(500), span(600)))), "WC101")
    assert [note.span for note in finding.notes] == [span(20), span(600), span(500), span(900)]
    (inferred,) = found(access(), source="shape")
    assert inferred.notes == ()


def test_notes_tell_the_way_from_the_thread_to_the_index() -> None:
    way = ((Hop("i", "t", span(40)), Hop("t", "threadIdx.x", span(20))), (Factor("is multiplied by `h`", span(30)),))
    here = ((Hop("threadIdx.y", None, None),), (Factor("is multiplied by `w`", None),))
    story = IndexStory((way, here), None)
    for fact in (access(origin=span(20), story=story), branch(origin=span(20), story=story)):
        (finding,) = found(fact)
        assert [(note.message, note.span) for note in finding.notes] == [
            ("`i` is computed from `t`", span(40)),
            ("`t` is computed from threadIdx.x", span(20)),
            ("launched here with block 256", span(900)),
        ]


def test_a_few_excess_sectors_are_no_warning() -> None:
    rows = access(worst=2, best=2, ideal=1)
    assert found(rows) == []
    few = access(worst=4, best=4, ideal=1)
    assert only(found(few), "WC101").level is Level.INFORMATION


# --- WC102 --------------------------------------------------------------------------------------------------------


def test_a_certainly_misaligned_access_is_information() -> None:
    finding = only(found(access(pattern=Pattern.MISALIGNED, worst=5, best=5)), "WC102")
    assert finding.level is Level.INFORMATION
    assert finding.message.startswith(
        "Misaligned load from `b`: each warp touches 5 sectors where 4 would do (1.25x), because its elements do not begin at"
    )


def test_an_access_that_is_aligned_for_some_sizes_is_silent() -> None:
    by_pitch = access(pattern=Pattern.MISALIGNED, worst=8, best=4, exact=True, cases=(case("width % 8 == 0", 4),))
    assert found(by_pitch) == []


def test_a_small_misaligned_share_is_silent() -> None:
    fact = access(pattern=Pattern.MISALIGNED, worst=5, best=5)
    assert found(fact, good(times=integer(16))) == []


# --- WC201 --------------------------------------------------------------------------------------------------------


def test_a_column_of_a_tile_is_a_warning() -> None:
    finding = only(found(shared(), good()), "WC201")
    assert finding.level is Level.WARNING
    assert finding.message == (
        "Bank conflict reading `tile`: 32-way, each request takes 32 wavefronts where 1 would do (32x). "
        "100% of this kernel's shared-memory traffic."
    )


def test_wide_conflicts_are_not_called_ways() -> None:
    finding = only(found(shared(bytes=16, worst=32, ideal=4)), "WC201")
    assert finding.message.startswith(
        "Bank conflict reading `tile`: each request takes 32 wavefronts where 4 would do (8x)"
    )


def test_conflicts_by_data_are_hints() -> None:
    anywhere = OpenLanes((True,) * 32, 32, 1, None)
    scattered = shared(pattern=Pattern.SCATTERED, best=1, data_dependent=True, cause=by_data(), open=anywhere)
    finding = only(found(scattered), "WC201")
    assert finding.level is Level.HINT
    told = "each request takes about 3.5 wavefronts (up to 32) where 1 would do (3.5x) if the values of `idx[i]` are random."
    assert finding.message.startswith(f"Bank conflict reading `tile`: {told}")


def test_rows_of_a_length_from_memory_pick_nothing_at_random() -> None:
    assert found(shared(best=1, data_dependent=True, cause=by_data())) == []  # half of all lengths have no conflict
    finding = only(found(shared(best=2, data_dependent=True, cause=by_data())), "WC201")
    assert ". As few as 2 for other values in memory. " in finding.message


def test_lanes_at_random_pay_three_to_four_wavefronts() -> None:
    banks = np.random.default_rng(1).integers(0, 1 << 16, (1000, 32)) % 32
    fullest = [int(np.bincount(row).max()) for row in banks]
    anywhere = OpenLanes((True,) * 32, 32, 1, None)
    picked = random_wavefronts(shared(cause=by_data(), data_dependent=True, open=anywhere))
    assert picked is not None and abs(picked - np.mean(fullest)) < 0.1
    finding = only(found(shared(cause=by_data(), data_dependent=True, open=anywhere)), "WC201")
    assert f"each request takes about {picked:.1f} wavefronts" in finding.message


@pytest.mark.parametrize("words", [46, 96, 288])
def test_lanes_at_random_in_a_table(words: int) -> None:
    """The fullest bank is asked for the different words that lanes pick of it."""
    picks = np.random.default_rng(2).integers(0, words, (1000, 32))
    fullest = [int(np.bincount(np.unique(row) % 32).max()) for row in picks]
    table = OpenLanes((True,) * 32, -(-words // 32), 1, 4 * words - 1)
    picked = random_wavefronts(shared(worst=table.worst, cause=by_data(), data_dependent=True, open=table))
    assert picked is not None and abs(picked - np.mean(fullest)) < 0.1


def test_a_table_without_a_third_word_in_a_bank_is_silent() -> None:
    table = OpenLanes((True,) * 32, 2, 1, 4 * 46 - 1)
    assert found(shared(worst=2, best=1, cause=by_data(), data_dependent=True, open=table)) == []


def test_below_conditions_on_data_nothing_is_certain() -> None:
    finding = only(found(access(rarity=1)), "WC101")
    assert finding.level is Level.INFORMATION and finding.verdict is Verdict.MAY_FAIL
    assert finding.message.startswith(
        "Uncoalesced load from `b`: each warp touches up to 32 sectors where 4 would do (8x). Runs at most once per warp."
    )
    assert only(found(access(rarity=4)), "WC101").level is Level.INFORMATION
    split = only(found(branch(rarity=1)), "WC301")
    assert split.level is Level.INFORMATION and split.message.startswith("Divergent branch: the warp may split")


def test_contention_is_a_note_and_no_conflict() -> None:
    assert found(shared(rw=ReadWrite.ATOMIC, worst=1, best=1, contention=32)) == []
    finding = only(found(shared(rw=ReadWrite.ATOMIC, worst=4, best=4, contention=8)), "WC201")
    assert any("contention: up to 8 lanes" in note.message for note in finding.notes)


def test_wide_elements_have_their_groups() -> None:
    assert found(shared(bytes=16, worst=4, best=4, ideal=2)) == []
    assert only(found(shared(bytes=16, worst=8, best=8, ideal=4)), "WC201").level is Level.WARNING


def test_broadcasts_and_our_own_limits_are_silent() -> None:
    assert found(shared(worst=1, best=1)) == []
    assert found(shared(pattern=Pattern.UNKNOWN, best=1, cause=our_limit())) == []


# --- WC301 --------------------------------------------------------------------------------------------------------


def test_two_working_sides_are_a_warning() -> None:
    finding = only(found(branch(), good()), "WC301")
    assert finding.level is Level.WARNING
    assert finding.verdict is Verdict.FAILS
    assert finding.message == (
        "Divergent branch: the warp splits, 16 of 32 threads active. Costs about 47% of this kernel's work."
    )


@pytest.mark.parametrize(
    "quiet",
    [
        branch(divergence=Divergence.NEVER),
        branch(divergence=Divergence.BOUNDARY),
        branch(work=(False, False)),
        branch(kind=IfKind.AND),
        branch(kind=IfKind.SELECT),
        branch(work=(True,), active=(1, 1), runs=one_side(8, 8, 1, tests=64)),  # if (tid == 0) out[b] = s;
        branch(work=(True, False), active=(31, 31), times=integer(8), runs=one_side(8, 248, 8)),
        branch(work=(True,), active=(1, 31), times=integer(8), runs=one_side(12, 255, 12, tests=64)),  # if (tid < s)
        branch(runs=BranchRuns(64, 8, 0, ())),  # two sides, but one warp of eight splits
        branch(
            work=(True,), divergence=Divergence.POSSIBLE, runs=BranchRuns(8, 0, 8, (ArmRuns(8, 256, 8),) * 2)
        ),  # x < w in 16x16
        branch(divergence=Divergence.POSSIBLE, cause=our_limit()),
    ],
)
def test_quiet_branches(quiet: BranchProfile) -> None:
    assert found(quiet) == []


def test_one_sided_work_in_a_loop_is_said() -> None:
    # A tree reduction: tid % (2*s) == 0, eight times.
    spread = one_side(47, 255, 12, tests=64, gaps=24)
    finding = only(found(branch(work=(True,), active=(1, 16), times=integer(8), runs=spread)), "WC301")
    assert finding.level is Level.WARNING
    assert "5.4 of 32 threads active on average. Runs 8 times per warp" in finding.message


def test_one_sided_work_of_lanes_side_by_side_is_silent() -> None:
    tree = one_side(40, 248, 10, tests=40)
    assert not found(branch(work=(True,), active=(1, 16), times=integer(5), runs=tree))


def test_a_lane_apart_from_the_others_is_no_warning() -> None:
    first = BranchRuns(2, 1, 0, (ArmRuns(1, 1, 1), ArmRuns(2, 63, 2)))
    assert only(found(branch(runs=first, active=(1, 31))), "WC301").level is Level.INFORMATION


def test_a_possible_split_is_never_a_warning() -> None:
    assert only(found(branch(divergence=Divergence.POSSIBLE)), "WC301").level is Level.INFORMATION


def test_a_branch_over_a_loop_is_said_even_without_memory() -> None:
    body = (Assign(VarId(0), Const(1, INT), span(410)),)
    loop = Loop(LoopKind.FOR, (), None, (*body, Break(span(415))), (), span(405), span(405, 430))
    over = If(Const(1, BOOL), (loop,), (), IfKind.IF, span(400), span(398, 440))
    fact = branch(work=(False,), active=(16, 16), runs=one_side(8, 128, 4, gaps=8), whole=over.whole)
    assert only(list(judge(kernel(body=(over,)), facts(fact), Settings()).findings), "WC301").level is Level.WARNING
    serial = changed(fact, active=(1, 31), runs=one_side(1, 1, 1))
    finding = only(list(judge(kernel(body=(over,)), facts(serial), Settings()).findings), "WC301")
    assert finding.level is Level.INFORMATION
    assert finding.message.startswith("Divergent branch: the warp splits, 1 of 32 threads active.")
    light = replace(over, then=body)
    assert list(judge(kernel(body=(light,)), facts(fact), Settings()).findings) == []


def test_a_branch_on_data_is_no_warning() -> None:
    finding = only(found(branch(divergence=Divergence.POSSIBLE, active=(1, 31), cause=by_data())), "WC301")
    assert finding.level is Level.INFORMATION
    assert finding.verdict is Verdict.MAY_FAIL
    assert finding.message.startswith(
        "Divergent branch: the warp may split (depends on data: `idx[i]`), 1 to 31 of 32 threads active"
    )


def test_a_switch_counts_as_a_branch() -> None:
    assert only(found(branch(kind="switch", work=(True, True, True))), "WC301")


def test_shares_of_branches_are_of_the_work_that_is_run_twice() -> None:
    rare = branch(500, runs=BranchRuns(8, 2, 0, (ArmRuns(4, 96, 3), ArmRuns(6, 160, 6))))
    both = found(branch(), rare)
    # Tests and barriers of both sides: 8 + 8*8 + 8*8 slots, and 8 + 4*8 + 6*8; idle are a half, and a quarter and a sixth.
    assert [finding.share for finding in both] == [pytest.approx(64 / 224)]
    lost = found(branch(), rare, settings=Settings(information_share=0.05))
    assert [finding.share for finding in lost] == [pytest.approx(64 / 224), pytest.approx(16 / 224)]


# --- WC302 --------------------------------------------------------------------------------------------------------


def test_a_triangular_loop_is_a_warning() -> None:
    fact = branch(kind=LoopKind.FOR, work=(True,), spread=31, times=integer(33), active=(1, 31))
    finding = only(found(fact), "WC302")
    assert finding.level is Level.WARNING
    assert finding.message.startswith(
        "Divergent loop: threads of a warp exit up to 31 iterations apart. Tested 33 times per warp"
    )


@pytest.mark.parametrize(
    "quiet",
    [
        branch(kind=LoopKind.FOR, spread=1, divergence=Divergence.POSSIBLE),  # one ragged iteration
        branch(kind=LoopKind.FOR, spread=0, divergence=Divergence.NEVER),
        branch(kind=LoopKind.WHILE, spread=31, divergence=Divergence.BOUNDARY),
        branch(kind=LoopKind.FOR, spread=None, divergence=Divergence.POSSIBLE, cause=our_limit()),
        branch(kind=LoopKind.FOR, spread=None, divergence=Divergence.POSSIBLE),
    ],
)
def test_quiet_loops(quiet: BranchProfile) -> None:
    assert found(quiet) == []


def test_a_loop_that_is_left_apart_only_perhaps_is_information() -> None:
    fact = branch(kind=LoopKind.FOR, work=(True,), spread=31, divergence=Divergence.POSSIBLE)
    assert only(found(fact), "WC302").level is Level.INFORMATION


def test_a_loop_with_trips_from_memory_is_no_warning() -> None:
    fact = branch(kind=LoopKind.FOR, spread=None, divergence=Divergence.POSSIBLE, cause=by_data(), times=symbol("T17"))
    finding = only(found(fact), "WC302")
    assert finding.level is Level.INFORMATION
    assert finding.message.startswith(
        "Divergent loop: threads of a warp may exit at different iterations (depends on data"
    )


# --- WC900 --------------------------------------------------------------------------------------------------------


def test_reasons_are_reported_once_with_their_places() -> None:
    asm = [Cause(CauseKind.UNSUPPORTED, "inline assembly", span(10 * i)) for i in range(8)]
    data = by_data()
    findings = list(judge(kernel(unknowns=(asm[0], data)), facts(unknowns=tuple(asm)), Settings()).findings)
    finding = only(findings, "WC900")
    assert finding.verdict is Verdict.GAVE_UP
    assert finding.level is Level.INFORMATION
    assert finding.message == "Not analysed: inline assembly (8 places). All costs of this kernel exclude it."
    assert finding.span == span(0)
    assert [note.span for note in finding.notes[:-1]] == [span(10 * i) for i in range(1, 6)]
    assert finding.notes[-1].message == "and at 2 more places"


def test_of_a_long_way_two_rows_are_left() -> None:
    hops = (Hop("p", "i", span(60)), Hop("i", "t", span(40)), Hop("t", "threadIdx.x", span(20)))
    (finding,) = found(access(origin=span(20), story=IndexStory(((hops, ()),), None)))
    assert [(note.message, note.span) for note in finding.notes] == [
        ("`p` is computed from `i`", span(60)),
        ("`i` is computed from threadIdx.x through `t`", span(40)),
        ("launched here with block 256", span(900)),
    ]


def test_a_kernel_says_once_what_it_leaves_out() -> None:
    names = [Cause(CauseKind.MISSING, f"the type `T{i}` is not declared here", span(10 * i)) for i in range(6)]
    others = [Cause(CauseKind.UNSUPPORTED, reason, span(300)) for reason in ("goto", "inline assembly", "label")]
    others.append(Cause(CauseKind.UNSUPPORTED, "result of inline assembly", span(301)))  # says nothing new
    finding = only(found(unknowns=(*names, *others)), "WC900")
    assert finding.message == (
        "Not analysed: the type `T0` (also `T1`, `T2`, `T3` and 2 more) is not declared here; goto; "
        "inline assembly; and 1 more reason. All costs of this kernel exclude it."
    )
    assert finding.notes[0].span == span(300)


def test_a_cause_without_a_place_stands_at_the_kernel() -> None:
    cause = Cause(CauseKind.MISSING, "the type T is not declared", None)
    assert only(found(unknowns=(cause,)), "WC900").span == kernel().name_span


# --- WC904 --------------------------------------------------------------------------------------------------------


def test_a_budget_that_cost_precision_is_said_once() -> None:
    spent = [Cause(CauseKind.ANALYSIS, "the loop is too long", span(10 * i)) for i in range(3)]
    vague = access(pattern=Pattern.UNKNOWN, best=1, cause=our_limit())
    finding = only(found(vague, unknowns=tuple(spent)), "WC904")
    assert (finding.level, finding.verdict, finding.span) == (Level.INFORMATION, Verdict.GAVE_UP, span(0))
    assert [note.span for note in finding.notes] == [span(10), span(20)]
    assert found(good(), unknowns=tuple(spent)) == []


def test_a_missing_bound_is_told_where_an_annotation_would_help() -> None:
    known = facts(good(), bounds=KernelBounds({"sectors": withheld("sectors"), "conflicts": withheld("conflicts")}))
    finding = only(list(judge(kernel(), known, Settings()).findings), "WC900")
    assert finding.span == kernel().name_span and finding.level is Level.INFORMATION
    assert finding.message == "no bound on sectors, conflicts: nothing bounds the loop"
    (note,) = finding.notes
    assert note.span == span(120) and note.message.endswith("`//@ loop_bound 64` would help")


def test_a_missing_bound_alone_is_no_finding() -> None:
    hopeless = KernelBounds({"sectors": withheld("sectors", Reason("the solver took too long", span(120)))})
    assert not found(good(), bounds=hopeless)
    stops = Cause(CauseKind.UNSUPPORTED, "goto", span(130))
    finding = only(found(good(), bounds=hopeless, unknowns=(stops,)), "WC900")
    assert finding.notes[-1] == Note("no bound on sectors: the solver took too long", span(120))
