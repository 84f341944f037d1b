"""The gates of branches (WC301): whether another arrangement of the lanes would need fewer warps, or both sides carry work."""

from __future__ import annotations

from analysis_core.ir.nodes import IfKind
from analysis_core.profile.access_profile import BranchProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.shares import splitting_part
from analysis_core.profile.sureness import is_our_limit, rests_on_data
from analysis_core.report.findings.gates import Gate, passes
from analysis_core.report.findings.model import Level
from analysis_core.requests.facts import ArmRuns, Divergence
from analysis_core.text.records import dataclass

WORTH_SAYING = 0.25
"""The part of the tests (of the warps that run a side) below which splits are not worth a line: with 24 of 32 threads
active on average nothing is (docs/hardware.md, Divergence)."""


@dataclass(frozen=True, slots=True)
class Split:
    """A branch.  `loops`: the sides with a loop; `leaves`: lanes leave a loop by it."""

    branch: BranchProfile
    loops: tuple[bool, bool] = (False, False)
    leaves: bool = False

    @property
    def over_loop(self) -> bool:
        """Whether a loop is below."""
        return any(self.loops)

    @property
    def both(self) -> bool:
        """Whether two sides or more have work."""
        return sum(self.branch.fact.work) >= 2


def side_with_work(branch: BranchProfile) -> ArmRuns | None:
    """The counts of the only side with work; None for two such sides, and where it is open which lanes take it."""
    runs = branch.fact.runs
    if runs is None or sum(branch.fact.work) >= 2:
        return None
    side = next((number for number, has in enumerate(branch.fact.work) if has), 0)
    arm = runs.arms[side] if side < len(runs.arms) and runs.arms[side].warps else None
    return arm if not runs.open or (arm is not None and arm.lanes == arm.warps) else None


def is_one_lane(branch: BranchProfile) -> bool:
    """Whether the only side with work is run by a single lane of a warp each time, or by none."""
    arm = side_with_work(branch)
    return arm is not None and arm.lanes == arm.warps


def stands_together(arm: ArmRuns) -> bool:
    return arm.gaps <= WORTH_SAYING * arm.warps


def _is_guard(split: Split) -> bool:
    """Whether nobody knows which lanes take the only side with work: a cut by sizes is a guard, also by one in memory that lanes share; by data of
    the lanes' own, only a loop is heavy enough to tell."""
    branch = split.branch
    if split.both or side_with_work(branch) is not None:
        return False
    return not (rests_on_data(branch.fact) and branch.by_lane and split.over_loop)


def _fills_warps(split: Split) -> bool:
    """Whether another arrangement of the lanes of the only side with work would need hardly fewer warps."""
    arm = side_with_work(split.branch)
    if arm is None or is_one_lane(split.branch):
        return False
    if split.over_loop:
        return (arm.warps - arm.packed) <= WORTH_SAYING * arm.warps
    return stands_together(arm) or 2 * (arm.warps - arm.packed) < arm.warps


SPLITS: tuple[Gate[Split], ...] = (
    Gate(
        "leaves a loop", Evidence.PROVED, "lanes leave a loop by it, which is reported at the loop", lambda s: s.leaves
    ),
    Gate("agrees", Evidence.PROVED, "no warp splits", lambda s: s.branch.fact.divergence is Divergence.NEVER),
    Gate(
        "not understood",
        Evidence.DEFAULT,
        "whether a warp splits is not known here",
        lambda s: is_our_limit(s.branch.fact),
    ),
    Gate(
        "boundary",
        Evidence.PROVED,
        "one block at the edge of the grid splits, where no thread does all the work of a loop alone",
        lambda s: s.branch.fact.divergence is Divergence.BOUNDARY and not (s.over_loop and is_one_lane(s.branch)),
    ),
    Gate(
        "predicated",
        Evidence.PATTERN,
        "no side has more work than compilers predicate",
        lambda s: not any(s.branch.fact.work) and not s.over_loop,
    ),
    Gate(
        "few splits",
        Evidence.PROVED,
        f"less than {WORTH_SAYING:.0%} of the tests split a warp",
        lambda s: s.both and splitting_part(s.branch) < WORTH_SAYING,
    ),
    Gate(
        "one lane",
        Evidence.PROVED,
        "a single lane does a little work",
        lambda s: is_one_lane(s.branch) and not s.over_loop,
    ),
    Gate("guard", Evidence.DEFAULT, "nobody knows which lanes take it: it is taken for a guard", _is_guard),
    Gate(
        "full warps",
        Evidence.PROVED,
        "the lanes that take it fill most of their warps, or stand side by side",
        _fills_warps,
    ),
)
"""Asked of each branch: a yes silences it."""


def wastes_lanes(branch: BranchProfile) -> bool:
    """Whether another arrangement of the work would need fewer warps, or both sides carry work, as far as the branch alone tells."""
    is_subject = branch.fact.kind is IfKind.IF or branch.fact.kind == "switch"
    return is_subject and passes(SPLITS, Split(branch), Level.WARNING) is not None
