"""After any edits the incremental report is the one from scratch: every field of it, bounds and findings included."""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace
from itertools import count

import pytest

from analysis_core.incremental.asked import Asked
from analysis_core.incremental.host import Host, whole
from analysis_core.incremental.layout import LONG
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.interrupts import Cancelled, Interrupts
from analysis_core.support.settings import Settings
from tests.harness.scratch import from_scratch
from tests.properties.edited_files import FILES, HEADER, NESTED, edited, recounted

BATCHES = 4
SEQUENCES = 8  # in each batch, of which one has bounds; the night has many times as many, and longer ones
EDITS = 4
QUICK = Settings(bounds=False, kernel_seconds=20.0)
WHOLE = Settings(kernel_seconds=20.0)
COSTLY = "(col + k) % n", "col + k * n"
"""A place whose cases are three quarters of what the bounds of its file cost, and one like it that has none."""

PATH = "edited.cu"


def contents(text: str, header: str) -> dict[str, bytes]:
    """The file with this text, beside this header."""
    return {PATH: text.encode(), "common.h": header.encode()}


def asked(text: str, header: str, settings: Settings, last_good: bytes | None) -> Asked:
    """Their analysis."""
    return Asked(PATH, MemoryFiles(contents(text, header)), settings, last_good, strict=True)


def compared(
    host: Host, text: str, header: str, settings: Settings, last_good: bytes | None, seen: object
) -> bytes | None:
    """Analyses both ways; the text, if it was read without problems, else the last good one."""
    ask = asked(text, header, settings, last_good)
    _give_up(host, ask, random.Random(repr(seen)))
    results = list(host.analyse(replace(ask, early=last_good is None)))
    assert results[-1].complete and not any(result.complete for result in results[:-1])
    scratch = from_scratch(PATH, contents(text, header), settings, last_good)
    incremental = whole(results[-1])
    assert incremental == scratch, f"{seen}\n{_difference(incremental, scratch)}\n--- {text}"
    return last_good if scratch.problems else text.encode()


def _give_up(host: Host, ask: Asked, draw: random.Random) -> None:
    """Begins the analysis now and then, as of a file of which not all was shown, and gives it up at some kernel."""
    interrupts, begun = Interrupts(), count()
    last = draw.choice((0, 0, 1, 2, 3, 99, 99, 99))

    def begin(name: str, key: bytes) -> None:
        if next(begun) == last:
            interrupts.ask()

    if last < 99:
        with contextlib.suppress(Cancelled):
            for _ in host.analyse(replace(ask, interrupts=interrupts, begin=begin, early=True)):
                if draw.random() < 0.2:
                    return


def _overtaken(host: Host, ask: Asked) -> None:
    """Opens a file and types at once: only the reading goes on."""
    interrupts = Interrupts()
    interrupts.overtake()
    with contextlib.suppress(Cancelled):
        for _ in host.analyse(replace(ask, interrupts=interrupts, early=True)):
            return


def _difference(found: FileReport, wanted: FileReport) -> str:
    """Where two reports differ first."""
    for name in ("path", "dependencies", "missing", "problems", "failure", "findings"):
        if getattr(found, name) != getattr(wanted, name):
            return f"{name}: {getattr(found, name)!r}\ninstead of {getattr(wanted, name)!r}"
    for mine, other in zip(found.kernels, wanted.kernels, strict=False):
        if mine != other:
            for one, two in zip(mine.launches, other.launches, strict=False):
                for field in ("accesses", "branches", "symbols", "assumptions", "bounds"):
                    if getattr(one.facts, field) != getattr(two.facts, field):
                        return f"{mine.name}.{field}: {getattr(one.facts, field)!r}\ninstead of {getattr(two.facts, field)!r}"
            return f"{mine.name}: {replace(mine, launches=())!r}\ninstead of {replace(other, launches=())!r}"
    return f"kernels: {[k.name for k in found.kernels]} instead of {[k.name for k in wanted.kernels]}"


def run_sequence(seed: int, edits: int = EDITS, nested: bool = False) -> None:
    """One file, edited again and again.  `nested`: the one of loops in loops."""
    draw = random.Random(seed)
    # In every other sequence all kernels count as long (incremental/layout.py).
    host, settings = Host(long=seed % 2 * LONG), WHOLE if seed % 8 == 0 else QUICK
    text, header, last_good = NESTED if nested else draw.choice(FILES), HEADER, None
    if settings is WHOLE and edits == EDITS:  # The longer sequences of the night have it.
        text = text.replace(*COSTLY)
    change = recounted if nested else edited
    earlier, ahead = [text], random.Random(~seed)
    if ahead.random() < 0.5:
        _overtaken(host, asked(text, header, settings, None))
        text = change(draw, text, earlier)
    for number in range(edits + 1):
        if ahead.random() < 0.5:
            # What is read ahead may not be what comes then: the text is typed on, the header is saved meanwhile.
            read = text if ahead.random() < 0.8 else ahead.choice(earlier)
            beside = header if ahead.random() < 0.8 else ahead.choice((HEADER, header.replace("WIDE 0", "WIDE 1")))
            host.read_ahead(asked(read, beside, settings, last_good))
        last_good = compared(host, text, header, settings, last_good, (seed, number))
        if draw.random() < 0.05:
            header = header.replace("WIDE 0", "WIDE 1") if "WIDE 0" in header else HEADER
        for _ in range(draw.choice((1, 1, 1, 2))):
            text = change(draw, text, earlier)
        earlier.append(text)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_edits(batch: int) -> None:
    for seed in range(batch * SEQUENCES, (batch + 1) * SEQUENCES):
        run_sequence(seed)


def test_edits_of_nested_loops() -> None:
    for seed in range(SEQUENCES):
        run_sequence(seed, nested=True)


@pytest.mark.parametrize(
    "seed",
    [
        1_001_008,  # a brace typed behind the room at a line's end, whose line is quoted
        1_001_088,  # a line joined to the next
        1_003_506,  # the head of a template that is an operator now, read without the body
        1_003_463,  # words typed into the head of a namespace, whose items stay as they were
    ],
)
def test_edits_that_were_answered_wrongly_once(seed: int) -> None:
    run_sequence(seed, edits=8)


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(20))
def test_many_edits_of_nested_loops(batch: int) -> None:
    for seed in range(2_000_000 + batch * 50, 2_000_000 + (batch + 1) * 50):
        run_sequence(seed, edits=8, nested=True)


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(100))
def test_many_edits(batch: int) -> None:
    for seed in range(1_000_000 + batch * 50, 1_000_000 + (batch + 1) * 50):
        run_sequence(seed, edits=8)
