"""Hand-made kernels and facts: the rules are tested without the analysis that usually finds the facts."""

from __future__ import annotations

from dataclasses import replace
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
from analysis_core.requests.facts import (
    AccessFact,
    BranchFact,
    CostCase,
    Divergence,
    KernelFacts,
    LanePicture,
    Pattern,
    ReadWrite,
    SymbolInfo,
)
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.span import FileId, Span

FILE = FileId("sample.cu")


def span(start: int, end: int | None = None, file: str = FILE) -> Span:
    return Span(FileId(file), start, start + 5 if end is None else end)


def access(start: int = 100, **changes: Any) -> AccessFact:
    """A load that is 8 times over its ideal."""
    fact = AccessFact(
        ids=(AccessId(start),), span=span(start), text="b[8*i]", via=(), base="b", space=Space.GLOBAL,
        rw=ReadWrite.READ, requests=1, bytes=4, worst=32, best=32, ideal=4, exact=True, times=ONE,
        pattern=Pattern.STRIDED, data_dependent=False, cause=None, cases=(),
        picture=LanePicture("sector", tuple(range(32)), "32"), contention=None, origin=None,
    )  # fmt: skip
    return replace(fact, **changes)


def good(start: int = 300, **changes: Any) -> AccessFact:
    """A coalesced store."""
    settled: dict[str, Any] = {
        "text": "a[i]", "base": "a", "rw": ReadWrite.WRITE, "worst": 4, "best": 4, "pattern": Pattern.COALESCED,
        "picture": LanePicture("sector", tuple(i // 8 for i in range(32)), "4"),
    }  # fmt: skip
    return access(start, **{**settled, **changes})


def shared(start: int = 200, **changes: Any) -> AccessFact:
    """A column of an unpadded tile."""
    settled: dict[str, Any] = {
        "text": "tile[x][y]", "base": "tile", "space": Space.SHARED, "ideal": 1,
        "picture": LanePicture("bank", (0,) * 32, "128"),
    }  # fmt: skip
    return access(start, **{**settled, **changes})


def branch(start: int = 400, **changes: Any) -> BranchFact:
    """`if (i % 2)` with work on both sides."""
    fact = BranchFact(
        span=span(start), kind=IfKind.IF, via=(), text="i % 2", divergence=Divergence.ALWAYS, active=(16, 16),
        work=(True, True), spread=None, times=ONE, cause=None, origin=None,
    )  # fmt: skip
    return replace(fact, **changes)


def statement(fact: BranchFact) -> Stmt:
    """What a branch may be a fact about: a barrier on each side with work, of the warp alone in a loop, which threads may leave apart."""
    scope = BarrierScope.WARP if isinstance(fact.kind, LoopKind) else BarrierScope.BLOCK
    sides = tuple((Barrier(scope, "", fact.span),) if has else () for has in fact.work)
    match fact.kind:
        case IfKind():
            then, otherwise = (*sides, ())[:2]
            return If(Const(1, BOOL), then, otherwise, fact.kind, fact.span, fact.span)
        case LoopKind():
            return Loop(fact.kind, (), None, sides[0], (), fact.span, fact.span)
        case _:
            return Switch(Const(1, INT), tuple(SwitchArm((1,), side) for side in sides), fact.span, fact.span)


def facts(*found: AccessFact | BranchFact, **changes: Any) -> KernelFacts:
    """Facts of a kernel launched with 256 threads from a call site."""
    made = KernelFacts(
        block=(256, 1, 1), grid=None, source="call", launch_span=span(900),
        accesses=tuple(f for f in found if isinstance(f, AccessFact)),
        branches=tuple(f for f in found if isinstance(f, BranchFact)),
        symbols=(SymbolInfo("h", "h", "parameter", None), SymbolInfo("T17", "T17", "trip", None)),
        assumptions=(), unknowns=(),
    )  # fmt: skip
    return replace(made, **changes)


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
