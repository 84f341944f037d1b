"""WC301 divergent-branch: a warp splits at an `if` or `switch` and the sides run one after the other.

Fires when both sides can run in one warp and carry real work.  Quiet:

- boundary guards (`if (i < n)`), which split at most one warp of the grid or of a row;
- cuts at a multiple of 32 threads (they never split) and right sides of `&&`, `||`, `?:` (they do not count as splits);
- arms without memory accesses or calls, which the compiler predicates;
- one-sided work that is done once or by nearly all lanes: `if (tid == 0) out[b] = s;` has no better form, and with 24
  of 32 threads active on average nothing is worth saying.

A condition on memory contents may or may not split: information, never a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.cost.expression import Expression
from analysis_core.cost.facts import BranchFact, Divergence
from analysis_core.ir.nodes import If, IfKind, Kernel, Loop
from analysis_core.ir.walk import statements
from analysis_core.report.check import Check, Context, is_our_limit, level_of, notes_of, rests_on_data
from analysis_core.report.model import CheckId, Finding, Level, Verdict
from analysis_core.report.shares import sizes_text
from analysis_core.report.wording import assuming_text, joined, share_text, times_text

CODE = CheckId("WC301")

WORTH_SAYING = 24
"""Active threads of 32, on average over the sides, below which a split is worth saying (HARDWARE.md, Divergence)."""


def find(context: Context) -> Iterator[Finding]:
    """One finding per branch that splits a warp between sides with work."""
    heavy = _conditions_over_loops(context.kernel)
    for branch, executions, share in zip(
        context.facts.branches, context.weights.branches, context.weights.branch_shares
    ):
        if not _fires(branch, executions, (branch.span.file, branch.span.start, branch.span.end) in heavy):
            continue
        by_data = rests_on_data(branch)
        # Two sides run where one would do: the factor over a uniform branch is 2.
        level = level_of(context, 2.0, share, certain=not by_data)
        if level is not None:
            verdict = Verdict.FAILS if branch.divergence is Divergence.ALWAYS else Verdict.MAY_FAIL
            yield Finding(
                CODE, verdict, level, branch.span, _message(context, branch, share, by_data), notes_of(branch),
                share=share, subject=branch.text,
            )  # fmt: skip


def _fires(branch: BranchFact, executions: int, over_loop: bool) -> bool:
    if branch.kind is not IfKind.IF and branch.kind != "switch":
        return False
    if branch.divergence not in (Divergence.POSSIBLE, Divergence.ALWAYS) or is_our_limit(branch):
        return False
    working = sum(branch.work)
    if working == 0 and not over_loop:
        return False
    if working >= 2:
        return True
    average = sum(branch.active) / 2
    return average < WORTH_SAYING and (over_loop or executions > 1)


def _conditions_over_loops(kernel: Kernel) -> frozenset[tuple[str, int, int]]:
    """The places of `if` conditions with a loop below them: never predicated, whatever the loop does."""
    return frozenset(
        (stmt.span.file, stmt.span.start, stmt.span.end)
        for stmt in statements(kernel.body)
        if isinstance(stmt, If) and any(isinstance(s, Loop) for arm in (stmt.then, stmt.otherwise) for s in statements(arm))
    )  # fmt: skip


def _message(context: Context, branch: BranchFact, share: float, by_data: bool) -> str:
    all_times: list[Expression | None] = [
        b.times for b in context.facts.branches if b.divergence is not Divergence.NEVER
    ]
    may = "may split" if branch.divergence is Divergence.POSSIBLE else "splits"
    return joined(
        f"{may} the warp{' (decided by data)' if by_data else ''}: {active_text(branch.active)}",
        times_text(branch.times),
        share_text(share, "divergences", sizes_text(all_times, context.weights.sizes)),
        assuming_text(context.facts),
    )


def active_text(active: tuple[int, int]) -> str:
    """ "16 of 32 threads active", "1 to 31 of 32 threads active"."""
    least, most = active
    number = str(least) if least == most else f"{least} to {most}"
    return f"{number} of 32 threads active"


CHECK = Check(CODE, "divergent-branch", "both sides of a branch run in one warp", Level.WARNING, find)
