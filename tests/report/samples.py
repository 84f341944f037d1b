"""Hand-made kernels and facts: the rules are tested without the analysis that usually finds the facts."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from analysis_core.expressions.expression import ONE, symbol
from analysis_core.ir.nodes import (
    AccessId,
    Barrier,
    BarrierScope,
    Const,
    If,
    IfKind,
    Kernel,
    Loop,
    LoopKind,
    Stmt,
    Switch,
    SwitchArm,
)
from analysis_core.ir.scalars import BOOL, INT
from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import (
    AccessProfile,
    BranchProfile,
    Expectation,
    Frequency,
    KernelProfile,
)
from analysis_core.requests.facts import (
    AccessFact,
    BranchFact,
    Certainty,
    CostCase,
    Divergence,
    KernelFacts,
    LanePicture,
    Pattern,
    ReadWrite,
    Spelled,
    Splits,
    SymbolInfo,
)
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.span import FileId, Span
from analysis_core.traffic.traffic import Traffic

FILE = FileId("sample.cu")


def span(start: int, end: int | None = None, file: str = FILE) -> Span:
    return Span(FileId(file), start, start + 5 if end is None else end)


_ACCESS = (
    ("fact.why", ("cause", "origin", "story", "unknown", "because", "data_dependent", "unsized")),
    ("fact.block", ("total", "executed", "uneven", "varied", "kept")),
    ("fact.variation", ("ideals", "sizes", "mean", "own", "spread", "undecided", "pitched")),
    ("frequency", tuple(one.name for one in fields(Frequency))),
    ("traffic", tuple(one.name for one in fields(Traffic))),
    ("expected", tuple(one.name for one in fields(Expectation))),
    ("fact", tuple(one.name for one in fields(AccessFact))),
)
_BRANCH = (
    ("fact.why", ("cause", "origin", "story")),
    ("fact.spelled", ("text", "head")),
    ("fact.splits", ("active", "rows", "upper", "lower")),
    ("fact.leaving", ("spread", "exits", "groups", "waiting", "lane_rounds", "strided", "rounds")),
    ("fact", tuple(one.name for one in fields(BranchFact))),
)


def _changed(found: Any, places: tuple[tuple[str, tuple[str, ...]], ...], changes: dict[str, Any]) -> Any:
    """The record with these fields changed, each in the part of it that has it."""
    for name, value in changes.items():
        path = next((where.split(".") for where, names in places if name in names), [])
        parts = [found]
        for step in path:
            parts.append(getattr(parts[-1], step))
        new = replace(parts[-1], **{name: value})
        for owner, step in zip(reversed(parts[:-1]), reversed(path), strict=True):
            new = replace(owner, **{step: new})
        found = new
    return found


def access(start: int = 100, **changes: Any) -> AccessProfile:
    """A load that is 8 times over its ideal.  `changes`: by field, wherever it is in the profile."""
    fact = AccessFact(
        ids=(AccessId(start),), span=span(start), text="b[8*i]", via=(), base="b", space=Space.GLOBAL,
        rw=ReadWrite.READ, requests=1, bytes=4, worst=32, best=32, ideal=4, exact=True, certainty=Certainty.EXACT,
        pattern=Pattern.STRIDED, times=ONE, picture=LanePicture("sector", tuple(range(32)), "32"),
    )  # fmt: skip
    made: AccessProfile = _changed(AccessProfile(fact), _ACCESS, changes)
    return made


def changed(branch: BranchProfile, **changes: Any) -> BranchProfile:
    """The branch with these fields changed, wherever they are in its profile."""
    made: BranchProfile = _changed(branch, _BRANCH, changes)
    return made


def good(start: int = 300, **changes: Any) -> AccessProfile:
    """A coalesced store."""
    settled: dict[str, Any] = {
        "text": "a[i]", "base": "a", "rw": ReadWrite.WRITE, "worst": 4, "best": 4, "pattern": Pattern.COALESCED,
        "picture": LanePicture("sector", tuple(i // 8 for i in range(32)), "4"),
    }  # fmt: skip
    return access(start, **{**settled, **changes})


def shared(start: int = 200, **changes: Any) -> AccessProfile:
    """A column of an unpadded tile."""
    settled: dict[str, Any] = {
        "text": "tile[x][y]", "base": "tile", "space": Space.SHARED, "ideal": 1,
        "picture": LanePicture("bank", (0,) * 32, "128"),
    }  # fmt: skip
    return access(start, **{**settled, **changes})


def branch(start: int = 400, **changes: Any) -> BranchProfile:
    """`if (i % 2)` with work on both sides."""
    fact = BranchFact(
        span=span(start), kind=IfKind.IF, via=(), divergence=Divergence.ALWAYS, work=(True, True), times=ONE,
        splits=Splits((16, 16)), spelled=Spelled("i % 2"),
    )  # fmt: skip
    made: BranchProfile = _changed(BranchProfile(fact), _BRANCH, changes)
    return made


def statement(branch: BranchProfile) -> Stmt:
    """What a branch may be a fact about: a barrier on each side with work, of the warp alone in a loop, which threads may leave apart."""
    scope = BarrierScope.WARP if isinstance(branch.fact.kind, LoopKind) else BarrierScope.BLOCK
    sides = tuple((Barrier(scope, "", branch.fact.span),) if has else () for has in branch.fact.work)
    match branch.fact.kind:
        case IfKind():
            then, otherwise = (*sides, ())[:2]
            return If(Const(1, BOOL), then, otherwise, branch.fact.kind, branch.fact.span, branch.fact.span)
        case LoopKind():
            return Loop(branch.fact.kind, (), None, sides[0], (), branch.fact.span, branch.fact.span)
        case _:
            return Switch(
                Const(1, INT), tuple(SwitchArm((1,), side) for side in sides), branch.fact.span, branch.fact.span
            )


def facts(*found: AccessProfile | BranchProfile, **changes: Any) -> KernelProfile:
    """The profile of a kernel launched with 256 threads from a call site."""
    accesses = tuple(f for f in found if isinstance(f, AccessProfile))
    branches = tuple(f for f in found if isinstance(f, BranchProfile))
    known = KernelFacts(
        block=(256, 1, 1), grid=None, source="call", launch_span=span(900),
        accesses=tuple(f.fact for f in accesses), branches=tuple(f.fact for f in branches),
        symbols=(SymbolInfo("h", "h", "parameter", None), SymbolInfo("T17", "T17", "trip", None)),
        assumptions=(), unknowns=(),
    )  # fmt: skip
    proved = {name: value for name, value in changes.items() if name in {one.name for one in fields(KernelFacts)}}
    expected = {name: value for name, value in changes.items() if name not in proved}
    return replace(KernelProfile(replace(known, **proved), accesses, branches), **expected)


def kernel(**changes: Any) -> Kernel:
    made = Kernel(
        name="k", instantiation=None, span=span(0, 800), name_span=span(16, 17), parameters=(), variables=(), objects=(),
        body=(), launches=(), launch_bounds=None, requested_axes=frozenset({0}), unknowns=(), assumptions=(),
    )  # fmt: skip
    return replace(made, **changes)


def by_data(reason: str = "`idx[i]` is loaded from memory") -> Cause:
    return Cause(CauseKind.DATA, reason, span(50))


def our_limit() -> Cause:
    return Cause(CauseKind.ANALYSIS, "the loop was widened", span(50))


def case(when: str, cost: int) -> CostCase:
    return CostCase(when, cost)


H = symbol("h")
