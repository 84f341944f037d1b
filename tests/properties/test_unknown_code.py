"""Where something is not understood, what is claimed holds whatever it means.

In small kernels a part is replaced by text that lowering does not understand, and by each of some meanings that it may have: the costs
that are claimed of the first must lie around those of all others, and no bound of it is exact.
"""

from __future__ import annotations

import pytest

from analysis_core.expressions.expression import evaluate, symbols
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.requests.facts import KernelFacts
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

VALUES = ("0", "1", "3", "8", "33", "t", "n", "7 * t", "-t")
"""Meanings of an expression."""

UNKNOWN_VALUES = (
    "absent(t)",
    "absent",
    "Absent::value",
    "Absent<3>::value",
    "sizeof(Absent)",
    "alignof(Absent)",
    "((Absent)t).x",
    "(int)typeid(int).hash_code()",
    "absent<3>(t)",
    "box.absent(t)",
    "box.absent<3>(t)",
    "box.*absent",
    "(box || absent)",
    "(absent && box)",
    "(box && 1)",
    "(0, box)",
    "!box",
    "+box",
    "box + 1",
    "box[t]",
    "box(t)",
    "*box",
    "Only<int[4]>::absent",
    "4_absent",
    "__builtin_absent(t)",
    "[&](auto self) { return self(self); }(t)",
    "co_await t",
)

USES = {
    "stride": "out[{} * t] = 1;",
    "offset": "out[{} + t] = 1;",
    "rounds": "for (int i = 0; i < ({}); i++) out[t * 5] = 1;",
    "guard": "if ({}) out[t * 3] = 1;",
    "both": "if (t < ({})) out[t * 3] = 1; else out[t * 9 + 4] = 1;",
    "kept": "int kept = {}; for (int i = 0; i < 4; i++) {{ out[t * kept] = 1; kept += i; }}",
    "chosen": "out[t * (t % 2 ? {} : 5)] = 1;",
    "shared": "__shared__ int s[64]; s[(({}) & 1) * t] = 1;",
}

STATEMENTS = (
    'asm volatile("mbarrier.x %0, %1;" : "=r"(k) : "r"(t));',
    "absent(k);",
    "absent(&k);",
    "box.absent(k);",
    "k << box;",
    "box >> k;",
    "k = box;",
    "Absent guard(k);",
    "auto [a, b] = absent(k);",
    "goto end; end: ;",
    "try { k = 4; } catch (...) {}",
    "new (&k) int(9);",
    "k @ 4;",
    "delete absent;",
)
CHANGES = (";", "k = 0;", "k = 9;", "k = t;", "k = n;")
"""Meanings of a statement that may change `k`."""

BEFORE = """
struct Box { int x; };
template <class T> struct Only { static const int value = 3; };
"""
SIZES = (0, 1, 5, 33, 100)


def facts(body: str) -> tuple[KernelFacts, bool]:
    """What is claimed of a kernel, and whether something of it was not understood."""
    text = f"{BEFORE}__global__ void k(char *out, int n) {{ int t = threadIdx.x; Box box = {{2}}; {body} }}"
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    kernel = report.kernels[0]
    return kernel.launches[0].facts, bool(kernel.unknowns)


def numbers(found: KernelFacts, name: str, lower: bool) -> list[int] | None:
    """An end of the bound of a metric at some sizes; None where there is none that the size alone decides."""
    assert found.bounds is not None
    bound = found.bounds.metrics[name].per_warp
    end = bound.min_lower if lower else bound.upper
    if end is None or not symbols(end) <= {"n"}:
        return None
    return [evaluate(end, {"n": size}) for size in SIZES]


def outside(unknown: KernelFacts, meaning: KernelFacts) -> list[str]:
    """What is claimed of the kernel with a part that is not understood and does not hold for one meaning of it."""
    assert unknown.bounds is not None
    found = [
        f"exact {name}"
        for name, bound in unknown.bounds.metrics.items()
        if bound.per_warp.exact or bound.per_block.exact
    ]
    for name in ("sectors", "wavefronts"):
        upper, truth = numbers(unknown, name, False), numbers(meaning, name, True)
        if upper is not None and truth is not None and any(a < b for a, b in zip(upper, truth)):
            found.append(f"{name}: at most {upper}, at least {truth}")
        lower, truth = numbers(unknown, name, True), numbers(meaning, name, False)
        if lower is not None and truth is not None and any(a > b for a, b in zip(lower, truth)):
            found.append(f"{name}: at least {lower}, at most {truth}")
    by_place = {a.rw: a for a in unknown.accesses}
    for access in meaning.accesses:
        one = by_place.get(access.rw)
        if one is not None and len(meaning.accesses) == len(unknown.accesses) == 1:
            if one.worst < access.worst:
                found.append(f"worst {one.worst} of {one.text}, {access.worst} of {access.text}")
            if one.best > access.best:
                found.append(f"best {one.best} of {one.text}, {access.best} of {access.text}")
    return found


def faults(use: str, unknown: str, meanings: tuple[str, ...], told: list[KernelFacts]) -> list[str]:
    claimed, noticed = facts(use.format(unknown))
    if not noticed:
        return [f"nothing is said of `{unknown}`"]
    assert claimed.bounds is not None
    return [
        f"`{unknown}` as `{m}` in `{use}`: {fault}"
        for m, meaning in zip(meanings, told, strict=True)
        for fault in outside(claimed, meaning)
    ]


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_an_expression_that_is_not_understood_may_mean_anything(use: str) -> None:
    told = [facts(use.format(f"({meaning})"))[0] for meaning in VALUES]
    assert [fault for unknown in UNKNOWN_VALUES for fault in faults(use, unknown, VALUES, told)] == []


def test_a_statement_that_is_not_understood_may_change_anything() -> None:
    use = "int k = 2; {} out[t * k] = 1;"
    told = [facts(use.format(meaning))[0] for meaning in CHANGES]
    assert [fault for unknown in STATEMENTS for fault in faults(use, unknown, CHANGES, told)] == []
