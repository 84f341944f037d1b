"""Compares what a fixture expects with what was found, both ways.

Every finding must be claimed by a comment and every comment be met.  The comparison is made on `Observed`, plain data
made from a report by `observe.py`, so that it can be tested without the analysis.

A fact that is claimed with `!` (`access! worst=6`) was worked out in the concrete cost semantics: the analysis must
give that very number, and one that promises less than the truth (`worst` below it, `best` above it) is reported as
unsound.  Where the analysis is accepted to be coarser the claim has no `!`, states what is found today, and names the
truth beside it: `access worst=8 true_worst=6`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tests.harness.annotations import LEVELS, Claim, Fixture


@dataclass(frozen=True, slots=True)
class SeenFinding:
    """`start`, `end` in bytes; `level` is warning, information or hint."""

    code: str
    level: str
    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class SeenFact:
    """An access or a branch: its place and its facts as text, by the names that claims use."""

    start: int
    end: int
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SeenKernel:
    """One kernel under one launch; `start` is the byte of its name."""

    name: str
    start: int
    end: int
    block: tuple[int, int, int]
    accesses: tuple[SeenFact, ...] = ()
    branches: tuple[SeenFact, ...] = ()
    unknowns: tuple[tuple[str, str], ...] = ()  # kind, reason
    bounds: Mapping[str, tuple[str, str, bool]] = field(
        default_factory=dict
    )  # per warp of a metric: upper, lower, exact


def _silent(_: int) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Observed:
    """All that was found in one file."""

    findings: tuple[SeenFinding, ...] = ()
    kernels: tuple[SeenKernel, ...] = ()
    hover: Callable[[int], str | None] = _silent


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


def claims_finding(claim: Claim, finding: SeenFinding, fixture: Fixture) -> bool:
    """Whether the claim is about this finding: code, level and place; the text is compared apart.

    Carets cannot leave their line, so a finding over several lines is claimed by its part on the first."""
    if claim.code != finding.code or claim.start != finding.start:
        return False
    if claim.end != min(finding.end, fixture.line_end(finding.start)):
        return False
    return claim.word == "todo" or LEVELS.get(claim.word) == finding.level


def check(fixture: Fixture, seen: Observed) -> list[Problem]:
    """Everything that is expected and not found, or found and not expected, by line."""
    problems = [Problem(claim.line, text) for claim in fixture.claims for text in unmet(claim, fixture, seen)]
    asserting = [claim for claim in fixture.claims if claim.word in LEVELS or claim.word == "todo"]
    for finding in seen.findings:
        if not any(claims_finding(claim, finding, fixture) for claim in asserting):
            column = finding.start - fixture.lines[fixture.line_of(finding.start) - 1] + 1
            what = f"column {column}: not expected: {finding.level}[{finding.code}] {finding.message!r}"
            problems.append(Problem(fixture.line_of(finding.start), what))
    return sorted(set(problems))


def unmet(claim: Claim, fixture: Fixture, seen: Observed) -> Iterator[str]:
    """Why a claim does not hold; nothing if it does."""
    match claim.word:
        case "warn" | "info" | "hint" | "todo":
            yield from _unmet_finding(claim, fixture, seen)
        case "none":
            for f in seen.findings:
                if claim.code in (None, f.code) and f.start < claim.end and claim.start < f.end:
                    yield f"should stay quiet, but {f.code}: {f.message!r}"
        case "access" | "branch":
            yield from _unmet_fact(claim, seen)
        case "hover":
            shown = seen.hover(claim.start)
            if shown is None or (claim.text or "") not in shown:
                yield f"hover shows {shown!r}"
        case "block" | "unknown" | "bound":
            yield from _unmet_kernel(claim, seen)
        case _:
            raise ValueError(f"no such claim: {claim.word}")


def _unmet_finding(claim: Claim, fixture: Fixture, seen: Observed) -> Iterator[str]:
    found = [finding for finding in seen.findings if claims_finding(claim, finding, fixture)]
    if not found:
        mark = "; it holds in the concrete cost semantics, so this is unsound" if claim.certain else ""
        near = [f"{f.level}[{f.code}]" for f in seen.findings if f.start < claim.end and claim.start < f.end]
        yield f"{claim.word}[{claim.code}] is not reported{mark}" + (f"; reported here: {near}" if near else "")
    elif claim.text is not None and not any(claim.text in finding.message for finding in found):
        yield f"{claim.text!r} is not in {found[0].message!r}"


def _unmet_fact(claim: Claim, seen: Observed) -> Iterator[str]:
    """A fact is claimed if some instantiation and launch of the kernel has it: different launches cost differently."""
    facts = [
        fact
        for kernel in seen.kernels
        for fact in (kernel.accesses if claim.word == "access" else kernel.branches)
        if (fact.start, fact.end) == (claim.start, claim.end)
    ]
    if not facts:
        yield f"no {claim.word} is known at this place"
        return
    misses = [list(differences(claim, fact.values)) for fact in facts]
    if all(misses):
        fewest = min(len(miss) for miss in misses)
        yield "; ".join(next(miss for miss in misses if len(miss) == fewest))


def differences(claim: Claim, values: Mapping[str, str]) -> Iterator[str]:
    """Where the facts differ from the claim, with what that means."""
    for key, wanted in claim.values.items():
        name = key.removeprefix("true_")
        found = values.get(name, "not known")
        if found == wanted:
            continue
        truth = claim.certain or name != key
        if truth and name in ("worst", "best") and not found.isdigit():
            yield f"{name} is {found}, not {wanted}"
        elif truth and (
            (name == "worst" and int(found) < int(wanted)) or (name == "best" and int(found) > int(wanted))
        ):
            yield f"unsound: {name} is {found}, in truth {wanted}"
        elif name == key:
            yield f"{key} is {found}, not {wanted}"


def _unmet_kernel(claim: Claim, seen: Observed) -> Iterator[str]:
    after = [kernel for kernel in seen.kernels if kernel.start >= claim.start]
    if not after:
        yield "no kernel follows"
        return
    first = min(kernel.start for kernel in after)
    about = [kernel for kernel in after if kernel.start == first]
    if claim.word == "block":
        numbers = [int(part) for part in "".join(claim.bare).strip("()").split(",")]
        wanted = tuple((numbers + [1, 1])[:3])
        if all(kernel.block != wanted for kernel in about):
            yield f"block is {about[0].block}, not {wanted}"
        return
    if claim.word == "bound":
        yield from _unmet_bound(claim, about)
        return
    for kernel in about:
        known = [f"{kind}: {reason}" for kind, reason in kernel.unknowns]
        if claim.bare:
            count = 0 if claim.bare[0] == "none" else int(claim.bare[0])
            if len(known) != count:
                yield f"{len(known)} unknown in {kernel.name}: {known}"
        else:
            kind = claim.values.get("kind")
            if not any((claim.text or "") in r and kind in (None, k) for k, r in kernel.unknowns):
                yield f"unknown in {kernel.name}: {known}"


def _unmet_bound(claim: Claim, about: list[SeenKernel]) -> Iterator[str]:
    metric, ends = claim.bare[0], frozenset(claim.bare[1:])
    for kernel in about:
        upper, lower, exact = kernel.bounds.get(metric, ("none", "none", False))
        found = lower if "lower" in ends else upper
        if found != claim.text or ("exact" in ends and not exact):
            yield f"{metric} of {kernel.name}: {lower} to {upper}{', exact' if exact else ''}"
