"""This process's memory: how much it took at most since some moment (what Linux tells, nothing elsewhere), and how often it
looks for cycles."""

from __future__ import annotations

import gc
import re
from contextlib import suppress

_YOUNG = 50_000
"""Objects made, less those freed, between two searches for cycles among the youngest (default: 700)."""


def collect_rarely() -> None:
    """Searches for cycles less often, and never among what exists already.

    The analysis makes millions of small objects that are in no cycle, so that by default a sixth of its time goes into
    looking for some.  To be called once per process, after most modules are imported."""
    gc.freeze()
    gc.enable()  # If it was off while modules were imported.
    gc.set_threshold(_YOUNG, 20, 50)


def forget_peak() -> None:
    """From now on the peak counts afresh."""
    # "5" resets the high-water mark (proc_pid_clear_refs); where it cannot be reset, the peak is that of the whole run.
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def peak_megabytes() -> float | None:
    """The greatest resident memory since then, in MB; None where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            match = re.search(r"VmHWM:\s*([0-9]+) kB", file.read())
    except OSError:
        return None
    return None if match is None else int(match[1]) / 1024
