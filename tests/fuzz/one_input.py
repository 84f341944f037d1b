"""What is asked of one input: an analysis without an internal error, within limits of time and memory.

Each input is analysed in a process of its own, forked from one that has imported everything, as a user's command line would: the system tells what
it took.  The coverage of an input are the calls that it made: which function called which.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import NoReturn

from analysis_core.cli import render_json
from analysis_core.pipeline.pipeline import analyse_file, load_rest
from analysis_core.support.files import MemoryFiles
from analysis_core.support.recursion import deep_recursion
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources

SECONDS = 10.0
"""Processor time of an input at most."""

BYTES = 512 * 1024 * 1024
"""Resident memory at most."""

_LOADED = 64 * 1024 * 1024
"""What of that a process has that has just loaded the analysis."""

PATH = "input.cu"
Edge = tuple[int, int]
Calls = dict[tuple[int, int], tuple[CodeType, CodeType | None]]
"""Functions and who called them, by their identities: to hash a function's code takes as long as many calls."""

_KILLED = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one input.  `failure`: None, or what is wrong, its first line the same for the same fault; `edges`: pairs of functions, by hash,
    of which one called the other."""

    failure: str | None
    seconds: float
    resident: int
    edges: frozenset[Edge] = frozenset()


def analysed(data: bytes) -> None:
    """The whole analysis of one input, and what is shown of it.  Raises whatever is wrong."""
    files, settings = MemoryFiles({PATH: data}), Settings()
    with deep_recursion():
        report = analyse_file(PATH, files, settings, strict=True)
        shown = render_json.file_json(report, Sources(files), settings)
    json.dumps(shown, allow_nan=False)
    for finding in report.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(data), finding


def tried(data: bytes, watch: bool = False, work: Callable[[bytes], None] = analysed) -> Outcome:
    """Analyses an input in a process of its own; `watch` for its coverage, which takes twice the time."""
    outcome = _in_child(data, watch, work)
    if watch and outcome.failure is not None and outcome.failure.startswith("more than"):
        return _in_child(data, False, work)
    return outcome


def warmed() -> None:
    """Imports what is imported at first use, for all children at once."""
    load_rest()
    analysed(b"__global__ void k(float *a, int n) { for (int i = threadIdx.x; i < n; i += 32) a[i * 2] = i; }")


def _held() -> tuple[int, int]:
    """The bytes of addresses and of memory that this process has."""
    size, resident = map(int, Path("/proc/self/statm").read_text().split()[:2])
    page = resource.getpagesize()
    return size * page, resident * page


def _in_child(data: bytes, watch: bool, work: Callable[[bytes], None]) -> Outcome:
    """What other work has left in this process is no input's."""
    reading, writing = os.pipe()
    size, before = _held()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _child(data, watch, work, writing, size)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        told = stream.read()
    _, status, used = os.wait4(pid, 0)
    seconds, resident = used.ru_utime + used.ru_stime, _LOADED + max(0, used.ru_maxrss * 1024 - before)
    failure, edges = pickle.loads(told) if told else (f"the process ended: {status}", frozenset())
    if seconds > SECONDS or (
        not told and os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
    ):
        failure = f"more than {SECONDS:g} s of processor time"
    elif resident > BYTES:
        failure = f"more than {BYTES >> 20} MB"
    return Outcome(failure, seconds, resident, edges)


def _child(data: bytes, watch: bool, work: Callable[[bytes], None], writing: int, size: int) -> NoReturn:
    """Never returns to its caller's work: whatever happens, the process ends here."""
    limit = int(SECONDS * (3 if watch else 1)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(20 * limit)  # for one that only waits
    resource.setrlimit(resource.RLIMIT_AS, (size + 4 * BYTES, size + 4 * BYTES))
    calls: Calls = {}
    failure = None
    try:
        if watch:
            sys.settrace(_noting(calls))
        work(data)
    except BaseException as error:
        failure = _described(error)
    finally:
        sys.settrace(None)
        edges = frozenset((_place(code), 0 if caller is None else _place(caller)) for code, caller in calls.values())
        told = pickle.dumps((failure, edges))
        while told:
            told = told[os.write(writing, told) :]
        os._exit(_KILLED if failure else 0)


def _noting(calls: Calls) -> Callable[[FrameType, str, object], None]:
    def note(frame: FrameType, event: str, _: object) -> None:
        code, caller = frame.f_code, frame.f_back
        by = None if caller is None else caller.f_code
        pair = id(code), id(by)
        if pair not in calls:
            calls[pair] = code, by

    return note


def _place(code: CodeType) -> int:
    return hash((os.path.basename(code.co_filename), code.co_firstlineno))


def _described(error: BaseException) -> str:
    """The fault and where it happened, on the first line; what led there below."""
    places = traceback.extract_tb(error.__traceback__)
    own = [place for place in places if "analysis_core" in place.filename] or places
    last = own[-1]
    return f"{type(error).__name__} in {os.path.basename(last.filename)}: {last.name}\n{str(error)[:200]}\n{''.join(traceback.format_list(own[-6:]))}"
