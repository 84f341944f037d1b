"""The memory and the processor time that a process takes (what Linux tells, nothing elsewhere), and how often this one looks for
cycles."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable
from contextlib import suppress

_YOUNG, _OLDER, _OLDEST = 50_000, 20, 50
_OF_A_FILE = 1_000_000
"""Objects made, less those freed, between two searches for cycles among the youngest (default: 700); searches from one among older ones
to the next, and of these from one among the oldest to the next.  Who analyses file after file looks after each of them (`Leftovers`), and within
one only if it makes very many objects: what is in cycles there is a small part of them."""

_FEW = (4_000, 5, _OLDEST)
"""What is left for the next time while nobody waits, counted as above: often and little at a time, so that nobody comes to wait."""

_QUIET = (0.0, 0.25, 4.0)
"""Seconds in which nothing has to have come before a search among the young, the older, the oldest: it takes some milliseconds, some
hundredths of a second, and up to a second of a process that has analysed much."""


_GROWN = 96 << 20
"""Bytes more than after the last search, from which on a process that analyses file after file looks what of them nobody needs any more."""


class Leftovers:
    """Objects in cycles that analyses of one file after the other leave behind. Python looks for them among older
    objects only once in fifty million objects made."""

    def __init__(self) -> None:
        self._after = resident_bytes(os.getpid())

    def freed(self) -> bool:
        """Looks for cycles if the process has grown enough; whether it did."""
        if resident_bytes(os.getpid()) < self._after + _GROWN:
            return False
        gc.collect()
        self._after = resident_bytes(os.getpid())
        return True


def resident_bytes(pid: int | None) -> int:
    """The memory of a process; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def processor_seconds(pid: int | None) -> float:
    """The processor time that a process has taken so far; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            ticks = file.read().rpartition(")")[2].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return 0.0


def collect_rarely(file_after_file: bool = False) -> None:
    """Searches for cycles less often, and never among what exists already.

    The analysis makes millions of small objects that are in no cycle, so that by default a sixth of its time goes into
    looking for some.  To be called once per process, after most modules are imported."""
    gc.freeze()
    gc.enable()  # If it was off while modules were imported.
    gc.set_threshold(_OF_A_FILE if file_after_file else _YOUNG, _OLDER, _OLDEST)


def collect_while_idle(busy: Callable[[float], bool]) -> None:
    """Searches that would be due soon, now that nobody waits for an answer: one of them takes as long as half an edit.  `busy`: whether
    something to do comes within so many seconds."""
    for generation, (count, few) in enumerate(zip(gc.get_count(), _FEW, strict=True)):
        if count > few:
            if busy(_QUIET[generation]):
                return
            gc.collect(generation)


def forget_peak() -> None:
    """Starts measuring the greatest memory afresh."""
    # "5" resets the high-water mark (proc_pid_clear_refs); where it cannot be reset, the peak is that of the whole run.
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def peak_megabytes() -> float | None:
    """The greatest resident memory since `forget_peak`, in MB; None where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            match = re.search(r"VmHWM:\s*([0-9]+) kB", file.read())
    except OSError:
        return None
    return None if match is None else int(match[1]) / 1024
